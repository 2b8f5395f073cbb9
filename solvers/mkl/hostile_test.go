package mkl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
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
		c := hostileConfig(rng, h.Classes)
		r, err := p.Fit(context.Background(), c)
		if err != nil {
			return nil, err
		}
		if broken != "" {
			t.Errorf("no error, but %v of %s", r.Outcome, broken)
		}
		honest(t, p, c, r)
		if rng.IntN(4) == 0 {
			if pruned, err := p.Prune(r, c, rng.Float64()/2); err == nil {
				honest(t, p, c, pruned)
			}
		}
		if rng.IntN(3) == 0 { // goes on from there with another P and C
			p.Start, c.P, c.C = r, 1+rng.Float64(), math.Pow(10, 6*rng.Float64()-3)
			if again, err := p.Fit(context.Background(), c); err == nil {
				honest(t, p, c, again)
			}
		}
		return &r.Outcome, nil
	}, 7000652, 7000824, 7001540)
}

// hostileProblem returns the problem with some groups of kernels of all features, of one, or given, and what is broken
// of these.
func hostileProblem[T vec.Float](rng *rand.Rand, h hostile.Problem) (p Problem[T], broken string, err error) {
	var groups []bundle.Group[T]
	for g := range 1 + rng.IntN(3) {
		part := h
		if g > 0 && rng.IntN(2) == 0 {
			at := rng.IntN(h.X.Cols)
			part.X = h.X.Slice(0, h.X.Rows, at, at+1)
		}
		x, wrong := hostile.Features[T](rng, &part)
		if broken == "" {
			broken = wrong
		}
		group := bundle.Group[T]{X: x}
		for range 1 + rng.IntN(3) {
			group.Kernels = append(group.Kernels, hostile.Kernel(rng))
		}
		if rng.IntN(3) == 0 {
			k, err := hostile.Given(x, group.Kernels[0])
			if err != nil {
				return p, broken, err
			}
			group = bundle.Group[T]{Matrix: k}
		}
		groups = append(groups, group)
	}
	p.Y = h.Y
	p.Weights = hostile.Weights(rng, len(h.Y))
	p.Bundle, err = bundle.New(int64(rng.IntN(2))<<20, groups...)
	return p, broken, err
}

// hostileConfig returns parameters that may be anything.
func hostileConfig(rng *rand.Rand, classes int) Config {
	c := Config{
		C: hostile.Number(rng), Classes: hostile.Outputs(rng, classes), Workers: hostile.Workers(rng),
		Seed:   rng.Uint64(),
		Epochs: hostile.Epochs, Tol: math.Pow(10, -float64(rng.IntN(9))), Loss: Loss(rng.IntN(2)),
	}
	switch rng.IntN(4) {
	case 0:
		c.P = 1 + hostile.Part(rng)
	case 1:
		c.P = []float64{1 + 0x1p-52, 1 + 1e-9, 1.001, 2 - 0x1p-52, 2}[rng.IntN(5)]
	case 2:
		c.P = 1 + rng.Float64()*rng.Float64()
	}
	if rng.IntN(2) == 0 {
		c.K = hostile.Count(rng, min(2, classes-1))
	}
	return c
}

// off is what rounding may do to a certificate and to each |w^j|: see hostile.Bound. With forms n_j off by e_j the norm
// |w^j| = eta_j sqrt(n_j) is off by d_j = eta_j min(sqrt(e_j), e_j/sqrt(n_j)); |w|_{2,p} is then off by D = |d|_p, half
// its square by D (2 |w| + D)/2. |theta|²_{2,q} is the norm of the n_j for the power q/2 >= 1: it is off by that norm
// of the e_j.
func off[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T], s *scratch) (primal, dual float64,
	norms []float64) {
	t.Helper()
	wide, err := p.Bundle.Float64()
	if err != nil {
		t.Fatal(err)
	}
	n, terms := len(p.Y), float64(len(p.Y)+r.Duals.Cols+len(s.ks)+8)
	scores, duals := make([]float64, n), make([]float64, len(s.ks))
	for j, k := range s.ks {
		worst, _ := wide.Rounding(j)
		ofModel, ofDuals, roots := hostile.Bound{Terms: terms, Off: worst}, hostile.Bound{Terms: terms, Off: worst}, 0.0
		for i := range n {
			ofModel.Add(k.Row(i)[i], vec.AbsSum(s.model.Row(i)))
			ofDuals.Add(k.Row(i)[i], vec.AbsSum(s.duals.Row(i)))
			roots += math.Sqrt(k.Row(i)[i])
		}
		for i := range n {
			scores[i] += r.Eta[j] * ofModel.Score(k.Row(i)[i])
		}
		e := ofModel.Form() + underflow(s.model, roots)
		norms = append(norms, r.Eta[j]*(e/math.Sqrt(max(e, s.forms[0][j], math.SmallestNonzeroFloat64)))+
			8*hostile.Unit*s.norms[j])
		duals[j] = ofDuals.Form() + underflow(s.duals, roots)
	}
	w, d, rounding := powerNorm(s.norms, c.P), powerNorm(norms, c.P), 64*terms*hostile.Unit
	primal, dual = d*(2*w+d)/2+rounding*w*w, (formsNorm(duals, c.P)+rounding*formsNorm(s.forms[1], c.P))/2
	for i, v := range s.radius {
		largest := 0.0
		for _, f := range s.scores.Row(i) {
			largest = max(largest, math.Abs(f))
		}
		primal += 2 * v * (scores[i] + rounding*(1+largest))
		dual += rounding * vec.AbsSum(s.duals.Row(i))
	}
	return primal, dual, norms
}

// underflow is what a form is off by where products <a_i, a_j> underflow, which kernels may make large again. They are
// of an A whose largest number is at least 2^-459: see package kernel. roots is the sum of the sqrt(K_ii).
func underflow(a vec.Matrix[float64], roots float64) float64 {
	largest := max(vec.Max(a.Data), -vec.Min(a.Data))
	off := 0x1p-537 * min(1, largest*0x1p459) * roots
	return float64(a.Cols) * off * off
}
