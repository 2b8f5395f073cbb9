package mkl

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

// Certify computes the primal objective of the best model and the dual objective of the best dual variables, as they are
// rounded to T, in float64 from the examples.
func (s *training[T]) Certify() (solvers.Certificate, error) {
	if s.broken != nil {
		return solvers.Certificate{}, s.broken
	}
	if s.primal.log == nil { // there was no end of a machine on these examples
		if s.in == nil {
			if err := s.activate(s.set.At()); err != nil {
				return solvers.Certificate{}, err
			}
		}
		s.measure()
	}
	e := evaluation{c: s.c, b: s.wide, labels: s.inner.Labels.Of, radius: s.inner.Radius, loss: s.inner.Exact}
	model, duals := widened(s.primal.coefficients(s.n)), widened(s.dual.coefficients(s.n))
	dual := e.repair(duals)
	forms := s.wide.Forms([]vec.Matrix[float64]{model, duals}, s.c.Workers)
	if err := e.definite(forms, model, duals); err != nil {
		return solvers.Certificate{}, err
	}
	primal, err := e.primal(s.primal.eta(), model, forms[0])
	c := solvers.Certificate{Primal: primal, Dual: dual - dualNorm(forms[1], s.weights.q)/2}
	s.norms, s.lossy, s.estimate = e.norms, e.lossy, c
	if gap := c.Gap(); err == nil && gap-gap != 0 {
		err = fmt.Errorf("numbers outgrew %T in epoch %d: scale the kernels down, lower C, or use float64", T(0), s.epoch)
	}
	return c, err
}

// widened returns a in float64.
func widened[T vec.Float](a vec.Matrix[T]) vec.Matrix[float64] {
	w := vec.NewMatrix[float64](a.Rows, a.Cols)
	vec.Convert(w.Data, a.Data)
	return w
}

// evaluation computes objectives in float64.
type evaluation struct {
	c      Config
	b      *kernel.Bundle[float64]
	labels func(i int) []int
	radius []float64
	loss   loss.Loss[float64]
	work   loss.Workspace[float64]

	norms []float64 // |w^j|_2 of the model
	lossy []int     // examples with a loss
}

// repair moves dual variables that were rounded into their domain, and returns the sum of their dual terms.
func (e *evaluation) repair(a vec.Matrix[float64]) (sum float64) {
	for i := range a.Rows {
		if row := a.Row(i); !isZero(row) {
			e.loss.Repair(row, e.labels(i), e.radius[i], &e.work)
			sum += e.loss.Dual(row, e.labels(i), e.radius[i], &e.work)
		}
	}
	return sum
}

// primal returns the objective of the model with these weights and coefficients, whose forms are known.
func (e *evaluation) primal(eta []float64, a vec.Matrix[float64], forms []float64) (float64, error) {
	model, err := kernel.NewCombination(e.b, eta, a, nil)
	if err != nil {
		return 0, err
	}
	n := e.b.Len()
	all, scores := make([]int, n), vec.NewMatrix[float64](n, a.Cols)
	for i := range all {
		all[i] = i
	}
	model.ScoresOf(scores, e.b, all, nil, e.c.Workers)
	e.norms, e.lossy = make([]float64, len(eta)), nil
	for j, v := range eta {
		e.norms[j] = v * math.Sqrt(max(forms[j], 0))
	}
	sum := primalNorm(eta, forms, e.c.P) / 2
	for i, r := range e.radius {
		if r == 0 {
			continue
		}
		if v := e.loss.Primal(scores.Row(i), e.labels(i), &e.work); v != 0 {
			sum += r * v
			e.lossy = append(e.lossy, i)
		}
	}
	return sum, nil
}

// definite returns an error where a form is negative by more than rounding, which makes a kernel none.
func (e *evaluation) definite(forms [][]float64, as ...vec.Matrix[float64]) error {
	diagonal := make([]float64, e.b.Len())
	for p, a := range as {
		for j, v := range forms[p] {
			if v >= 0 || v != v {
				continue
			}
			e.b.Diagonal(diagonal, j)
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
