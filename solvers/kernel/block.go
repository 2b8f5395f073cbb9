package kernel

import (
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
	m.mustHold("Matrix.Block", rows...)
	m.mustHold("Matrix.Block", cols...)
	whole, rows := m.from().within(rows)
	_, cols = m.from().within(cols)
	to := make([][]T, len(rows))
	for p := range to {
		to[p] = dst.Row(p)
	}
	whole.part(to, rows, cols, workers)
}

// part sets dst to K[rows, cols] of a matrix that is no Subset, and returns how many rows were not in memory.
func (m *Matrix[T]) part(dst [][]T, rows, cols []int, workers int) (missing int) {
	if len(rows) == 0 || len(cols) == 0 {
		return 0
	}
	l := m.lent()
	defer m.lents.Put(l)
	m.lend(l, rows, held, workers)
	defer m.Return(l)
	parallel.Do(workers, len(rows), func(_, p int) {
		if l.Rows[p] != nil {
			core.Choose(dst[p], l.Rows[p], cols)
		}
	})
	to := make([][]T, len(l.missing))
	core.Choose(to, dst, l.missing)
	for from := 0; from < len(to); from += batchRows {
		end := min(from+batchRows, len(to))
		m.compute(workers, l.index[from:end], cols, to[from:end])
	}
	return len(to)
}
