package tracenorm

import (
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks a certificate by numbers of hundreds of bits and more: J of the factors, with the singular values of W
// by Jacobi's method, and D of the probabilities that the dual variables have, for the examples less their mean as it
// is rounded to T. c has its lambdas. The dual value may be a lower bound where Lambda2 is 0, or before convergence.
func exactly[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T], offPrimal, offDual float64) {
	t.Helper()
	x := exactRows(t, p, c)
	w := exactWeights(r, len(x[0]), c)
	g, primal, dual := exactTerms(p, x, w, r.Duals)
	penalty, prior, pull := hostile.Exact(0), hostile.Exact(0), hostile.Exact(-2*c.Lambda2)
	for j, row := range w {
		for l, v := range row {
			if p.Prior.Rows > 0 {
				w0 := hostile.Exact(p.Prior.At(j, l))
				hostile.Plus(prior, w0, w0)
				hostile.Plus(g[j][l], pull, w0)
				v = new(big.Float).Sub(v, w0)
			}
			hostile.Plus(penalty, v, v)
		}
	}
	two := hostile.Exact(c.Lambda2)
	hostile.Plus(primal, two, penalty)
	hostile.Plus(dual, two, prior)
	for _, v := range hostile.Singular(w) {
		hostile.Plus(primal, hostile.Exact(c.Lambda1), v)
	}
	sigma := hostile.Singular(g)
	if one := hostile.Exact(c.Lambda1); c.Lambda2 == 0 && sigma[0].Cmp(one) > 0 {
		dual.Mul(dual, one.Quo(one, sigma[0])) // of A times that, at least, which is inside
	}
	for _, v := range sigma {
		if v.Sub(v, hostile.Exact(c.Lambda1)); v.Sign() > 0 && c.Lambda2 > 0 {
			v.Mul(v, v)
			dual.Sub(dual, v.Quo(v, hostile.Exact(4*c.Lambda2)))
		}
	}
	hostile.Values{Primal: primal, Dual: dual, OffPrimal: offPrimal, OffDual: offDual,
		Below: c.Lambda2 == 0 || r.Certificate.Dual == 0 || r.Status != solvers.Converged}.Confirm(t, r.Outcome)
}

// exactRows returns the examples less their mean, with the constant feature.
func exactRows[T vec.Float](t testing.TB, p Problem[T], c Config) (rows [][]*big.Float) {
	t.Helper()
	x, err := design.WithColumns(design.Sparse(p.X))
	if err != nil {
		t.Fatal(err)
	}
	data := risk.Data[T]{X: x}
	if !c.Raw {
		o, err := c.options().WithDefaults()
		if err != nil {
			t.Fatal(err)
		}
		data.Center(o.Workers)
	}
	for _, x := range hostile.Rows(p.X) {
		var row []*big.Float
		for j, v := range x {
			e := hostile.Exact(v)
			if data.Mean != nil {
				e.Sub(e, hostile.Exact(float64(data.Mean[j])))
			}
			row = append(row, e)
		}
		if c.Bias != 0 {
			row = append(row, hostile.Exact(float64(T(c.Bias))))
		}
		rows = append(rows, row)
	}
	return rows
}

// exactWeights returns W = U Vᵀ, d-by-m with the constant feature's row.
func exactWeights[T vec.Float](r *Result[T], d int, c Config) [][]*big.Float {
	u, v := r.Factors()
	w := make([][]*big.Float, d)
	for j := range w {
		factors := r.constant
		if j < u.Rows {
			factors = u.Row(j)
		}
		for l := range v.Rows {
			sum := hostile.Exact(0)
			for q, f := range factors {
				hostile.Plus(sum, hostile.Exact(float64(f)), hostile.Exact(float64(v.Row(l)[q])))
			}
			w[j] = append(w[j], sum)
		}
	}
	return w
}

// exactTerms returns Xᵀ A/n, the mean loss at W and the mean of the w_i H(p_i).
func exactTerms[T vec.Float](p Problem[T], x, w [][]*big.Float, duals vec.Matrix[T]) (g [][]*big.Float, loss,
	h *big.Float) {
	m, n := duals.Cols, hostile.Exact(float64(len(x)))
	loss, h = hostile.Exact(0), hostile.Exact(0)
	for range x[0] {
		row := make([]*big.Float, m)
		for l := range row {
			row[l] = hostile.Exact(0)
		}
		g = append(g, row)
	}
	for i, y := range p.Y {
		weight := hostile.Exact(1)
		if p.Weights != nil {
			weight = hostile.Exact(p.Weights[i])
		}
		if weight.Sign() == 0 {
			continue
		}
		share := new(big.Float).Quo(weight, n)
		s := make([]*big.Float, m)
		for l := range s {
			s[l] = hostile.Exact(0)
			for j, v := range x[i] {
				hostile.Plus(s[l], v, w[j][l])
			}
		}
		own := new(big.Float).Neg(s[y])
		hostile.Plus(loss, share, own.Add(own, hostile.LogSum(s...)))
		a, sum := exactProbabilities(duals.Row(i), y, weight)
		hostile.Plus(h, share, sum)
		for l, v := range a {
			v.Mul(v, share)
			for j, f := range x[i] {
				hostile.Plus(g[j][l], v, f)
			}
		}
	}
	return g, loss, h
}

// exactProbabilities returns p - e_y and H(p) for the p that w (p - e_y) is, up to rounding: the sum is 1.
func exactProbabilities[T vec.Float](a []T, y int, weight *big.Float) (less []*big.Float, h *big.Float) {
	rest, h := hostile.Exact(0), hostile.Exact(0)
	for l, v := range a {
		q := hostile.Exact(max(0, float64(v)))
		if l == y {
			q = hostile.Exact(0)
		}
		less = append(less, q.Quo(q, weight))
		rest.Add(rest, q)
	}
	if one := hostile.Exact(1); rest.Cmp(one) > 0 {
		for _, q := range less {
			q.Quo(q, rest)
		}
		rest = one
	}
	for l, q := range less {
		if l != y {
			h.Add(h, hostile.Entropy(q))
		}
	}
	less[y] = new(big.Float).Neg(rest)
	return less, h.Add(h, hostile.Entropy(rest.Sub(hostile.Exact(1), rest)))
}

// TestExactly: values that are off by little are refused, whatever the penalty is, with a prior and without.
func TestExactly(t *testing.T) { prove.Both(t, testExactly[float32], testExactly[float64]) }

func testExactly[T vec.Float](t *testing.T) {
	s := draw(71, 20, 4, 3)
	for _, c := range []Config{{Lambda1: .05, Lambda2: .02}, {Lambda2: .02}, {Lambda1: .05}} {
		for _, prior := range []bool{false, true} {
			p := Problem[T]{X: dense[T](s), Y: s.y, Weights: familytest.Uneven(20)}
			if prior && c.Lambda2 == 0 {
				continue
			} else if prior {
				p.Prior = priorDrawn(4, 3, .3)
			}
			c.Tol, c.Raw = 1e-4, prior
			r := fit(t, p, c)
			off := 1e-10 * r.Certificate.Primal
			if c.Lambda2 > 0 {
				hostile.Refuses(t, &r.Certificate, func(t testing.TB) { exactly(t, p, c, r, off, off) })
				continue
			}
			r.Certificate.Dual = 0 // what is said may be less, but not more than D and off
			exactly(t, p, c, r, off, off)
		}
	}
}
