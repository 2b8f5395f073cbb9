package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// kernelCertifier computes certificates in float64: the kernel too is computed in it, from the numbers of the examples.
type kernelCertifier struct {
	k     *kernel.Matrix[float64]
	loss  loss.Loss[float64]
	m     int                 // padded
	a, f  vec.Matrix[float64] // n-by-2m: the dual variables and, beside them, the model's coefficients; K times these
	rows  []int
	block vec.Matrix[float64] // rows of K
	some  vec.Matrix[float64] // rows of a
	work  loss.Workspace[float64]

	workers int
}

func (s *kernelSolver[T]) prepare() error {
	wide, err := s.k.Float64()
	if err != nil {
		return err
	}
	m, size := padded[float64](s.m), min(s.n, 64)
	s.exact = kernelCertifier{
		k: wide, loss: lossOf[float64](s.c), m: m, a: vec.NewMatrix[float64](s.n, 2*m), f: vec.NewMatrix[float64](s.n, 2*m),
		rows: make([]int, 0, size), block: vec.NewMatrix[float64](size, s.n), some: vec.NewMatrix[float64](size, 2*m),
		workers: s.c.Workers,
	}
	return nil
}

// certify computes the scores of all examples anew, by the dual variables and by the model's coefficients, which are these
// rounded to T, and from them the dual and the primal value.
func (s *kernelSolver[T]) certify() error {
	e, m := &s.exact, s.m
	clear(e.f.Data)
	dual := 0.0
	for _, i := range s.order {
		exact, rounded, zero := e.a.Row(i)[:m], e.a.Row(i)[e.m:], true
		for j, v := range s.a.Row(i) {
			exact[j], rounded[j] = float64(v), float64(v)
			zero = zero && v == 0
		}
		if !zero {
			e.loss.Repair(exact, s.y.of(i), s.r[i], &e.work)
			e.rows = append(e.rows, i)
		}
		s.term[i] = e.loss.Dual(exact, s.y.of(i), s.r[i], &e.work)
		dual += s.term[i]
		if len(e.rows) == cap(e.rows) {
			e.flush()
		}
	}
	e.flush()
	losses, norm := 0.0, 0.0
	for i := range s.n {
		a, f := e.a.Row(i), e.f.Row(i)
		dual -= vec.Dot(a[:m], f[:m]) / 2
		for j := range m {
			s.f.Row(i)[j] = T(f[e.m+j])
		}
		norm += vec.Dot(a[e.m:], f[e.m:])
		if s.r[i] > 0 {
			losses += s.r[i] * e.loss.Primal(f[e.m:e.m+m], s.y.of(i), &e.work)
		}
	}
	s.certificate = solvers.Certificate{Primal: s.c.Lambda * (losses + norm/2), Dual: s.c.Lambda * dual}
	s.estimate()
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return fmt.Errorf("topk: numbers outgrew %T in epoch %d: scale the features down, raise Lambda, or use float64", T(0), s.epochs)
	} else if !(norm >= 0) || gap < -1e-6*s.certificate.Primal {
		return fmt.Errorf("topk: the kernel matrix is not positive semi-definite: in epoch %d |W|² = %v, %v", s.epochs, norm, s.certificate)
	}
	return nil
}

// flush adds the part of the rows to K A.
func (e *kernelCertifier) flush() {
	size := len(e.rows)
	if size == 0 {
		return
	}
	k, a := e.block.Slice(0, size, 0, e.block.Cols), e.some.Slice(0, size, 0, e.some.Cols)
	e.k.RowsWorkers(k, e.rows, e.workers)
	for p, i := range e.rows {
		copy(a.Row(p), e.a.Row(i))
	}
	vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, k, a, 1, e.f, e.workers)
	e.rows = e.rows[:0]
}
