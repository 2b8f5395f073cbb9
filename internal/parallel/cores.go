package parallel

import (
	"fmt"
	"runtime"
)

// Cores returns the number of goroutines that an argument named workers stands for: 0 is that of the cores,
// runtime.GOMAXPROCS. A negative number is an error, to which the caller adds the name of its package.
func Cores(workers int) (int, error) {
	if workers < 0 {
		return 0, fmt.Errorf("%d workers, need at least 0", workers)
	}
	if workers == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return workers, nil
}
