package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestHostile: whatever the data and the parameters are, a training ends with an error or a certificate that loops
// confirm.
func TestHostile(t *testing.T) { prove.Both(t, testHostile[float32], testHostile[float64]) }

func testHostile[T vec.Float](t *testing.T) {
	hostile.Run(t, 300, func(t *testing.T, rng *rand.Rand, h hostile.Problem) (*solvers.Outcome, error) {
		p := Problem[T]{Weights: hostile.Weights(rng, len(h.Y))}
		c := Config{
			C: hostile.Number(rng), Loss: losses[rng.IntN(5)], Workers: hostile.Workers(rng), Seed: rng.Uint64(),
			Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))), BlockSize: hostile.Count(rng, 40),
		}
		var y []int
		var targets []float64
		scale := hostile.Number(rng)
		for _, class := range h.Y {
			y = append(y, class%2)
			targets = append(targets, scale*float64(class-1))
		}
		if p = p.of(c.Loss, y, targets); c.Loss.ofTargets() && rng.IntN(2) == 0 {
			c.Epsilon = scale * rng.Float64()
		}
		x, broken := hostile.Features[T](rng, &h)
		if p.X = x; rng.IntN(2) == 0 {
			var err error
			p.X = nil
			if p.Kernel, err = hostile.Matrix(rng, x, kernel.Gaussian{Gamma: hostile.Number(rng)}); err != nil {
				return nil, err
			}
			if p.Kernel.Kernel() == nil { // given: its elements are no plain function of the examples
				p.X, p.Kernel = x, nil
			}
		} else if rng.IntN(3) == 0 {
			c.Bias = hostile.Number(rng)
		}
		switch rng.IntN(4) {
		case 0:
			c.Offset, c.Bias = true, 0
		case 1:
			p = Problem[T]{X: p.X, Kernel: p.Kernel, Weights: p.Weights, OneClass: true}
			c.C, c.Loss, c.Epsilon, c.Bias, c.Nu = 0, Default, 0, 0, rng.Float64()
		}
		if p.X != nil && c.BlockSize == 0 && !p.OneClass {
			c.Algorithm = Algorithm(rng.IntN(3))
		}
		r, err := p.Fit(context.Background(), c)
		if err != nil {
			return nil, err
		}
		if broken != "" {
			t.Errorf("no error, but %v of %s", r.Outcome, broken)
		}
		honest(t, p, c, r)
		return &r.Outcome, nil
	}, 2006854, 2007266, 110, 1000673, 1003462, 1005276, 1009484, 1828, 358, 1606, 7000199, 7003254, 7005850, 7006068,
		9005039, 9102990)
}
