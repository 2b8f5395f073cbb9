package interior

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// system is the equations of a Newton step, without the moves that follow from dv, ds and dy:
//
//	(PᵀKP + D) dv + B (ds, dy) = b,   Bᵀdv + E (ds, dy) = e,
//
// where c = P v, D = q + curve/s + z/v + t/w, and a row of B is (-ratio t/w - curve v/s², what v_u counts in the sums).
type system struct {
	c, f, diag []float64 // of each example: c, Kc, and the d that it has in K + diag(d)
	blocks     *blocks   // where there are groups, else nil
	target     float64   // of the products
	rs         []float64 // of each group: what the second equation of a point is short of 0
	ry         [][2]float64
	corner     [][3][3]float64 // E, where there are no groups
	schur      [][3][3]float64 // E - Bᵀ(PᵀKP + D)⁻¹B, of groups E - BᵀD⁻¹B
}

// equations is the state of a side, of each variable.
type equations struct {
	rv  []float64           // what the first equation of a point is short of 0
	d   []float64           // D
	inv vec.Matrix[float64] // (PᵀKP + D)⁻¹B, of groups D⁻¹B
}

// measure computes mu and the residuals rv, rs and ry of the point.
func (s *Solver) measure() {
	clear(s.c)
	for _, h := range s.sides {
		for u, v := range h.v {
			s.c[h.Examples[u]] += h.sign * v
		}
	}
	s.p.K.Multiply(s.f, s.c)
	clear(s.rs)
	clear(s.ry)
	for _, h := range s.sides {
		for u, v := range h.v {
			g := h.group[u]
			y, at := s.y[g], s.s[g]
			r := h.Linear + h.z[u] - h.t[u] - h.Quadratic*v - h.sign*s.f[h.Examples[u]] - h.sums[0]*y[0] -
				h.sums[1]*y[1]
			if h.curve > 0 {
				r -= h.curve * v / at
				s.rs[g] += h.curve / 2 * (v / at) * (v / at)
			}
			h.rv[u] = r
			if h.bounded {
				s.rs[g] += h.ratios[g] * h.t[u]
			}
			s.ry[g][0] -= h.sums[0] * v
			s.ry[g][1] -= h.sums[1] * v
		}
	}
	for g, at := range s.s {
		if s.p.Tied {
			s.ry[g][0] += at
			s.ry[g][1] += at
			s.rs[g] += s.y[g][0] + s.y[g][1]
		}
		if s.p.hasScalar() {
			s.rs[g] += s.zs[g] - s.p.Cost
		}
	}
	count := 0.0
	s.mu = 0
	s.eachPair(func(x, y *float64, _, _ float64, _ *float64) {
		s.mu += *x * *y
		count++
	})
	s.mu /= count
}

// border returns the row of B of variable u.
func (s *Solver) border(h *side, u int) [3]float64 {
	g, row := h.group[u], [3]float64{0, h.sums[0], h.sums[1]}
	if h.ratios[g] > 0 {
		row[0] -= h.ratios[g] * h.t[u] / h.w[u]
	}
	if h.curve > 0 {
		row[0] -= h.curve * (h.v[u] / s.s[g]) / s.s[g]
	}
	return row
}

// prepare decomposes the system of the point.
func (s *Solver) prepare() error {
	for g := range s.corner {
		e := &s.corner[g]
		*e = [3][3]float64{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}} // where there is no s and no second sum: ds = dy = 0
		if s.p.hasScalar() {
			e[0][0] = s.zs[g] / s.s[g]
		}
		if s.p.Tied {
			*e = [3][3]float64{{e[0][0], -1, -1}, {-1, 0, 0}, {-1, 0, 0}}
		}
	}
	for _, h := range s.sides {
		for u, v := range h.v {
			g := h.group[u]
			h.d[u] = h.Quadratic + h.z[u]/v
			if h.bounded {
				ratio := h.t[u] / h.w[u]
				h.d[u] += ratio
				s.corner[g][0][0] += h.ratios[g] * h.ratios[g] * ratio
			}
			if h.curve > 0 {
				h.d[u] += h.curve / s.s[g]
				s.corner[g][0][0] += h.curve * (v / s.s[g]) * (v / s.s[g]) / s.s[g]
			}
			if s.blocks != nil {
				h.d[u] = max(h.d[u], s.blocks.least)
			}
			row := s.border(h, u)
			copy(h.inv.Row(u), row[:])
		}
	}
	plus, minus := s.sides[0], s.sides[1]
	if s.blocks != nil {
		s.applyInverse(plus.inv, minus.inv)
		s.schurOfGroups()
		return s.factorGroups()
	}
	if err := s.factor(plus, minus); err != nil {
		return err
	}
	s.applyInverse(plus.inv, minus.inv)
	copy(s.schur, s.corner)
	for _, h := range s.sides {
		for u, g := range h.group {
			x := h.inv.Row(u)
			for j, b := range s.border(h, u) {
				for k := range x {
					s.schur[g][j][k] -= b * x[k]
				}
			}
		}
	}
	return nil
}

// factor decomposes K + diag(d).
func (s *Solver) factor(plus, minus *side) error {
	for i := range s.n {
		switch p, q := plus.variable[i], minus.variable[i]; {
		case q < 0:
			s.diag[i] = plus.d[p]
		case p < 0:
			s.diag[i] = minus.d[q]
		default:
			s.diag[i] = plus.d[p] * minus.d[q] / (plus.d[p] + minus.d[q])
		}
	}
	return s.p.K.Factor(s.diag)
}

// applyInverse replaces columns (b, b'), of the variables of both sides, by (PᵀKP + D)⁻¹ times them. For an example
// with one variable it is a row of (K + D)⁻¹, but for signs. For one with two, v and v', with c = v - v', D v + Kc = b
// and D' v' - Kc = b',
//
//	(K + D D'/(D+D')) c = (D' b - D b')/(D+D'),   v = (b+b' + D' c)/(D+D'),   v' = (b+b' - D c)/(D+D').
//
// Of groups it is D⁻¹: see addLowRank.
func (s *Solver) applyInverse(plus, minus vec.Matrix[float64]) {
	if s.blocks != nil {
		for i, m := range []vec.Matrix[float64]{plus, minus} {
			for u, d := range s.sides[i].d {
				for k := range m.Row(u) {
					m.Row(u)[k] /= d
				}
			}
		}
		return
	}
	work := vec.NewMatrix[float64](s.n, plus.Cols)
	for i := range s.n {
		to, p, q := work.Row(i), s.sides[0].variable[i], s.sides[1].variable[i]
		switch {
		case q < 0:
			copy(to, plus.Row(int(p)))
		case p < 0:
			vec.Axpy(-1, minus.Row(int(q)), to)
		default:
			dp, dq, b, c := s.sides[0].d[p], s.sides[1].d[q], plus.Row(int(p)), minus.Row(int(q))
			for k := range to {
				to[k] = (dq*b[k] - dp*c[k]) / (dp + dq)
			}
		}
	}
	s.p.K.Solve(work)
	for i := range s.n {
		from, p, q := work.Row(i), s.sides[0].variable[i], s.sides[1].variable[i]
		switch {
		case q < 0:
			copy(plus.Row(int(p)), from)
		case p < 0:
			to := minus.Row(int(q))
			for k, c := range from {
				to[k] = -c
			}
		default:
			dp, dq, b, c := s.sides[0].d[p], s.sides[1].d[q], plus.Row(int(p)), minus.Row(int(q))
			for k, x := range from {
				sum := b[k] + c[k]
				b[k], c[k] = (sum+dq*x)/(dp+dq), (sum-dp*x)/(dp+dq)
			}
		}
	}
}

// setDirection sets dv, ds and dy to the direction towards products of target. The residuals of the next point hold
// what rounding leaves of the equations, so that only groups need refinement.
func (s *Solver) setDirection(target float64) {
	s.target = target
	e := make([][3]float64, len(s.s))
	for g, at := range s.s {
		e[g] = [3]float64{0, s.ry[g][0], s.ry[g][1]}
		if s.p.hasScalar() {
			e[g][0] = s.rs[g] + (target-s.corrS[g])/at - s.zs[g]
		}
	}
	for _, h := range s.sides {
		for u, v := range h.v {
			b := h.rv[u] + (target-h.corrVZ[u])/v - h.z[u]
			if h.bounded {
				g := h.group[u]
				t := (target-h.corrWT[u]-h.t[u]*h.slackResidual(u, s.s[g]))/h.w[u] - h.t[u]
				b -= t
				e[g][0] += h.ratios[g] * t
			}
			h.dv[u] = b
		}
	}
	if s.blocks != nil {
		s.refined(e)
		return
	}
	s.eliminate(e)
}

// eliminate solves the equations of prepare with the right sides dv and e, of groups those without K.
func (s *Solver) eliminate(e [][3]float64) {
	plus, minus := s.sides[0].dv, s.sides[1].dv
	s.applyInverse(vec.MatrixOf(len(plus), 1, plus), vec.MatrixOf(len(minus), 1, minus))
	for _, h := range s.sides {
		for u, v := range h.dv {
			for k, b := range s.border(h, u) {
				e[h.group[u]][k] -= b * v
			}
		}
	}
	for g := range e {
		s.dp[g] = eliminate(s.schur[g], e[g])
	}
	for _, h := range s.sides {
		for u := range h.dv {
			x := h.inv.Row(u)
			dp := s.dp[h.group[u]]
			h.dv[u] -= x[0]*dp[0] + x[1]*dp[1] + x[2]*dp[2]
		}
	}
}

// eliminate solves A x = b by Gauss's elimination with the largest pivots.
func eliminate(a [3][3]float64, b [3]float64) [3]float64 {
	for k := range a {
		p := k
		for i := k + 1; i < len(a); i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p], b[k], b[p] = a[p], a[k], b[p], b[k]
		for i := range a {
			if i != k {
				f := a[i][k] / a[k][k]
				for j := k; j < len(a); j++ {
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
