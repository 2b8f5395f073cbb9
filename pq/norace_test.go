//go:build !race

package pq

const raceEnabled = false
