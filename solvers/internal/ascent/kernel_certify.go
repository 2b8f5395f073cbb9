package ascent

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// kernelCertifier computes certificates in float64: the kernel too is computed in it, from the numbers of the examples.
// Of a given matrix the numbers are what they are, and converted tile by tile.
type kernelCertifier struct {
	// multiply sets f to K a
	multiply func(f, a vec.Matrix[float64], workers int)

	m    int                 // padded
	a, f vec.Matrix[float64] // n-by-2m: the dual variables and, beside them, the model's coefficients; K times these
	row  []float64           // of all outputs of an example
	zero []float64           // the same

	diagonal, sizes []float64 // of K; of outputs
	steep           float64   // the largest size of an output
	rounding        Rounding  // at A = 0
	losses          *Losses
	shaken          Shaken

	work loss.Workspace[float64]

	workers int
}

func newKernelCertifier[T vec.Float](s *kernelSolver[T]) (kernelCertifier, error) {
	m, diagonal := padded[float64](s.cols), make([]float64, s.n)
	multiply := s.p.Kernel.Multiply64
	worst, typical := s.p.Kernel.Rounding()
	if s.p.Kernel.Kernel() == nil {
		narrow := make([]T, s.n)
		s.p.Kernel.Diagonal(narrow)
		vec.Convert(diagonal, narrow)
	} else {
		wide, err := s.p.Kernel.Float64()
		if err != nil {
			return kernelCertifier{}, err
		}
		wide.Diagonal(diagonal)
		worst, typical = wide.Rounding()
		multiply = wide.Multiply
	}
	e := kernelCertifier{
		diagonal: diagonal, sizes: s.p.sizes(), rounding: NewRounding(worst, typical, s.n, s.m+s.cols), m: m,
		multiply: multiply,
		a:        vec.NewMatrix[float64](s.n, 2*m), f: vec.NewMatrix[float64](s.n, 2*m),
		row: make([]float64, s.m), zero: make([]float64, s.m), workers: s.o.Workers,
	}
	e.steep, e.losses = steepest(e.sizes), s.p.Losses(func(i int) float64 { return diagonal[i] + least/roundoff })
	return e, nil
}

// Certify computes the scores of all examples anew, by the dual variables and by the model's coefficients, which are
// these rounded to T, and from them the dual and the primal value.
func (s *kernelSolver[T]) Certify() (solvers.Certificate, error) {
	if s.offset.on {
		if s.p.Sum != 0 && isZero(s.a.Data) { // nothing has moved
			s.certificate = s.Zero()
			return s.certificate, nil
		}
		return s.certifyOffset()
	}
	e, m, factor, rounding := &s.exact, s.cols, s.p.ExactFactor, s.exact.rounding
	dual := s.widenDuals(&rounding)
	e.multiply(e.f, e.a, e.workers)
	losses, norm, exactNorm := 0.0, 0.0, 0.0
	for i := range s.n {
		a, f := e.a.Row(i), e.f.Row(i)
		if s.p.coupled() {
			e.couple(f[:m], s.p.Coupling)
			e.couple(f[e.m:e.m+m], s.p.Coupling)
		}
		exactNorm += vec.Dot(a[:m], f[:m])
		scores := s.scoresOf(i)
		for j := range m {
			scores[j] = T(f[e.m+j])
		}
		norm += vec.Dot(a[e.m:e.m+m], f[e.m:e.m+m])
		if ex := &s.ex[i]; ex.r > 0 {
			e.work.Example = i
			scores, y := factor.Scores(e.row, f[e.m:e.m+m]), s.p.Labels.Of(i)
			phi := s.p.Exact.Primal(scores, y, &e.work)
			rounding.AddLoss(ex.r, phi, s.p.Exact.Primal(e.zero, y, &e.work), vec.AbsSum(scores))
			losses += float64(ex.r * phi) // not fused: see Zero
			ex.gap = ex.r*phi - ex.term   // of those that are not active
		}
	}
	s.momentum.anew()
	s.sumOutside()
	s.quadratic = max(0, exactNorm) / 2
	s.certificate = solvers.Certificate{Primal: s.p.Lambda * (losses + max(0, norm)/2),
		Dual: s.p.Lambda * (dual - s.quadratic)}
	s.Estimate()
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return s.certificate, ErrNotFinite[T](s.epoch)
	}
	rounding.AddOff(e.losses.Sum(rounding.Slack(e.steep, 0), losses, Enough(s.certificate, s.p.Lambda, s.o.Tol), e.norm,
		func(i int) []float64 { return factor.Scores(e.row, e.f.Row(i)[e.m:e.m+m]) }, &e.shaken))
	if err := rounding.Check(&s.Trust, s.certificate, s.p.Lambda, s.o.Tol, norm, exactNorm); err != nil {
		return s.certificate, fmt.Errorf("in epoch %d %w", s.epoch, err)
	}
	return s.certificate, nil
}

// widenDuals sets the certifier's A, and the model's coefficients beside it, to the dual variables in float64, brought
// back into their domain. It returns the sum of their dual terms.
func (s *kernelSolver[T]) widenDuals(rounding *Rounding) (dual float64) {
	e, m, factor := &s.exact, s.cols, s.p.ExactFactor
	for i := range s.ex {
		exact, rounded, ex, zero := e.a.Row(i)[:m], e.a.Row(i)[e.m:], &s.ex[i], true
		if ex.r == 0 {
			continue
		}
		e.work.Example = i
		for j, v := range s.a.Row(i) {
			e.row[j] = float64(v)
			zero = zero && v == 0
		}
		factor.Move(rounded, e.row)
		ex.zero = zero
		if !zero {
			size := sizeOf(e.row, e.sizes)
			s.p.Exact.Repair(e.row, s.p.Labels.Of(i), ex.r, &e.work)
			rounding.Add(e.diagonal[i], max(size, sizeOf(e.row, e.sizes)))
		}
		factor.Move(exact, e.row)
		ex.term = s.p.Exact.Dual(e.row, s.p.Labels.Of(i), ex.r, &e.work)
		rounding.AddTerm(e.losses.termSize(i, e.row, ex.term, &e.work))
		dual += ex.term
	}
	return dual
}

// norm returns sqrt(K_ii).
func (e *kernelCertifier) norm(i int) float64 { return Root(e.diagonal[i]) }

// couple sets f to R f.
func (e *kernelCertifier) couple(f []float64, r vec.Matrix[float64]) {
	vec.Gemv(1, r, f, 0, e.row)
	copy(f, e.row)
}
