package l1

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// search moves along the step as far as the objective falls enough.
func (s *scratch[T]) search(work []int32, w []float64) bool {
	const enough, rounding, mostTries = 0.01, 1e-15, 3
	m, before := &s.local, s.value
	decrease := m.decrease()
	if !(decrease < 0) {
		return false
	}
	norm := 0.0
	for _, v := range w {
		norm += math.Abs(v)
	}
	along := func(t float64) float64 {
		change := s.along(s.scores, s.delta, t) - before
		for q, d := range m.step {
			change += math.Abs(m.from[q]+t*d) - math.Abs(m.from[q])
		}
		return change
	}
	t, change := 1.0, along(1)
	for tries := 0; !(change <= enough*t*decrease+rounding*(before+norm)); tries++ {
		if tries == 40 {
			return false
		}
		t /= 2
		change = along(t)
	}
	for range mostTries { // towards the least value of the parabola through what is known
		to := min(max(t*t*decrease/(2*(t*decrease-change)), t/2), 4*t)
		if to > t*1.1 {
			to = max(to, 1.5*t)
		} else if to > t*.8 {
			break
		}
		there := along(to)
		if !(there < change) {
			break
		}
		t, change = to, there
	}
	for q, d := range m.step {
		if d != 0 {
			w[work[q]] = m.from[q] + t*d
		}
	}
	vec.Axpy64(t, s.delta, s.scores)
	return true
}
