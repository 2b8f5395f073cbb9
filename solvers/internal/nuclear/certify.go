package nuclear

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Solution is what a certificate is of, besides the dual variables: factors without the columns that rounding and small
// steps leave.
type Solution[T vec.Float] struct {
	U, V     vec.Matrix[T]
	Spectrum []float64
	parts    *parts
}

// Certify reduces W to its rank and computes the certificate of that in float64, over all examples.
func (t *Base[T]) Certify() (c solvers.Certificate, err error) {
	if t.Solution, err = t.reduce(); err != nil {
		return c, err
	}
	t.Fresh = true
	return t.certify()
}

// reduce returns the factors of W.
func (t *Base[T]) reduce() (s Solution[T], err error) {
	u, v, values, ok := spectral.Decompose(spectral.Float64(t.W))
	if !ok {
		return s, fmt.Errorf("weights that are not finite: examples of numbers nearer to 1, or float64, may help")
	}
	rank := t.rank(values)
	return Solution[T]{U: rounded[T](u, rank), V: rounded[T](v, rank), Spectrum: values[:rank]}, nil
}

// PrimalVariables returns the factors and the singular values.
func (t *Base[T]) PrimalVariables() (v train.Variables[T], err error) {
	s := t.Solution
	if !t.Fresh {
		if s, err = t.reduce(); err != nil {
			return v, err
		}
	}
	return train.Variables[T]{Matrices: []vec.Matrix[T]{s.U, s.V}, Numbers: s.Spectrum}, nil
}

// DualVariables returns nil: A changes only where the bound grows.
func (t *Base[T]) DualVariables() *train.Variables[T] { return nil }

// Fits takes factors of W, with a column at least for each singular value.
func (t *Base[T]) Fits(primal, dual train.Variables[T]) bool {
	if primal.None() || !dual.None() {
		return dual.None()
	}
	m := primal.Matrices
	return len(m) == 2 && m[0].Rows == t.D && m[1].Rows == t.M && m[0].Cols == m[1].Cols &&
		m[0].Cols == max(1, len(primal.Numbers))
}

// Zero: see train.Certified. Without a prior the dual value of variables that are all 0 is 0.
func (t *Base[T]) Zero() (c solvers.Certificate) {
	c.Primal = t.meanWeight() * math.Log(float64(t.M))
	if t.prior.exact.Rows > 0 {
		g := vec.NewMatrix[float64](t.D, t.M)
		pull(g, t.prior.exact, t.Lambda2)
		h := t.Lambda2 * t.prior.square
		c.Primal += h
		c.Dual = h - t.Conjugate(Sigma(t.Penalty, g))
	}
	return c
}

// meanWeight returns the mean of the weights of the examples.
func (t *Base[T]) meanWeight() float64 {
	if w := t.Data.Weights; w != nil {
		return vec.Sum(w) / float64(t.N)
	}
	return 1
}

// parts are what a certificate is made of, whatever the penalty.
type parts struct {
	loss, squares, h float64
	lengths, sigma   []float64 // of the columns of the factors; the singular values of Xᵀ A/n, descending
}

// certify computes the certificate of u, v and the dual variables as they are.
func (t *Base[T]) certify() (solvers.Certificate, error) {
	if t.exact == nil {
		t.exact = risk.New(t.Data.Float64(), t.Workers)
	}
	w, g := risk.Padded[float64](t.D, t.M), risk.Padded[float64](t.D, t.M)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, spectral.Float64(t.U), spectral.Float64(t.V), 0, w)
	c := parts{lengths: spectral.Lengths(t.U, t.V)}
	c.loss, c.h = t.evaluate(g, w)
	if len(t.Spectrum) == 0 { // the same number but for rounding, so that neither is the better one
		c.loss = t.Zero().Primal
	}
	for j := range t.D {
		c.squares += vec.SquaredNorm(w.Row(j))
	}
	c.sigma = Sigma(t.Penalty, g)
	if s := t.Reach(c.sigma); s < 1 { // A times s has at least s times the sum of H, which is 0 at 0
		t.Dual.scale(s)
		c.h *= s
		for j := range c.sigma {
			c.sigma[j] *= s
		}
		if t.coarse() {
			c.h, c.sigma = t.settle(g, w)
		}
	}
	t.parts = &c
	certificate := t.Assemble()
	if gap := certificate.Gap(); gap-gap != 0 {
		return certificate, fmt.Errorf("a certificate of %v: examples whose products with weights are not finite",
			certificate)
	}
	return certificate, t.trust(certificate)
}

// evaluate returns the loss at W and the sum of H, and sets g to Xᵀ A/n, each with the prior's part.
func (t *Base[T]) evaluate(g, w vec.Matrix[float64]) (loss, h float64) {
	sums := make([]float64, t.N)
	loss = t.exact.EvaluateWith(g, w, t.Dual.exact(t.Data.Y, t.Data.Weights, sums))
	for _, v := range sums {
		h += v / float64(t.N)
	}
	moreLoss, moreH := t.pullExact(g, w)
	return loss + moreLoss, h + moreH
}

// coarse reports whether the numbers of A may be so small that rounding moves singular values of Xᵀ A/n by more than an
// epsilon of lambda1. Half of the least number e of T is what it moves each by, so that rows, whose number of the class
// stands for the sum of the others, move by m e/2 at most, and Xᵀ A/n by the mean |x_i| times that.
func (t *Base[T]) coarse() bool {
	_, _, epsilon := family.Limits[T]()
	least := math.SmallestNonzeroFloat64
	if epsilon > 0x1p-52 {
		least = math.SmallestNonzeroFloat32
	}
	return math.Sqrt(t.meanSquare)*float64(t.M)*least/2 > epsilon*t.Lambda1
}

// settle returns the sum of H and the singular values of A as scaling has rounded it, and makes it 0 where that is
// outside of the domain.
func (t *Base[T]) settle(g, w vec.Matrix[float64]) (h float64, sigma []float64) {
	_, h = t.evaluate(g, w)
	sigma = Sigma(t.Penalty, g)
	if t.Reach(sigma) < 1 {
		t.Dual.scale(0)
		return 0, make([]float64, len(sigma))
	}
	t.Dual.H = h
	return h, sigma
}

// trust returns an error where rounding is above the gap and what is asked for. Let u be the roundoff, |x| the root of
// the mean |x_i|² before the mean is taken away, w the mean weight. A loss is -log p with a probability p off by u
// where it is next to 1, and by the rounding of its score, u |x| |W|. A number of Xᵀ A/n is off by u |x| w: the
// conjugate goes with it by its slope, which is |W| at the optimum, and by its square over 4 lambda2, which is all
// there is where singular values are above lambda1 by rounding; or, where A is scaled by lambda1/sigma, the sum of H by
// a part of it.
func (t *Base[T]) trust(c solvers.Certificate) error {
	const roundoff = 0x1p-53
	slope := t.parts.h / t.Lambda1
	if t.Lambda2 > 0 {
		slope = math.Sqrt(t.Conjugate(t.parts.sigma) / t.Lambda2)
	}
	off := roundoff * t.meanWeight() * (1 + math.Sqrt(t.meanSquare)*(math.Sqrt(t.parts.squares)+slope))
	off += roundoff * t.offPrior()
	move := roundoff * t.meanWeight() * math.Sqrt(t.meanSquare)
	if sigma := t.parts.sigma; t.Lambda2 > 0 && len(sigma) > 0 && sigma[0]+move >= t.Lambda1 {
		off += move / (4 * t.Lambda2) * move
	}
	return t.Judge(c, off, t.Tol)
}

// Assemble returns the certificate of the last solution under the present penalty.
func (t *Base[T]) Assemble() solvers.Certificate {
	return solvers.Certificate{Primal: t.parts.loss + t.Of(t.parts.lengths, t.parts.squares),
		Dual: t.parts.h - t.Conjugate(t.parts.sigma)}
}

// Certifying returns dual variables that certify the value dual: A, or 0, where only the value of these is known since
// rounding is all there is to the certificates of A.
func (t *Base[T]) Certifying(dual float64) vec.Matrix[T] {
	if t.parts != nil && !(t.Assemble().Dual >= dual) && dual <= t.Zero().Dual {
		return vec.NewMatrix[T](t.N, t.M)
	}
	return t.Dual.A
}

// rank returns how many singular values are kept: all but those that together change the objective by a twentieth of
// what the tolerance allows. To take W's components of lengths s_j away cost at most lambda1 s_j and, by the curvature
// of the risk, at most the mean |x|² s_j²/4 each.
func (t *Base[T]) rank(values []float64) int {
	_, _, epsilon := family.Limits[T]()
	rank, sum, squares := len(values), 0.0, 0.0
	for ; rank > 0; rank-- {
		s := values[rank-1]
		if s > epsilon*values[0] {
			sum, squares = sum+s, squares+s*s
			if t.Lambda1 == 0 || t.Lambda1*sum+t.meanSquare/4*squares > 0.05*t.Tol*math.Abs(t.Value) {
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
