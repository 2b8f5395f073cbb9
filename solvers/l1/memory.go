package l1

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
)

// Memory estimates from above what Fit takes besides the examples, or returns an error of the sizes. Where the Config
// has a Checkpoint that saves, a state held in memory counts as well. O(n).
//
// Its leading terms are, in numbers of T, n d for dense examples, by columns, or 2 numbers and 2 indices for each
// number of sparse ones; and for each of Workers, and once more where there are several outputs, 5/4 q² for the second
// derivatives of a working set and 640 q for dense rows of it. It counts q = min(d, 1024) features in that, which is at
// most a quarter too much where as many are in it.
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
	matrices, some := workers, min(d, mostColumns)
	if m > 1 && d <= mostColumns {
		matrices++
	}
	all := p.copies(workers)
	dense := !design.IsSparse(p.X) && family.SparseCopy(p.X).Bytes == 0
	if dense || 4*family.Held(p.X) > denseFrom { // columns of a working set may hold more than others
		all = append(all, family.Numbers("blocks of examples", matrices*1.25, number, some, "columns", blockRows,
			"examples"))
	}
	if dense && number == 4 {
		all = append(all, family.Numbers("examples in float64", workers, 8, min(256, max(1, 1<<16/max(d, 1))),
			"examples", d, "features"))
	}
	return append(all,
		family.Numbers("scores and losses", workers, 8, n, "examples", 10, "numbers"),
		family.Numbers("examples and iterates of a step", workers*1.25, number, n, "examples", 5+depth, "numbers"),
		family.Numbers("places of examples", workers*1.25, 4, n, "examples", 3, "numbers"),
		family.Numbers("second derivatives", matrices, number, some, "columns", min(some+some/4, mostColumns),
			"columns"),
		family.Numbers("weights, live columns and the working set", 1+state, 16, d, "features", m, "outputs"),
		family.Numbers("weights of models", family.Copies+state, number, d, "features", max(m, 2), "classes"),
		family.Numbers("columns and iterates of a step", workers, 8, d, "features", 20+depth, "numbers"),
		family.Numbers("dual variables", family.Copies+state, number, n, "examples", m, "outputs"),
		family.Numbers("certificates of the examples", 2, 8, n, "examples", min(m, groupOf), "outputs"),
		family.Numbers("certificates of the features", 2, 8, d, "features", min(m, groupOf), "outputs"),
	)
}

// copies are the columns of the examples, and the ones of the working sets of steps that sweep over them.
func (p *prepared[T]) copies(workers float64) (all solvers.Memory) {
	number, d := int(unsafe.Sizeof(T(0))), p.d
	width := min(d, family.Width(p.X)+1)
	sparse := design.IsSparse(p.X)
	if copied := family.SparseCopy(p.X); copied.Bytes > 0 {
		width, sparse = min(d, int(copied.Bytes/1.1/float64(p.n*(number+4)))+1), true
	}
	if sparse {
		all = family.ColumnCopies(p.X)
	}
	of := number + 4
	if !sparse || float64(width) > 0.9*denseShare*float64(d) {
		width, of = d, number
		all = append(all, family.Numbers("examples by columns, dense", 1, number, p.n, "examples", d, "features"))
	}
	if d > fewColumns && (d > mostColumns || width > fewNumbers) {
		all = append(all, family.Numbers("columns of a working set", workers*1.25, of, p.n, "examples", width,
			"numbers"))
	}
	return all
}
