package nuclear

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// prior is W0, which the quadratic penalty pulls W to: lambda2 |W - W0|² in place of lambda2 |W|². That is
//
//	lambda2 |W|² + (lambda2 |W0|² - 2 lambda2 <W, W0>)
//
// whose second part, convex as any loss, is added to the risk: to its value here, and -2 lambda2 W0 to its gradient G.
// Of dual variables A, G is Xᵀ A/n - 2 lambda2 W0 then, and the sum of H has lambda2 |W0|² more: the bound D is the
// same function of both.
type prior[T vec.Float] struct {
	exact  vec.Matrix[float64] // empty: 0
	narrow vec.Matrix[T]       // for steps
	square float64             // |W0|²
}

// SetPrior makes w0 the prior of a training that has taken no step, under its final penalty; empty: none.
func (t *Base[T]) SetPrior(w0 vec.Matrix[float64]) {
	if w0.Rows == 0 {
		return
	}
	t.prior = prior[T]{exact: w0, narrow: vec.NewMatrix[T](w0.Rows, w0.Cols)}
	for j := range w0.Rows {
		vec.Convert(t.prior.narrow.Row(j), w0.Row(j))
		t.prior.square += vec.SquaredNorm(w0.Row(j))
	}
	pull(t.Dual.G, t.prior.narrow, t.Lambda2)
	t.Dual.H = t.Lambda2 * t.prior.square
}

// Pull adds the prior's part to Loss and to G, of an evaluation at W.
func (t *Base[T]) Pull() {
	if t.prior.exact.Rows == 0 {
		return
	}
	t.Loss += t.Lambda2 * (t.prior.square - 2*productOf(t.W, t.prior.narrow))
	pull(t.G, t.prior.narrow, t.Lambda2)
}

// pullExact returns what the prior adds to the loss at w and to the sum of H, and adds its part to g.
func (t *Base[T]) pullExact(g, w vec.Matrix[float64]) (loss, h float64) {
	if t.prior.exact.Rows == 0 {
		return 0, 0
	}
	pull(g, t.prior.exact, t.Lambda2)
	return t.Lambda2 * (t.prior.square - 2*productOf(w, t.prior.exact)), t.Lambda2 * t.prior.square
}

// offPrior returns the sizes of what rounding moves of that.
func (t *Base[T]) offPrior() float64 {
	return t.Lambda2 * (t.prior.square + 2*math.Sqrt(t.prior.square*t.parts.squares))
}

// pull subtracts 2 lambda2 W0 from g.
func pull[T vec.Float](g, w0 vec.Matrix[T], lambda2 float64) {
	for j := range w0.Rows {
		vec.Axpy(T(-2*lambda2), w0.Row(j), g.Row(j))
	}
}

// productOf returns <w, w0>.
func productOf[T vec.Float](w, w0 vec.Matrix[T]) (sum float64) {
	for j := range w0.Rows {
		sum += float64(vec.Dot(w.Row(j), w0.Row(j)))
	}
	return sum
}
