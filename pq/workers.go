package pq

import "runtime"

// workersOf is the number of goroutines that a caller's wish stands for: 0 means all cores.
func workersOf(wish int) int {
	if wish <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return wish
}
