//go:build !race

package vec_test

const raceEnabled = false
