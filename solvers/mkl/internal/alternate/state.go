package alternate

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
)

// Save writes the weights, the best points, which examples are active, and where the machine on them is.
func (s *Solver[T]) Save(w *container.Writer) {
	flag := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	w.Ints("mkl ", s.epoch, s.before, s.steps, s.since, s.rounds, flag(s.in != nil)+flag(s.ended), flag(s.last.known),
		flag(s.looked))
	container.Floats(w, "mkl ", []float64{s.levels.Goal, s.tol, s.last.value, s.estimate.Primal, s.estimate.Dual,
		s.rest})
	w.Indices("near", s.near)
	for _, v := range [][]float64{s.weights.log, s.weights.part, s.weights.way, s.last.log, s.last.forms} {
		container.Floats(w, "wght", v)
	}
	s.primal.save(w)
	s.dual.save(w)
	s.levels.Save(w)
	if s.in != nil {
		s.in.Save(w)
	}
}

// Load: see train.Method.
func (s *Solver[T]) Load(r *container.Reader) {
	counts, values := r.Ints("mkl ", 8), container.ReadFloats[float64](r, "mkl ", 6)
	near := r.Indices("near", container.Any, s.n)
	kernels := len(s.weights.log)
	s.weights.log = container.ReadFloats[float64](r, "wght", kernels)
	s.weights.part = container.ReadFloats[float64](r, "wght", kernels)
	s.weights.way = container.ReadFloats[float64](r, "wght", kernels)
	last := step{log: container.ReadFloats[float64](r, "wght", container.Any),
		forms: container.ReadFloats[float64](r, "wght", container.Any)}
	var primal, dual point[T]
	primal.load(r, s.n, s.m, kernels)
	dual.load(r, s.n, s.m, kernels)
	s.levels.Load(r)
	if r.Err() != nil {
		return
	}
	if counts[1] < 0 || !container.Counts(counts[0], counts[2], counts[3], counts[4]) ||
		len(last.log) != len(last.forms) ||
		len(last.log) != 0 && len(last.log) != kernels {
		r.Corrupt("counts %d, a last step of %d weights and %d forms, of %d kernels", counts, len(last.log),
			len(last.forms), kernels)
		return
	}
	if counts[5] != 0 {
		if err := s.Activate(s.levels.At()); err != nil {
			r.Corrupt("%v", err)
			return
		}
		s.in.Load(r)
	}
	last.value, last.known = values[2], counts[6] != 0
	s.epoch, s.before, s.steps, s.since, s.rounds = counts[0], counts[1], counts[2], counts[3], counts[4]
	s.levels.Goal, s.tol, s.last, s.primal, s.dual = values[0], values[1], last, primal, dual
	s.estimate, s.rest = solvers.Certificate{Primal: values[3], Dual: values[4]}, values[5]
	s.looked, s.near, s.ended = counts[7] != 0, near, counts[5] > 1
	if s.in != nil {
		s.in.Resume(s.tol)
	}
}

func (p *point[T]) save(w *container.Writer) {
	container.Floats(w, "pnt ", []float64{p.value, p.times})
	w.Indices("pnt ", p.at)
	container.Floats(w, "pnt ", p.log)
	container.WriteMatrix(w, "pnt ", p.a)
}

func (p *point[T]) load(r *container.Reader, n, m, kernels int) {
	values := container.ReadFloats[float64](r, "pnt ", 2)
	p.at = r.Indices("pnt ", container.Any, n)
	p.log = container.ReadFloats[float64](r, "pnt ", container.Any)
	p.a = container.ReadMatrix[T](r, "pnt ")
	if r.Err() != nil {
		return
	}
	p.value, p.times = values[0], values[1]
	if len(p.log) == 0 {
		p.log = nil
	}
	known := len(p.log) == kernels && p.a.Rows == len(p.at) && (p.a.Cols == m || p.a.Rows == 0)
	none := p.log == nil && len(p.at) == 0 && p.a.Rows == 0 && math.IsInf(p.value, 0)
	if !known && !none {
		r.Corrupt("a point of %d examples, %d weights and %d-by-%d dual variables", len(p.at), len(p.log), p.a.Rows,
			p.a.Cols)
	}
}
