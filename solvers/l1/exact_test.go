package l1

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks a certificate by numbers of thousands of bits: of each output l
//
//	P = |w_l|_1 + Σ_i r_i phi(y_il <w_l, x_i>),  D = Σ_i r_i h(theta |a_il| / r_i)
//
// with the largest theta <= 1 for which theta Xᵀa_l is at most 1 in size, and with the logistic loss theta |a_il| at
// most r_i.
func exactly[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T], offPrimal, offDual float64) {
	t.Helper()
	v := exactValues(p, c, r)
	v.OffPrimal, v.OffDual = offPrimal, offDual
	v.Confirm(t, r.Outcome)
}

func exactValues[T vec.Float](p Problem[T], c Config, r *Result[T]) hostile.Values {
	s := plain(p, c)
	_, classes := r.Dims()
	outputs, d := r.Duals.Cols, len(s.rows[0])
	primal, dual := hostile.Exact(0), hostile.Exact(0)
	for l := range outputs {
		class := classes - outputs + l
		w, a := make([]*big.Float, d), make([]float64, len(s.rows))
		for j := range w {
			w[j] = exactWeight(r, j, class)
			primal.Add(primal, new(big.Float).Abs(w[j]))
		}
		for i, x := range s.rows {
			if a[i] = float64(r.Duals.Row(i)[l]); s.r[i] == 0 {
				continue
			}
			z := hostile.Dot(x, w)
			if p.Y[i] != class {
				z.Neg(z)
			}
			hostile.Plus(primal, hostile.Exact(s.r[i]), exactLoss(c.Loss, z))
		}
		dual.Add(dual, exactDual(c.Loss, s, a))
	}
	return hostile.Values{Primal: primal, Dual: dual}
}

// exactWeight is weight.
func exactWeight[T vec.Float](r *Result[T], j, l int) *big.Float {
	if w := r.Weights(); j < w.Rows {
		return hostile.Exact(float64(w.Row(j)[l]))
	}
	v := hostile.Exact(float64(r.Bias()[l]))
	return v.Quo(v, hostile.Exact(float64(r.Constant())))
}

// exactLoss is phi.
func exactLoss(l Loss, z *big.Float) *big.Float {
	if l == Logistic {
		return hostile.LogSum(hostile.Exact(0), z.Neg(z))
	}
	m := new(big.Float).Sub(hostile.Exact(1), z)
	if m.Sign() <= 0 {
		return hostile.Exact(0)
	}
	return m.Mul(m, m)
}

// exactDual is the dual value of an output with the dual variables a.
func exactDual(l Loss, s scratch64, a []float64) *big.Float {
	largest, sum := hostile.Exact(1), hostile.Exact(0)
	raise := func(v *big.Float) {
		if v.Abs(v); v.Cmp(largest) > 0 {
			largest = v
		}
	}
	for j := range s.rows[0] {
		raise(hostile.Inner(hostile.Column(s.rows, j), a))
	}
	for i, r := range s.r {
		if v := hostile.Exact(a[i]); r > 0 && l == Logistic {
			raise(v.Quo(v, hostile.Exact(r)))
		}
	}
	for i, r := range s.r {
		if r == 0 {
			continue
		}
		q := hostile.Exact(math.Abs(a[i]))
		q.Quo(q, largest)
		q.Quo(q, hostile.Exact(r))
		h := new(big.Float).Sub(hostile.Exact(1), q)
		if l == Logistic {
			h = hostile.Entropy(h)
			h.Add(h, hostile.Entropy(q))
		} else { // q - q²/4
			quarter := new(big.Float).Mul(q, hostile.Exact(.25))
			h.Sub(q, quarter.Mul(quarter, q))
		}
		hostile.Plus(sum, hostile.Exact(r), h)
	}
	return sum
}

// TestExactly: values that are off by little are refused.
func TestExactly(t *testing.T) { prove.Both(t, testExactly[float32], testExactly[float64]) }

func testExactly[T vec.Float](t *testing.T) {
	for _, m := range []int{2, 4} {
		s := draw(61, 40, 6, m)
		for _, loss := range []Loss{SquaredHinge, Logistic} {
			p := Problem[T]{X: dense[T](s), Y: s.y, Weights: familytest.Uneven(40)}
			c := Config{C: .5, Loss: loss, Bias: 1, Tol: 1e-4}
			r := fit(t, p, c)
			off := 1e-11 * r.Certificate.Primal
			if prove.IsF32[T]() { // Bias returns its product with the weight in T
				p.Weights, c.Bias = nil, 0
				r = fit(t, p, c)
			}
			hostile.Refuses(t, &r.Certificate, func(t testing.TB) { exactly(t, p, c, r, off, off) })
		}
	}
}

// TestRounding: a training whose dual variables prove less than it asked for, or whose losses are larger, since
// features are so large that rounding is more than the bound of their inner products, does not say that it has
// converged.
func TestRounding(t *testing.T) {
	converged := 0
	for seed := range uint64(8) {
		for _, size := range []float64{1, 1e8, 1e13, 1e17, 1e22} {
			for _, loss := range []Loss{SquaredHinge, Logistic} {
				s := draw(100+seed, 20, 2, 2)
				for i := range s.x.Rows {
					s.x.Row(i)[1] *= size
					s.x.Row(i)[0] = size
				}
				p := Problem[float64]{X: dense[float64](s), Y: s.y}
				c := Config{C: 100, Loss: loss, Tol: 1e-6, Epochs: 60}
				r, err := p.Fit(context.Background(), c)
				if err != nil {
					t.Fatal(err)
				}
				if r.Status != solvers.Converged {
					continue
				}
				converged++
				v := exactValues(p, c, r)
				gap, _ := v.Primal.Sub(v.Primal, v.Dual).Float64()
				if gap > 1.001*c.Tol*r.Certificate.Primal {
					t.Errorf("features of %g, %v: %v, but the gap is %g", size, loss, r.Outcome, gap)
				}
			}
		}
	}
	if converged < 30 {
		t.Errorf("%d trainings converged, want more", converged)
	}
}
