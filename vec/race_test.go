//go:build race

package vec_test

// raceEnabled: the race detector's own allocations count as ours.
const raceEnabled = true
