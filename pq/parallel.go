package pq

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// workersOf is the number of goroutines that a caller's wish stands for: 0 means all cores.
func workersOf(wish int) int {
	if wish <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return wish
}

// parallel calls f once for each i < n, from as many goroutines as workers, and returns when all are done. w is the number
// of the goroutine, below workers. Which goroutine takes which i is chance: results must not depend on it.
func parallel(workers, n int, f func(w, i int)) {
	workers = min(workers, n)
	if workers <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	var next atomic.Int64
	var all sync.WaitGroup
	run := func(w int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(w, i)
		}
	}
	for w := range workers - 1 {
		all.Go(func() { run(w + 1) })
	}
	run(0)
	all.Wait()
}
