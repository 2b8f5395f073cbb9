//go:build !(amd64 || arm64) || purego

package box

// Without assembly the kernels are their twins.

func HingeF32(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64, outcome int) {
	return hingeF32Generic(a, s, delta, m, p, inv, least)
}

func HingeF64(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64, outcome int) {
	return hingeF64Generic(a, s, delta, m, p, inv, least)
}

func SquaredF32(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64, outcome int) {
	return squaredF32Generic(a, s, delta, m, p, inv, least)
}

func SquaredF64(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64, outcome int) {
	return squaredF64Generic(a, s, delta, m, p, inv, least)
}
