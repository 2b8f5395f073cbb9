package m3l

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
		p, broken, err := hostileProblem[T](rng, h)
		if err != nil {
			return nil, err
		}
		c := hostileConfig(rng, h.Classes, p)
		hostilePrior(rng, max(1, min(c.Labels, 6)), c.Loss, &p)
		r, err := hostileFit(rng, p, &c)
		if err != nil {
			return nil, err
		}
		if broken != "" {
			t.Errorf("no error, but %v of %s", r.Outcome, broken)
		}
		honest(t, p, c, r)
		if rng.IntN(3) == 0 { // goes on from there with another C
			p.Start, c.C = r, math.Pow(10, 6*rng.Float64()-3)
			if again, err := knownFit(p, c); err == nil {
				honest(t, p, c, again)
			}
		}
		return &r.Outcome, nil
	}, 1003458, 7001505, 7002025, 7002861, 7003071, 7003130, 7006406, 9018698)
}

// hostileFit trains, at times each class against all others.
func hostileFit[T vec.Float](rng *rand.Rand, p Problem[T], c *Config) (*Result[T], error) {
	if rng.IntN(6) == 1 && p.X != nil && p.Y != nil && p.R.Rows+p.P.Rows+len(p.Weights) == 0 && p.Margins == nil {
		if c.Loss == Hamming {
			c.Loss = Hinge
		}
		return OneVsAll(context.Background(), p.X, p.Y, *c)
	}
	return knownFit(p, *c)
}

// knownFit trains. Where the dual variables are not of the epoch that the model is of, so that no loop can find the
// primal value of a prior's model from them, the Epochs of the result are -1: honest goes by these.
func knownFit[T vec.Float](p Problem[T], c Config) (*Result[T], error) {
	best, epoch := math.Inf(-1), -1
	c.Progress = func(now solvers.Progress) {
		if now.Certified && now.Dual > best {
			best, epoch = now.Dual, now.Epoch
		}
	}
	r, err := p.Fit(context.Background(), c)
	if err == nil && (best != r.Certificate.Dual || epoch != r.ModelEpoch || p.Start != nil ||
		vec.AbsSum(r.Duals.Data) == 0) {
		r.Epochs = -1 // also where the start's epochs, or 0, may be as good to the bit
	}
	return r, err
}

// hostileProblem returns the problem in one of the forms without a prior, and what is broken of it.
func hostileProblem[T vec.Float](rng *rand.Rand, h hostile.Problem) (p Problem[T], broken string, err error) {
	if p.Y = h.Y; rng.IntN(3) > 0 {
		p.Y, p.Sets = nil, singles(h.Y)
		for i := range p.Sets {
			if rng.IntN(3) == 0 {
				p.Sets[i] = rng.Perm(h.Classes)[:rng.IntN(h.Classes+1)]
			}
		}
	}
	p.Weights = hostile.Weights(rng, len(h.Y))
	if p.X, broken = hostile.Features[T](rng, &h); rng.IntN(2) == 0 {
		return p, broken, nil
	}
	p.Kernel, err = hostile.Matrix(rng, p.X, hostile.Kernel(rng))
	p.X = nil
	return p, broken, err
}

// hostileConfig returns parameters that may be anything.
func hostileConfig[T vec.Float](rng *rand.Rand, labels int, p Problem[T]) Config {
	c := Config{
		C: hostile.Number(rng), Loss: Loss(rng.IntN(3)), Labels: hostile.Outputs(rng, labels),
		Workers: hostile.Workers(rng), Seed: rng.Uint64(),
		Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))), BlockSize: hostile.Count(rng, 40),
	}
	if p.X != nil && rng.IntN(3) == 0 {
		c.Bias = hostile.Number(rng)
	}
	if rng.IntN(4) == 0 {
		for range min(c.Labels, 6) {
			c.Costs = append(c.Costs, hostile.Number(rng))
		}
	}
	return c
}

// hostilePrior sets the prior of m labels, formed or by its factor, of any size and rank, or the prior of attributes,
// or something that is none; and the margins, at times.
func hostilePrior[T vec.Float](rng *rand.Rand, m int, loss Loss, p *Problem[T]) {
	q, ridge := factor(rng, m, 1+rng.IntN(m)), 0.0
	switch rng.IntN(3) {
	case 0:
		for k := range q.Data { // of attributes
			q.Data[k] = math.Copysign(1, q.Data[k])
		}
	case 1:
		vec.Scale(hostile.Number(rng), q.Data)
	}
	if rng.IntN(4) == 0 {
		ridge = hostile.Number(rng)
	}
	switch kind := rng.IntN(8); {
	case kind == 0:
		p.R, _ = Prior(q, nil, ridge)
	case kind == 1:
		p.P, p.Ridge, _ = PriorFactor(q, nil, ridge)
	case kind < 4:
		if p.R = formed(q, ridge); rng.IntN(20) == 0 {
			p.R.Row(rng.IntN(m))[rng.IntN(m)] = hostile.Number(rng)
		}
	case kind < 6:
		p.P, p.Ridge = q, ridge
	}
	if loss == Hamming && rng.IntN(3) == 0 || rng.IntN(50) == 0 {
		scale := hostile.Number(rng)
		numbers := vec.NewMatrix[float64](64, m)
		for k := range numbers.Data {
			numbers.Data[k] = scale * rng.Float64()
		}
		p.Margins = func(i int, plus, minus []float64) {
			for l, v := range numbers.Row(i)[:len(plus)] {
				plus[l], minus[l] = v, numbers.Row(i + 30)[l]
			}
		}
	}
}
