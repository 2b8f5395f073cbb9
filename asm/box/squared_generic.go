package box

import "unsafe"

func squaredF32Generic(a, s, delta *float32, m int, p *Problem[float32], inv float32, least float64) (gap,
	after float64, outcome int) {
	return squaredGeneric(a, s, delta, m, p, inv, least)
}

func squaredF64Generic(a, s, delta *float64, m int, p *Problem[float64], inv, least float64) (gap, after float64,
	outcome int) {
	return squaredGeneric(a, s, delta, m, p, inv, least)
}

// squaredGeneric is the loop of the doc comment, with sums in float64.
func squaredGeneric[T float](ap, sp, deltap *T, m int, p *Problem[T], inv T, least float64) (gap, after float64,
	outcome int) {
	a, s, c := unsafe.Slice(ap, m), unsafe.Slice(sp, m), unsafe.Slice(p.C, m)
	lo, hi := unsafe.Slice(p.Lo, m), unsafe.Slice(p.Hi, m)
	squares := 0.0
	for l, v := range a {
		q := c[l] - s[l]
		w := clip(q, lo[l], hi[l])
		e := float64(w - p.Bend*v)
		squares += e * e
		gap += float64(v) * float64(w-q)
	}
	gap += float64(p.R) * squares
	if !(gap > least) {
		return gap, 0, Rests
	}
	delta := unsafe.Slice(deltap, m)
	for l, v := range a {
		x := clip(v+(c[l]-s[l]-p.Bend*v)*inv, lo[l], hi[l])
		delta[l], a[l] = x-v, x
		after += (float64(c[l]) - float64(p.Bend)/2*float64(x)) * float64(x)
		if x != v {
			outcome = Moved
		}
	}
	return gap, after, outcome
}
