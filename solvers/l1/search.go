package l1

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// search moves along the step as far as the objective falls enough, and computes the losses there. Most steps are taken
// whole, and then no other is tried.
func (s *scratch[T]) search(work []int32, w []float64) bool {
	const enough, rounding = 0.01, 1e-15
	m, before := &s.local, s.value
	decrease := m.decrease()
	if !(decrease < 0) {
		return false
	}
	norm := vec.AbsSum(w)
	along := func(value, t float64) float64 {
		change := value - before
		for q, d := range m.step {
			change += math.Abs(m.from[q]+t*d) - math.Abs(m.from[q])
		}
		return change
	}
	copy(s.ahead, s.scores)
	vec.Axpy64(1, s.delta, s.ahead)
	s.at(s.ahead)
	t, change := 1.0, along(s.value, 1)
	for tries := 0; !(change <= enough*t*decrease+rounding*(before+norm)); tries++ {
		if tries == 40 {
			s.at(s.scores)
			return false
		}
		t /= 2
		change = along(s.along(s.scores, s.delta, t), t)
	}
	if to := further(t, change, decrease); to != t && along(s.along(s.scores, s.delta, to), to) < change {
		t = to
	}
	for q, d := range m.step {
		if d != 0 {
			w[work[q]] = m.from[q] + t*d
		}
	}
	if t == 1 {
		s.scores, s.ahead = s.ahead, s.scores
		return true
	}
	vec.Axpy64(t, s.delta, s.scores)
	s.at(s.scores)
	return true
}

// further returns where the parabola through what is known of a step at 0 and at t is least, or t where that is near.
func further(t, change, decrease float64) float64 {
	to := min(max(t*t*decrease/(2*(t*decrease-change)), t/2), 4*t)
	switch {
	case to > t*1.1:
		return max(to, 1.5*t)
	case to > t*.8:
		return t
	}
	return to
}
