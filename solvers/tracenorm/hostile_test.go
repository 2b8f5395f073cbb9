package tracenorm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/vec"
)

// TestHostile: whatever the data and the parameters are, a training ends with an error or a certificate that loops
// confirm.
func TestHostile(t *testing.T) { prove.Both(t, testHostile[float32], testHostile[float64]) }

func testHostile[T vec.Float](t *testing.T) {
	hostile.Run(t, 300, func(t *testing.T, rng *rand.Rand, h hostile.Problem) (*solvers.Outcome, error) {
		p, c := Problem[T]{Y: h.Y, Weights: hostile.Weights(rng, len(h.Y))}, hostileConfig(rng, h)
		x, broken := hostile.Features[T](rng, &h)
		p.X = x
		r, err := p.Fit(context.Background(), c)
		if err != nil {
			return nil, err
		}
		end := r.Outcome
		if broken != "" {
			t.Errorf("no error, but %v of %s", r.Outcome, broken)
		}
		honest(t, "hostile", p, c, r)
		if rng.IntN(3) == 0 { // goes on from there with other penalties
			p.Start, c.Lambda1, c.Lambda2 = r, math.Pow(10, 6*rng.Float64()-3), math.Pow(10, 6*rng.Float64()-3)
			if again, err := p.Fit(context.Background(), c); err == nil {
				honest(t, "again", p, c, again)
			}
		}
		return &end, nil
	}, 1005138, 1005467, 1002956, 1009820, 1009899, 3000462, 7002475, 7003824, 7005335, 9005144)
}

// hostileConfig returns parameters that may be anything.
func hostileConfig(rng *rand.Rand, h hostile.Problem) Config {
	c := Config{
		Classes: hostile.Outputs(rng, h.Classes), Workers: hostile.Workers(rng), Seed: rng.Uint64(),
		Raw:    rng.IntN(2) == 0,
		Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))),
	}
	if rng.IntN(4) > 0 {
		c.Lambda1 = hostile.Number(rng)
	}
	if rng.IntN(4) > 0 {
		c.Lambda2 = hostile.Number(rng)
	}
	if rng.IntN(3) == 0 {
		c.Bias = hostile.Number(rng)
	}
	if rng.IntN(3) == 0 {
		c.Rank = hostile.Count(rng, min(h.Classes, h.X.Cols))
	}
	return c
}
