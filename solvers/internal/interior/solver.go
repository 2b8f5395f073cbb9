package interior

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Solver is a problem on its way. Its point need not fulfil the equations: what they lack shrinks with every step. With
// multipliers z of v >= 0, t of the upper bounds, whose slacks are w, and y of the sums, all but y positive, it heads for
//
//	±(Kc)_u + q v_u - l + curve v_u/s - z_u + t_u + (y of the sums that u is in, signed) = 0,
//	cost - curve/2 Σ v_u²/s² - Σ ratio t_u - (y of the sums that are s) - z_s = 0,
//	w_u = upper + ratio s - v_u,   v_u z_u = w_u t_u = s z_s = 0.
type Solver struct {
	p      Problem
	sides  [2]side // plus, minus
	n      int
	scalar []float64 // s, z_s, y1, y2

	// Of the point:
	mu       float64    // mean of the products that are to become 0
	rs       float64    // what the second equation is short of 0
	ry       [2]float64 // what the sums are short of
	residual [2]float64 // of the equations with multipliers, of those without: the largest
	step     float64    // the last one was, of Newton's

	system
}

// side is the variables of a Side, and of each what a step needs.
type side struct {
	Side
	sign, curve float64
	bounded     bool
	of          []int32             // its variable of each example, or -1
	state       vec.Matrix[float64] // its rows are v, z, w, t
	v, z, w, t  []float64

	rv     []float64 // what the first equation is short of 0
	cz, ct []float64 // products of the predictor's moves: dv dz, dw dt

	d, b, r, dv []float64           // see system
	one, inv    vec.Matrix[float64] // see system
}

// New returns a Solver at a start of its own, or from v, magnitudes of the variables of both sides, where it is not nil.
func New(p Problem) (*Solver, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Solver{p: p, n: p.K.Len(), scalar: make([]float64, 4)}
	s.c, s.f, s.diag = make([]float64, s.n), make([]float64, s.n), make([]float64, s.n)
	for i, from := range []Side{p.Plus, p.Minus} {
		h, n := &s.sides[i], len(from.At)
		*h = side{Side: from, sign: 1, bounded: from.Upper > 0 || from.Ratio > 0, of: make([]int32, s.n)}
		if i == 1 {
			h.sign, h.curve = -1, p.Curve
		}
		for i := range h.of {
			h.of[i] = -1
		}
		for u, i := range h.At {
			h.of[i] = int32(u)
		}
		h.setState(vec.NewMatrix[float64](4, n))
		for _, v := range []*[]float64{&h.rv, &h.cz, &h.ct, &h.d, &h.b, &h.r, &h.dv} {
			*v = make([]float64, n)
		}
		h.one, h.inv = vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](n, 1+p.sums())
	}
	s.start()
	s.measure()
	return s, nil
}

func (h *side) setState(m vec.Matrix[float64]) {
	h.state, h.v, h.z, h.w, h.t = m, m.Row(0), m.Row(1), m.Row(2), m.Row(3)
}

// start sets the variables of a side to one value, half of their upper bound, or of what the linear and the quadratic term
// alone call for: from far below, a large bound is out of reach. Multipliers are the size of the linear term.
func (s *Solver) start() {
	plus, minus := &s.sides[0], &s.sides[1]
	na, nb := float64(len(plus.v)), float64(len(minus.v))
	ratio := na / nb
	a := plus.Linear / plus.Quadratic / 2
	if plus.Upper > 0 {
		a = min(a, plus.Upper/2)
	}
	if minus.Upper > 0 {
		a = min(a, minus.Upper/2/ratio)
	}
	if !(a > 0) || math.IsInf(a, 1) {
		a = 1
	}
	b := a * ratio
	z := max(plus.Linear, minus.Linear)
	if z == 0 {
		z = 1
	}
	scale := 0.0
	switch {
	case s.p.Tied:
		scale = a * na
	case s.p.Curve > 0:
		scale = b * math.Sqrt(s.p.Curve*nb/(2*s.p.Cost))
	case minus.Ratio > 0:
		scale = 2 * b / minus.Ratio
	case s.p.scalar():
		scale = a
	}
	s.scalar[0], s.scalar[1] = scale, 0
	if scale > 0 {
		s.scalar[1] = z * a / scale
	}
	for i, v := range []float64{a, b} {
		h := &s.sides[i]
		for u := range h.v {
			h.v[u], h.z[u] = v, z*a/v
			if h.bounded {
				h.w[u] = max(h.Upper+h.Ratio*scale-v, v/10)
				h.t[u] = z * a / h.w[u]
			}
		}
	}
}

// V returns the variables of each side, which must not be changed.
func (s *Solver) V() (plus, minus []float64) { return s.sides[0].v, s.sides[1].v }

// S returns the scalar, 0 where there is none.
func (s *Solver) S() float64 { return s.scalar[0] }

// Mu returns the mean of the products v z, w t and s z_s, which are 0 at the optimum.
func (s *Solver) Mu() float64 { return s.mu }

// Residuals returns the largest violation of the equations with multipliers, and of those without.
func (s *Solver) Residuals() (dual, primal float64) { return s.residual[0], s.residual[1] }

// measure computes f = Kc, mu and the residuals of the point.
func (s *Solver) measure() {
	s.combine(s.c, func(h *side) []float64 { return h.v })
	s.p.K.Multiply(s.f, s.c)
	x, count := s.scalar[0], 0
	s.mu, s.residual = 0, [2]float64{}
	s.rs = -s.p.Cost
	for i := range s.sides {
		h := &s.sides[i]
		sum, squares, ts := 0.0, 0.0, 0.0
		row := s.sumRow(h)
		for u, v := range h.v {
			r := h.Linear + h.z[u] - h.t[u] - h.Quadratic*v - h.sign*s.f[h.At[u]] - row[0]*s.scalar[2] - row[1]*s.scalar[3]
			if h.curve > 0 {
				r -= h.curve * v / x
				squares += v / x * (v / x)
			}
			h.rv[u] = r
			s.residual[0] = max(s.residual[0], math.Abs(r))
			s.mu += v * h.z[u]
			sum += v
			if h.bounded {
				ts += h.t[u]
				s.mu += h.w[u] * h.t[u]
				s.residual[1] = max(s.residual[1], math.Abs(h.short(u, x)))
			}
		}
		count += len(h.v)
		if h.bounded {
			count += len(h.v)
		}
		s.rs += h.Ratio*ts + h.curve*squares/2
		if i == 0 {
			s.ry = [2]float64{}
		}
		s.ry[0] -= row[0] * sum
		s.ry[1] -= row[1] * sum
	}
	if s.p.Tied {
		s.ry[0] += x
		s.ry[1] += x
		s.rs += s.scalar[2] + s.scalar[3]
	}
	if s.p.scalar() {
		s.rs += s.scalar[1]
		s.mu += x * s.scalar[1]
		count++
		s.residual[0] = max(s.residual[0], math.Abs(s.rs))
	} else {
		s.rs = 0
	}
	s.mu /= float64(count)
	s.residual[1] = max(s.residual[1], math.Abs(s.ry[0]), math.Abs(s.ry[1]))
}

// sumRow is what a variable of h counts in either sum.
func (s *Solver) sumRow(h *side) [2]float64 {
	switch {
	case !s.p.Tied:
		return [2]float64{h.sign, 0}
	case h.sign > 0:
		return [2]float64{1, 0}
	}
	return [2]float64{0, 1}
}

// short is what w_u is short of its equation.
func (h *side) short(u int, x float64) float64 { return h.Upper + h.Ratio*x - h.v[u] - h.w[u] }

// Step takes a step of the predictor and corrector. It returns an error where rounding allows no more.
func (s *Solver) Step() error {
	if err := s.prepare(); err != nil {
		return err
	}
	for i := range s.sides {
		h := &s.sides[i]
		clear(h.cz)
		clear(h.ct)
	}
	s.cs = 0
	s.direct(0)
	a := s.length()
	mu, count := 0.0, 0
	for i := range s.sides {
		h := &s.sides[i]
		for u := range h.v {
			dz, dw, dt := s.follow(h, u, 0)
			mu += (h.v[u] + a*h.dv[u]) * (h.z[u] + a*dz)
			count++
			h.cz[u] = h.dv[u] * dz
			if h.bounded {
				mu += (h.w[u] + a*dw) * (h.t[u] + a*dt)
				count++
				h.ct[u] = dw * dt
			}
		}
	}
	if s.p.scalar() {
		dz := (-s.scalar[1]*s.scalar[0] - s.scalar[1]*s.dp[0]) / s.scalar[0]
		mu += (s.scalar[0] + a*s.dp[0]) * (s.scalar[1] + a*dz)
		count++
		s.cs = s.dp[0] * dz
	}
	mu /= float64(count)
	target := s.mu * math.Pow(mu/s.mu, 3)
	s.target = target
	s.direct(target)
	s.step = min(1, .99*s.length())
	if !(s.step > 1e-8) {
		return fmt.Errorf("interior: a step of %v: rounding allows no more", s.step)
	}
	s.move(s.step)
	s.measure()
	return nil
}

// follow is what dv and ds entail for the others of variable u.
func (s *Solver) follow(h *side, u int, target float64) (dz, dw, dt float64) {
	v, z := h.v[u], h.z[u]
	dz = (target - h.cz[u] - z*v - z*h.dv[u]) / v
	if h.bounded {
		dw = h.short(u, s.scalar[0]) + h.Ratio*s.dp[0] - h.dv[u]
		dt = (target - h.ct[u] - h.t[u]*h.w[u] - h.t[u]*dw) / h.w[u]
	}
	return dz, dw, dt
}

// length is the longest step that keeps everything positive, at most 1/.99.
func (s *Solver) length() float64 {
	a := 1 / .99
	limit := func(x, dx float64) {
		if dx < 0 {
			a = min(a, -x/dx)
		}
	}
	for i := range s.sides {
		h := &s.sides[i]
		for u := range h.v {
			dz, dw, dt := s.follow(h, u, s.target)
			limit(h.v[u], h.dv[u])
			limit(h.z[u], dz)
			if h.bounded {
				limit(h.w[u], dw)
				limit(h.t[u], dt)
			}
		}
	}
	if s.p.scalar() {
		limit(s.scalar[0], s.dp[0])
		limit(s.scalar[1], (s.target-s.cs-s.scalar[1]*s.scalar[0]-s.scalar[1]*s.dp[0])/s.scalar[0])
	}
	return a
}

func (s *Solver) move(a float64) {
	for i := range s.sides {
		h := &s.sides[i]
		for u := range h.v {
			dz, dw, dt := s.follow(h, u, s.target)
			h.v[u] += a * h.dv[u]
			h.z[u] += a * dz
			if h.bounded {
				h.w[u] += a * dw
				h.t[u] += a * dt
			}
		}
	}
	if s.p.scalar() {
		dz := (s.target - s.cs - s.scalar[1]*s.scalar[0] - s.scalar[1]*s.dp[0]) / s.scalar[0]
		s.scalar[0] += a * s.dp[0]
		s.scalar[1] += a * dz
	}
	s.scalar[2] += a * s.dp[1]
	s.scalar[3] += a * s.dp[2]
}
