package ranking

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// some returns a random problem with each method and loss.
func some(n int) []ranktruth.Problem {
	return ranktruth.Draw(rand.New(rand.NewPCG(41, 42)), n, 4).Variants()
}

// solverOf returns pairs at random feasible dual variables, and the kernel matrix in the order of its places.
func solverOf(t *testing.T, rng *rand.Rand, p ranktruth.Problem) (*pairs[float64], vec.Matrix[float64]) {
	t.Helper()
	all, err := kernel.New(&dataset.Dense[float64]{Matrix: ranktruth.Features[float64](p)}, p.Kernel, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	o := objectiveOf(p)
	rows := append([]int(nil), o.Rows()...)
	order := o.PositivesFirst(append([]int(nil), rows...))
	part, err := active.Part(all, order)
	if err != nil {
		t.Fatal(err)
	}
	s := newPairs(part, o.Sides(order), 0)
	a, b := p.Feasible(rng)
	n := len(a)
	k, f, alpha, beta := vec.NewMatrix[float64](n, n), make([]float64, n), make([]float64, n), make([]float64, n)
	part.Rows(k, rows, 1)
	for q, i := range order {
		alpha[q], beta[q] = a[i], b[i]
	}
	for i := range n {
		for j, v := range k.Row(i) {
			f[i] += v * (alpha[j] - beta[j])
		}
	}
	s.set(alpha, beta, f)
	return s, k
}

func objectiveOf(p ranktruth.Problem) *toploss.Objective {
	return toploss.New(toploss.Objective{PatMat: p.PatMat, Hinge: p.Hinge, All: p.All, K: p.K,
		C: p.C, Tau: p.Tau, Theta1: p.Theta1, Theta2: p.Theta2, Positive: p.Positive})
}

// delta is the scalar of the variables at hand.
func (s *pairs[T]) delta() float64 {
	return math.Sqrt(s.squares * s.p.Curve / (2 * s.p.Cost))
}

// value is what is maximised, at the variables at hand, with the scalar delta where there is a curve, by the formula of
// package interior alone.
func (s *pairs[T]) value(k vec.Matrix[float64], delta float64) float64 {
	c := make([]float64, len(s.f))
	sum, squares, largest := 0.0, 0.0, 0.0
	for l, v := range s.x[alphas] {
		c[s.first[alphas]+l] += float64(v)
		sum += float64(v)*s.p.Plus.Linear - s.p.Plus.Quadratic/2*float64(v*v)
	}
	for l, v := range s.x[betas] {
		c[s.first[betas]+l] += float64(v)
		sum -= float64(v) * s.p.Minus.Linear
		squares += float64(v * v)
		largest = max(largest, -float64(v))
	}
	switch {
	case s.p.Curve > 0:
		sum -= s.p.Cost*delta + s.p.Curve/2*squares/delta
	case s.p.Cost > 0:
		sum -= s.p.Cost * largest / s.p.Minus.Ratio
	}
	for i, v := range c {
		sum -= v * vec.Dot(k.Row(i), c) / 2
	}
	return sum
}

// inside reports whether the variables are in the domain.
func (s *pairs[T]) inside() bool {
	sum, most := 0.0, 0.0
	for _, v := range s.x[alphas] {
		if !(v >= 0 && (s.p.Plus.Upper == 0 || float64(v) <= s.p.Plus.Upper*(1+1e-15))) {
			return false
		}
		sum += float64(v)
	}
	for _, v := range s.x[betas] {
		if v > 0 {
			return false
		}
		most = max(most, -float64(v))
	}
	return !s.p.Tied || most <= sum*s.p.Minus.Ratio*(1+1e-13)
}

// TestPairStep: of all pairs with a variable and all steps that the domain allows, the chosen one gains most, as
// ternary searches on the dual find, and what it says. Both compute a dual of size 1 and less with rounding errors,
// which 1e-12 covers 1000 times over.
func TestPairStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	steps := 0
	for _, p := range some(9) {
		s, k := solverOf(t, rng, p)
		for i := range 5 {
			for range 10 * min(i, 1) { // to where bounds bind
				s.loop(false)
			}
			delta := s.delta()
			before := s.value(k, delta)
			for place := range len(s.x[alphas]) + len(s.x[betas]) {
				v := s.variable(place)
				got := s.partner(v, k.Row(s.place(v)))
				at := func(l variable, d float64) (gain float64, inside bool) {
					one, other := &s.x[v.side][v.at], &s.x[l.side][l.at]
					x, y := *one, *other
					*one, *other = x+d, y-d
					gain, inside = s.value(k, delta)-before, s.inside()
					*one, *other = x, y
					return gain, inside
				}
				best := 0.0
				for side := range s.x {
					for l := range s.x[side] {
						if other := (variable{side, l}); other != v {
							best = max(best, search(func(d float64) (float64, bool) { return at(other, d) }))
						}
					}
				}
				if !(math.Abs(got.gain-best) <= 1e-12) {
					t.Fatalf("%s: the step of %v gains %v, the best one %v", p.Name, v, got, best)
				}
				if got.gain > 0 {
					steps++
					if gain, inside := at(got.l, got.step*(1-1e-14)); !inside || !(math.Abs(gain-got.gain) <= 1e-12) {
						t.Fatalf("%s: the step of %v, %v, gains %v, inside %v", p.Name, v, got, gain, inside)
					}
				}
			}
		}
	}
	if steps < 100 {
		t.Errorf("%d variables have a step", steps)
	}
}

// search returns the largest value of a concave function on the interval around 0 where it is defined, up to ±16.
func search(f func(d float64) (float64, bool)) float64 {
	end := [2]float64{}
	for i, sign := range []float64{-1, 1} {
		in, out := 0.0, 16.0
		if _, ok := f(sign * out); ok {
			in = out
		}
		for range 60 {
			if middle := (in + out) / 2; in < out {
				if _, ok := f(sign * middle); ok {
					in = middle
				} else {
					out = middle
				}
			}
		}
		end[i] = sign * in
	}
	lo, hi := end[0], end[1]
	best := 0.0
	for range 120 {
		l, r := lo+(hi-lo)/3, hi-(hi-lo)/3
		a, _ := f(l)
		b, _ := f(r)
		best = max(best, a, b)
		if a < b {
			lo = l
		} else {
			hi = r
		}
	}
	for _, d := range append(end[:], lo, hi) {
		v, _ := f(d)
		best = max(best, v)
	}
	return best
}

// TestPairLoops: loops never lower the dual, by more than rounding, and keep the sums equal and the domain.
func TestPairLoops(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	for _, p := range some(12) {
		for _, violation := range []bool{false, true} {
			s, k := solverOf(t, rng, p)
			dual := func() float64 { return s.value(k, s.delta()) }
			before := dual()
			for i := range 300 {
				s.loop(violation)
				after := dual()
				alpha, beta := s.duals()
				sum := vec.Sum(alpha)
				if !(after >= before-1e-12) || !(math.Abs(sum-vec.Sum(beta)) <= 1e-12) ||
					!(math.Abs(sum-s.sum) <= 1e-12) || !s.inside() ||
					!(math.Abs(vec.SquaredNorm(beta)-s.squares) <= 1e-12) {
					t.Fatalf("%s: loop %d takes the dual from %v to %v, sums %v and %v, inside %v", p.Name, i, before,
						after, sum, vec.Sum(beta), s.inside())
				}
				before = after
			}
		}
	}
}

// TestSteepest: of the variables that may grow the chosen one has the largest slope, the derivative of what is
// maximised but for the largest beta's part, a quadratic function, so that differences have it but for rounding.
func TestSteepest(t *testing.T) {
	rng := rand.New(rand.NewPCG(69, 70))
	sides := [2]int{}
	for _, p := range some(9) {
		s, k := solverOf(t, rng, p)
		for range 20 {
			s.loop(false)
			delta := s.delta()
			slope := func(v variable) float64 {
				at := func(d float64) float64 {
					x, largest := &s.x[v.side][v.at], 0.0
					before := *x
					*x += d
					if s.bent() {
						for _, b := range s.x[betas] {
							largest = max(largest, -b)
						}
					}
					value := s.value(k, delta) + s.p.Cost*largest/max(s.p.Minus.Ratio, 1e-300)
					*x = before
					return value
				}
				return (at(1e-3) - at(-1e-3)) / 2e-3
			}
			got, best := s.variable(s.steepest()), math.Inf(-1)
			for place := range len(s.x[alphas]) + len(s.x[betas]) {
				v := s.variable(place)
				if _, hi := s.bounds(v.side); s.x[v.side][v.at] < hi {
					best = max(best, slope(v))
				} else if v == got {
					t.Errorf("%s: %v cannot grow", p.Name, v)
				}
			}
			if !(math.Abs(slope(got)-best) <= 1e-9) {
				t.Errorf("%s: %v has a slope of %v, the largest is %v", p.Name, got, slope(got), best)
			}
			sides[got.side]++
		}
	}
	if sides[alphas] < 20 || sides[betas] < 20 {
		t.Errorf("%d alphas and %d betas", sides[alphas], sides[betas])
	}
}

// TestPairCap: where one beta alone is at the cap it may fall, with an alpha, until the cap meets the next one, or an
// end: whether the largest beta is the first or not.
func TestPairCap(t *testing.T) {
	for _, c := range []struct {
		alpha float64
		beta  [4]float64
		top   int // of which the step is
		want  float64
	}{
		{2, [4]float64{1, 1.5, .5}, 1, -1},      // K second - S
		{2, [4]float64{1.5, 1, .5}, 0, -1},      // the same
		{.25, [4]float64{.5, 1.5, 1}, 1, -.25},  // -alpha
		{.25, [4]float64{1.5, .25, 1}, 0, -.25}, // the same
	} {
		p := ranktruth.Draw(rand.New(rand.NewPCG(65, 66)), 6, 2) // two of them positive
		p.K = 2
		s, k := solverOf(t, rand.New(rand.NewPCG(67, 68)), p)
		scores := []float64{1e6, 0, 0, 0, 0, 0}
		scores[2+c.top] = -1e6
		s.set([]float64{c.alpha, 3 - c.alpha, 0, 0, 0, 0}, append([]float64{0, 0}, c.beta[:]...), scores)
		got := s.partner(variable{alphas, 0}, k.Row(0))
		if got.l != (variable{betas, c.top}) || got.step != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
