package box

import "unsafe"

type float interface{ float32 | float64 }

func hingeF32Generic(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap, after float64,
	outcome int) {
	return hingeGeneric(a, s, delta, m, p, inv, least)
}

func hingeF64Generic(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64,
	outcome int) {
	return hingeGeneric(a, s, delta, m, p, inv, least)
}

// hingeGeneric is the loop of the doc comment, with sums in float64.
func hingeGeneric[T float](ap, sp, deltap *T, m int, p *Problem[T], inv T, least float64) (gap, after float64,
	outcome int) {
	a, s, c := unsafe.Slice(ap, m), unsafe.Slice(sp, m), unsafe.Slice(p.C, m)
	lo, hi := unsafe.Slice(p.Lo, m), unsafe.Slice(p.Hi, m)
	for l, v := range a {
		q, bound := c[l]-s[l], lo[l]
		if q > 0 {
			bound = hi[l]
		}
		gap += float64(bound-v) * float64(q)
	}
	if !(gap > least) {
		return gap, 0, Rests
	}
	delta := unsafe.Slice(deltap, m)
	for l, v := range a {
		x := clip(v+(c[l]-s[l])*inv, lo[l], hi[l])
		delta[l], a[l] = x-v, x
		after += float64(c[l]) * float64(x)
		if x != v {
			outcome = Moved
		}
	}
	return gap, after, outcome
}

// clip returns lo for NaN.
func clip[T float](v, lo, hi T) T {
	if !(v > lo) {
		v = lo
	}
	if !(v < hi) {
		v = hi
	}
	return v
}
