package tracenorm

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// solution is what a certificate is of, besides the dual variables: factors without the columns that rounding and small steps
// leave.
type solution[T vec.Float] struct {
	u, v     vec.Matrix[T]
	spectrum []float64
	parts    *parts
}

// Certify reduces W to its rank and computes the certificate of that in float64, over all examples.
func (t *training[T]) Certify() (solvers.Certificate, error) {
	if t.begun {
		t.setW(t.z)
	}
	u, v, values, ok := decompose(toFloat64(t.w))
	if !ok {
		return solvers.Certificate{}, fmt.Errorf("weights that are not finite after %d epochs: examples of smaller numbers, or float64, may help", t.epoch)
	}
	rank := t.rank(values)
	t.spectrum = values[:rank]
	t.u, t.v = rounded[T](u, rank), rounded[T](v, rank)
	return t.certify()
}

// parts are what a certificate is made of, whatever the penalty.
type parts struct {
	loss, squares, h float64
	lengths, sigma   []float64 // of the columns of the factors; the singular values of Xᵀ A/n, descending
}

// certify computes the certificate of u, v and the dual variables as they are.
func (t *training[T]) certify() (solvers.Certificate, error) {
	if t.exact == nil {
		t.exact = risk.New(inFloat64(t.data), t.Workers)
	}
	w, g := risk.Padded[float64](t.d, t.k), risk.Padded[float64](t.d, t.k)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, toFloat64(t.u), toFloat64(t.v), 0, w)
	sums, c := make([]float64, t.n), parts{lengths: lengths(t.u, t.v)}
	c.loss = t.exact.EvaluateWith(g, w, t.dual.exact(t.data.Y, t.data.Weights, sums))
	for _, v := range sums {
		c.h += v / float64(t.n)
	}
	for j := range t.d {
		c.squares += vec.SquaredNorm(w.Row(j))
	}
	c.sigma = sigmaOf(t.penalty, g)
	if s := t.reach(c.sigma); s < 1 { // A times s has at least s times the sum of H, which is 0 at 0
		vec.Scale(T(s), t.dual.a.Data)
		vec.Scale(T(s), t.dual.g.Data)
		t.dual.h, c.h = t.dual.h*s, c.h*s
		for j := range c.sigma {
			c.sigma[j] *= s
		}
	}
	t.parts = &c
	certificate := t.assemble()
	if gap := certificate.Gap(); gap-gap != 0 {
		return certificate, fmt.Errorf("a certificate of %v: examples whose products with weights are not finite", certificate)
	}
	return certificate, nil
}

// assemble returns the certificate of the last solution under the present penalty.
func (t *training[T]) assemble() solvers.Certificate {
	return solvers.Certificate{Primal: t.parts.loss + t.of(t.parts.lengths, t.parts.squares), Dual: t.parts.h - t.conjugate(t.parts.sigma)}
}

// rank returns how many singular values are kept: all but those that together change the objective by a twentieth of what
// the tolerance allows. To take W's components of lengths s_j away cost at most lambda1 s_j and, by the curvature of the risk, at
// most the mean |x|² s_j²/4 each.
func (t *training[T]) rank(values []float64) int {
	_, _, epsilon := ascent.Limits[T]()
	rank, sum, squares := len(values), 0.0, 0.0
	for ; rank > 0; rank-- {
		s := values[rank-1]
		if s > epsilon*values[0] {
			sum, squares = sum+s, squares+s*s
			if t.lambda1 == 0 || t.lambda1*sum+t.meanSquare/4*squares > 0.05*t.Tol*math.Abs(t.at) {
				break
			}
		}
	}
	return rank
}

// rounded returns the first columns of a matrix, one of zeros where there is none.
func rounded[T vec.Float](a vec.Matrix[float64], columns int) vec.Matrix[T] {
	b := vec.NewMatrix[T](a.Rows, max(1, columns))
	for i := range a.Rows {
		vec.Convert(b.Row(i)[:columns], a.Row(i)[:columns])
	}
	return b
}

// inFloat64 returns the same data for an evaluation in float64.
func inFloat64[T vec.Float](data risk.Data[T]) risk.Data[float64] {
	exact := risk.Data[float64]{
		X: solvers.Float64(data.X), Y: data.Y, Classes: data.Classes, Weights: data.Weights, Bias: float64(data.Bias),
		Decode: !solvers.IsSparse(data.X),
	}
	if data.Mean != nil {
		exact.Mean = make([]float64, len(data.Mean))
		vec.Convert(exact.Mean, data.Mean)
	}
	if _, same := data.X.(solvers.DenseRows[float64]); same {
		exact.Decode = false
	}
	return exact
}

// Reconsider follows a certificate that asked for more. Nothing was set aside.
func (t *training[T]) Reconsider() {}
