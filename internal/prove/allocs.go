package prove

import "testing"

// Allocs is testing.AllocsPerRun: the allocations of a call of f, its first call aside. A garbage collection meanwhile
// empties every sync.Pool, which f then has to fill again: so it is the least of a few measurements. Under the race
// detector, where a sync.Pool forgets at random on purpose, f runs once and the answer is 0.
func Allocs(runs int, f func()) float64 {
	if raceEnabled {
		f()
		return 0
	}
	least := testing.AllocsPerRun(runs, f)
	for try := 0; try < 3 && least > 0; try++ {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}
