package interior

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// system is the equations of a Newton step, without what follows from dv, ds and dy:
//
//	(PᵀKP + D) dv + B (ds, dy) = b,   Bᵀdv + E (ds, dy) = e,
//
// where c = P v, D = q + curve/s + z/v + t/w, and a row of B is (-ratio t/w - curve v/s², what v_u counts in the sums).
type system struct {
	c, f, diag []float64 // of each example: c, Kc, and the d that it has in K + diag(d)
	target, cs float64
	e, dp      [3]float64
	corner     [3][3]float64 // E
	schur      [3][3]float64 // E - Bᵀ(PᵀKP + D)⁻¹B
}

// border returns the row of B of variable u.
func (s *Solver) border(h *side, u int) [3]float64 {
	sums := s.sumRow(h)
	row := [3]float64{0, sums[0], sums[1]}
	if h.Ratio > 0 {
		row[0] -= h.Ratio * h.t[u] / h.w[u]
	}
	if h.curve > 0 {
		x := s.scalar[0]
		row[0] -= h.curve * (h.v[u] / x) / x
	}
	return row
}

// prepare decomposes the system at the point.
func (s *Solver) prepare() error {
	x := s.scalar[0]
	s.corner = [3][3]float64{{1}}
	if s.p.scalar() {
		s.corner[0][0] = s.scalar[1] / x
	}
	if s.p.Tied {
		s.corner[0], s.corner[1][0], s.corner[2][0] = [3]float64{s.corner[0][0], -1, -1}, -1, -1
	} else {
		s.corner[2][2] = 1 // no second sum
	}
	for i := range s.sides {
		h := &s.sides[i]
		m := h.inv.Cols
		for u, v := range h.v {
			h.d[u] = h.Quadratic + h.z[u]/v
			if h.bounded {
				h.d[u] += h.t[u] / h.w[u]
				s.corner[0][0] += h.Ratio * h.Ratio * h.t[u] / h.w[u]
			}
			if h.curve > 0 {
				h.d[u] += h.curve / x
				s.corner[0][0] += h.curve * (v / x) * (v / x) / x
			}
			row := s.border(h, u)
			copy(h.inv.Row(u), row[:m])
		}
	}
	plus, minus := &s.sides[0], &s.sides[1]
	for i := range s.n {
		switch p, q := plus.of[i], minus.of[i]; {
		case q < 0:
			s.diag[i] = plus.d[p]
		case p < 0:
			s.diag[i] = minus.d[q]
		default:
			s.diag[i] = plus.d[p] * minus.d[q] / (plus.d[p] + minus.d[q])
		}
	}
	if err := s.p.K.Factor(s.diag); err != nil {
		return err
	}
	s.core(plus.inv, minus.inv)
	s.schur = s.corner
	for i := range s.sides {
		h := &s.sides[i]
		for u := range h.v {
			row := s.border(h, u)
			for k, x := range h.inv.Row(u) {
				for j, b := range row[:h.inv.Cols] {
					s.schur[j][k] -= b * x
				}
			}
		}
	}
	return nil
}

// core replaces the columns (plus, minus) by (PᵀKP + D)⁻¹ times them. Of an example with one variable that is a row of
// (K + D)⁻¹, but for the sign. Of one with two, with c = v - v' and D v + f = b, D' v' - f = b',
//
//	(K + D D'/(D+D')) c = (D' b - D b')/(D+D'),   v = (b+b' + D' c)/(D+D'),   v' = (b+b' - D c)/(D+D').
func (s *Solver) core(plus, minus vec.Matrix[float64]) {
	m := plus.Cols
	work := vec.NewMatrix[float64](s.n, m)
	dp, dq := s.sides[0].d, s.sides[1].d
	for i := range s.n {
		to := work.Row(i)
		p, q := s.sides[0].of[i], s.sides[1].of[i]
		for k := range to {
			switch {
			case q < 0:
				to[k] = plus.Row(int(p))[k]
			case p < 0:
				to[k] = -minus.Row(int(q))[k]
			default:
				to[k] = (dq[q]*plus.Row(int(p))[k] - dp[p]*minus.Row(int(q))[k]) / (dp[p] + dq[q])
			}
		}
	}
	s.p.K.Solve(work)
	for i := range s.n {
		from := work.Row(i)
		p, q := s.sides[0].of[i], s.sides[1].of[i]
		for k, c := range from {
			switch {
			case q < 0:
				plus.Row(int(p))[k] = c
			case p < 0:
				minus.Row(int(q))[k] = -c
			default:
				sum, d := plus.Row(int(p))[k]+minus.Row(int(q))[k], dp[p]+dq[q]
				plus.Row(int(p))[k], minus.Row(int(q))[k] = (sum+dq[q]*c)/d, (sum-dp[p]*c)/d
			}
		}
	}
}

// combine sets c_i to the sum of the signed numbers of example i.
func (s *Solver) combine(c []float64, of func(*side) []float64) {
	clear(c)
	for k := range s.sides {
		h := &s.sides[k]
		for u, v := range of(h) {
			c[h.At[u]] += h.sign * v
		}
	}
}

// direct solves for dv and (ds, dy) towards products of target, and refines them.
func (s *Solver) direct(target float64) {
	s.target = target
	x := s.scalar[0]
	s.e = [3]float64{s.rs, s.ry[0], s.ry[1]}
	if s.p.scalar() {
		s.e[0] += (target - s.cs - x*s.scalar[1]) / x
	}
	for i := range s.sides {
		h := &s.sides[i]
		for u, v := range h.v {
			b := h.rv[u] + (target-h.cz[u]-v*h.z[u])/v
			if h.bounded {
				bt := (target - h.ct[u] - h.w[u]*h.t[u] - h.t[u]*h.short(u, x)) / h.w[u]
				b -= bt
				s.e[0] += h.Ratio * bt
			}
			h.b[u] = b
		}
		copy(h.r, h.b)
		clear(h.dv)
	}
	s.dp = [3]float64{}
	r, last := s.e, math.Inf(1)
	for round := 0; ; round++ {
		add := s.solve(r)
		size := 0.0
		s.combine(s.c, func(h *side) []float64 { return h.dv })
		s.p.K.Multiply(s.f, s.c)
		r = s.e
		for k := range r {
			for j, x := range s.dp {
				r[k] -= s.corner[k][j] * x
			}
		}
		scale := 0.0
		for i := range s.sides {
			h := &s.sides[i]
			for u, dv := range h.dv {
				row := s.border(h, u)
				h.r[u] = h.b[u] - h.d[u]*dv - h.sign*s.f[h.At[u]] - row[0]*s.dp[0] - row[1]*s.dp[1] - row[2]*s.dp[2]
				size = max(size, math.Abs(h.r[u]))
				scale = max(scale, math.Abs(h.b[u]))
				for k, b := range row {
					r[k] -= b * dv
				}
			}
		}
		if debug != nil {
			debug(round, size/scale, size, r)
		}
		_ = add
		if size < 1e-12*scale || !(size < last/2) || round == 3 {
			return
		}
		last = size
	}
}

var debug func(round int, rel, size float64, r [3]float64)

// solve adds to dv and dp the solution for what is left, the r of the sides and rp.
func (s *Solver) solve(rp [3]float64) (dp [3]float64) {
	for i := range s.sides {
		h := &s.sides[i]
		copy(h.one.Data, h.r)
	}
	s.core(s.sides[0].one, s.sides[1].one)
	for i := range s.sides {
		h := &s.sides[i]
		for u, v := range h.one.Data {
			for k, b := range s.border(h, u) {
				rp[k] -= b * v
			}
		}
	}
	dp = eliminate(s.schur, rp)
	for i := range s.sides {
		h := &s.sides[i]
		for u, v := range h.one.Data {
			for k, b := range h.inv.Row(u) {
				v -= b * dp[k]
			}
			h.dv[u] += v
		}
	}
	for k, v := range dp {
		s.dp[k] += v
	}
	return dp
}

// eliminate solves A x = b by Gauss's elimination with pivots of the largest magnitude.
func eliminate(a [3][3]float64, b [3]float64) [3]float64 {
	for k := range a {
		p := k
		for i := k + 1; i < 3; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p], b[k], b[p] = a[p], a[k], b[p], b[k]
		for i := range a {
			if i != k {
				f := a[i][k] / a[k][k]
				for j := k; j < 3; j++ {
					a[i][j] -= f * a[k][j]
				}
				b[i] -= f * b[k]
			}
		}
	}
	for k := range b {
		b[k] /= a[k][k]
	}
	return b
}
