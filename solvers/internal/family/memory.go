package family

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Memory is the Memory of a family, of what prepare makes.
func Memory[C any, P interface{ Memory() solvers.Memory }](family string, prepare func(C, solvers.Options) (P, error),
	c C, o solvers.Options) (solvers.Memory, error) {
	t, err := prepare(c, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", family, err)
	}
	return t.Memory(), nil
}

// Numbers returns a part of a Memory: rows times columns of numbers, each of a size in bytes, in some copies. The names
// say what the rows and columns are of; "" for one column.
func Numbers(what string, copies float64, bytes int, rows int, ofRows string, cols int,
	ofCols string) solvers.MemoryPart {
	times := ""
	if copies != 1 {
		times = fmt.Sprintf(" x %.3g", copies)
	}
	size := fmt.Sprintf("%d %s", rows, ofRows)
	if ofCols != "" {
		size += fmt.Sprintf(" x %d %s", cols, ofCols)
	}
	return solvers.MemoryPart{
		What: what, Formula: fmt.Sprintf("%s x %d bytes%s", size, bytes, times),
		Bytes: float64(rows) * float64(cols) * float64(bytes) * copies,
	}
}

// Copies of a model, or of dual variables, that a training and its end hold beside what steps move: the best of the
// certificates that were due and of those for a stop, the one at hand, and the model itself.
const Copies = 4

// KernelMemory estimates what any training on k takes for the kernel: the rows that are kept, what computing rows
// takes, and the larger one of what certificates take, which multiply K by some numbers for each example, and of the
// support vectors of a model. Where levels make other examples active there are two kernels for a moment: of the old
// rows one slab.
func KernelMemory[T vec.Float](k *kernel.Matrix[T], outputs, workers int, levels bool) solvers.Memory {
	n, number, kept := k.Len(), int(unsafe.Sizeof(T(0))), k.KeptBytes()
	what := "the budget of the kernel"
	if levels {
		what += ", and a slab"
		kept += min(kept, kernel.SlabBytes)
	}
	products := solvers.MemoryPart{What: "products with K of certificates", Bytes: k.MultiplyBytes(outputs, workers),
		Formula: fmt.Sprintf("%d examples x %d numbers: see kernel.Matrix.Multiply", n, outputs)}
	memory := solvers.Memory{{What: "rows of K that are kept", Formula: what, Bytes: kept},
		{What: "rows of K that are computed", Formula: "see kernel.Matrix.Rows", Bytes: k.RowsBytes(workers)}}
	if k.Kernel() != nil {
		width := Width(k.Features())
		if design.IsSparse(k.Features()) { // see kernel.Matrix.Float64
			memory = append(memory, Numbers("examples in float64", 1, 16, n, "examples", width, "numbers"))
		}
		if support := Numbers("support vectors of the model", 1, number, n, "examples", width+outputs/2,
			"numbers"); support.Bytes > products.Bytes {
			products = support
		}
	}
	return append(memory, products)
}

// Width returns how many numbers an example holds on average, by a sample.
func Width[T vec.Float](x design.Matrix[T]) int {
	_, d := x.Dims()
	if !design.IsSparse(x) {
		return d
	}
	return int(Held(x)*float64(d)) + 2
}

// Held returns the share of the numbers of a sample of examples that are not 0.
func Held[T vec.Float](x design.Matrix[T]) float64 {
	n, d := x.Dims()
	sample := min(n, 64, max(1, 1<<20/max(1, d)))
	if sample == 0 || d == 0 {
		return 0
	}
	nonzeros := 0
	if rows, ok := x.(design.SparseRows[T]); ok {
		for p := range sample {
			columns, _ := rows.Row(p * (n / sample))
			nonzeros += len(columns)
		}
		return float64(nonzeros) / (float64(sample) * float64(d))
	}
	row := vec.NewMatrix[T](1, d)
	for p := range sample {
		x.Gather(row, []int{p * (n / sample)})
		for _, v := range row.Data {
			if v != 0 {
				nonzeros++
			}
		}
	}
	return float64(nonzeros) / (float64(sample) * float64(d))
}

// ColumnCopies are the copies that design.WithColumns(design.Sparse(x)) makes: none of dense examples.
func ColumnCopies[T vec.Float](x design.Matrix[T]) solvers.Memory {
	n, d := x.Dims()
	part := SparseCopy(x)
	if part.Bytes == 0 && !design.IsSparse(x) {
		return nil
	}
	number := int(unsafe.Sizeof(T(0))) + 4
	columns := Numbers("examples by columns", 1.1, number, n, "examples", int(Held(x)*float64(d))+1, "numbers")
	return solvers.Memory{part, columns, Numbers("where columns begin", 1, 8, d, "features", 1, "")}
}

// SparseCopy is what a training copies of examples that are not sparse but hold few numbers: see design.Sparse.
func SparseCopy[T vec.Float](x design.Matrix[T]) (none solvers.MemoryPart) {
	n, d := x.Dims()
	if design.IsSparse(x) {
		return none
	}
	const most = 0.4
	share := Held(x)
	if share > most {
		return none
	}
	return Numbers("a sparse copy of the examples", 1.1, int(unsafe.Sizeof(T(0)))+4, n, "examples",
		int(share*float64(d))+1, "numbers")
}
