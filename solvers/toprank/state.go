package toprank

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
)

// Save writes the active set and, of the active examples, the variables, the scores and where the search for the scalar is.
func (s *training[T]) Save(w *container.Writer) {
	s.set.Save(w)
	w.Ints("rank", s.epoch, s.visits)
	container.Floats(w, "esti", []float64{s.estimate.Primal, s.estimate.Dual, s.goal})
	if s.in == nil {
		w.Ints("step")
		return
	}
	c, in := &s.in.scalar, s.in
	w.Ints("step", in.steps, c.tries)
	alpha, _ := in.of(0)
	beta, _ := in.of(1)
	container.Floats(w, "scal", []float64{c.at, c.low, c.high, c.rising, c.fall, c.side, c.factor, in.eps})
	container.Floats(w, "alph", alpha)
	container.Floats(w, "beta", beta)
	container.Floats(w, "scor", in.f)
}

func (s *training[T]) Load(r *container.Reader) {
	s.set.Load(r)
	counts, estimate, steps := r.Ints("rank", 2), container.ReadFloats[float64](r, "esti", 3), r.Ints("step", -1)
	if r.Err() != nil {
		return
	}
	s.epoch, s.visits = counts[0], counts[1]
	s.estimate.Primal, s.estimate.Dual = estimate[0], estimate[1]
	if s.epoch < 0 || s.epoch > math.MaxInt32/2 || s.visits < 0 || len(steps) != 0 && (len(steps) != 2 || min(steps[0], steps[1]) < 0) {
		r.Corrupt("epoch %d, %d visits, steps %d", s.epoch, s.visits, steps)
		return
	}
	if len(steps) == 0 {
		return
	}
	s.activate(nil, s.set.At())
	s.goal = estimate[2]
	in := s.in
	c, f := container.ReadFloats[float64](r, "scal", 8), len(in.f)
	alpha, beta := in.of(0)
	alpha = container.ReadFloats[float64](r, "alph", len(alpha))
	beta, _ = in.of(1)
	beta, scores := container.ReadFloats[float64](r, "beta", len(beta)), container.ReadFloats[float64](r, "scor", f)
	if r.Err() != nil {
		return
	}
	if in.tied() {
		in.hold(c[0])
	}
	in.scalar = scalar{at: c[0], low: c[1], high: c[2], rising: c[3], fall: c[4], side: c[5], factor: c[6], tries: steps[1]}
	in.eps, in.steps, in.f = c[7], steps[0], scores
	in.each(0, func(g *group, u int) { g.x[u], alpha = alpha[0], alpha[1:] })
	in.each(1, func(g *group, u int) { g.x[u], beta = beta[0], beta[1:] })
}
