package math

import (
	"math"
	"unsafe"
)

// exp returns e^(x+low), low less than a unit in the last place of x:
//
//	n = x/ln 2, rounded to 1/16;  r = x - n ln 2;  e^x = 2^⌊n⌋ expTable[16n mod 16] (1 + q(r))
//
// The tables and q come from internal/gen/fit. The product with the first part of ln 2 is exact, fused or not.
func exp(x, low float64) float64 {
	t := x*expLog2E + expMagic
	n := t - expMagic
	r := x - n*expLn2Hi - (n*expLn2Lo - low)
	q := (((((expC6*r+expC5)*r+expC4)*r+expC3)*r+expC2)*r+expC1)*r + expC0
	steps := int64(math.Float64bits(t)) // 16n in the low bits
	entry := expTable[steps&15]
	power := uint64(steps) >> 4 << 52
	switch {
	case -708 <= x && x <= 708:
		s := math.Float64frombits(math.Float64bits(entry) + power)
		return s + s*q
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	case x > 0:
		s := math.Float64frombits(math.Float64bits(entry) + power - 512<<52)
		return (s + s*q) * 0x1p512
	case x < 0:
		s := math.Float64frombits(math.Float64bits(entry) + power + 512<<52)
		return (s + s*q) * 0x1p-512
	}
	return x // NaN
}

func expGeneric[T float](x, y *T, n int) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] = T(exp(float64(v), 0))
	}
}

func expF32Generic(x, y *float32, n int) { expGeneric(x, y, n) }
func expF64Generic(x, y *float64, n int) { expGeneric(x, y, n) }

func expscaledF32Generic(alpha float32, x, y *float32, n int) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] = float32(exp(float64(alpha)*float64(v), 0))
	}
}

func expscaledF64Generic(alpha float64, x, y *float64, n int) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		product := alpha * v
		ys[i] = exp(product, math.FMA(alpha, v, -product))
	}
}

func expsumGeneric[T float](shift T, x, y *T, n int) (sum T) {
	for i, v := range unsafe.Slice(x, n) {
		e := T(exp(float64(T(v-shift)), 0))
		sum += e
		if y != nil {
			unsafe.Slice(y, n)[i] = e
		}
	}
	return sum
}

func expsumF32Generic(shift float32, x, y *float32, n int) float32 {
	return expsumGeneric(shift, x, y, n)
}

func expsumF64Generic(shift float64, x, y *float64, n int) float64 {
	return expsumGeneric(shift, x, y, n)
}
