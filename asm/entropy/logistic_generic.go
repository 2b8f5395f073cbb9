package entropy

import (
	"math"
	"unsafe"
)

func logisticF32Generic(a, s, delta *float32, u *float64, m int, h, term, least float64) (gap, after float64,
	outcome int) {
	return logisticGeneric(a, s, delta, u, m, h, term, least)
}

func logisticF64Generic(a, s, delta, u *float64, m int, h, term, least float64) (gap, after float64, outcome int) {
	return logisticGeneric(a, s, delta, u, m, h, term, least)
}

func logisticGeneric[T float](ap, sp, deltap *T, u *float64, m int, h, term, least float64) (gap, after float64,
	outcome int) {
	a, s, delta := unsafe.Slice(ap, m), unsafe.Slice(sp, m), unsafe.Slice(deltap, m)
	row := func(k int) []float64 { return unsafe.Slice(u, LogisticRows*room(m))[k*room(m):][:m] }
	turn, weight, inverse, most := row(0), row(1), row(2), row(3)
	for l, v := range s {
		z := -turn[l] * float64(v)
		gap += weight[l]*(max(0, z)+math.Log1p(math.Exp(-math.Abs(z)))) + float64(float64(a[l])*float64(v))
	}
	if gap -= term; !(gap > least) {
		return gap, 0, Rests
	}
	for l, v := range a {
		x, label := Label[T](-turn[l]*float64(s[l]), math.Abs(float64(v)), weight[l], inverse[l], most[l], h)
		to := T(turn[l] * x)
		after += label
		delta[l] = T(float64(to) - float64(v))
		if to != v {
			outcome = Moved
		}
		a[l] = to
	}
	return gap, after, outcome
}

// Label is LogisticF32's move of one dual variable of size x: it returns the size of the new one, rounded to T, and
// what its label adds to after.
func Label[T float](z, x, weight, inverse, most, h float64) (best, term float64) {
	near, curve := nearLogistic[T](), h*weight
	old := min(x, weight) * inverse
	upper := z+curve*(old-.5) > 0
	if upper {
		old = max(0, weight-x) * inverse
	} else {
		z = -z
	}
	z = min(z, 1e300)
	w := max(0, z)
	e := math.Exp(-w)
	q, step := logisticStep(e, w, z, curve, old)
	for range logisticSteps {
		if !(math.Abs(step) > near) {
			break
		}
		w += step
		e = math.Exp(-w)
		q, step = logisticStep(e, w, z, curve, old)
	}
	q, more := logisticEnd(q, step)
	best = float64(T(weight * q))
	rest := best
	if upper {
		best = min(float64(T(weight-float64(weight*q))), most)
		rest = weight - best
	}
	return best, weight * (math.Log1p(e) + more + float64((w+step)*float64(rest*inverse)))
}

// nearLogistic is how small a step d is that is the last, and that q and log(1 + e) follow without another exponential.
// Halley's method then leaves out half of d³ in w, of which the dual value feels the square, 2^-26 for float32 and
// 2^-44 for float64. The series leave out d⁴/200 of q and d⁶/720 of the logarithm at most.
func nearLogistic[T float]() float64 {
	if unsafe.Sizeof(T(0)) == 4 {
		return 0x1p-4
	}
	return 0x1p-7
}

// logisticSteps is a bound of the number of steps. From the left they are about 1 until q is as small as 1/c.
const logisticSteps = 100

// logisticStep returns q and the next step from w, of which e is exp(-w).
func logisticStep(e, w, z, curve, old float64) (q, step float64) {
	p := 1 / (1 + e)
	q = e * p
	bend, off := curve*float64(q*p), float64(curve*(q-old))+(z-w)
	slope := 1 + bend
	square := float64(slope * slope)
	under := square - off*bend*(p-q)/2
	if under < square/2 { // not max, which has another way with NaN
		under = square / 2
	}
	if step = off * slope / under; step < -w {
		step = -w
	}
	return q, step
}

// logisticEnd returns q after the last step, and what is to be added to log(1 + e): Taylor's terms up to the third and
// the fifth power.
func logisticEnd(q, step float64) (after, more float64) {
	p := 1 - q
	both, apart := float64(q*p), p-q
	after = q - both*step*(1-step*(apart/2-step*(1-6*both)/6))
	more = both*step*(1./2-step*(apart/6-step*((1-6*both)/24-step*apart*(1-12*both)/120))) - q
	if after < 0 { // after a step that is too large, the last that there may be
		after = 0
	}
	return after, more * step
}
