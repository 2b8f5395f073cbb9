//go:build !race

package gonumblas_test

const raceEnabled = false
