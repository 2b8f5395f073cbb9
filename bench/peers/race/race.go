// Package race holds what commands share that race the library's solvers against LIBLINEAR and LIBSVM: examples in C's
// memory, the rivals' training on them, CPU time, turns, and races of linear models to the same objective.
package race

import (
	"runtime"
	"syscall"
)

// CPUSeconds is the CPU time of the process.
func CPUSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Alternate lets runs take turns for a number of rounds. It returns the least of the CPU seconds that each tells.
func Alternate(rounds int, runs ...func() (seconds float64, err error)) ([]float64, error) {
	least := make([]float64, len(runs))
	for round := range rounds {
		for k, run := range runs {
			runtime.GC() // what one leaves behind is not collected in the time of the next
			seconds, err := run()
			if err != nil {
				return nil, err
			}
			if round == 0 || seconds < least[k] {
				least[k] = seconds
			}
		}
	}
	return least, nil
}
