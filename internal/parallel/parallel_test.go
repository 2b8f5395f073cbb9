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

// The chunks have each thing once, and size of them but for the last.
func TestChunks(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 5, 8, 9, 100} {
		for _, size := range []int{1, 4, 200} {
			for _, workers := range []int{1, 3} {
				done := make([]atomic.Int32, n)
				var chunks atomic.Int32
				Chunks(workers, n, size, func(w, from, to int) {
					if w < 0 || w >= workers || from%size != 0 || to != min(from+size, n) || from == to {
						t.Errorf("%d things, %d at a time: %d to %d, by %d of %d", n, size, from, to, w, workers)
					}
					chunks.Add(1)
					for i := from; i < to; i++ {
						done[i].Add(1)
					}
				})
				for i := range done {
					if got := done[i].Load(); got != 1 {
						t.Errorf("%d things, %d at a time: thing %d done %d times", n, size, i, got)
					}
				}
				if want := math.Ceil(float64(n) / float64(size)); float64(chunks.Load()) != want {
					t.Errorf("%d things, %d at a time: %d chunks, want %v", n, size, chunks.Load(), want)
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
