package vec

import "runtime"

// team is the number of goroutines that an argument named workers stands for: all cores for 0, and never more than
// those, as each needs memory of its own. A negative number is an error of the program.
func team(function string, workers int) int {
	if workers < 0 {
		panic(unfit(function, "%d workers, want 0 for all cores or a positive number", workers))
	}
	if workers == 1 {
		return 1
	}
	cores := runtime.GOMAXPROCS(0)
	if workers == 0 {
		return cores
	}
	return min(workers, cores)
}
