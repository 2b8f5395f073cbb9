package kernel

import (
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Block sets dst[p, q] = K[rows[p], cols[q]], len(rows)-by-len(cols), with the bits of Rows, by workers goroutines, 0
// for all cores. rows and cols are in [0, n), in any order, with repetitions. It panics where the sizes do not fit, an
// index is out of range or workers is negative. O(1) a number for rows that are kept, else O(d) whatever n is; but rows
// of sparse examples are computed in whole. None is kept.
func (m *Matrix[T]) Block(dst vec.Matrix[T], rows, cols []int, workers int) {
	if dst.Rows != len(rows) || dst.Cols != len(cols) {
		panic(shape.Errorf("kernel: Matrix.Block", "dst is %d-by-%d for %d rows and %d columns",
			dst.Rows, dst.Cols, len(rows), len(cols)))
	}
	dst.Check()
	workers, err := parallel.Cores(workers, max(len(rows), len(cols)))
	if err != nil {
		panic(shape.Errorf("kernel: Matrix.Block", "%v", err))
	}
	m.mustHold("Matrix.Block", "row", rows)
	m.mustHold("Matrix.Block", "column", cols)
	whole, rows := m.from().within(rows)
	_, cols = m.from().within(cols)
	whole.part(dst, rows, cols, workers)
}

// mustHold panics unless all of list are examples.
func (m *Matrix[T]) mustHold(function, what string, list []int) {
	for p, i := range list {
		if uint(i) >= uint(m.n) {
			panic(shape.Errorf("kernel: "+function, "%s %d at place %d, want one in 0..%d", what, i, p, m.n-1))
		}
	}
}

// part sets dst to K[rows, cols] of a matrix that is no Subset, and returns how many rows were not in memory.
func (m *Matrix[T]) part(dst vec.Matrix[T], rows, cols []int, workers int) (missing int) {
	if len(rows) == 0 || len(cols) == 0 {
		return 0
	}
	at := m.copyHeld(dst, rows, cols, workers)
	index, to := make([]int, 0, batchRows), make([][]T, 0, batchRows)
	for some := range slices.Chunk(at, batchRows) {
		index, to = index[:0], to[:0]
		for _, p := range some {
			index, to = append(index, rows[p]), append(to, dst.Row(p))
		}
		m.compute(workers, index, cols, to)
	}
	return len(at)
}

// copyHeld sets those rows of dst = K[rows, cols] that are in memory, and returns the places of the others.
func (m *Matrix[T]) copyHeld(dst vec.Matrix[T], rows, cols []int, workers int) (missing []int) {
	held := make([][]T, len(rows))
	m.cache.pinHeld(rows, held)
	parallel.Do(workers, len(rows), func(_, p int) {
		if held[p] != nil {
			core.Choose(dst.Row(p), held[p], cols)
		}
	})
	m.cache.unpinHeld(rows, held)
	for p, row := range held {
		if row == nil {
			missing = append(missing, p)
		}
	}
	return missing
}
