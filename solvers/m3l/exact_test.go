package m3l

import (
	"math/big"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/vec"
)

// exactly checks the certificate of a model on features without a prior by numbers of thousands of bits, where
//
//	P(W) = |W|²/2 + sum_il phi_il(s_il),  D(A) = sum_il dual term(a_il) - |Xᵀ A|²/2
//
// are what they are but for nothing that counts. D is at most P, each is what the certificate says but for what
// rounding in float64 may do to it, and where training has converged the gap is within the tolerance, with that.
func exactly[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T], offPrimal, offDual float64) {
	t.Helper()
	if p.Kernel != nil || p.R.Rows+p.P.Rows+p.Prior.Rows > 0 || c.Loss == Logistic {
		return
	}
	o := loopsOf(p, c, r.Duals.Rows, r.Duals.Cols)
	a, _ := o.feasible(r.Duals)
	x, w := o.rows(), weightsOf(r.Linear.Weights(), r.Linear.Bias(), r.Linear.Constant())
	primal, dual := hostile.Exact(0), hostile.HalfSquares(x, a)
	dual.Neg(dual)
	for l := range a[0] {
		weights := hostile.Column(w, l)
		square := hostile.Inner(weights, weights)
		primal.Add(primal, square.Mul(square, hostile.Exact(.5)))
		for i := range a {
			primal.Add(primal, o.exactLoss(i, l, hostile.Inner(x[i], weights)))
			dual.Add(dual, o.exactTerm(i, l, a[i][l]))
		}
	}
	least := func(what string, v *big.Float, want float64) {
		if got, _ := v.Float64(); !(got >= want) {
			t.Fatalf("%v: %s %g, want %g at least", r.Outcome, what, got, want)
		}
	}
	minus := func(a, b *big.Float) *big.Float { return new(big.Float).Sub(a, b) }
	at := r.Certificate
	least("P - D", minus(primal, dual), 0)
	least("P above the certificate's by", minus(primal, hostile.Exact(at.Primal)), -offPrimal)
	least("P below the certificate's by", minus(hostile.Exact(at.Primal), primal), -offPrimal)
	least("D above the certificate's by", minus(dual, hostile.Exact(at.Dual)), -offDual)
	least("D below the certificate's by", minus(hostile.Exact(at.Dual), dual), -offDual)
	if r.Status == solvers.Converged {
		size, _ := primal.Float64()
		least("D below P less the tolerance by", minus(dual, primal), -(r.Tol*size + (1+r.Tol)*(offPrimal+offDual)))
	}
}

// exactLoss is the loss of label l of example i at a score: see loss.
func (o *loops[T]) exactLoss(i, l int, score *big.Float) *big.Float {
	y := hostile.Exact(-o.y[i][l])
	v := y.Mul(y, score) // -y s
	if o.c.Loss == Hamming {
		v.Mul(v, hostile.Exact(2))
		if v.Add(v, hostile.Exact(o.minus[i][l])); v.Cmp(hostile.Exact(o.plus[i][l])) < 0 {
			v = hostile.Exact(o.plus[i][l])
		}
		return v.Mul(v, hostile.Exact(o.cost[i][l]))
	}
	if v.Add(v, hostile.Exact(1)); v.Sign() < 0 {
		return hostile.Exact(0)
	}
	if o.c.Loss == SquaredHinge {
		v.Mul(v, v)
	}
	return v.Mul(v, hostile.Exact(o.cost[i][l]))
}

// exactTerm is the dual term of a: see addConjugate.
func (o *loops[T]) exactTerm(i, l int, a float64) *big.Float {
	size := hostile.Exact(o.y[i][l] * a)
	switch o.c.Loss {
	case SquaredHinge: // |a| - a²/(4 cost)
		if a != 0 {
			square := new(big.Float).Mul(size, size)
			size.Sub(size, square.Quo(square, hostile.Exact(4*o.cost[i][l])))
		}
	case Hamming: // |a| (minus - plus)/2 + cost plus
		margin := new(big.Float).Sub(hostile.Exact(o.minus[i][l]/2), hostile.Exact(o.plus[i][l]/2))
		size.Mul(size, margin)
		rest := hostile.Exact(o.cost[i][l])
		size.Add(size, rest.Mul(rest, hostile.Exact(o.plus[i][l])))
	}
	return size
}
