package nuclear

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/tracenorm/internal/risk"
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
	return len(m) == 2 && m[0].Rows == t.D && m[1].Rows == t.K && m[0].Cols == m[1].Cols &&
		m[0].Cols == max(1, len(primal.Numbers))
}

// Zero: see train.Certified. The dual value of variables that are all 0 is 0.
func (t *Base[T]) Zero() solvers.Certificate {
	mean := 1.0
	if w := t.Data.Weights; w != nil {
		mean = vec.Sum(w) / float64(t.N)
	}
	return solvers.Certificate{Primal: mean * math.Log(float64(t.K))}
}

// parts are what a certificate is made of, whatever the penalty.
type parts struct {
	loss, squares, h float64
	lengths, sigma   []float64 // of the columns of the factors; the singular values of Xᵀ A/n, descending
}

// certify computes the certificate of u, v and the dual variables as they are.
func (t *Base[T]) certify() (solvers.Certificate, error) {
	if t.exact == nil {
		t.exact = risk.New(t.Data.Float64(), t.workers)
	}
	w, g := risk.Padded[float64](t.D, t.K), risk.Padded[float64](t.D, t.K)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, spectral.Float64(t.U), spectral.Float64(t.V), 0, w)
	sums, c := make([]float64, t.N), parts{lengths: spectral.Lengths(t.U, t.V)}
	c.loss = t.exact.EvaluateWith(g, w, t.Dual.exact(t.Data.Y, t.Data.Weights, sums))
	if len(t.Spectrum) == 0 { // the same number but for rounding, so that neither is the better one
		c.loss = t.Zero().Primal
	}
	for _, v := range sums {
		c.h += v / float64(t.N)
	}
	for j := range t.D {
		c.squares += vec.SquaredNorm(w.Row(j))
	}
	c.sigma = Sigma(t.Penalty, g)
	if s := t.Reach(c.sigma); s < 1 { // A times s has at least s times the sum of H, which is 0 at 0
		vec.Scale(T(s), t.Dual.A.Data)
		vec.Scale(T(s), t.Dual.G.Data)
		t.Dual.H, c.h = t.Dual.H*s, c.h*s
		for j := range c.sigma {
			c.sigma[j] *= s
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

// trust returns an error where rounding is above the gap and what is asked for. Let u be the roundoff, |x| the root of
// the mean |x_i|² before the mean is taken away, w the mean weight. A loss is -log p with a probability p off by u
// where it is next to 1, and by the rounding of its score, u |x| |W|. A number of Xᵀ A/n is off by u |x| w: the
// conjugate goes with it by its slope, which is |W| at the optimum, or, where A is scaled by lambda1/sigma, the sum of
// H by a part of it.
func (t *Base[T]) trust(c solvers.Certificate) error {
	const roundoff = 0x1p-53
	slope := t.parts.h / t.Lambda1
	if t.Lambda2 > 0 {
		slope = math.Sqrt(t.Conjugate(t.parts.sigma) / t.Lambda2)
	}
	weight := t.Zero().Primal / math.Log(float64(t.K))
	off := roundoff * weight * (1 + math.Sqrt(t.meanSquare)*(math.Sqrt(t.parts.squares)+slope))
	if size := max(math.Abs(c.Primal), math.Abs(c.Dual)); off > max(c.Gap(), t.tol*size) {
		return fmt.Errorf("%w: %v, of which %.1g may be rounding", train.ErrRounding, c, off)
	}
	return nil
}

// Assemble returns the certificate of the last solution under the present penalty.
func (t *Base[T]) Assemble() solvers.Certificate {
	return solvers.Certificate{Primal: t.parts.loss + t.Of(t.parts.lengths, t.parts.squares),
		Dual: t.parts.h - t.Conjugate(t.parts.sigma)}
}

// rank returns how many singular values are kept: all but those that together change the objective by a twentieth of
// what the tolerance allows. To take W's components of lengths s_j away cost at most lambda1 s_j and, by the curvature
// of the risk, at most the mean |x|² s_j²/4 each.
func (t *Base[T]) rank(values []float64) int {
	_, _, epsilon := ascent.Limits[T]()
	rank, sum, squares := len(values), 0.0, 0.0
	for ; rank > 0; rank-- {
		s := values[rank-1]
		if s > epsilon*values[0] {
			sum, squares = sum+s, squares+s*s
			if t.Lambda1 == 0 || t.Lambda1*sum+t.meanSquare/4*squares > 0.05*t.tol*math.Abs(t.Value) {
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
