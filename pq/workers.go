package pq

import (
	"fmt"
	"runtime"

	"github.com/dualgap/dualgap/internal/parallel"
)

// workersOf is the number of goroutines that a caller's wish stands for: 0 means all cores. name is what the wish is
// called.
func workersOf(name string, wish int) (int, error) {
	if wish < 0 {
		return 0, fmt.Errorf("pq: %s is %d", name, wish)
	}
	if wish == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return wish, nil
}

// each calls step for each i < n, from several goroutines; w is the number of the goroutine. Which of them takes
// which i is chance. With one worker it allocates nothing.
func each[J any](workers int, j J, n int, step func(j J, w, i int)) {
	if workers == 1 {
		for i := range n {
			step(j, 0, i)
		}
		return
	}
	parallel.Do(workers, n, func(w, i int) { step(j, w, i) })
}
