package math

import (
	"math"
	"unsafe"
)

// omega returns the w with w + log w = z, and w/(1+w).
//
//	n = min(0, z/ln 2, rounded);  r = z - n ln 2;  w = 2^n v;  2^n v + log v = r
//
// From an approximation of ten percent three steps of fourth order (Fritsch, Shafer, Crowley, "Solution of the
// transcendental equation w e^w = x", 1973) lead to v: after a step the error is below 1/40 of its fourth power,
// 2^-18.6, then 2^-79, so that the third only makes good what the second has rounded.
//
// The error is four units of rounding, in these parts: r with |r| < 0.35 where n < 0, two roundings of a quarter; r -
// w, which is log v, one unit of that, and log v two; v in the end, one. Divided by 1 + w, three units of |log v| are
// at most 1.8: |log v| <= 0.35 + w where n < 0, and w < 0.45; |log w| <= 0.81 up to w = 1, and 0.28 (1+w) beyond. That
// makes 3.3. (internal/gen derives the error of the kernels.)
func omega(z float64) (w, slope float64) {
	if !(z <= 0x1p60) {
		return z, 1 // log z is less than rounding
	}
	z = max(z, -800)
	n := min(0, math.RoundToEven(z*math.Log2E))
	r := z - float64(n*logLn2Hi) - float64(n*logLn2Lo)
	p := math.Ldexp(1, int(n))
	var v float64
	switch {
	case n < 0:
		v = 1 + r*(1+r*(0.5+r*(1.0/6)))
		v /= 1 + p*v
	case z < 4: // expanded at z = 1, w = 1
		v = 1 + (z-1)*(0.5+(z-1)*(1.0/16))
	default:
		v = z - log(z)
	}
	for range 3 {
		w = p * v
		e := r - w - log(v)
		q := 2 * (1 + w) * (1 + w + 2*e/3)
		v += v * (e * (q - e) / ((1 + w) * (q - 2*e)))
	}
	w = math.Ldexp(v, int(n))
	return w, w / (1 + w)
}

func omegasumF64Generic(shift, scale float64, x, y, sums *float64, n int) {
	xs, ys, sum := unsafe.Slice(x, n), unsafe.Slice(y, n), [2]float64{}
	for i, v := range xs {
		w, slope := omega((v - shift) * scale)
		ys[i] = w
		sum[0] += w
		sum[1] += slope
	}
	copy(unsafe.Slice(sums, 2), sum[:])
}
