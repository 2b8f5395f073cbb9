package hinge

import (
	"math"
	"unsafe"
)

type float interface{ float32 | float64 }

func stepF32Generic(a, s, delta *float32, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int) {
	return stepGeneric(a, s, delta, m, y, u, inv, r, term, negligible)
}

func stepF64Generic(a, s, delta *float64, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64,
	outcome int) {
	return stepGeneric(a, s, delta, m, y, u, inv, r, term, negligible)
}

// stepGeneric is the loop of the doc comment.
func stepGeneric[T float](ap, sp, deltap *T, m, y int, up *float64, inv, r, term, negligible float64) (gap,
	after float64, outcome int) {
	a, s := unsafe.Slice(ap, m), unsafe.Slice(sp, m)
	most, dot := math.Inf(-1), 0.0
	for c, v := range s {
		dot += float64(a[c]) * float64(v)
		if c != y {
			most = max(most, float64(v))
		}
	}
	margin := 1 + most - float64(s[y])
	gap = r*max(0, margin) - term + dot
	if !(gap > negligible) {
		return gap, term, Rests
	}

	top := float64(margin*inv) + float64(a[y]) // b of the largest score, but for its dual variable
	radius := r * (1 - 0x1p-52)
	if unsafe.Sizeof(*ap) == 4 {
		radius = r * (1 - 0x1p-23)
	}
	u := unsafe.Slice(up, m)
	t := newton(u, a, s, y, most, inv, top, radius)
	for c, v := range u {
		u[c] = float64(T(max(0, v-t)))
		after += u[c]
	}
	toY := max(0, min(top+t, radius)) // below 0 by rounding alone; NaN stays
	if !(after <= r*(1+0x1p-51*float64(m))) || math.IsNaN(toY) {
		return gap, term, Refused
	}
	delta := unsafe.Slice(deltap, m)
	outcome = Rests
	for c, v := range u {
		x := T(0 - v)
		if c == y {
			x = T(toY)
		}
		delta[c] = x - a[c]
		a[c] = x
		if delta[c] != 0 {
			outcome = Moved
		}
	}
	return gap, after, outcome
}

// newton sets u to what is projected, less by top, and returns the threshold. It begins with the classes of the last
// visit and the class of the largest score, and rises from step to step.
func newton[T float](u []float64, a, s []T, y int, most, inv, top, radius float64) (t float64) {
	sum, n := 0.0, 0.0
	for c, v := range s {
		u[c] = float64((float64(v)-most)*inv) - float64(a[c])
		switch {
		case c == y:
			u[c] = math.Inf(-1)
		case a[c] < 0 || float64(v) == most:
			sum += u[c]
			n++
		}
	}
	t = threshold(sum, n, top, radius)
	for {
		sum, n = 0, 0
		for _, v := range u {
			if v > t {
				sum += v
				n++
			}
		}
		next := threshold(sum, n, top, radius)
		if !(next > t) {
			return t
		}
		t = next
	}
}

// threshold is the t at which the n elements of the sum have sum - n t = min(top + t, radius), elements and t being
// less by top.
func threshold(sum, n, top, radius float64) float64 {
	t := (sum - top) / (n + 1)
	if cap := (sum - radius) / n; cap > t {
		t = cap
	}
	return t
}
