package prove

import "testing"

// Allocs is testing.AllocsPerRun: the allocations of a call of f, its first call aside. Under the race detector, where a
// sync.Pool forgets at random on purpose, f runs and the answer is 0.
func Allocs(runs int, f func()) float64 {
	n := testing.AllocsPerRun(runs, f)
	if raceEnabled {
		return 0
	}
	return n
}
