package alternate

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/vec"
)

// Start begins with the dual variables a, the coefficients and the weights of another training's result, all n-by-m but
// these, and returns the certificate of that model with these dual variables. Dual variables are scaled so that they
// are feasible, and their dual objective is the largest; weights are normalized.
//
// The best model and the best dual variables may be of different machines: then the model of a and eta is neither.
func (s *Solver[T]) Start(a, coefficients vec.Matrix[T], eta []float64) (solvers.Certificate, error) {
	if err := s.fitsStart(a, coefficients, eta); err != nil {
		return solvers.Certificate{}, err
	}
	s.weights.start(eta)
	s.levels.Finish()
	var at []int
	for _, i := range s.levels.All() {
		if len(s.levels.All()) < s.p.ActiveFrom || !isZero(a.Row(i)) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		at = s.levels.All()[:min(len(s.levels.All()), active.Many.First)]
	}
	if err := s.Activate(at); err != nil {
		return solvers.Certificate{}, err
	}
	rows := func(p int) []T { return a.Row(at[p]) }
	s.multiple(rows, min(1, s.reach(at, rows)))
	s.begin()
	s.measure()
	if t := s.dual.times; t != 1 && t > 0 {
		s.multiple(s.in.Duals().Row, t)
		s.begin()
		s.measure()
	}
	s.primal = modelOf(coefficients, eta)
	c, err := s.evaluateBest()
	if err == nil && c.RelativeGap() > s.p.Tol {
		s.Reconsider()
		s.enter()
	}
	return c, err
}

// modelOf is a model as a point, whose value is not known.
func modelOf[T vec.Float](coefficients vec.Matrix[T], eta []float64) point[T] {
	p := point[T]{value: infinite, times: 1, log: make([]float64, len(eta))}
	for i := range coefficients.Rows {
		if !isZero(coefficients.Row(i)) {
			p.at = append(p.at, i)
		}
	}
	p.a = vec.NewMatrix[T](len(p.at), coefficients.Cols)
	for q, i := range p.at {
		copy(p.a.Row(q), coefficients.Row(i))
	}
	for j, v := range eta {
		p.log[j] = math.Log(v)
	}
	return p
}

// fitsStart returns why a training cannot begin with these.
func (s *Solver[T]) fitsStart(a, coefficients vec.Matrix[T], eta []float64) error {
	if err := a.Validate(); err != nil {
		return fmt.Errorf("dual variables to start from: %w", err)
	}
	if a.Rows != s.n || a.Cols != s.m || len(eta) != len(s.weights.log) {
		return fmt.Errorf(
			"%d-by-%d dual variables and %d weights to start from, for %d examples, %d classes and %d kernels",
			a.Rows, a.Cols, len(eta), s.n, s.m, len(s.weights.log))
	}
	if coefficients.Rows != s.n || coefficients.Cols != s.m {
		return fmt.Errorf("a model of %d examples and %d classes to start from, for %d and %d", coefficients.Rows,
			coefficients.Cols, s.n, s.m)
	}
	for j, v := range eta {
		if !(v >= 0) || v > math.MaxFloat64 {
			return fmt.Errorf("weight %v of kernel %d to start from, want a finite number of at least 0", v, j)
		}
	}
	for _, i := range s.levels.All() {
		for c, v := range a.Row(i) {
			if v-v != 0 {
				return fmt.Errorf("dual variable %v of row %d and class %d, want a finite number", v, i, c)
			}
		}
	}
	return nil
}

// multiple sets the dual variables of the active examples to a multiple of the given ones.
func (s *Solver[T]) multiple(duals func(p int) []T, times float64) {
	row := make([]T, s.m)
	for p := range s.levels.At() {
		for c, v := range duals(p) {
			row[c] = T(times * float64(v))
		}
		s.in.Set(p, row)
	}
}
