package math

import (
	"math"
	"unsafe"
)

// log returns log x. (On amd64 math.Log is wrong for denormal numbers.)
//
//	x = 2^k m, √½ <= m < √2;  f = m - 1;  s = f/(2+f);  log m = f - (f²/2 - s (f²/2 + R(s²)))
//
// R comes from internal/gen/fit, the form from Sun's fdlibm. The product of k and the first part of ln 2 is exact.
func log(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case !(x <= math.MaxFloat64):
		return x
	}
	k := 0
	if x < 0x1p-1022 {
		x, k = x*0x1p54, -54
	}
	b := math.Float64bits(x)
	t := b - rootBits
	k += int(int64(t) >> 52)
	f := math.Float64frombits(b-t&^(1<<52-1)) - 1
	s := f / (2 + f)
	z := s * s
	r := z * ((((((logC6*z+logC5)*z+logC4)*z+logC3)*z+logC2)*z+logC1)*z + logC0)
	half := 0.5 * f * f
	lo := float64(k)*logLn2Lo + s*(half+r) - half
	hi := float64(k) * logLn2Hi
	sum := hi + f // hi = 0 or |hi| > |f|: what this sum loses is
	rest := hi - sum + f
	return sum + (rest + lo)
}

const rootBits = 0x3fe6a09e667f3bcd // √½

func logGeneric[T float](x, y *T, n int) {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i, v := range xs {
		ys[i] = T(log(float64(v)))
	}
}

func logF32Generic(x, y *float32, n int) { logGeneric(x, y, n) }
func logF64Generic(x, y *float64, n int) { logGeneric(x, y, n) }
