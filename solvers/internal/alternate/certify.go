package alternate

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
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

// Norms returns the |w^j|_2 of the model, by the last certificate.
func (s *Solver[T]) Norms() []float64 { return s.norms }

// Model returns the weights of the kernels and the coefficients of the model, n-by-m.
func (s *Solver[T]) Model() (eta []float64, coefficients vec.Matrix[T]) {
	return s.primal.eta(), s.primal.coefficients(s.n)
}

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
	if s.primal.log == nil || s.midway { // what there is of these examples was not measured yet
		if s.in == nil {
			if err := s.activate(s.set.At()); err != nil {
				return solvers.Certificate{}, err
			}
		}
		s.measure()
	}
	eta, coefficients := s.Model()
	c, err := s.Evaluate(eta, coefficients, s.Duals())
	s.estimate = c
	return c, err
}

// Evaluate computes the primal objective of a model and the dual objective of dual variables, each n-by-m, in float64
// from the examples. Norms are those of that model from now on.
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
	expansion, err := kernel.NewCombination(s.wide, eta, model, nil)
	if err != nil {
		return solvers.Certificate{}, err
	}
	as, scores := []vec.Matrix[float64]{model, a}, vec.NewMatrix[float64](s.n, s.m)
	forms := expansion.ScoresAndForms(scores, s.wide, as, s.p.Workers)
	if err := s.definite(forms, as); err != nil {
		return solvers.Certificate{}, err
	}
	primal := primalNorm(eta, forms[0], s.p.P) / 2
	s.norms, s.lossy = make([]float64, len(eta)), nil
	for j, v := range eta {
		s.norms[j] = v * math.Sqrt(max(forms[0][j], 0))
	}
	for i, r := range s.inner.Radius {
		if r == 0 {
			continue
		}
		if v := s.inner.Exact.Primal(scores.Row(i), s.inner.Labels.Of(i), &work); v != 0 {
			primal += r * v
			s.lossy = append(s.lossy, i)
		}
	}
	c := solvers.Certificate{Primal: primal, Dual: dual - dualNorm(forms[1], s.weights.q)/2}
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("numbers outgrew %T in epoch %d: scale the kernels down, lower C, or use float64", T(0), s.epoch)
	}
	return c, nil
}

// widened returns a in float64.
func widened[T vec.Float](a vec.Matrix[T]) vec.Matrix[float64] {
	w := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		vec.Convert(w.Row(i), a.Row(i))
	}
	return w
}

// definite returns an error where a form is negative by more than rounding, which makes a kernel none.
func (s *Solver[T]) definite(forms [][]float64, as []vec.Matrix[float64]) error {
	diagonal := make([]float64, s.n)
	for p, a := range as {
		for j, v := range forms[p] {
			if !(v < 0) {
				continue
			}
			s.wide.Diagonal(diagonal, j)
			size := 0.0
			for i, d := range diagonal {
				size += d * vec.SquaredNorm(a.Row(i))
			}
			if v < -1e-6*size {
				return fmt.Errorf("kernel %d is not positive semi-definite: <A, K A> = %v", j, v)
			}
		}
	}
	return nil
}
