package kernel

import (
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Fill computes the rows that are not kept yet, many at a time by workers goroutines, 0 for all cores, where the budget
// has room for all of them: for who will Pin most of them one by one. It does nothing where it has not, and for a
// matrix that is precomputed. It panics where workers is negative. O(n² d).
func (m *Matrix[T]) Fill(workers int) {
	n := m.n
	if m.k == nil || m.Room() < n {
		return
	}
	block := vec.NewMatrix[T](min(batchRows, n), n)
	for from := 0; from < n; from += batchRows {
		rows := core.Some(nil, from, min(from+batchRows, n))
		m.Rows(block.Slice(0, len(rows), 0, n), rows, workers)
	}
}
