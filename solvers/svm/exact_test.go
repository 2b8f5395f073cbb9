package svm

import (
	"math"
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks a certificate by numbers of thousands of bits, of the weights w, or with a kernel the coefficients w,
// with the constant b, and of the dual variables a:
//
//	P = |w|²/2 + sum b + Σ_i loss_i(<w, x_i> + b),  D = Σ_i dual term(a_i) - |Xᵀ a|²/2
func (o *plain) exactly(t testing.TB, r solvers.Outcome, w []float64, b float64, a []float64, offPrimal,
	offDual float64) {
	t.Helper()
	scores, primal, dual := o.exactForms(w, a)
	primal.Mul(primal, hostile.Exact(.5))
	primal.Add(primal, hostile.Inner([]float64{o.sum}, []float64{b}))
	dual.Neg(dual)
	sum, size := hostile.Exact(-o.sum), 0.0
	for i, v := range a {
		primal.Add(primal, o.exactLoss(i, scores[i].Add(scores[i], hostile.Exact(b))))
		dual.Add(dual, o.exactTerm(i, v))
		sum.Add(sum, hostile.Exact(v))
		size += math.Abs(v)
	}
	infeasible := 0.0
	if o.offset { // they add up to o.sum but for rounding, of which the constant makes a difference of values
		rest, _ := sum.Float64()
		if infeasible = math.Abs(rest); !(infeasible <= 2*hostile.Unit*float64(len(a)+1)*(size+o.sum)) {
			t.Fatalf("%v: dual variables of %g in all add up to the sum %v but for %g", r, size, o.sum, rest)
		}
		infeasible *= math.Abs(b)
	}
	hostile.Values{Primal: primal, Dual: dual, OffPrimal: offPrimal, OffDual: offDual,
		Infeasible: infeasible}.Confirm(t, r)
}

// exactForms returns the scores without a constant, |w|² and |Xᵀ a|²/2.
func (o *plain) exactForms(w, a []float64) (scores []*big.Float, norm, half *big.Float) {
	if o.gram != nil {
		scores = o.gram.Times(w)
		half = hostile.Dot(a, o.gram.Times(a))
		return scores, hostile.Dot(w, scores), half.Mul(half, hostile.Exact(.5))
	}
	rows := make([][]float64, len(a))
	for i, v := range a {
		rows[i] = []float64{v}
		scores = append(scores, hostile.Inner(w, o.x[i]))
	}
	return scores, hostile.Inner(w, w), hostile.HalfSquares(o.x, rows)
}

// exactLoss is the loss of example i at a score: see loss.
func (o *plain) exactLoss(i int, score *big.Float) *big.Float {
	v := hostile.Exact(o.y[i])
	switch {
	case o.c.Loss == Logistic && !o.one:
		v.Neg(v.Mul(v, score))
		v = hostile.LogSum(hostile.Exact(0), v)
		return v.Mul(v, hostile.Exact(o.cost[i]))
	case o.one:
		v.Neg(score)
	case o.c.Loss.ofTargets():
		v.Abs(v.Sub(score, v))
		v.Sub(v, hostile.Exact(o.c.Epsilon))
	default:
		v.Sub(hostile.Exact(1), v.Mul(v, score))
	}
	if v.Sign() < 0 {
		return hostile.Exact(0)
	}
	if o.squared() {
		v.Mul(v, v)
	}
	return v.Mul(v, hostile.Exact(o.cost[i]))
}

// exactTerm is the dual term of a: see addDual.
func (o *plain) exactTerm(i int, a float64) *big.Float {
	v := hostile.Exact(0)
	if o.one {
		return v
	}
	if o.c.Loss == Logistic {
		return hostile.Coin(math.Abs(a), o.cost[i])
	}
	v.Mul(hostile.Exact(a), hostile.Exact(o.y[i]))
	if o.c.Loss.ofTargets() {
		v.Sub(v, new(big.Float).Mul(hostile.Exact(math.Abs(a)), hostile.Exact(o.c.Epsilon)))
	}
	if o.squared() && a != 0 {
		square := hostile.Exact(a)
		v.Sub(v, square.Quo(square.Mul(square, square), hostile.Exact(4*o.cost[i])))
	}
	return v
}

func (o *plain) squared() bool { return o.c.Loss == SquaredHinge || o.c.Loss == SquaredInsensitive }

// TestExactly: values that are off by little are refused, whatever the loss is, on features and on a kernel.
func TestExactly(t *testing.T) {
	x, y, targets := vec.NewMatrix[float64](12, 3), []int{}, []float64{}
	for i := range x.Rows {
		for j := range x.Cols {
			x.Row(i)[j] = math.Sin(float64(1 + 3*i + 5*j))
		}
		y, targets = append(y, i%2), append(targets, math.Cos(float64(i)))
	}
	features := &dataset.Dense[float64]{Matrix: x}
	k, err := kernel.New[float64](features, kernel.Gaussian{Gamma: .3}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, loss := range losses {
		for _, offset := range []bool{false, true} {
			for _, p := range []Problem[float64]{{X: features}, {Kernel: k}} {
				p, c := p.of(loss, y, targets), Config{C: .7, Loss: loss, Offset: offset, Epsilon: 0, Tol: 1e-9}
				r := solve(t, p, c)
				o := plainOf(p, c)
				a, w, b := make([]float64, 12), make([]float64, 12), 0.0
				for i := range a {
					a[i] = o.feasible(i, r.Duals.Row(i)[0])
				}
				if o.x != nil {
					w = r.Linear.Weights().Data
				} else {
					for q, i := range r.Kernel.Support() {
						w[i] = r.Kernel.Coefficients().Row(q)[0]
					}
				}
				if offset {
					o.balance(a)
					bias := r.Model.Kernel.Bias
					if o.x != nil {
						bias = r.Linear.Bias
					}
					b = bias()[0]
				}
				hostile.Refuses(t, &r.Certificate, func(t testing.TB) {
					o.exactly(t, r.Outcome, w, b, a, 1e-12*r.Certificate.Primal, 1e-12*r.Certificate.Primal)
				})
			}
		}
	}
}
