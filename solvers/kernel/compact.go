package kernel

import (
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
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
	m.mustHold("Matrix.Compact", rows...)
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
	c.mustHold("Matrix.Renew", keep...)
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
	old := c.cache
	c.cache, c.panels.kept = nil, nil
	for at := 0; len(old.slabs) > 0; {
		slab := old.slabs[0]
		rows := old.kept[at:min(at+slab.Rows, len(old.kept))]
		at += len(rows)
		n.take(rows, place, keep, fresh, workers)
		n.cache.spare, old.slabs = append(n.cache.spare, slab.Data), old.slabs[1:]
	}
	return n
}

// take keeps rows of another Compact, as far as there is room: row i is row place[i], none if that is negative, with
// the columns keep of that one first and the fresh columns behind them.
func (n *Matrix[T]) take(rows []kept[T], place, keep, fresh []int, workers int) {
	var index []int
	var from, to, behind [][]T
	for _, k := range rows {
		if k.row < 0 || place[k.row] < 0 || len(n.cache.kept) == n.cache.room {
			continue
		}
		home := n.cache.free()
		n.cache.assign(place[k.row], home)
		index, from, to = append(index, home.row), append(from, k.values), append(to, home.values)
		behind = append(behind, home.values[len(keep):])
	}
	neighbours := core.Run(keep)
	parallel.Do(workers, len(index), func(_, q int) {
		if neighbours && len(keep) > 0 {
			copy(to[q][:len(keep)], from[q][keep[0]:])
		} else {
			core.Choose(to[q][:len(keep)], from[q], keep)
		}
	})
	for p := 0; p < len(index); p += batchRows {
		end := min(p+batchRows, len(index))
		n.compute(workers, index[p:end], fresh, behind[p:end])
	}
}
