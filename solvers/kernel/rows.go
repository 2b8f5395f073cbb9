package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// batchRows is how many rows are computed together at most: they share the cost of reading the examples.
const batchRows = 64

// Rows sets dst = K[rows], len(rows)-by-n, by workers goroutines, 0 for all cores. rows are in [0, n), in any order. A
// row has the same bits in every call, and for any number of goroutines. It panics where the sizes do not fit, a row is
// out of range or workers is negative.
//
// A row that is in the cache costs O(n), another one O(n d), and of sparse examples what those hold of its features. Of
// dense examples up to 64 rows at a time share the cost of reading all examples from memory, which is most of what a
// row alone takes where the examples do not fit into the CPU's caches.
func (m *Matrix[T]) Rows(dst vec.Matrix[T], rows []int, workers int) {
	if dst.Rows != len(rows) || dst.Cols != m.n {
		panic(shape.Errorf("kernel: Matrix.Rows", "dst is %d-by-%d for %d rows of %d examples",
			dst.Rows, dst.Cols, len(rows), m.n))
	}
	workers, err := parallel.Cores(workers, m.n)
	if err != nil {
		panic(shape.Errorf("kernel: Matrix.Rows", "%v", err))
	}
	m.mustHold("Matrix.Rows", rows...)
	l := m.lent()
	defer m.lents.Put(l)
	for from := 0; from < len(rows); from += batchRows {
		m.lend(l, rows[from:min(from+batchRows, len(rows))], keep, workers)
		parallel.Do(workers, len(l.Rows), func(_, p int) { copy(dst.Row(from+p), l.Rows[p]) })
		m.Return(l)
	}
}

// compute sets dst[p][q] = K[rows[p], cols[q]] for at most 64 rows, where nil stands for all columns, or, of dense
// examples, for as many of the first ones as dst has. An element has the same bits in every call.
func (m *Matrix[T]) compute(workers int, rows, cols []int, dst [][]T) {
	if len(rows) == 0 {
		return
	}
	count := len(dst[0])
	if cols != nil {
		count = len(cols)
	}
	if count == 0 {
		return
	}
	if m.thin {
		parallel.Do(workers, len(rows), func(_, p int) { m.computeThin(rows[p], cols, dst[p]) })
		return
	}
	m.prepare(workers)
	b := m.batch(rows)
	size := chunkCols[T](len(rows), count, workers)
	parallel.Do(workers, shape.Pieces(count, size), func(_, c int) {
		w := m.window()
		w.batch, w.all = b, cols
		w.from, w.to = c*size, min((c+1)*size, count)
		var packed []T
		if cols == nil && m.panels.kept != nil && w.to <= m.panels.keep {
			packed = m.panels.kept[w.from*m.d:] // from is a multiple of a panel's columns
		}
		w.compute(packed, dst)
		w.batch, w.all = nil, nil
		m.windows.Put(w)
	})
	m.batches.Put(b)
}

// chunkCols is how many of count columns are computed before the products become values: whole panels, four at least
// where there are as many, and else enough that the products take 2^18 bytes, which stay in a second-level cache, and
// that every goroutine has some.
func chunkCols[T vec.Float](rows, count, workers int) int {
	cols := unchecked.PanelCols[T]()
	panels := max(4, min(1024/rows, count/cols/(2*workers)))
	return panels * cols
}
