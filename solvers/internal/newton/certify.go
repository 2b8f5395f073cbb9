package newton

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// exact is the last certificate: of weights and dual variables in numbers of T.
type exact[T vec.Float] struct {
	certificate solvers.Certificate
	duals       []T
	w, s, a     []float64
}

func newExact[T vec.Float](n, d int) exact[T] {
	return exact[T]{duals: make([]T, n), w: make([]float64, d), s: make([]float64, n), a: make([]float64, n)}
}

// Certify: see train.Certified, as of the next ones. The dual variables are the ones that the scores of the last step
// name.
func (s *solver[T]) Certify() (solvers.Certificate, error) {
	e := &s.exact
	rounded[T](e.w, s.at.w)
	for i, v := range s.at.a {
		e.duals[i] = T(v)
	}
	c := s.certify()
	if gap := c.Gap(); gap-gap != 0 {
		return c, ascent.ErrNotFinite[T](s.epoch)
	}
	return c, nil
}

// rounded sets dst to v as numbers of T.
func rounded[T vec.Float](dst, v []float64) {
	for j, x := range v {
		dst[j] = float64(T(x))
	}
}

// certify computes the certificate of exact.w and exact.duals.
func (s *solver[T]) certify() solvers.Certificate {
	e := &s.exact
	s.scores(e.s, e.w)
	e.certificate.Primal = s.primal(e.s) + vec.SquaredNorm(e.w)/2
	vec.Convert(e.a, e.duals)
	s.repair(e.a)
	clear(e.w)
	s.accumulate(e.w, e.a)
	e.certificate.Dual = s.dual(e.a) - vec.SquaredNorm(e.w)/2
	return e.certificate
}

// Zero has the bits of a certificate of zeros.
func (s *solver[T]) Zero() solvers.Certificate {
	return solvers.Certificate{Primal: s.primal(make([]float64, s.n))}
}

func (s *solver[T]) PrimalVariables() (train.Variables[T], error) {
	return train.Variables[T]{Matrices: []vec.Matrix[T]{s.model()}}, nil
}

// model returns the weights, d-by-1.
func (s *solver[T]) model() vec.Matrix[T] {
	w := vec.NewMatrix[T](s.d, 1)
	vec.Convert(w.Data, s.at.w)
	return w
}

func (s *solver[T]) DualVariables() *train.Variables[T] {
	return &train.Variables[T]{Matrices: []vec.Matrix[T]{s.Duals()}}
}

// Duals returns the dual variables of the last certificate: see ascent.Solver.
func (s *solver[T]) Duals() vec.Matrix[T] { return vec.MatrixOf(s.n, 1, s.exact.duals) }

func (s *solver[T]) Fits(primal, dual train.Variables[T]) bool {
	return primal.Sized(s.d, 1) && dual.Sized(s.n, 1)
}

// Objective: see ascent.Solver.
func (s *solver[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	if model.Rows != s.d || model.Cols != 1 {
		return 0, false
	}
	w, scores := make([]float64, s.d), make([]float64, s.n)
	for j := range w {
		w[j] = float64(model.Row(j)[0])
	}
	s.scores(scores, w)
	primal = s.primal(scores) + vec.SquaredNorm(w)/2
	return primal, primal-primal == 0
}

// Start: see ascent.Solver. The multiple of the dual variables is the one that package ascent begins with, and steps
// begin at its weights.
func (s *solver[T]) Start(duals vec.Matrix[T]) (solvers.Certificate, error) {
	of, err := ascent.New(s.p, s.o)
	if err != nil {
		return solvers.Certificate{}, err
	}
	if _, err := of.Start(duals); err != nil {
		return solvers.Certificate{}, err
	}
	v, err := of.PrimalVariables()
	if err != nil {
		return solvers.Certificate{}, err
	}
	e, given := &s.exact, of.Duals()
	for i := range e.duals {
		e.duals[i] = given.Row(i)[0]
	}
	for j := range s.at.w {
		s.at.w[j] = float64(v.Matrix(s.d, 1).Row(j)[0])
	}
	copy(e.w, s.at.w)
	c := s.certify()
	s.scores(s.at.s, s.at.w)
	s.evaluate(s.at)
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("dual variables to start from: %v", c)
	}
	return c, nil
}
