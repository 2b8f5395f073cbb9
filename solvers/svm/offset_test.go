package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestOffsetTruth: the optima with an offset, and of one class, are where LIBSVM's svm-train ends with -e 1e-6 or less,
// -c 1, -p .1, -n .1, -g .1, on the sets of TestTruth, without their constant feature.
func TestOffsetTruth(t *testing.T) {
	spam, wine := scaledSamples(t)
	gaussian := func(x design.Matrix[float64]) *kernel.Matrix[float64] {
		return familytest.Kernel(t, x, kernel.Gaussian{Gamma: .1})
	}
	onSpam, onWine := gaussian(spam.X), gaussian(wine.X)
	classes, numbers := Config{Offset: true}, Config{Offset: true, Epsilon: .1}
	for name, r := range map[string]struct {
		p    Problem[float64]
		c    Config
		want float64
	}{
		"-s 0":           {Problem[float64]{X: spam.X, Y: spam.Y}, classes, 1448.527800},
		"-s 0 -t 2":      {Problem[float64]{Kernel: onSpam, Y: spam.Y}, classes, 1935.599480},
		"-s 3":           {Problem[float64]{X: wine.X, Targets: wine.Values}, numbers, 643.962246},
		"-s 3 -t 2":      {Problem[float64]{Kernel: onWine, Targets: wine.Values}, numbers, 514.293716},
		"-s 2":           {Problem[float64]{X: spam.X, OneClass: true}, Config{Nu: .1}, -82.949820},
		"-s 2 -t 2":      {Problem[float64]{Kernel: onSpam, OneClass: true}, Config{Nu: .1}, -89689.341944},
		"-s 2 -t 2 wine": {Problem[float64]{Kernel: onWine, OneClass: true}, Config{Nu: .1}, -512.612666},
	} {
		r.c.Tol, r.c.Epochs = 1e-6, 1<<20
		got, err := r.p.Fit(context.Background(), r.c)
		if err != nil || got.Status != solvers.Converged {
			t.Fatal(name, told(got), err)
		}
		within := 2e-6 * math.Abs(r.want)
		if c := got.Certificate; math.Abs(c.Primal-r.want) > within || math.Abs(c.Dual-r.want) > within {
			t.Errorf("%s: %v, LIBSVM has %.10g", name, got.Outcome, r.want)
		}
	}
}

// TestOffsetSmall: on few examples the optimum is where projected gradients end, by plain loops.
func TestOffsetSmall(t *testing.T) { prove.Both(t, testOffsetSmall[float32], testOffsetSmall[float64]) }

func testOffsetSmall[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(101, 102))
	for k := range 40 {
		n := 4 + rng.IntN(9)
		x, y, targets := drawn[T](rng, n, 3)
		for i := range n {
			x.Row(i)[0] += T(3 + rng.Float64()) // 0 is outside
			targets[i] += 5
		}
		l := []Loss{Hinge, SquaredHinge, Insensitive, SquaredInsensitive, single}[k%5]
		p := Problem[T]{X: x}.of(l, y, targets)
		if k%2 == 1 {
			p = gaussian(t, p)
		}
		if k%3 == 0 {
			for range n {
				p.Weights = append(p.Weights, .5+rng.Float64())
			}
		}
		c := Config{Tol: 1e-5, Epochs: 1 << 20, Workers: 1}
		if l == single {
			c.Nu = .1 + .8*rng.Float64()
		} else {
			c.C, c.Loss, c.Offset = .1+rng.Float64(), l, true
		}
		if l.ofTargets() {
			c.Epsilon = .1
		}
		r := solve(t, p, c)
		want := plainOf(p, c).optimum()
		if got := r.Certificate; math.Abs(got.Primal-want) > 2e-5*math.Abs(want)+1e-12 {
			t.Errorf("%v of %d examples: %v, want %v", l, n, r.Outcome, want)
		}
	}
}

// optimum is the largest value of the dual, by accelerated projected gradients in p and q, a = p - q, both at least 0.
func (o *plain) optimum() float64 {
	n := len(o.y)
	high, sign := make([]float64, 2*n), make([]float64, 2*n) // of p, and of q behind
	lipschitz := 0.0
	for i := range n {
		high[i], high[n+i] = o.feasible(i, 1e6), -o.feasible(i, -1e6)
		sign[i], sign[n+i] = 1, -1
		lipschitz += 2*o.k[i][i] + 1/o.cost[i]
	}
	value := func(z []float64, slope []float64) float64 {
		var sum terms
		for i := range n {
			a, along := z[i]-z[n+i], 0.0
			for j := range n {
				along += o.k[i][j] * (z[j] - z[n+j])
			}
			sum.add(-a * along / 2)
			if !o.one {
				o.addDual(&sum, i, a)
			}
			for _, q := range []int{i, n + i} {
				slope[q] = -sign[q] * along
				if !o.one {
					slope[q] += sign[q] * o.y[i]
				}
				if o.c.Loss.ofTargets() {
					slope[q] -= o.c.Epsilon
				}
				if o.c.Loss == SquaredHinge || o.c.Loss == SquaredInsensitive {
					slope[q] -= sign[q] * a / (2 * o.cost[i])
				}
			}
		}
		return sum.sum
	}
	project := func(z []float64) { // onto the box and the sum, by bisection of the multiplier
		low, up := -1e7, 1e7
		clip := func(i int, m float64) float64 { return min(max(z[i]-m*sign[i], 0), high[i]) }
		for range 100 {
			m, sum := (low+up)/2, 0.0
			for i := range z {
				sum += sign[i] * clip(i, m)
			}
			if sum > o.sum {
				low = m
			} else {
				up = m
			}
		}
		for i := range z {
			z[i] = clip(i, (low+up)/2)
		}
	}
	x, z, slope := make([]float64, 2*n), make([]float64, 2*n), make([]float64, 2*n)
	project(x)
	copy(z, x)
	best := math.Inf(-1)
	theta := 1.0
	for range 4000 {
		value(z, slope)
		next := make([]float64, 2*n)
		for i := range z {
			next[i] = z[i] + slope[i]/lipschitz
		}
		project(next)
		now := value(next, slope)
		if now < best { // momentum begins anew
			theta = 1
		}
		best = max(best, now)
		to := (1 + math.Sqrt(1+4*theta*theta)) / 2
		for i := range z {
			z[i] = next[i] + (theta-1)/to*(next[i]-x[i])
		}
		x, theta = next, to
	}
	return best
}
