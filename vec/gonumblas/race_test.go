//go:build race

package gonumblas_test

// raceEnabled: the race detector's own allocations count as ours.
const raceEnabled = true
