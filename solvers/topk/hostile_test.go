package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
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
		r, err := p.Fit(context.Background(), c)
		if err != nil {
			return nil, err
		}
		if broken != "" {
			t.Errorf("no error, but %v of %s", r.Outcome, broken)
		}
		honest(t, p, c, r)
		if start := rng.IntN(3) == 0; start { // goes on from there with another Lambda
			p.Start, c.Lambda = r, math.Pow(10, 6*rng.Float64()-3)
			if again, err := p.Fit(context.Background(), c); err == nil {
				honest(t, p, c, again)
			}
		}
		return &r.Outcome, nil
	}, 7001301, 7002348, 7005595, 9011997)
}

// hostileProblem returns the problem in one of the forms, and what is broken of it.
func hostileProblem[T vec.Float](rng *rand.Rand, h hostile.Problem) (p Problem[T], broken string, err error) {
	if p.Y = h.Y; rng.IntN(4) == 0 {
		p.Y, p.Sets = nil, singles(h.Y)
		for i := range p.Sets {
			if rng.IntN(3) == 0 {
				p.Sets[i] = slices.Compact(slices.Sorted(slices.Values(append(p.Sets[i], rng.IntN(h.Classes)))))
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
func hostileConfig[T vec.Float](rng *rand.Rand, classes int, p Problem[T]) Config {
	c := Config{
		Lambda: hostile.Number(rng), Classes: hostile.Outputs(rng, classes), Workers: hostile.Workers(rng),
		Seed:   rng.Uint64(),
		Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))), BlockSize: hostile.Count(rng, 40),
		Loss: Loss(rng.IntN(int(TopKEntropy) + 1)),
	}
	if p.Sets != nil {
		c.Loss = []Loss{0, MultilabelHinge, MultilabelSoftmax, SquaredHinge}[rng.IntN(4)]
	}
	if rng.IntN(2) == 0 {
		c.K = hostile.Count(rng, min(2, classes-1))
	}
	if rng.IntN(4) == 0 && c.Loss <= TopKUsunier {
		c.Smoothing = hostile.Number(rng)
	}
	if p.X != nil && rng.IntN(3) == 0 {
		c.Bias = hostile.Number(rng)
	}
	if p.Y != nil && rng.IntN(6) == 0 {
		for range min(c.Classes, 6) {
			c.ClassWeights = append(c.ClassWeights, hostile.Number(rng))
		}
	}
	return c
}

// off is what rounding may do to a certificate: see hostile.Bound. A loss is off by its slope times what its scores
// are.
func off[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T], exact, scores vec.Matrix[float64],
	radius []float64) (primal, dual float64) {
	t.Helper()
	const u = hostile.Unit
	n, m := r.Duals.Rows, r.Duals.Cols
	norms, b := make([]float64, n), hostile.Bound{Terms: float64(n + m + 8)}
	if p.Kernel != nil {
		wide, err := p.Kernel.Float64()
		if err != nil {
			t.Fatal(err)
		}
		wide.Diagonal(norms)
		b.Off, _ = wide.Rounding()
	} else {
		_, d := p.X.Dims()
		b.Terms += float64(d)
		design.Float64(design.WithBias(p.X, T(c.Bias))).SquaredNorms(norms)
	}
	for i, v := range norms {
		size := 0.0
		for j, a := range r.Duals.Row(i) {
			size += max(math.Abs(float64(a)), math.Abs(exact.Row(i)[j]))
		}
		b.Add(v, size)
		dual += radius[i]*math.Log(float64(m+1)) + size
	}
	if p.Kernel == nil { // the model, whose dual variables may have been others
		b.Size = max(b.Size, math.Sqrt(vec.SquaredNorm(allWeights(r.Linear).Data))) +
			math.Sqrt(vec.SquaredNorm(p.Prior.Data))
	} else {
		model := hostile.Bound{}
		for q, i := range r.Kernel.Support() {
			model.Add(norms[i], float64(vec.AbsSum(r.Kernel.Coefficients().Row(q))))
		}
		b.Size = max(b.Size, model.Size)
	}
	form := b.Form()
	for i, v := range norms {
		slope := 2.0
		if c.Loss == SquaredHinge {
			slope = 0
			for _, s := range scores.Row(i) {
				slope += 2 * (1 + math.Abs(s))
			}
		}
		largest := 0.0
		for _, s := range scores.Row(i) {
			largest = max(largest, math.Abs(s))
		}
		primal += radius[i] * slope * (b.Score(v) + 64*b.Terms*u*(1+largest))
	}
	return c.Lambda * (primal + form), c.Lambda * (64*b.Terms*u*dual + form)
}
