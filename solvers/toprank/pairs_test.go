package toprank

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/vec"
)

// ascentOf is the state of Pairs at random feasible dual variables, with the kernel matrix in the order of its places.
func ascentOf(t *testing.T, rng *rand.Rand, p ranktruth.Problem) (*pairAscent[float64], vec.Matrix[float64]) {
	t.Helper()
	q := problemsOf[float64](t, p)["kernel"]
	o, err := q.prepare(configOf(p))
	if err != nil {
		t.Fatal(err)
	}
	a, err := newPairAscent(o, q.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	alpha, beta := p.Feasible(rng)
	n := len(alpha)
	k, f := vec.NewMatrix[float64](n, n), make([]float64, n)
	all := make([]int, n)
	for i := range n {
		all[i] = i
	}
	q.Kernel.Rows(k, all)
	for i := range n {
		for j, v := range k.Row(i) {
			f[i] += v * (alpha[j] - beta[j])
		}
	}
	a.set(alpha, beta, f)
	a.k.Rows(k, all)
	return a, k
}

// value is the dual of the variables at hand, with the delta given in that of PatMat and Quadratic, by the formulas alone.
func (a *pairAscent[T]) value(k vec.Matrix[float64], delta float64) float64 {
	c := make([]float64, len(a.f))
	var b []float64
	sum, largest := 0.0, 0.0
	for l, v := range a.x[alphas] {
		c[a.first[alphas]+l] += float64(v)
		sum += float64(v)/a.Theta1 - a.curvature()/2*float64(v*v)
	}
	for l, v := range a.x[betas] {
		c[a.first[betas]+l] += float64(v)
		b = append(b, -float64(v))
		largest = max(largest, -float64(v))
	}
	if a.Method == PatMat {
		sum += vec.Sum(b) / a.Theta2
		if a.Loss == Hinge {
			sum -= a.bound / a.Theta2 * largest
		} else {
			sum -= a.bound*delta + vec.SquaredNorm(b)/(4*delta*a.Theta2*a.Theta2)
		}
	}
	for i, v := range c {
		sum -= v * vec.Dot(k.Row(i), c) / 2
	}
	return sum
}

// inside reports whether the variables are in the domain.
func (a *pairAscent[T]) inside() bool {
	sum, most := 0.0, 0.0
	for _, v := range a.x[alphas] {
		if !(v >= 0 && float64(v) <= a.most()*(1+1e-15)) {
			return false
		}
		sum += float64(v)
	}
	for _, v := range a.x[betas] {
		if v > 0 {
			return false
		}
		most = max(most, -float64(v))
	}
	return a.K < 2 || most <= sum/float64(a.K)*(1+1e-13)
}

// TestPairStep: of all pairs with a variable and all steps that the domain allows, the chosen one gains most, as ternary
// searches on the dual find, and what it says. Both compute a dual of size 1 and less with rounding errors, which 1e-12
// covers 1000 times over.
func TestPairStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	steps := 0
	for _, p := range some(9) {
		a, k := ascentOf(t, rng, p)
		for i := range 5 {
			for range 10 * min(i, 1) { // to where bounds bind
				a.loop(false)
			}
			delta := math.Sqrt(a.squares/a.bound) / (2 * a.Theta2)
			before := a.value(k, delta)
			for place := range len(a.x[alphas]) + len(a.x[betas]) {
				v := variable{alphas, place}
				if m := len(a.x[alphas]); place >= m {
					v = variable{betas, place - m}
				}
				got := a.partner(v, k.Row(a.place(v)))
				at := func(l variable, d float64) (gain float64, inside bool) {
					one, other := &a.x[v.side][v.at], &a.x[l.side][l.at]
					x, y := *one, *other
					*one, *other = x+d, y-d
					gain, inside = a.value(k, delta)-before, a.inside()
					*one, *other = x, y
					return gain, inside
				}
				best := 0.0
				for side := range a.x {
					for l := range a.x[side] {
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
			a, k := ascentOf(t, rng, p)
			dual := func() float64 { return a.value(k, math.Sqrt(a.squares/a.bound)/(2*a.Theta2)) }
			before := dual()
			for i := range 300 {
				a.loop(violation)
				after := dual()
				alpha, beta := a.duals()
				s := vec.Sum(alpha)
				if !(after >= before-1e-12) || !(math.Abs(s-vec.Sum(beta)) <= 1e-12) || !(math.Abs(s-a.sum) <= 1e-12) || !a.inside() ||
					!(math.Abs(vec.SquaredNorm(beta)-a.squares) <= 1e-12) {
					t.Fatalf("%s: loop %d takes the dual from %v to %v, sums %v and %v, inside %v", p.Name, i, before, after, s, vec.Sum(beta), a.inside())
				}
				before = after
			}
		}
	}
}

// TestPairsTruth: TopPush, and PatMat with Quadratic, reach the known optima; no method passes one.
func TestPairsTruth(t *testing.T) {
	for i, p := range ranktruth.Read(t, "testdata") {
		if testing.Short() && i%6 != 0 {
			continue
		}
		for _, violation := range []bool{false, true} {
			q := problemsOf[float64](t, p)["kernel"]
			c := configOf(p)
			c.Tol = 1e-6
			r, steps, err := q.Pairs(context.Background(), c, PairOptions{Steps: 40000, Every: 1000, Violation: violation})
			if err != nil {
				t.Fatal(err)
			}
			reaches := !p.PatMat && p.K == 1 || p.PatMat && !p.Hinge
			if last := r.Certificate; last.Dual > p.Optimum*(1+1e-9) || last.Primal < p.Optimum*(1-1e-9) ||
				reaches && (r.Status != solvers.Converged || !(last.Primal <= p.Optimum*(1+1.1e-6))) {
				t.Errorf("%s, violation %v: %v, want %v", p.Name, violation, r.Outcome, p.Optimum)
			}
			for j := 1; j < len(steps); j++ {
				if steps[j].Dual < steps[j-1].Dual-1e-12*math.Abs(steps[j-1].Primal) || steps[j].Elapsed <= steps[j-1].Elapsed || steps[j].Steps <= steps[j-1].Steps {
					t.Errorf("%s: %+v after %+v", p.Name, steps[j], steps[j-1])
				}
			}
			honest(t, p, q, r)
		}
	}
}

// TestPairCap: where one beta alone is at the cap it may fall, with an alpha, until the cap meets the next one, or an end.
func TestPairCap(t *testing.T) {
	for _, c := range []struct{ alpha, beta, other, third, want float64 }{
		{2, 1.5, 1, .5, -1},     // K second - S
		{.25, 1.5, .5, 1, -.25}, // -alpha
	} {
		p := ranktruth.Draw(rand.New(rand.NewPCG(65, 66)), 6, 2) // the first and the fourth are positive
		p.K = 2
		a, k := ascentOf(t, rand.New(rand.NewPCG(67, 68)), p)
		a.set([]float64{c.alpha, 0, 0, 3 - c.alpha, 0, 0}, []float64{0, c.other, c.beta, 0, c.third, 0}, []float64{1e6, 0, -1e6, 0, 0, 0})
		got := a.partner(variable{alphas, 0}, k.Row(0))
		if got.l != (variable{betas, 1}) || got.step != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestPairsErrors: what cannot be, by name and number; a context that ends leaves a model.
func TestPairsErrors(t *testing.T) {
	p := some(9)[0]
	q, ctx := problemsOf[float64](t, linearOf(p)), context.Background()
	refused := func(q Problem[float64], o PairOptions, want ...string) {
		t.Helper()
		r, steps, err := q.Pairs(ctx, configOf(p), o)
		contains(t, err, append(want, "toprank: ")...)
		if r != nil || steps != nil {
			t.Errorf("%v with the error %v", r, err)
		}
	}
	refused(q["dense"], PairOptions{}, "Kernel")
	refused(q["kernel"], PairOptions{Steps: -3}, "Steps = -3")
	refused(q["kernel"], PairOptions{Every: -2}, "Every = -2")
	short := q["kernel"]
	short.Positive = short.Positive[1:]
	refused(short, PairOptions{}, "8", "9")
	if _, _, err := q["kernel"].Pairs(nil, configOf(p), PairOptions{}); err == nil { //nolint:staticcheck
		t.Error("no context is no error")
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	r, steps, err := q["kernel"].Pairs(ended, configOf(p), PairOptions{})
	if err != context.Canceled || r == nil || r.Status != solvers.Canceled || len(steps) != 1 {
		t.Errorf("%v, %v, %v", told(r), steps, err)
	}
}

// TestPairsForms: sparse, precomputed and in float32 the loops come to the same; they go on from Start.
func TestPairsForms(t *testing.T) {
	for _, p := range some(15) {
		c, o := configOf(p), PairOptions{Steps: 2000, Every: 500, Violation: true}
		c.Tol = 1e-12
		want := -1.0
		for name, q := range problemsOf[float64](t, p) {
			r, _, err := q.Pairs(context.Background(), c, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", p.Name, name, err)
			}
			if want < 0 {
				want = r.Certificate.Dual
			}
			again := q
			again.Start = r
			more, steps, err := again.Pairs(context.Background(), c, PairOptions{Steps: 1})
			if err != nil || math.Abs(steps[0].Dual-r.Certificate.Dual) > 1e-12 || more.Certificate.Dual < r.Certificate.Dual-1e-12 {
				t.Errorf("%s, %s: %v after %v, %v", p.Name, name, told(more), told(r), err)
			}
			honest(t, p, q, r)
		}
		q := problemsOf[float32](t, p)["kernel"]
		r, _, err := q.Pairs(context.Background(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Certificate.Dual > want-1e-3) {
			t.Errorf("%s in float32: %v, in float64 %v", p.Name, told(r), want)
		}
		honest(t, in[float32](p), q, r)
	}
}
