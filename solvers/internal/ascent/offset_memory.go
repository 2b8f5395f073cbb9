package ascent

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// offsets is what an offset takes of each example: four numbers and a kink of its loss, and at the zero model once
// more; and what goes with the mean, if that is taken from the examples.
func (p *Problem[T]) offsets() (parts solvers.Memory) {
	if !p.Offset {
		return nil
	}
	n, d := p.size()
	parts = append(parts, family.Numbers("bounds, kinks and balanced dual variables", 1, 8, 15*n+d, "numbers", 1, ""))
	if p.Kernel != nil {
		return parts
	}
	_, sparse := p.X.(design.SparseRows[T])
	sparse = sparse || family.SparseCopy(p.X).Bytes > 0
	switch columns := p.centredColumns(sparse); {
	case columns == 0:
	case sparse: // half of the numbers of such a column may be 0, and are not when the mean is taken from them
		parts = append(parts, family.Numbers("sparse examples less their mean", 1, int(unsafe.Sizeof(T(0)))+4, n,
			"examples", int(family.Held(p.X)*float64(d))+1+columns/2, "numbers"))
	default:
		parts = append(parts, family.Numbers("the mean, and an example less it", 2, 8, d, "features", 1, ""))
	}
	return parts
}

// centredColumns returns from how many columns the mean is taken, as a sample of the examples has it: see meanOf.
func (p *Problem[T]) centredColumns(sparse bool) (columns int) {
	n, d := p.X.Dims()
	sample := min(n, 64, max(1, 1<<20/max(1, d)))
	if sample == 0 || !sparse && design.IsSparse(p.X) {
		return 0
	}
	sums, squares, all, square := make([]float64, d), make([]float64, d), 0.0, 0.0
	row := vec.NewMatrix[T](1, d)
	for q := range sample {
		p.X.Gather(row, []int{q * (n / sample)})
		for j, v := range row.Data {
			f := float64(v)
			sums[j], squares[j], all = sums[j]+f, squares[j]+f*f, all+f*f
		}
	}
	for j, v := range sums {
		if v != 0 && (!sparse || 2*v*v > float64(sample)*squares[j]) {
			columns++
			square += v * v
		}
	}
	if !(square > worthCentring*float64(sample)*all) {
		return 0
	}
	return columns
}
