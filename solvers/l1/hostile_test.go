package l1

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
		if rng.IntN(3) == 0 { // goes on from there with another C
			p.Start, c.C = r, math.Pow(10, 6*rng.Float64()-3)
			if again, err := p.Fit(context.Background(), c); err == nil {
				honest(t, "again", p, c, again)
			}
		}
		return &end, nil
	}, 870, 1293, 1542, 1872, 9003505, 9101147, 9305077)
}

// hostileConfig returns parameters that may be anything.
func hostileConfig(rng *rand.Rand, h hostile.Problem) Config {
	c := Config{
		C: hostile.Number(rng), Loss: Loss(rng.IntN(2)), Classes: hostile.Outputs(rng, h.Classes),
		Workers: hostile.Workers(rng), Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))),
	}
	if rng.IntN(3) == 0 {
		c.Bias = hostile.Number(rng)
	}
	return c
}
