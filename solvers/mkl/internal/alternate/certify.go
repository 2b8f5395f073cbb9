package alternate

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

var infinite = math.Inf(1)

// certified is what the last certificate was of.
type certified struct {
	norms  []float64 // |w^j|_2
	lossy  []int     // examples with a loss
	broken error     // why training cannot go on
}

// Zero: see train.Certified, as of the next ones.
func (s *Solver[T]) Zero() solvers.Certificate { return s.inner.Zero() }

// PrimalVariables returns the coefficients of the best model, n-by-m, and the weights of its kernels with, as of the
// last certificate, the |w^j|_2.
func (s *Solver[T]) PrimalVariables() (train.Variables[T], error) {
	best := s.primal
	if best.log == nil { // there is none yet
		best = point[T]{times: 1, at: s.levels.At(), a: s.in.Duals(), log: s.weights.log}
	}
	return s.Variables(best.eta(), best.coefficients(s.n)), nil
}

// Variables are the model's that was evaluated last; before, its norms are 0.
func (s *Solver[T]) Variables(eta []float64, coefficients vec.Matrix[T]) train.Variables[T] {
	norms := s.norms
	if norms == nil {
		norms = make([]float64, len(eta))
	}
	return train.Variables[T]{Matrices: []vec.Matrix[T]{coefficients}, Numbers: slices.Concat(eta, norms)}
}

// Weights returns the weights of the kernels and the |w^j|_2 of a model's variables; where all of these are 0, equal
// weights.
func (s *Solver[T]) Weights(v train.Variables[T]) (eta, norms []float64) {
	kernels := len(s.weights.log)
	if v.None() {
		return newWeights(s.p.P, kernels).eta(), make([]float64, kernels)
	}
	return v.Numbers[:kernels:kernels], v.Numbers[kernels:]
}

// Outputs returns the number of classes.
func (s *Solver[T]) Outputs() int { return s.m }

// DualVariables returns the best dual variables, n-by-m.
func (s *Solver[T]) DualVariables() *train.Variables[T] {
	return &train.Variables[T]{Matrices: []vec.Matrix[T]{s.Duals()}}
}

// Fits takes coefficients, with a weight and a norm of each kernel.
func (s *Solver[T]) Fits(primal, dual train.Variables[T]) bool {
	m := primal.Matrices
	model := len(m) == 1 && m[0].Rows == s.n && m[0].Cols == s.m && len(primal.Numbers) == 2*len(s.weights.log)
	return (model || primal.None()) && dual.Sized(s.n, s.m)
}

// Partial: see train.Method.
func (s *Solver[T]) Partial() bool { return s.partial }

// Duals returns the dual variables, n-by-m.
func (s *Solver[T]) Duals() vec.Matrix[T] { return s.dual.coefficients(s.n) }

// eta returns the weights of a point.
func (p *point[T]) eta() []float64 {
	w := weights{log: p.log}
	return w.eta()
}

// coefficients returns the dual variables of n examples at a point.
func (p *point[T]) coefficients(n int) vec.Matrix[T] {
	all := vec.NewMatrix[T](n, p.a.Cols)
	for q, i := range p.at {
		for c, v := range p.a.Row(q) {
			all.Row(i)[c] = T(p.times * float64(v))
		}
	}
	return all
}

// Certify computes the certificate of the best model and the best dual variables, as they are rounded to T.
func (s *Solver[T]) Certify() (solvers.Certificate, error) {
	if s.broken != nil {
		return solvers.Certificate{}, s.broken
	}
	if s.primal.value == infinite || s.midway { // what there is of these examples was not measured yet
		if s.in == nil {
			if err := s.Activate(s.levels.At()); err != nil {
				return solvers.Certificate{}, err
			}
		}
		s.measure()
	}
	return s.evaluateBest()
}

// evaluateBest computes the certificate of the best points as they are.
func (s *Solver[T]) evaluateBest() (c solvers.Certificate, err error) {
	c, err = s.Evaluate(s.primal.eta(), s.primal.coefficients(s.n), s.Duals())
	s.estimate = c
	return c, err
}

// Evaluate computes the primal objective of a model and the dual objective of dual variables, each n-by-m, in float64
// from the examples. Norms are that model's from now on.
func (s *Solver[T]) Evaluate(eta []float64, coefficients, duals vec.Matrix[T]) (solvers.Certificate, error) {
	var work loss.Workspace[float64]
	a, model := widened(duals), widened(coefficients)
	dual := 0.0
	for i, r := range s.inner.Radius {
		if row := a.Row(i); !isZero(row) {
			s.inner.Exact.Repair(row, s.inner.Labels.Of(i), r, &work)
			dual += s.inner.Exact.Dual(row, s.inner.Labels.Of(i), r, &work)
		}
	}
	as, scores := []vec.Matrix[float64]{model, a}, vec.NewMatrix[float64](s.n, s.m)
	forms, err := s.wide.ScoresAndForms(scores, eta, model, as, s.p.Workers)
	if err != nil {
		return solvers.Certificate{}, err
	}
	primal := primalNorm(eta, forms[0], s.p.P) / 2
	s.norms, s.lossy = make([]float64, len(eta)), nil
	for j, v := range eta {
		s.norms[j] = v * math.Sqrt(max(forms[0][j], 0))
	}
	var rounding ascent.Rounding
	losses := 0.0
	for i, r := range s.inner.Radius {
		if r == 0 {
			continue
		}
		v := s.inner.Exact.Primal(scores.Row(i), s.inner.Labels.Of(i), &work)
		rounding.AddLoss(r, v, 1, vec.AbsSum(scores.Row(i)))
		if v != 0 {
			primal += float64(r * v) // not fused: see Zero
			losses += r * v
			s.lossy = append(s.lossy, i)
		}
	}
	c := solvers.Certificate{Primal: primal, Dual: dual - dualNorm(forms[1], s.weights.q)/2}
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("numbers outgrew %T in epoch %d: scale the kernels down, lower C, or use float64", T(0),
			s.epoch)
	}
	return c, s.check(&rounding, c, eta, forms, as, func(diagonal []float64) {
		norm := func(i int) float64 { return ascent.Root(diagonal[i]) }
		square := func(i int) float64 { return norm(i) * norm(i) }
		rounding.AddOff(s.inner.Losses(square).Sum(rounding.Slack(1, 0), losses, ascent.Enough(c, 1, s.p.Tol), norm,
			scores.Row, &ascent.Shaken{}))
	})
}

// widened returns a in float64.
func widened[T vec.Float](a vec.Matrix[T]) vec.Matrix[float64] {
	w := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		vec.Convert(w.Row(i), a.Row(i))
	}
	return w
}

// check returns why a certificate is not to be believed: see ascent.Rounding. A form of a kernel is negative by more
// than rounding, which makes it none; or rounding is most of the certificate. What enters P and D of the form of kernel
// j is eta_j at most, of the model, or of the dual variables, which is (n_j/N)^{(q-2)/2} for forms n_j and N =
// |theta|²_{2,q}; together it is the rounding of a form of sum_j eta_j K^j, as of the scores. all has the losses,
// and lossesOff adds how far these may be off for the diagonal of that kernel.
func (s *Solver[T]) check(all *ascent.Rounding, c solvers.Certificate, eta []float64, forms [][]float64,
	as []vec.Matrix[float64], lossesOff func(diagonal []float64)) error {
	sizes, diagonal, sum := make([]float64, s.n), make([]float64, s.n), make([]float64, s.n)
	for i := range sizes {
		for _, a := range as {
			sizes[i] = max(sizes[i], math.Sqrt(vec.SquaredNorm(a.Row(i))))
		}
	}
	norm, off, typical := dualNorm(forms[1], s.weights.q), 0.0, 0.0
	for j, own := range eta {
		worst, usual := s.wide.Rounding(j)
		s.wide.Diagonal(diagonal, j)
		rounding := ascent.NewRounding(worst, usual, s.n, s.m)
		for i, d := range diagonal {
			rounding.Add(d, sizes[i])
		}
		if err := rounding.Definite(forms[0][j], forms[1][j]); err != nil {
			return fmt.Errorf("kernel %d: %w", j, err)
		}
		if norm > 0 {
			own = max(own, math.Pow(max(forms[1][j], 0)/norm, (s.weights.q-2)/2))
		}
		off, typical = max(off, worst), max(typical, usual)
		vec.Axpy(own, diagonal, sum)
	}
	all.Of(off, typical, s.n, s.m)
	for i, d := range sum {
		all.Add(d, sizes[i])
	}
	lossesOff(sum)
	return all.Check(&s.Trust, c, 1, s.p.Tol)
}
