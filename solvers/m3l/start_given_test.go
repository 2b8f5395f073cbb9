package m3l

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestStartGiven: a model and dual variables of different epochs that have a gap within the tolerance are the result of
// a start from them, without a visit, though the dual variables' own model has not. What the given certificate says is
// not believed.
func TestStartGiven(t *testing.T) { prove.Both(t, testStartGiven[float32], testStartGiven[float64]) }

func testStartGiven[T vec.Float](t *testing.T) {
	const n, d, m = 60, 8, 6
	rng := rand.New(rand.NewPCG(61, 62))
	x, sets := documents[T](rng, n, d, m)
	k := kernelOf[T](t, x, kernel.Gaussian{Gamma: .02})
	r, f := formed(factor(rng, m, 2), .5), factor(rng, m, 2)
	many, all := documents[T](rng, n, 40, 20) // in two groups
	_, thinned := thin(t, rng, many, 2)
	wide, labels := documents[T](rng, n, 1<<13, 32) // most features occur in no example
	_, rare := thin(t, rng, wide, 500)
	for name, p := range map[string]Problem[T]{
		"features": {X: x, Sets: sets}, "R": {X: x, Sets: sets, R: r}, "P": {X: x, Sets: sets, P: f, Ridge: .5},
		"kernel": {Kernel: k, Sets: sets}, "kernel, R": {Kernel: k, Sets: sets, R: r},
		"kernel, P": {Kernel: k, Sets: sets, P: f, Ridge: .5},
		"groups":    {X: thinned, Sets: all}, "few features": {X: rare, Sets: labels},
	} {
		for _, c := range []Config{{C: .05}, {C: .05, Bias: 2}} {
			if p.Kernel != nil {
				if c.Bias != 0 {
					continue
				}
				c.C = 1
			}
			c.Epochs, c.Workers, c.Tol = 100000, 1, 1e-4
			fine := solve(t, p, c)
			c.Tol = .05
			rough := solve(t, p, c)
			given := &Result[T]{Model: fine.Model, Duals: rough.Duals, Outcome: solvers.Outcome{
				Certificate: solvers.Certificate{Primal: fine.Certificate.Primal, Dual: rough.Certificate.Dual}}}
			start := p
			start.Start, c.Tol = &Result[T]{Duals: rough.Duals}, math.MaxFloat64
			own := solve(t, start, c)
			if c.Tol = 1.01 * given.Certificate.RelativeGap(); own.Certificate.RelativeGap() <= c.Tol {
				t.Fatalf("%s: %v is within %v of its own", name, own.Certificate, c.Tol)
			}
			start.Start = given
			again := solve(t, start, c)
			off := math.Abs(again.Certificate.Primal/given.Certificate.Primal - 1)
			if again.Visits != 0 || off > 1e-6 || !sameModel(again, fine) {
				t.Errorf("%s, %+v: %s from %v", name, c, told(again), given.Certificate)
			}
			given.Model = rough.Model
			if again = solve(t, start, c); again.Visits == 0 {
				t.Errorf("%s: %s with a certificate of another model", name, told(again))
			}
			given.Model, c.C = fine.Model, 1.5*c.C
			solve(t, start, c)
		}
	}
}

// sameModel reports whether the models are the same to the bit.
func sameModel[T vec.Float](a, b *Result[T]) bool {
	if a.Kernel != nil {
		return slices.Equal(a.Kernel.Support(), b.Kernel.Support()) &&
			slices.Equal(a.Kernel.Coefficients().Data, b.Kernel.Coefficients().Data)
	}
	return slices.Equal(a.Linear.Weights().Data, b.Linear.Weights().Data) &&
		slices.Equal(a.Linear.Bias(), b.Linear.Bias())
}
