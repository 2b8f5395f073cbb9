package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
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
	logistic := classes
	logistic.Loss = Logistic
	for name, r := range map[string]struct {
		p    Problem[float64]
		c    Config
		want float64
	}{
		"logistic":       {Problem[float64]{X: spam.X, Y: spam.Y}, logistic, logisticTruth},
		"-s 0":           {Problem[float64]{X: spam.X, Y: spam.Y}, classes, 1448.527800},
		"-s 0 -t 2":      {Problem[float64]{Kernel: onSpam, Y: spam.Y}, classes, 1935.599480},
		"-s 3":           {Problem[float64]{X: wine.X, Targets: wine.Values}, numbers, 643.962246},
		"-s 3 -t 2":      {Problem[float64]{Kernel: onWine, Targets: wine.Values}, numbers, 514.293716},
		"-s 2":           {Problem[float64]{X: spam.X, OneClass: true}, Config{Nu: .1}, -82.949820},
		"-s 2 -t 2":      {Problem[float64]{Kernel: onSpam, OneClass: true}, Config{Nu: .1}, -89689.341944},
		"-s 2 -t 2 wine": {Problem[float64]{Kernel: onWine, OneClass: true}, Config{Nu: .1}, -512.612666},
	} {
		r.c.Tol, r.c.Epochs = 1e-6, 1<<20
		for _, r.c.Algorithm = range []Algorithm{Ascent, Newton} {
			if r.c.Algorithm == Newton && (r.p.Kernel != nil || r.p.OneClass) {
				break
			}
			got, err := r.p.Fit(context.Background(), r.c)
			if err != nil || got.Status != solvers.Converged {
				t.Fatal(name, told(got), err)
			}
			within := 2e-6 * math.Abs(r.want)
			if c := got.Certificate; math.Abs(c.Primal-r.want) > within || math.Abs(c.Dual-r.want) > within {
				t.Errorf("%s by %v: %v, LIBSVM has %.10g", name, r.c.Algorithm, got.Outcome, r.want)
			}
		}
	}
}

// logisticTruth is the optimum with the logistic loss, where plain Newton steps in float64 end.
const logisticTruth = 1696.2919171657

// TestOffsetSmall: on few examples the optimum is where projected gradients end, by plain loops.
func TestOffsetSmall(t *testing.T) { prove.Both(t, testOffsetSmall[float32], testOffsetSmall[float64]) }

func testOffsetSmall[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(101, 102))
	for k := range 48 {
		n := 4 + rng.IntN(9)
		x, y, targets := drawn[T](rng, n, 3)
		for i := range n {
			x.Row(i)[0] += T(3 + rng.Float64()) // 0 is outside
			targets[i] += 5
		}
		l := append(losses, single)[k%6]
		p := Problem[T]{X: x}.of(l, y, targets)
		if k/6%2 == 1 {
			p = gaussian(t, p)
		}
		if k/6%3 == 0 {
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
		want := plainOf(p, c).optimum()
		for _, c.Algorithm = range []Algorithm{Ascent, Newton} {
			if c.Algorithm == Newton && (p.Kernel != nil || l == single) {
				break
			}
			r := solve(t, p, c)
			if got := r.Certificate; math.Abs(got.Primal-want) > 2e-5*math.Abs(want)+1e-12 {
				t.Errorf("%v of %d examples by %v: %v, want %v", l, n, c.Algorithm, r.Outcome, want)
			}
		}
	}
}

// TestOrigin: of one class whose examples all but cancel each other the dual value is no more than the optimum; where
// they do, and float32 has no w that is as small, training ends without a gap, on every tier: its rounding alone may
// look like progress.
func TestOrigin(t *testing.T) {
	one := func(v ...float32) Problem[float32] {
		return Problem[float32]{X: &dataset.Dense[float32]{Matrix: vec.MatrixOf(len(v), 1, v)}, OneClass: true}
	}
	near := one(10000, -9999.999)
	r := solve(t, near, Config{Nu: 1})
	const want = -0x1p-21 // w = 2^-10, the difference of two float32 numbers
	if c := r.Certificate; !(c.Dual <= want && want <= c.Primal) {
		t.Errorf("%v, want %v between", r.Outcome, want)
	}
	x, _, _ := drawn[float32](rand.New(rand.NewPCG(103, 104)), 40, 7)
	centred, c := Problem[float32]{X: x, OneClass: true}, Config{Nu: .5}
	r, err := centred.Fit(context.Background(), c)
	if err != nil || r.Status != solvers.Stalled || !(r.Certificate.Dual < 0) {
		t.Fatal(told(r), err)
	}
	honest(t, centred, c, r)
}

// optimum is the largest value of the dual, by accelerated projected gradients in p and q, a = p - q, both at least 0;
// of Logistic it is the primal value that logisticOptimum finds.
func (o *plain) optimum() float64 {
	n := len(o.y)
	if o.c.Loss == Logistic {
		return o.logisticOptimum()
	}
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
	for range 4800 {
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

// logisticOptimum solves a_i = r_i t_i/(1 + exp(t_i s_i)), s = K a + b, sum_i a_i = 0 by Newton's method, whose steps
// are halved until the equations are nearer to being met.
func (o *plain) logisticOptimum() float64 {
	n := len(o.y)
	off := func(z []float64) (f, bend, s []float64) {
		f, bend, s = make([]float64, n+1), make([]float64, n), make([]float64, n)
		for i := range n {
			s[i] = z[n]
			for j := range n {
				s[i] += o.k[i][j] * z[j]
			}
			p := 1 / (1 + math.Exp(o.y[i]*s[i]))
			f[i], bend[i] = z[i]-o.cost[i]*o.y[i]*p, o.cost[i]*p*(1-p)
			f[n] += z[i]
		}
		return f, bend, s
	}
	size := func(f []float64) (sum float64) {
		for _, v := range f {
			sum += v * v
		}
		return sum
	}
	z := make([]float64, n+1)
	for range 200 {
		f, bend, _ := off(z)
		jacobian := make([][]float64, n+1)
		for i := range n + 1 {
			jacobian[i] = make([]float64, n+2)
			jacobian[i][n+1] = f[i]
			for j := range n {
				if jacobian[i][j] = 1; i < n {
					jacobian[i][j] = bend[i] * o.k[i][j]
				}
			}
			if i < n {
				jacobian[i][i]++
				jacobian[i][n] = bend[i]
			}
		}
		step, next := solveDense(jacobian), make([]float64, n+1)
		for t := 1.0; t > 1e-9; t /= 2 {
			for i := range z {
				next[i] = z[i] - t*step[i]
			}
			if g, _, _ := off(next); size(g) < size(f) {
				copy(z, next)
				break
			}
		}
	}
	_, _, s := off(z)
	value := 0.0
	for i := range n {
		v, _ := o.loss(i, terms{s[i], 0})
		value += v + z[i]*(s[i]-z[n])/2
	}
	return value
}

// solveDense returns the solution of the equations whose rows are a, with the right side behind each, by elimination
// with pivots.
func solveDense(a [][]float64) []float64 {
	n := len(a)
	for j := range n {
		pivot := j
		for i := j; i < n; i++ {
			if math.Abs(a[i][j]) > math.Abs(a[pivot][j]) {
				pivot = i
			}
		}
		a[j], a[pivot] = a[pivot], a[j]
		for i := range n {
			if i == j {
				continue
			}
			factor := a[i][j] / a[j][j]
			for k := j; k <= n; k++ {
				a[i][k] -= factor * a[j][k]
			}
		}
	}
	x := make([]float64, n)
	for j := range x {
		x[j] = a[j][n] / a[j][j]
	}
	return x
}
