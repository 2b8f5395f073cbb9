package interior

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// Solver is a problem on its way. Its point need not fulfil the equations: what they lack shrinks with every step. With
// multipliers z of v >= 0, t of the upper bounds, whose slacks are w, z_s of s >= 0, and y of the sums, all of them
// positive but y, it heads for
//
//	±(Kc)_u + q v_u - l + curve v_u/s - z_u + t_u + y of u's sum, signed as v_u is in it = 0,
//	cost - curve/2 Σ v_u²/s² - Σ ratio t_u - Σ y of the sums that are s - z_s = 0,
//	w_u = upper + ratio s - v_u,   v_u z_u = w_u t_u = s z_s = 0.
type Solver struct {
	p     Problem
	n     int
	sides [2]*side // plus, minus
	scalars

	mu float64 // the mean of the products v z, w t and s z_s, which are 0 at the optimum
	system
}

// scalars are s, z_s and y of each group, and of a step their moves.
type scalars struct {
	s, zs, corrS []float64
	y            [][2]float64
	dp           [][3]float64 // of s and y
}

// step is the moves of a step, of v on both sides and of s and y.
type step struct {
	dv [2][]float64
	dp [][3]float64
}

// step returns a copy of the moves.
func (s *Solver) step() step {
	return step{[2][]float64{slices.Clone(s.sides[0].dv), slices.Clone(s.sides[1].dv)}, slices.Clone(s.dp)}
}

// addStep sets the moves to the other ones plus sign times their own.
func (s *Solver) addStep(other step, sign float64) {
	for i, h := range s.sides {
		for u, v := range other.dv[i] {
			h.dv[u] = v + sign*h.dv[u]
		}
	}
	for g, p := range other.dp {
		for j, v := range p {
			s.dp[g][j] = v + sign*s.dp[g][j]
		}
	}
}

// side is the variables of a Side, and of each what a step needs.
type side struct {
	Side
	sign, curve        float64
	sums               [2]float64 // what a variable counts in either sum
	bounded            bool
	group              []int               // of each variable
	ratios             []float64           // of each group
	variable           []int32             // of each example, or -1
	state              vec.Matrix[float64] // its rows are v, z, w, t
	v, z, w, t         []float64
	dv, corrVZ, corrWT []float64 // the move of v; corrections subtracted from the targets of v z and w t
	equations
}

// slack is by which part upper bounds of s alone may be exceeded where all variables are at them, since their sum is s:
// there is no interior without it.
const slack = 1e-9

// New returns a Solver at its start. It takes some 20 numbers a variable besides K.
func New(p Problem) (*Solver, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &Solver{p: p, n: p.K.Len()}
	s.c, s.f, s.diag = make([]float64, s.n), make([]float64, s.n), make([]float64, s.n)
	s.s, s.zs, s.corrS = make([]float64, p.groups()), make([]float64, p.groups()), make([]float64, p.groups())
	s.y, s.dp = make([][2]float64, p.groups()), make([][3]float64, p.groups())
	s.rs, s.ry = make([]float64, p.groups()), make([][2]float64, p.groups())
	s.corner, s.schur = make([][3][3]float64, p.groups()), make([][3][3]float64, p.groups())
	for i, from := range []Side{p.Plus, p.Minus} {
		n := len(from.Examples)
		h := &side{Side: from, sign: 1, sums: [2]float64{1, 0}, bounded: from.Upper > 0 || from.Ratio > 0,
			variable: make([]int32, s.n)}
		s.sides[i] = h
		for u := range h.Examples {
			h.group = append(h.group, from.of(u))
		}
		for g := range s.s {
			h.ratios = append(h.ratios, from.ratio(g))
		}
		if i == 1 {
			h.sign, h.curve, h.sums = -1, p.Curve, [2]float64{-1, 0}
			if p.Tied {
				h.sums = [2]float64{0, 1}
			}
			for g, size := range from.sizes(p.groups()) {
				if room := h.ratios[g] * float64(size); p.Tied && p.Minus.Upper == 0 && room > 0 && room < 1+slack {
					h.ratios[g] *= (1 + slack) / room
				}
			}
		}
		for example := range h.variable {
			h.variable[example] = -1
		}
		for u, example := range h.Examples {
			h.variable[example] = int32(u)
		}
		h.set(vec.NewMatrix[float64](4, n))
		for _, v := range []*[]float64{&h.dv, &h.corrVZ, &h.corrWT, &h.rv, &h.d} {
			*v = make([]float64, n)
		}
		h.inv = vec.NewMatrix[float64](n, 3)
	}
	if p.Groups > 1 {
		s.blocks = newBlocks(&s.p)
	}
	s.start()
	s.measure()
	return s, nil
}

func (h *side) set(state vec.Matrix[float64]) {
	h.state, h.v, h.z, h.w, h.t = state, state.Row(0), state.Row(1), state.Row(2), state.Row(3)
}

// start sets the variables of a side to one value, half of their upper bound or the optimum of the linear and the
// quadratic term alone: a start far below large bounds never gets there. Multipliers are the size of the linear term
// where products of all pairs are equal.
func (s *Solver) start() {
	plus, minus := s.sides[0], s.sides[1]
	na, nb := float64(len(plus.v)), float64(len(minus.v))
	a := plus.Linear / plus.Quadratic / 2
	if plus.Upper > 0 {
		a = min(a, plus.Upper/2)
	}
	if minus.Upper > 0 {
		a = min(a, minus.Upper/2*nb/na)
	}
	if !(a > 0) || math.IsInf(a, 1) {
		a = 1
	}
	b := a * na / nb
	product := a * max(plus.Linear, minus.Linear)
	if product == 0 {
		product = a
	}
	sizes := [2][]int{plus.sizes(len(s.s)), minus.sizes(len(s.s))}
	for g := range s.s {
		switch {
		case !s.p.hasScalar():
			continue
		case s.p.Tied:
			s.s[g] = a * float64(sizes[0][g])
		case s.p.Curve > 0: // where cost s + curve/2 Σ v²/s is least
			s.s[g] = b * math.Sqrt(s.p.Curve*nb/(2*s.p.Cost))
		case minus.Ratio > 0:
			s.s[g] = 2 * b / minus.Ratio
		default:
			s.s[g] = a
		}
		s.zs[g] = product / s.s[g]
	}
	for i, h := range s.sides {
		for u, g := range h.group {
			v := a
			if i == 1 {
				v = a * float64(sizes[0][g]) / float64(sizes[1][g])
			}
			h.v[u], h.z[u] = v, product/v
			if h.bounded {
				h.w[u] = max(h.Upper+h.ratios[g]*s.s[g]-v, v/10)
				h.t[u] = product / h.w[u]
			}
		}
	}
}

// V returns the variables of each side, which must not be changed.
func (s *Solver) V() (plus, minus []float64) { return s.sides[0].v, s.sides[1].v }

// S returns the scalar of the first group, 0 where there is none.
func (s *Solver) S() float64 { return s.s[0] }

// Step takes one step. Where rounding allows none it returns an error and leaves the point as it was.
func (s *Solver) Step() error {
	if err := s.prepare(); err != nil {
		return fmt.Errorf("interior: %w", err)
	}
	s.eachPair(func(_, _ *float64, _, _ float64, c *float64) { *c = 0 })
	s.setDirection(0)
	// Mehrotra's target, and the products of the moves that a linear model leaves out.
	a, mu, count := s.length(), 0.0, 0.0
	s.eachPair(func(x, y *float64, dx, dy float64, c *float64) {
		mu += (*x + a*dx) * (*y + a*dy)
		count++
		*c = dx * dy
	})
	target := s.mu * math.Pow(mu/count/s.mu, 3)
	s.setDirection(target)
	for range 2 {
		if !s.centralityCorrector() {
			break
		}
	}
	a = .99 * s.length()
	if !(a > 1e-8) {
		return fmt.Errorf("interior: a step of %v times Newton's: rounding allows no more", a)
	}
	a = min(1, a)
	if !s.staysPositive(a) {
		return fmt.Errorf("interior: a step to numbers that are not finite and positive: rounding allows no more")
	}
	s.move(a)
	s.measure()
	return nil
}

// eachPair calls do with all pairs of variables whose product is to become 0, their moves, and the correction that is
// subtracted from the target of the product. do may change them.
func (s *Solver) eachPair(do func(x, y *float64, dx, dy float64, c *float64)) {
	for _, h := range s.sides {
		for u := range h.v {
			v, z, dv := &h.v[u], &h.z[u], h.dv[u]
			dz := (s.target - h.corrVZ[u] - *z*(*v+dv)) / *v
			if h.bounded {
				w, t := &h.w[u], &h.t[u]
				g := h.group[u]
				dw := h.slackResidual(u, s.s[g]) + h.ratios[g]*s.dp[g][0] - dv
				do(w, t, dw, (s.target-h.corrWT[u]-*t*(*w+dw)) / *w, &h.corrWT[u])
			}
			do(v, z, dv, dz, &h.corrVZ[u])
		}
	}
	if s.p.hasScalar() {
		for g, v := range s.s {
			z, ds := s.zs[g], s.dp[g][0]
			do(&s.s[g], &s.zs[g], ds, (s.target-s.corrS[g]-z*(v+ds))/v, &s.corrS[g])
		}
	}
}

// slackResidual returns upper + ratio s - v - w.
func (h *side) slackResidual(u int, s float64) float64 {
	return h.Upper + h.ratios[h.group[u]]*s - h.v[u] - h.w[u]
}

// length is how far all variables stay positive, at most 1/.99 of the step.
func (s *Solver) length() float64 {
	a := 1 / .99
	s.eachPair(func(x, y *float64, dx, dy float64, _ *float64) {
		if dx < 0 {
			a = min(a, -*x/dx)
		}
		if dy < 0 {
			a = min(a, -*y/dy)
		}
	})
	return a
}

// centralityCorrector makes the step longer, if it can: it brings products nearer to the target that would be far from
// it beyond the end of the step (Gondzio, Multiple centrality corrections in a primal-dual method for linear
// programming, 1996). It costs an equation, not a decomposition.
func (s *Solver) centralityCorrector() (longer bool) {
	a := s.length()
	if a > .9 {
		return false
	}
	last, ahead, corrections := s.step(), min(1, a+.3), []float64(nil)
	s.eachPair(func(x, y *float64, dx, dy float64, c *float64) {
		corrections = append(corrections, *c)
		p := (*x + ahead*dx) * (*y + ahead*dy)
		*c -= max(min(max(p, .1*s.target), 10*s.target)-p, -10*s.target)
	})
	s.setDirection(s.target)
	if s.length() > a+.03 {
		return true
	}
	s.sides[0].dv, s.sides[1].dv, s.dp = last.dv[0], last.dv[1], last.dp
	s.eachPair(func(_, _ *float64, _, _ float64, c *float64) { *c, corrections = corrections[0], corrections[1:] })
	return false
}

// staysPositive reports whether a times the step leads to numbers that are finite, and positive where they are to be: a
// decomposition of a matrix that is all but singular tells nothing of its directions.
func (s *Solver) staysPositive(a float64) bool {
	sound := true
	positive := func(v float64) bool { return v > 0 && v < math.Inf(1) }
	s.eachPair(func(x, y *float64, dx, dy float64, _ *float64) {
		sound = sound && positive(*x+a*dx) && positive(*y+a*dy)
	})
	for _, d := range s.dp {
		y := float64(a * (d[1] + d[2])) // rounded: a fused y - y would be what rounding took
		sound = sound && y-y == 0
	}
	return sound
}

// move takes a times the step.
func (s *Solver) move(a float64) {
	s.eachPair(func(x, y *float64, dx, dy float64, _ *float64) {
		*x += a * dx
		*y += a * dy
	})
	for g, d := range s.dp {
		s.y[g][0] += a * d[1]
		s.y[g][1] += a * d[2]
	}
}
