package toprank

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
)

// Save writes which examples are active and where the training on them is.
func (s *training[T]) Save(w *container.Writer) {
	s.set.Save(w)
	begun, near := 0, 0
	if s.in != nil {
		begun = 1
	}
	if s.near {
		near = 1
	}
	w.Ints("rank", s.epoch, s.visits, begun, near)
	container.Floats(w, "esti", []float64{s.estimate.Primal, s.estimate.Dual, s.goal})
	if s.in != nil {
		s.in.Save(w)
	}
}

func (s *training[T]) Load(r *container.Reader) {
	s.set.Load(r)
	counts, estimate := r.Ints("rank", 4), container.ReadFloats[float64](r, "esti", 3)
	if r.Err() != nil {
		return
	}
	if s.epoch, s.visits = counts[0], counts[1]; min(s.epoch, s.visits, counts[2]) < 0 || s.epoch > math.MaxInt32/2 {
		r.Corrupt("counts %d", counts)
		return
	}
	s.estimate.Primal, s.estimate.Dual = estimate[0], estimate[1]
	if counts[2] > 0 {
		s.activate(nil, s.set.At())
		s.goal, s.near = estimate[2], counts[3] > 0
		s.in.Load(r)
	}
}
