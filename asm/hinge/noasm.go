//go:build !(amd64 || arm64) || purego

package hinge

// Without assembly the kernel is its twin.

func StepF32(a, s, delta *float32, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int) {
	return stepF32Generic(a, s, delta, m, y, u, inv, r, term, negligible)
}

func StepF64(a, s, delta *float64, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int) {
	return stepF64Generic(a, s, delta, m, y, u, inv, r, term, negligible)
}
