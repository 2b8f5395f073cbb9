// Package nuclear is what methods for trace-norm regularized multinomial logistic regression share: the penalty and its
// conjugate, dual variables that are mixed, certificates of solutions that are reduced to their rank. What is minimised
// is
//
//	lambda1 |W|_* + lambda2 |W - W0|_F² + 1/n sum_i w_i L(Wᵀ x_i, y_i)
//
// with a prior W0, 0 as a rule.
package nuclear

import (
	"context"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Base is what a training has whatever its steps are. It has all methods of train.Method but Epoch, Partial, Save and
// Load.
type Base[T vec.Float] struct {
	train.Trust
	Penalty
	Data       risk.Data[T]
	N, D, M    int     // numbers of examples, of features with the constant one, of classes
	meanSquare float64 // the mean |x_i|²
	solvers.Options

	Sample *risk.Risk[T]       // the risk of the examples that steps go by
	exact  *risk.Risk[float64] // the risk of all, for certificates
	W, G   vec.Matrix[T]       // W and the gradient of the risk at it
	Loss   float64             // the risk there
	Value  float64             // the objective, or an upper bound of it

	prior     prior[T]
	Dual      Duals[T]
	Estimated solvers.Certificate
	Visited   int
	Solution[T]
	Fresh bool // Solution is of W as it is
}

// New returns a training at W = 0 and A = 0. o has all its defaults.
func New[T vec.Float](p Penalty, data risk.Data[T], o solvers.Options) (Base[T], error) {
	n, d := data.X.Dims()
	m := data.Classes
	b := Base[T]{Penalty: p, Data: data, N: n, M: m, Options: o}
	if _, err := family.SquaredNorms(data.X, n, float64(data.Bias)); err != nil {
		return b, err
	}
	norms := make([]float64, n) // in T they may be 0 where the examples are not
	design.Float64(data.X).SquaredNorms(norms)
	for _, v := range norms {
		b.meanSquare += v / float64(n)
	}
	b.D = d
	if data.Bias != 0 {
		b.D++
		b.meanSquare += float64(data.Bias) * float64(data.Bias)
	}
	b.W, b.G, b.Dual = risk.Padded[T](b.D, m), risk.Padded[T](b.D, m), NewDuals[T](n, b.D, m)
	return b, nil
}

// Look estimates the certificate from the last evaluation, which was on all examples, at no cost but singular values.
// penalty is the penalty of W or an upper bound of it.
func (t *Base[T]) Look(ctx context.Context, penalty float64) {
	wg := 0.0
	for j := range t.D {
		wg += float64(vec.Dot(t.W.Row(j), t.G.Row(j)))
	}
	release := train.Still(ctx)
	m := t.Dual.mixture(t.Penalty, t.G, t.Loss-wg)
	release()
	t.Dual.mix(m, t.Sample.Duals(), t.G, t.Loss-wg)
	t.Estimated = solvers.Certificate{Primal: t.Loss + penalty, Dual: m.dual}
}

func (t *Base[T]) Estimate() solvers.Certificate { return t.Estimated }

func (t *Base[T]) Visits() (int, int) { return t.Visited, t.N }

// Reconsider follows a certificate that asked for more. Nothing was set aside.
func (t *Base[T]) Reconsider() bool { return true }

// Squares returns |W|_F².
func (t *Base[T]) Squares() (sum float64) {
	for j := range t.D {
		sum += float64(vec.SquaredNorm(t.W.Row(j)))
	}
	return sum
}

// AtZero returns the largest singular value of the gradient of the risk at W = 0, with the prior's part: from that
// lambda1 on W = 0 is the optimum.
func (t *Base[T]) AtZero() float64 {
	g := risk.Padded[T](t.D, t.M)
	risk.New(t.Data, t.Workers).Evaluate(g, risk.Padded[T](t.D, t.M))
	pull(g, t.prior.narrow, t.Lambda2)
	return spectral.Values(g)[0]
}
