package oneclass

import (
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Certify: see train.Certified, as of the next ones. The dual variables become numbers of T, and their w, which is the
// model's but for its rounding, is computed anew; then all scores are.
func (s *solver[T]) Certify() (solvers.Certificate, error) {
	if !s.begun {
		return s.zero, nil
	}
	vec.Convert(s.duals, s.a)
	vec.Convert(s.a, s.duals)
	for i, v := range s.a {
		s.a[i] = min(max(v, 0), s.r[i])
	}
	if math.Abs(vec.Sum(s.a)-s.p.Sum) > 0x1p-50*s.p.Sum { // of float64 they have the sum, but for rounding
		s.box.Balance(s.a, s.p.Sum)
	}
	clear(s.w)
	rounding, off := ascent.NewRounding(0, 0, s.n, s.d), 0.0
	for i, v := range s.a {
		if v > 0 {
			s.rows.add(s.w, i, v)
			rounding.Add(s.rows.norms[i], v)
			off += v * v * s.rows.norms[i]
		}
	}
	form := vec.SquaredNorm(s.w)
	off *= train.Epsilon[T]() * train.Epsilon[T]() // how far numbers of T take |w|² from 0
	for j, v := range s.w {
		s.w[j] = float64(T(v))
	}
	s.all()
	s.rows.scores(s.g, s.w, s.active)
	s.measure()
	s.rho = float64(T(s.rho))
	rounding.AddTerm(math.Abs(s.p.Sum * s.rho)) // the a_i add up to N but for rounding
	c := solvers.Certificate{Primal: s.primal(s.g, -s.rho) + s.square/2, Dual: -form / 2}
	if gap := c.Gap(); gap-gap != 0 {
		return c, ascent.ErrNotFinite[T](s.epoch)
	}
	s.origin = c.Primal > 0 && form <= off
	rounding.AddOff(s.offLosses(c, s.g, s.square, -s.rho))
	if err := rounding.CheckWeights(&s.Trust, c, 1, s.o.Tol, form); err != nil {
		return c, err
	}
	return c, ascent.Underflow(c, s.o.Tol, 2*float64(s.n)+float64(s.d))
}

// offLosses is how far rounding may take the losses at the scores g + b of weights with |w|² = square. The loss is no
// square: Losses.Most takes no sum of losses.
func (s *solver[T]) offLosses(c solvers.Certificate, g []float64, square, b float64) float64 {
	norm := func(i int) float64 { return math.Sqrt(s.rows.norms[i]) }
	var score [1]float64
	return s.losses.Sum(ascent.SlackOf(s.d, math.Sqrt(square), b), 0, ascent.Enough(c, 1, s.o.Tol), norm,
		func(i int) []float64 { score[0] = g[i] + b; return score[:] }, &s.shaken)
}

// primal returns the losses at the scores g + b, and N b.
func (s *solver[T]) primal(g []float64, b float64) float64 {
	sum := 0.0
	for i, v := range g {
		sum += s.r[i] * max(0, -(v+b))
	}
	return sum + s.p.Sum*b
}

// Zero returns P at w = 0, where b = 0 is the best, and a bound of D of dual variables that are the same part of all
// r_i.
func (s *solver[T]) Zero() solvers.Certificate { return s.zero }

func (s *solver[T]) PrimalVariables() (train.Variables[T], error) {
	w := vec.NewMatrix[T](s.d+1, 1)
	vec.Convert(w.Data[:s.d], s.w)
	w.Data[s.d] = T(-s.rho)
	return train.Variables[T]{Matrices: []vec.Matrix[T]{w}}, nil
}

func (s *solver[T]) DualVariables() *train.Variables[T] {
	return &train.Variables[T]{Matrices: []vec.Matrix[T]{s.Duals()}}
}

// Duals returns the dual variables of the last certificate: see ascent.Solver.
func (s *solver[T]) Duals() vec.Matrix[T] { return vec.MatrixOf(s.n, 1, s.duals) }

func (s *solver[T]) Fits(primal, dual train.Variables[T]) bool {
	return primal.Sized(s.d+1, 1) && dual.Sized(s.n, 1)
}

// Objective: see ascent.Solver. It is not known where it may be rounding, as for Certify.
func (s *solver[T]) Objective(model vec.Matrix[T]) (primal float64, known bool) {
	if model.Rows != s.d+1 || model.Cols != 1 {
		return 0, false
	}
	w, g := make([]float64, s.d), make([]float64, s.n)
	for j := range w {
		w[j] = float64(model.Row(j)[0])
	}
	s.rows.x.Scores(vec.MatrixOf(s.n, 1, g), vec.MatrixOf(s.d, 1, w), nil)
	b, square := float64(model.Row(s.d)[0]), vec.SquaredNorm(w)
	c := solvers.Certificate{Primal: s.primal(g, b) + square/2, Dual: -s.square / 2}
	return c.Primal, c.Primal-c.Primal == 0 && s.offLosses(c, g, square, b) <= train.Room(c, s.o.Tol)
}

// Start: see ascent.Solver. Where the given ones have another sum they are an example of w alone: the first dual
// variables are those that its scores name.
func (s *solver[T]) Start(duals vec.Matrix[T]) (solvers.Certificate, error) {
	if err := ascent.CheckDuals(duals, s.n, 1); err != nil {
		return solvers.Certificate{}, err
	}
	const same = 1e-6 // part of N
	sum, inside := 0.0, true
	for i := range s.n {
		v := max(0, float64(duals.Row(i)[0]))
		if s.r[i] == 0 {
			v = 0
		}
		inside = inside && v <= s.r[i]*(1+same)
		s.a[i] = v
		sum += v
	}
	if sum == 0 || s.weight == 0 {
		clear(s.a)
		return s.zero, nil
	}
	s.begun = true
	s.all()
	if inside && math.Abs(sum-s.p.Sum) <= same*s.p.Sum {
		for i, v := range s.a {
			s.a[i] = min(v, s.r[i])
		}
	} else {
		for i, v := range s.a {
			s.add(i, v)
		}
		s.renew()
		s.lowest()
	}
	c, err := s.Certify()
	if err == nil {
		s.Reconsider()
	}
	return c, err
}
