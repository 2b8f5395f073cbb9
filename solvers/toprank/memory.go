package toprank

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
)

// Memory estimates from above what Fit takes besides the examples, or returns the error of the Problem or the Config.
// Where there are levels all examples are counted: the last level may come to them. O(n).
//
// Its leading terms are, in numbers of float64, 18 d² + 42 n and a copy of the examples for few features; with a kernel
// 3 n² + 60 n, of 4000 examples at most, and the rows that are kept; within queries (2 + s) n² + (512 Workers + 384) n,
// where products are summed in s parts, 16 at most. For few features, and within queries, it is at most a quarter more
// than what is alive at a time; elsewhere it counts that the interior point method takes over, which may not be.
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}

// Memory: see family.Memory.
func (p *prepared[T]) Memory() solvers.Memory {
	number, n := int(unsafe.Sizeof(T(0))), len(p.Positive)
	if p.Kernel == nil {
		_, d := p.X.Dims()
		if d <= min(n, mostFeatures) && !p.visits {
			m := solvers.Memory{
				// 16 and two of their decomposition
				family.Numbers("sums of products of features", 18, 8, d, "features", d, "features"),
				family.Numbers("variables of the examples", 42, 8, n, "examples", 1, ""),
				family.Numbers("examples in float64", float64(p.o.Workers), 8, 256, "examples", d, "features"),
			}
			if few := copied(p.X); few > 0 {
				m = append(m, family.Numbers("copies of examples", 1, 8, few, "examples", d, "features"))
			}
			return m
		}
	}
	m := solvers.Memory{family.Numbers("variables of the examples", 60, 8, n, "examples", 1, "")}
	if p.Kernel != nil && p.Kernel.Kernel() == nil {
		m = append(m, family.Numbers("the kernel matrix in float64", 1, 8, n, "examples", n, "examples"))
	}
	inside := min(n, mostFactored)
	if p.Groups == nil {
		m = append(m, family.Numbers("K of the interior point method", 3, 8, inside, "examples", inside, "examples"))
	} else { // L, the sums of its products, and rows of it
		m = append(m, family.Numbers("K of the interior point method", 2+float64(interior.Sums(inside, inside)), 8,
			inside, "examples", inside, "examples"), family.Numbers("rows of the factor", 1, 8, inside, "numbers",
			2*256*p.o.Workers+interior.BlockRows, "rows"))
		if n <= mostFactored && !p.visits { // K is computed at once, and no row of it is kept
			return append(m, family.Numbers("examples and products", 1, 8, n, "examples", 16, "numbers"))
		}
	}
	if p.Kernel != nil {
		return append(m, family.KernelMemory(p.Kernel, 2, p.o.Workers, true)...)
	}
	rows := min(n, rowBytes/(number*n+1)+1)
	return append(m,
		family.Numbers("rows of K that are kept", 1, number, n, "examples", rows, "rows"),
		family.Numbers("copies of examples", 2, 8, n, "examples", family.Width(p.X), "numbers"),
	)
}
