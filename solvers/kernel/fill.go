package kernel

import "github.com/dualgap/dualgap/solvers/kernel/internal/core"

// Fill computes the rows that are not kept yet, many at a time by workers goroutines, 0 for all cores, where the budget
// has room for all of them: for who will Pin most of them one by one. It does nothing where it has not, and for a
// matrix that is precomputed. It panics where workers is negative. O(n² d).
func (m *Matrix[T]) Fill(workers int) {
	n := m.n
	if m.k == nil || m.Room() < n {
		return
	}
	l := m.lent()
	defer m.lents.Put(l)
	for from := 0; from < n; from += batchRows {
		m.Lend(l, core.Some(nil, from, min(from+batchRows, n)), workers)
		m.Return(l)
	}
}
