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
