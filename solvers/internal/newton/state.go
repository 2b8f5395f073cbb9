package newton

import (
	"github.com/dualgap/dualgap/internal/container"
)

// Save writes where the steps are.
func (s *solver[T]) Save(w *container.Writer) {
	stuck := 0
	if s.stuck {
		stuck = 1
	}
	w.Ints("step", s.epoch, stuck)
	container.Floats(w, "step", []float64{s.share, s.mu, s.at.mu})
	container.Floats(w, "wght", s.at.w)
	container.Floats(w, "scor", s.at.s)
}

// Load: see train.Method.
func (s *solver[T]) Load(r *container.Reader) {
	counts, numbers := r.Ints("step", 2), container.ReadFloats[float64](r, "step", 3)
	w, scores := container.ReadFloats[float64](r, "wght", s.d), container.ReadFloats[float64](r, "scor", s.n)
	if r.Err() != nil {
		return
	}
	sound := func(mu float64) bool { return mu == 0 && s.kink() == 0 || mu > 0 && mu <= s.kink() }
	if !container.Counts(counts[0]) || counts[1]&^1 != 0 || !(numbers[0] > 0) ||
		numbers[0] > firstShare || !sound(numbers[1]) || !sound(numbers[2]) {
		r.Corrupt("%d steps, stuck %d, share, smoothing and the last one %v", counts[0], counts[1], numbers)
		return
	}
	for _, v := range [][]float64{w, scores} {
		for i, x := range v {
			if x-x != 0 {
				r.Corrupt("weight or score %d is %v", i, x)
				return
			}
		}
	}
	s.epoch, s.stuck, s.share, s.mu, s.at.mu = counts[0], counts[1] == 1, numbers[0], numbers[1], numbers[2]
	copy(s.at.w, w)
	copy(s.at.s, scores)
	s.evaluate(s.at)
}
