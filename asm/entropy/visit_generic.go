package entropy

import (
	"math"
	"unsafe"
)

type float interface{ float32 | float64 }

func room(m int) int { return (m + 7) &^ 7 }

// rows are the rows of u.
func rows(u *float64, m int) (z, l, p []float64) {
	n := room(m)
	all := unsafe.Slice(u, Rows*n)
	return all[:m], all[n:][:m], all[2*n:][:m]
}

func beginF32Generic(a, s *float32, u, sums *float64, m int, shift float64) {
	beginGeneric(a, s, u, sums, m, shift)
}

func beginF64Generic(a, s, u, sums *float64, m int, shift float64) {
	beginGeneric(a, s, u, sums, m, shift)
}

func beginGeneric[T float](ap, sp *T, u, sums *float64, m int, shift float64) {
	a, s := unsafe.Slice(ap, m), unsafe.Slice(sp, m)
	_, l, p := rows(u, m)
	sum, dot := 0.0, 0.0
	for j, v := range s {
		l[j] = float64(v) - shift
		p[j] = math.Exp(l[j])
		sum += p[j]
		dot += float64(a[j]) * float64(v)
	}
	copy(unsafe.Slice(sums, 2), []float64{sum, dot})
}

func stepF32Generic(a, delta *float32, u *float64, m, y int, q *float64) int {
	return stepGeneric(a, delta, u, m, y, q)
}

func stepF64Generic(a, delta, u *float64, m, y int, q *float64) int {
	return stepGeneric(a, delta, u, m, y, q)
}

func stepGeneric[T float](ap, deltap *T, u *float64, m, y int, problem *float64) (outcome int) {
	a, delta := unsafe.Slice(ap, m), unsafe.Slice(deltap, m)
	z, l, p := rows(u, m)
	q := (*Problem)(unsafe.Pointer(problem))
	for j, v := range a {
		z[j] = l[j] - q.H*float64(v)
	}
	if y >= 0 {
		z[y] += q.Plus
	}
	if !q.solve(z, l, p) {
		return Refused
	}
	scale := q.Scale
	if y >= 0 && p[y] < q.Small {
		scale = q.Shrunk
	}
	q.Sum, q.Logs = 0, 0
	for j, v := range p {
		if j == y {
			a[j], delta[j] = 0, 0
			continue
		}
		w := q.C * v
		e, g := z[j]-q.Shift-l[j]-w, 1/(1+w)
		grows := g * e * (1 + 0.5*g*g*e*(1+g*g*(1-2*w)*e*(1.0/3)))
		x := scale * (v + v*grows)
		rounded := T(x)
		q.Sum += float64(rounded)
		q.Logs += float64(rounded)*(l[j]+math.Log1p(grows)) + (float64(rounded) - x)
		to := 0 - rounded
		delta[j] = to - a[j]
		a[j] = to
		if delta[j] != 0 {
			outcome = Moved
		}
	}
	return outcome
}

// solve finds Shift, and l and p but for a last step.
func (q *Problem) solve(z, l, p []float64) bool {
	const steps = 12
	t := 0.0
	for step := range steps + 1 {
		var s slopes
		for j, v := range p {
			w := q.C * v
			e := z[j] - t - l[j] - w
			if step > 0 {
				r := 1 + w
				square := r * r
				down := max(0.25*square*square, square*(square+0.5*w*e)+w*(2-w)*(1.0/12)*min(e*e, 1))
				l[j] = min(l[j]+max(min(e, 0), e*r*square/down), q.Top)
				v = math.Exp(l[j])
				p[j] = v
				w = q.C * v
				e = z[j] - t - l[j] - w
			}
			s.add(v, w, e)
		}
		d := s.root(q.Total)
		if step == 0 {
			d = max(-s.e, min(d, s.e))
		}
		t += d
		q.Shift = t
		if !(max(s.e, math.Abs(d)) > q.Near) {
			return d == d
		}
	}
	return false
}

// slopes are A to D, and the largest |e|.
type slopes struct{ a, b, c, d, e float64 }

func (s *slopes) add(p, w, e float64) {
	g := 1 / (1 + w)
	square := g * g
	f := square * (1 - 2*w)
	pg := p * g
	s.a += p + pg*e*(1+0.5*square*e*(1+f*e*(1.0/3)))
	s.b += pg * (1 + square*e*(1+0.5*f*e))
	s.c += pg * square * (1 + f*e)
	s.d += pg * square * f
	s.e = max(s.e, math.Abs(e))
}

// root returns the d at which the sum is total.
func (s *slopes) root(total float64) float64 {
	inverse := 1 / s.b
	rho, kappa, delta := (s.a-total)*inverse, s.c*inverse, s.d*inverse
	if !(math.Abs(rho) < 1) {
		return rho
	}
	return rho * (1 + rho*(0.5*kappa+(0.5*kappa*kappa-delta*(1.0/6))*rho))
}
