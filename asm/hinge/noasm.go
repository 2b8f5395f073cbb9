//go:build !(amd64 || arm64) || purego

package hinge

// Without assembly the kernels are their twins.

func StepF32(a, s, delta *float32, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int) {
	return stepF32Generic(a, s, delta, m, y, u, inv, r, term, negligible)
}

func StepF64(a, s, delta *float64, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int) {
	return stepF64Generic(a, s, delta, m, y, u, inv, r, term, negligible)
}

func LowerF32(x *float32, n int, most float32) (sum float64) { return lowerGeneric(x, n, most) }
func LowerF64(x *float64, n int, most float64) (sum float64) { return lowerGeneric(x, n, most) }

func MoveF32(a, x, delta *float32, n int) (sum float64, moved int) {
	return moveGeneric(a, x, delta, n)
}

func MoveF64(a, x, delta *float64, n int) (sum float64, moved int) {
	return moveGeneric(a, x, delta, n)
}

func SumF32(x *float32, n int) (sum float64) { return sumGeneric(x, n) }
func SumF64(x *float64, n int) (sum float64) { return sumGeneric(x, n) }

func TargetF32(b, a, s *float32, n int, margin, inv, rho, sum float32) {
	targetGeneric(b, a, s, n, margin, inv, rho, sum)
}

func TargetF64(b, a, s *float64, n int, margin, inv, rho, sum float64) {
	targetGeneric(b, a, s, n, margin, inv, rho, sum)
}
