package oneclass

import (
	"github.com/dualgap/dualgap/internal/container"
)

// Save writes the dual variables, w, and the examples that matter with their scores.
func (s *solver[T]) Save(w *container.Writer) {
	flags := 0
	if s.begun {
		flags |= 1
	}
	if s.stuck {
		flags |= 2
	}
	w.Ints("step", s.epoch, s.touched, flags)
	container.Floats(w, "step", []float64{s.within, s.rho, s.square, s.gap})
	random, _ := s.random.MarshalBinary() // never fails
	w.Bytes("rand", random)
	container.Floats(w, "dual", s.a)
	container.Floats(w, "wght", s.w)
	container.Floats(w, "scor", s.g)
	w.Indices("actv", s.active)
}

// Load: see train.Method.
func (s *solver[T]) Load(r *container.Reader) {
	counts, numbers := r.Ints("step", 3), container.ReadFloats[float64](r, "step", 4)
	random := r.Bytes("rand", container.Any)
	a, w := container.ReadFloats[float64](r, "dual", s.n), container.ReadFloats[float64](r, "wght", s.d)
	g, active := container.ReadFloats[float64](r, "scor", s.n), r.Indices("actv", container.Any, s.n)
	if r.Err() != nil {
		return
	}
	if err := s.random.UnmarshalBinary(random); err != nil {
		r.Corrupt("generator of random numbers: %v", err)
		return
	}
	if !container.Counts(counts[0]) || counts[1] < 0 || counts[2]&^3 != 0 ||
		!(numbers[0] >= 0 && numbers[2] >= 0) {
		r.Corrupt("rounds, rows and flags %v, sum, threshold, |w|² and gap %v", counts, numbers)
		return
	}
	for _, some := range [][]float64{numbers, a, w, g} {
		for i, v := range some {
			if v-v != 0 {
				r.Corrupt("number %d is %v", i, v)
				return
			}
		}
	}
	for i, v := range a {
		if !(0 <= v && v <= s.r[i]) {
			r.Corrupt("dual variable %v of example %d, of weight %v", v, i, s.r[i])
			return
		}
	}
	for q := 1; q < len(active); q++ {
		if active[q] <= active[q-1] {
			r.Corrupt("example %d matters after %d", active[q], active[q-1])
			return
		}
	}
	s.epoch, s.touched, s.begun, s.stuck = counts[0], counts[1], counts[2]&1 != 0, counts[2]&2 != 0
	s.within, s.rho, s.square, s.gap = numbers[0], numbers[1], numbers[2], numbers[3]
	s.a, s.w, s.g, s.active = a, w, g, append(s.active[:0], active...)
}
