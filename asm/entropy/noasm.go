//go:build !(amd64 || arm64) || purego

package entropy

// Without assembly the kernels are their twins.

func BeginF32(a, s *float32, u, sums *float64, m int, shift float64) {
	beginF32Generic(a, s, u, sums, m, shift)
}

func BeginF64(a, s, u, sums *float64, m int, shift float64) {
	beginF64Generic(a, s, u, sums, m, shift)
}

func StepF32(a, delta *float32, u *float64, m, y int, q *float64) (outcome int) {
	return stepF32Generic(a, delta, u, m, y, q)
}

func StepF64(a, delta, u *float64, m, y int, q *float64) (outcome int) {
	return stepF64Generic(a, delta, u, m, y, q)
}

func LogisticF32(a, s, delta *float32, u *float64, m int, h, term, least float64) (gap, after float64, outcome int) {
	return logisticF32Generic(a, s, delta, u, m, h, term, least)
}

func LogisticF64(a, s, delta, u *float64, m int, h, term, least float64) (gap, after float64, outcome int) {
	return logisticF64Generic(a, s, delta, u, m, h, term, least)
}
