package mkl

import (
	"math/big"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks a certificate by numbers of hundreds of bits and more, with the true kernels' numbers:
//
//	P = 1/2 (Σ_j (eta_j |theta^j|)^p)^{2/p} + Σ_i r_i loss(s_i),   D = Σ_i a_iy - 1/2 (Σ_j |theta^j|^q)^{2/q}
//
// where in P theta^j is of the model's coefficients.
func exactly[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T], s *scratch, offPrimal, offDual float64) {
	t.Helper()
	n, m := r.Duals.Rows, r.Duals.Cols
	scores := make([][]*big.Float, m)
	for l := range scores {
		for range n {
			scores[l] = append(scores[l], hostile.Exact(0))
		}
	}
	var norms, squares []*big.Float
	for j, gram := range grams(p.Bundle) {
		eta, ofModel, ofDuals := hostile.Exact(r.Eta[j]), hostile.Exact(0), hostile.Exact(0)
		for l := range m {
			w, a := column(s.model, l), column(s.duals, l)
			f := gram.Times(w)
			for i, v := range f {
				hostile.Plus(scores[l][i], eta, v)
			}
			ofModel.Add(ofModel, hostile.Dot(w, f))
			ofDuals.Add(ofDuals, hostile.Dot(a, gram.Times(a)))
		}
		norms = append(norms, eta.Mul(eta, root(ofModel)))
		squares = append(squares, positive(ofDuals))
	}
	half, power := hostile.Exact(.5), hostile.Exact(c.P)
	primal := exactNorm(norms, power)
	primal.Mul(primal.Mul(primal, primal), half)
	// q/2 = p/(p-1)/2
	power = power.Quo(power, new(big.Float).Sub(power, hostile.Exact(1)))
	dual := exactNorm(squares, power.Mul(power, half))
	dual.Neg(dual.Mul(dual, half))
	for i, y := range p.Y {
		if s.radius[i] == 0 {
			continue
		}
		dual.Add(dual, hostile.Exact(s.duals.Row(i)[y]))
		var h []*big.Float
		for l := range m {
			if l != y {
				v := new(big.Float).Sub(scores[l][i], scores[y][i])
				h = append(h, v.Add(v, hostile.Exact(1)))
			}
		}
		loss := exactLoss(c, h)
		primal.Add(primal, loss.Mul(loss, hostile.Exact(s.radius[i])))
	}
	hostile.Values{Primal: primal, Dual: dual, OffPrimal: offPrimal, OffDual: offDual,
		Infeasible: offPrimal + offDual}.Confirm(t, r.Outcome) // a true class has minus the sum of the others, rounded
}

// exactLoss is the loss of h_l = 1 + s_l - s_y: see plainLoss.
func exactLoss(c Config, h []*big.Float) *big.Float {
	slices.SortFunc(h, func(a, b *big.Float) int { return b.Cmp(a) })
	k, sum := max(1, c.K), hostile.Exact(0)
	for _, v := range h[:k] {
		if c.Loss != TopKUsunier || v.Sign() > 0 {
			sum.Add(sum, v)
		}
	}
	if sum.Sign() < 0 {
		return hostile.Exact(0)
	}
	return sum.Quo(sum, hostile.Exact(float64(k)))
}

// grams are the kernel matrices of a bundle.
func grams[T vec.Float](b *bundle.Bundle[T]) (all []hostile.Gram) {
	for _, g := range b.Groups() {
		if g.Matrix != nil {
			all = append(all, hostile.GramOf(g.Matrix))
			continue
		}
		x := hostile.Rows(g.X)
		for _, k := range g.Kernels {
			all = append(all, hostile.GramBy(k, x))
		}
	}
	return all
}

func column(a vec.Matrix[float64], l int) (c []float64) {
	for i := range a.Rows {
		c = append(c, a.Row(i)[l])
	}
	return c
}

// positive returns v, or 0 where a given matrix is no kernel's by rounding.
func positive(v *big.Float) *big.Float {
	if v.Sign() < 0 {
		return hostile.Exact(0)
	}
	return v
}

func root(v *big.Float) *big.Float {
	v = positive(v)
	return v.Sqrt(v)
}

// exactNorm returns (Σ_j v_j^p)^(1/p), by the parts of the largest.
func exactNorm(v []*big.Float, p *big.Float) *big.Float {
	top, sum := hostile.Exact(0), hostile.Exact(0)
	for _, x := range v {
		if x.Cmp(top) > 0 {
			top = x
		}
	}
	if top.Sign() == 0 {
		return top
	}
	for _, x := range v {
		sum.Add(sum, hostile.Power(new(big.Float).Quo(x, top), p))
	}
	sum = hostile.Power(sum, new(big.Float).Quo(hostile.Exact(1), p))
	return sum.Mul(sum, top)
}

// TestExactly: values that are off by little are refused, with each norm.
func TestExactly(t *testing.T) { prove.Both(t, testExactly[float32], testExactly[float64]) }

func testExactly[T vec.Float](t *testing.T) {
	p := views[T](t, 51, 20, 3)
	for _, c := range []Config{{P: 1 + 1e-9}, {P: 1.01}, {P: 1.5, K: 2}, {P: 2, Loss: TopKUsunier, K: 2}} {
		c.C, c.Tol = 1, 1e-4
		r := fit(t, p, c)
		given, err := p.prepare(c, c.options())
		if err != nil {
			t.Fatal(err)
		}
		s := fromScratch(t, p, given.c, r)
		off := 1e-10 * r.Certificate.Primal
		hostile.Refuses(t, &r.Certificate, func(t testing.TB) { exactly(t, p, given.c, r, &s, off, off) })
	}
}
