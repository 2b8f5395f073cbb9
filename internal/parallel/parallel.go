// Package parallel shares independent pieces of work among goroutines.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Do calls f once for each i < n, from as many goroutines as workers, of which the caller is one, and returns when all
// are done. w, below workers, is the number of the goroutine. Which goroutine takes which i is chance: results must not
// depend on it.
func Do(workers, n int, f func(w, i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	var next atomic.Int64
	run := func(w int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(w, i)
		}
	}
	var others sync.WaitGroup
	for w := range workers - 1 {
		others.Go(func() { run(w + 1) })
	}
	run(0)
	others.Wait()
}
