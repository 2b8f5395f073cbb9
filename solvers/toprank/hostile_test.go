package toprank

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestHostile: whatever the data and the parameters are, a training ends with an error or a certificate that loops
// confirm.
func TestHostile(t *testing.T) { prove.Both(t, testHostile[float32], testHostile[float64]) }

func testHostile[T vec.Float](t *testing.T) {
	hostile.Run(t, 300, func(t *testing.T, rng *rand.Rand, h hostile.Problem) (*solvers.Outcome, error) {
		q, p, broken, err := hostileProblem[T](rng, h)
		if err != nil {
			return nil, err
		}
		c := hostileConfig(rng, q.Groups != nil)
		r, err := q.Fit(context.Background(), c)
		if err != nil {
			return nil, err
		}
		if broken != "" {
			t.Errorf("no error, but %v of %s", r.Outcome, broken)
		}
		hostilyHonest(t, p, q, c, r)
		if rng.IntN(3) == 0 { // goes on from there with another C
			q.Start, c.C = r, math.Pow(10, 6*rng.Float64()-3)
			if again, err := q.Fit(context.Background(), c); err == nil {
				hostilyHonest(t, p, q, c, again)
			}
		}
		end := r.Outcome
		end.Passes -= 1000 / float64(len(h.Y)) // the last epoch, of 500 pair steps at least
		return &end, nil
	}, 1000391, 2002373, 7001304, 7004137, 9001038, 9002788)
}

// hostilyHonest is honest with the method's parameters.
func hostilyHonest[T vec.Float](t *testing.T, p ranktruth.Problem, q Problem[T], c Config, r *Result[T]) {
	t.Helper()
	prepared, err := q.prepare(c, c.options()) // fills in the defaults
	if err != nil {
		t.Fatal(err)
	}
	c = prepared.o.config
	p.PatMat, p.All, p.Hinge, p.K = c.Method == PatMat, c.All, c.Loss == Hinge, c.K
	p.C, p.Tau, p.Theta1, p.Theta2 = c.C, c.Tau, c.Theta1, c.Theta2
	honest(t, p, q, r)
}

// hostileProblem returns the problem in one of the forms, and what is broken of it. Class 0 is negative.
func hostileProblem[T vec.Float](rng *rand.Rand, h hostile.Problem) (q Problem[T], p ranktruth.Problem, broken string,
	err error) {
	p.Name, p.Kernel = h.Name, kernel.Linear{}
	for i, y := range h.Y {
		p.X, p.Positive = append(p.X, slices.Clone(h.X.Row(i))), append(p.Positive, y > 0)
	}
	if rng.IntN(3) == 0 {
		for range len(h.Y) + rng.IntN(20)/19 {
			p.Groups = append(p.Groups, rng.IntN(4)-1)
		}
		q.visits = rng.IntN(2) == 0
	}
	q.Positive, q.Groups = p.Positive, p.Groups
	if q.X, broken = hostile.Features[T](rng, &h); rng.IntN(2) == 0 {
		return q, p, broken, nil
	}
	p.Kernel = hostile.Kernel(rng)
	q.Kernel, err = hostile.Matrix(rng, q.X, p.Kernel)
	q.X = nil
	return q, p, broken, err
}

// hostileConfig returns parameters that may be anything.
func hostileConfig(rng *rand.Rand, within bool) Config {
	c := Config{
		Loss: Loss(rng.IntN(2)), C: hostile.Number(rng), Workers: hostile.Workers(rng), Seed: rng.Uint64(),
		Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))),
	}
	if rng.IntN(3) == 0 {
		c.Theta1 = hostile.Number(rng)
	}
	if rng.IntN(2) > 0 || within && rng.IntN(20) > 0 {
		c.K = hostile.Count(rng, 4)
		return c
	}
	c.Method, c.Tau, c.All = PatMat, hostile.Part(rng), rng.IntN(2) == 0
	if rng.IntN(3) == 0 {
		c.Theta2 = hostile.Number(rng)
	}
	return c
}
