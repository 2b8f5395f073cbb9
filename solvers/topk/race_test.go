//go:build race

package topk

// raceEnabled: the race detector's own allocations count as ours.
const raceEnabled = true
