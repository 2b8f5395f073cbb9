//go:build race

package project

// raceEnabled: the race detector's own allocations count as ours.
const raceEnabled = true
