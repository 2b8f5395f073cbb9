package ascent

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// A prior W0 takes the place of 0: the penalty is 1/2 |W - W0|², with a coupling 1/2 <R⁻¹, (W-W0)ᵀ (W-W0)>, and
//
//	W = W0 + V,  V = Xᵀ A R,    D(A) = lambda (sum of the dual terms - <Xᵀ A, W0> - 1/2 <A, K A R>)
//
// Steps see none of it: they begin at W = W0, and extrapolations, which are affine, leave W0 where it is. Without a
// coupling <V, W0> + 1/2 |V|² is (|W|² - |W0|²)/2, and with one likewise: wherever steps compare dual values, the terms
// of W are the same as without a prior. So "the quadratic term" of the dual, counts.quadratic, is
//
//	<Xᵀ A, W0> + 1/2 <A, K A R>.

// hasPrior reports whether W0 is anything but 0.
func (p *Problem[T]) hasPrior() bool { return p.Prior.Rows > 0 }

// origin sets w to W of A = 0.
func (s *linearSolver[T]) origin(w *vec.Matrix[T]) {
	if !s.p.hasPrior() {
		clear(w.Data)
		return
	}
	of := weights[T]{*w, s.weights.byClass}
	of.round(s.p.Prior, s.m, false)
}

// fromWeights returns the quadratic term of W, where there is no coupling.
func (s *linearSolver[T]) fromWeights() float64 {
	if s.p.hasPrior() { // W0 may be much larger than V: sums are in float64
		return s.momentum.squaredNorm(s.weights.Data)/2 - s.base
	}
	return float64(vec.SquaredNorm(s.weights.Data)) / 2
}

// setBase sets what fromWeights takes away, from W = W0.
func (s *linearSolver[T]) setBase() {
	if s.p.hasPrior() {
		s.origin(&s.weights.Matrix)
		s.base = s.momentum.squaredNorm(s.weights.Data) / 2
	}
}

// square returns <A, K A R> as of the last certificate.
func (s *linearSolver[T]) square() float64 {
	if s.offset.on {
		return s.offset.form
	}
	if s.p.coupled() || s.p.hasPrior() {
		return 2 * (s.quadratic - s.tilt)
	}
	return vec.SquaredNorm(s.exact.parts[0].w.Data)
}

// inner returns the sum of the products of numbers of w, which has columns of 0 behind it, and of W0.
func (p *Problem[T]) inner(w vec.Matrix[float64]) (sum float64) {
	for j := range p.Prior.Rows {
		sum += vec.Dot(w.Row(j)[:p.Outputs], p.Prior.Row(j))
	}
	return sum
}

// addPrior adds W0 to w, if there is one.
func (p *Problem[T]) addPrior(w vec.Matrix[float64]) {
	for j := range p.Prior.Rows {
		vec.Axpy(1, p.Prior.Row(j), w.Row(j)[:p.Outputs])
	}
}

// distance returns |w - W0|².
func (p *Problem[T]) distance(w vec.Matrix[float64]) (sum float64) {
	if !p.hasPrior() {
		return vec.SquaredNorm(w.Data)
	}
	for j := range p.Prior.Rows {
		sum += vec.SquaredDistance(w.Row(j)[:p.Outputs], p.Prior.Row(j))
	}
	return sum
}

// atPrior returns the certificate of W = W0 and A = 0, which Zero is with a prior.
func (s *linearSolver[T]) atPrior() solvers.Certificate {
	e := s.exact
	w := e.parts[0].room()
	clear(w.Data)
	s.p.addPrior(w)
	primal := 0.0
	if !s.p.coupled() { // see Certify
		for k, v := range w.Data {
			w.Data[k] = float64(T(v))
		}
		s.hold(w)
		primal = s.p.distance(w) / 2
	}
	e.w = w
	dual := make([]float64, len(e.parts))
	parallel.Do(len(e.parts), len(e.parts), func(_, q int) {
		e.losses(s, e.parts[q], addLoss)
		_, dual[q] = s.p.zero(e.parts[q].from, e.parts[q].to)
	})
	losses, terms := 0.0, 0.0
	for q, p := range e.parts {
		losses, terms = losses+p.sum, terms+dual[q]
	}
	return solvers.Certificate{Primal: s.p.Lambda * (losses + primal), Dual: s.p.Lambda * terms}
}

// priorOf returns the rows of W0 of some features, and of the constant one.
func (p *Problem[T]) priorOf(features []int32) vec.Matrix[float64] {
	if !p.hasPrior() || features == nil {
		return p.Prior
	}
	rows := len(features)
	if p.Constant != 0 {
		rows++
	}
	some := vec.NewMatrix[float64](rows, p.Prior.Cols)
	for q, j := range features {
		copy(some.Row(q), p.Prior.Row(int(j)))
	}
	if p.Constant != 0 {
		copy(some.Row(rows-1), p.Prior.Row(p.Prior.Rows-1))
	}
	return some
}

// priorWithin returns the columns of W0 of some outputs.
func (p *Problem[T]) priorWithin(outputs []int) vec.Matrix[float64] {
	if !p.hasPrior() {
		return p.Prior
	}
	some := vec.NewMatrix[float64](p.Prior.Rows, len(outputs))
	for j := range some.Rows {
		row := p.Prior.Row(j)
		for q, c := range outputs {
			some.Row(j)[q] = row[c]
		}
	}
	return some
}
