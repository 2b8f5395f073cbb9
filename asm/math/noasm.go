//go:build !(amd64 || arm64) || purego

package math

// Without assembly each kernel is its twin.

func ExpF32(x, y *float32, n int) { expF32Generic(x, y, n) }
func ExpF64(x, y *float64, n int) { expF64Generic(x, y, n) }

func ExpScaledF32(alpha float32, x, y *float32, n int) { expscaledF32Generic(alpha, x, y, n) }
func ExpScaledF64(alpha float64, x, y *float64, n int) { expscaledF64Generic(alpha, x, y, n) }

func ExpSumF32(shift float32, x, y *float32, n int) float32 {
	return expsumF32Generic(shift, x, y, n)
}

func ExpSumF64(shift float64, x, y *float64, n int) float64 {
	return expsumF64Generic(shift, x, y, n)
}

func LogF32(x, y *float32, n int) { logF32Generic(x, y, n) }
func LogF64(x, y *float64, n int) { logF64Generic(x, y, n) }

func OmegaSumF64(shift, scale float64, x, y, sums *float64, n int) {
	omegasumF64Generic(shift, scale, x, y, sums, n)
}

func GaussianF32(nx, alpha, weight float32, v, nz, y *float32, n int, near *int32, add int) int {
	return gaussianF32Generic(nx, alpha, weight, v, nz, y, n, near, add)
}

func GaussianF64(nx, alpha, weight float64, v, nz, y *float64, n int, near *int32, add int) int {
	return gaussianF64Generic(nx, alpha, weight, v, nz, y, n, near, add)
}

func PowerF32(scale, offset, weight float32, degree int, v, y *float32, n, add int) {
	powerF32Generic(scale, offset, weight, degree, v, y, n, add)
}

func PowerF64(scale, offset, weight float64, degree int, v, y *float64, n, add int) {
	powerF64Generic(scale, offset, weight, degree, v, y, n, add)
}
