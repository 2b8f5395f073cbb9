package newton

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// exact is the last certificate: of weights and dual variables in numbers of T.
type exact[T vec.Float] struct {
	certificate solvers.Certificate
	duals       []T
	w, s, a     []float64
	norms       []float64 // |x_i|, with the constant feature
	losses      *ascent.Losses
	rounding    ascent.Rounding
	form        float64
	shaken      ascent.Shaken
}

func newExact[T vec.Float](n, d int) exact[T] {
	return exact[T]{duals: make([]T, n), w: make([]float64, d), s: make([]float64, n), a: make([]float64, n)}
}

// Certify: see train.Certified, as of the next ones. The dual variables are the ones that the scores of the last step
// name.
func (s *solver[T]) Certify() (solvers.Certificate, error) {
	e := &s.exact
	rounded[T](e.w, s.at.w)
	copy(e.a, s.at.a)
	if s.p.Offset {
		s.offset.Balance(e.a)
	}
	vec.Convert(e.duals, e.a)
	c := s.certify()
	if gap := c.Gap(); gap-gap != 0 {
		return c, ascent.ErrNotFinite[T](s.epoch)
	}
	return c, s.believe()
}

// believe returns why the certificate is not to be believed.
func (s *solver[T]) believe() error {
	e, tol := &s.exact, s.o.Tol
	if err := e.rounding.CheckWeights(&s.Trust, e.certificate, 1, tol, e.form); err != nil {
		return err
	}
	return ascent.Underflow(e.certificate, tol, 2*float64(s.n)+float64(s.d))
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
	s.hold(e.w)
	s.scores(e.s, e.w)
	if s.p.Offset {
		s.offset.b = s.offset.Best(e.s)
		for i := range e.s {
			e.s[i] += s.offset.b
		}
	}
	losses, norm := s.primal(e.s), vec.SquaredNorm(e.w)
	e.certificate.Primal = losses + norm/2
	vec.Convert(e.a, e.duals)
	s.repair(e.a)
	if s.p.Offset {
		s.offset.Balance(e.a)
	}
	clear(e.w)
	s.accumulate(e.w, e.a)
	e.form = vec.SquaredNorm(s.penalized(e.w))
	e.certificate.Dual = s.dual(e.a) - e.form/2
	s.round(losses, norm)
	return e.certificate
}

// hold puts the weight of the constant feature in place of its own, 0 for an offset: see family.Hold.
func (s *solver[T]) hold(w []float64) {
	last := w[s.d-1:]
	switch {
	case s.p.Offset:
		clear(last)
	case s.p.Constant != 0:
		family.Hold(last, s.p.Constant)
	}
}

// round sets the rounding of the certificate, of losses and of weights with |w|² = norm.
func (s *solver[T]) round(losses, norm float64) {
	e, b := &s.exact, 0.0
	if s.p.Offset {
		b = s.offset.b
	}
	e.rounding = ascent.NewRounding(0, 0, s.n, s.d)
	for i, a := range e.a {
		e.rounding.AddNorm(e.norms[i], math.Abs(a))
	}
	e.rounding.AddTerm(math.Abs(b)*vec.AbsSum(e.a) + e.losses.Terms(e.a)) // they add up to 0 but for rounding
	e.rounding.AddOff(s.offLosses(e.certificate, losses, norm, b, e.s))
}

// offLosses is how far rounding may take the losses at the scores of weights with |w|² = norm, which b is part of.
func (s *solver[T]) offLosses(c solvers.Certificate, losses, norm, b float64, scores []float64) (off float64) {
	e := &s.exact
	if of, ok := s.losses.(*logistic); ok { // log(1 + e) is off by a roundoff of 1
		off = vec.Sum(of.r) * 0x1p-53
	}
	return off + e.losses.Sum(ascent.SlackOf(s.d, math.Sqrt(norm), b), losses, ascent.Enough(c, 1, s.o.Tol),
		func(i int) float64 { return e.norms[i] }, func(i int) []float64 { return scores[i : i+1] }, &e.shaken)
}

// Zero has the bits of a certificate of zeros.
func (s *solver[T]) Zero() solvers.Certificate {
	zero := make([]float64, s.n)
	if s.p.Offset {
		b := s.offset.Best(zero)
		for i := range zero {
			zero[i] = b
		}
	}
	return solvers.Certificate{Primal: s.primal(zero)}
}

func (s *solver[T]) PrimalVariables() (train.Variables[T], error) {
	return train.Variables[T]{Matrices: []vec.Matrix[T]{s.model()}}, nil
}

// model returns the weights, d-by-1.
func (s *solver[T]) model() vec.Matrix[T] {
	w := vec.NewMatrix[T](s.d, 1)
	vec.Convert(w.Data, s.at.w)
	if s.p.Offset {
		w.Data[s.d-1] = T(s.offset.b)
	}
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

// Objective: see ascent.Solver. It is not known where it may be rounding, as for Certify.
func (s *solver[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	if model.Rows != s.d || model.Cols != 1 {
		return 0, false
	}
	w, scores := make([]float64, s.d), make([]float64, s.n)
	for j := range w {
		w[j] = float64(model.Row(j)[0])
	}
	if !s.p.Offset {
		s.hold(w)
	}
	s.scores(scores, w)
	losses, norm, b := s.primal(scores), vec.SquaredNorm(s.penalized(w)), 0.0
	if s.p.Offset {
		b = w[s.d-1]
	}
	c := solvers.Certificate{Primal: losses + norm/2, Dual: s.exact.certificate.Dual}
	return c.Primal, c.Primal-c.Primal == 0 && s.offLosses(c, losses, norm, b, scores) <= train.Room(c, s.o.Tol)
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
	return c, s.believe()
}
