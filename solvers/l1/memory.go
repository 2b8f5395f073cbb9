package l1

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// Memory estimates from above what Fit takes besides the examples, or returns an error of the sizes. Where the Config
// has a Checkpoint that saves, a state held in memory counts as well. O(n).
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}

// Memory: see family.Memory.
func (p *prepared[T]) Memory() solvers.Memory {
	n, d, m := p.n, p.d, len(p.classes)
	number, state := int(unsafe.Sizeof(T(0))), 0.0
	if p.o.Checkpoint.Save != nil {
		state = 1
	}
	workers := float64(min(p.o.Workers, m))
	some := min(d, mostColumns)
	return append(p.copies(),
		family.Numbers("columns of a working set", workers*1.25, number+4, n, "examples", width(p.X)+1, "numbers"),
		family.Numbers("scores, losses and iterates", workers, 8, n, "examples", 16+2*depth, "numbers"),
		family.Numbers("second derivatives", workers+1, number, some, "columns", some+blockRows, "columns"),
		family.Numbers("weights, live columns and the working set", 2+state, 16, d, "features", m, "outputs"),
		family.Numbers("weights of models", family.Copies+1+state, number, d, "features", max(m, 2), "classes"),
		family.Numbers("columns and iterates of a step", workers, 8, d, "features", 16+2*depth, "numbers"),
		family.Numbers("dual variables", family.Copies+state, number, n, "examples", m, "outputs"),
		family.Numbers("certificates of the examples", 2, 8, n, "examples", min(m, groupOf), "outputs"),
		family.Numbers("certificates of the features", 2, 8, d, "features", min(m, groupOf), "outputs"),
	)
}

// width returns how many numbers a column of an example counts for: all where columns may be laid out dense.
func width[T vec.Float](x design.Matrix[T]) int {
	_, d := x.Dims()
	if w := family.Width(x); float64(w) < denseShare*float64(d)/2 {
		return w
	}
	return d
}

// copies are the columns.
func (p *prepared[T]) copies() solvers.Memory {
	number := int(unsafe.Sizeof(T(0)))
	if design.IsSparse(p.X) && width(p.X) < p.d-1 {
		return family.ColumnCopies(p.X)
	}
	return append(family.ColumnCopies(p.X),
		family.Numbers("examples by columns, dense", 1, number, p.n, "examples", p.d, "features"))
}
