package kernel

import (
	"slices"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
)

// Compact returns the kernel matrix of the examples rows of m, in that order, with rows of its own: of len(rows)
// numbers, kept under a budget as large as m's. Its numbers have the bits of m's. It is for trainings on an active set,
// which would waste what whole rows take. It panics where a row is out of range or rows is empty, and for a matrix that
// is precomputed.
func (m *Matrix[T]) Compact(rows []int) *Matrix[T] {
	if m.k == nil || len(rows) == 0 {
		panic(shape.Errorf("kernel: Matrix.Compact", "%d examples of a precomputed matrix, or none", len(rows)))
	}
	m.mustHold("Matrix.Compact", "row", rows)
	whole, examples := m.from().within(slices.Clone(rows))
	c := &Matrix[T]{n: len(rows), k: m.k, x: design.Subset(whole.x, examples), d: m.d, budget: whole.budget,
		thin: m.thin, of: m, chosen: slices.Clone(rows), norms: make([]T, len(rows)), mean: whole.mean}
	c.source = computed[T]{c}
	core.Choose(c.norms, whole.norms, examples)
	c.cache = newCache[T](c.n, c.keepPanels(c.budget-c.scratch()))
	if c.thin {
		row := func(i int) sparseRow[T] { return whole.sparse.row(examples[i]) }
		c.sparse, _ = transpose(c.n, c.d, row, c.norms) // an error would be one of the whole matrix, too
	}
	return c
}

// Renew returns the Compact of the examples keep of c, in that order, followed by the examples more of the matrix that
// c is a Compact of. The rows of K that c holds are kept, and only what they lack is computed, by workers goroutines,
// at least 1. c must not be used any more: its memory is used again, too, so that there is never twice as much.
func (c *Matrix[T]) Renew(keep, more []int, workers int) *Matrix[T] {
	if c.of == nil {
		panic(shape.Errorf("kernel: Matrix.Renew", "a matrix of %d examples that is no Compact", c.n))
	}
	c.mustHold("Matrix.Renew", "example", keep)
	rows := make([]int, len(keep), len(keep)+len(more))
	core.Choose(rows, c.chosen, keep)
	n := c.of.Compact(append(rows, more...))
	place := make([]int, c.n) // of the examples of c in n, or -1
	for i := range place {
		place[i] = -1
	}
	for p, i := range keep {
		place[i] = p
	}
	fresh := make([]int, len(more)) // columns
	for q := range fresh {
		fresh[q] = len(keep) + q
	}
	index, to := make([]int, 0, batchRows), make([][]T, 0, batchRows)
	flush := func() {
		n.compute(workers, index, fresh, to)
		index, to = index[:0], to[:0]
	}
	old := c.cache
	c.cache, c.panels.kept = nil, nil
	for at := 0; len(old.slabs) > 0; {
		slab := old.slabs[0]
		for range min(slab.Rows, len(old.kept)-at) {
			i := old.kept[at].row
			at++
			if i < 0 || place[i] < 0 || len(n.cache.kept) == n.cache.room {
				continue
			}
			values := n.cache.assign(place[i], n.cache.free()).values
			core.Choose(values[:len(keep)], old.kept[at-1].values, keep)
			if index, to = append(index, place[i]), append(to, values[len(keep):]); len(index) == batchRows {
				flush()
			}
		}
		n.cache.spare, old.slabs = append(n.cache.spare, slab.Data), old.slabs[1:]
	}
	flush()
	return n
}
