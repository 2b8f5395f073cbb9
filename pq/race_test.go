//go:build race

package pq

// raceEnabled: the race detector's own allocations count as ours.
const raceEnabled = true
