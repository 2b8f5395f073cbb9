package parallel

import (
	"fmt"
	"runtime"
)

// Cores returns the number of goroutines that an argument named workers stands for: 0 is the number of cores,
// runtime.GOMAXPROCS. It is at most the number of pieces of work, such as rows, so that callers may multiply it and
// make a slice of it; and at least 1. A negative number is an error, to which the caller adds the name of its package.
func Cores(workers, pieces int) (int, error) {
	if workers < 0 {
		return 0, fmt.Errorf("%d workers, want at least 0", workers)
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return max(1, min(workers, pieces)), nil
}

// Worth returns how many workers, of a number of them, are worth their cost for work that takes one a time in
// nanoseconds. To wake a goroutine takes 30 µs where its core has gone to sleep: each is to have somewhat more to do.
func Worth(workers int, time float64) int {
	const share = 40e3
	if time < share*float64(workers) {
		workers = int(time / share)
	}
	return max(1, workers)
}
