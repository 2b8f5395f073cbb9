package kernel

import "github.com/dualgap/dualgap/vec"

// Fill computes the rows that are not kept yet, many at a time by workers goroutines, 0 for all cores, where the budget
// has room for all of them: for who will Pin most of them one by one. It does nothing where it has not, and for a
// matrix that is precomputed. It panics where workers is negative. O(n² d).
func (m *Matrix[T]) Fill(workers int) {
	n := m.Len()
	if m.Kernel() == nil || m.Room() < n {
		return
	}
	const most = 64
	block, rows := vec.NewMatrix[T](min(most, n), n), make([]int, 0, most)
	for from := 0; from < n; from += most {
		rows = rows[:0]
		for i := from; i < min(from+most, n); i++ {
			rows = append(rows, i)
		}
		m.RowsWorkers(block.Slice(0, len(rows), 0, n), rows, workers)
	}
}
