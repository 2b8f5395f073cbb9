package parallel

import (
	"sync/atomic"
	"testing"
)

// Each piece is done once, and no two at a time by goroutines of the same number.
func TestDo(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 3, 8} {
		for _, n := range []int{0, 1, 2, 7, 100} {
			done, busy := make([]atomic.Int32, n), make([]atomic.Bool, max(1, workers))
			Do(workers, n, func(w, i int) {
				if !busy[w].CompareAndSwap(false, true) {
					t.Errorf("%d workers, %d pieces: two goroutines are number %d", workers, n, w)
				}
				done[i].Add(1)
				busy[w].Store(false)
			})
			for i := range done {
				if got := done[i].Load(); got != 1 {
					t.Errorf("%d workers, %d pieces: piece %d done %d times", workers, n, i, got)
				}
			}
		}
	}
}
