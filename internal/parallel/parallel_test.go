package parallel

import (
	"math"
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

// The parts have each thing once, in order, and as many as one more or less.
func TestRanges(t *testing.T) {
	for _, n := range []int{0, 1, 5, 7, 100} {
		for _, workers := range []int{1, 2, 3, 8} {
			parts := make([][2]int, workers)
			Ranges(workers, n, func(w, from, to int) { parts[w] = [2]int{from, to} })
			at := 0
			for w, part := range parts {
				if size := part[1] - part[0]; part[0] != at || size < n/workers || size > n/workers+1 {
					t.Errorf("%d things, part %d of %d: %v behind %d", n, w, workers, part, at)
				}
				at = part[1]
			}
			if at != n {
				t.Errorf("%d things in %d parts: %d", n, workers, at)
			}
		}
	}
	if got := Share(math.MaxInt, 3, 3); got != math.MaxInt {
		t.Errorf("the end of all: %d", got)
	}
}
