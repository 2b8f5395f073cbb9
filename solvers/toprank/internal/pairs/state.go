package pairs

import (
	"slices"

	"github.com/dualgap/dualgap/internal/container"
)

// Save writes the variables, the scores and where the search for the scalar is.
func (s *Solver[T]) Save(w *container.Writer) {
	c, method := &s.scalar, 0
	switch {
	case s.interior == nil:
	case s.interior.exhausted:
		method = 2
	default:
		method = 1
	}
	tryInterior := 0
	if s.tryInterior {
		tryInterior = 1
	}
	w.Ints("step", s.count, s.began, c.tries, method, tryInterior)
	container.Floats(w, "scal", []float64{c.at, c.low, c.high, c.lowSlope, c.highSlope, c.sign, c.factor, s.eps, c.to})
	container.Floats(w, "cert", []float64{s.Certificate.Primal, s.Certificate.Dual})
	var x []float64
	for _, g := range s.groups {
		x = append(x, g.x...)
	}
	container.Floats(w, "vars", x)
	container.Floats(w, "scor", s.f)
	if method == 1 {
		s.interior.solver.Save(w)
	}
}

// Load reads what Save wrote of the same problem into a new Solver.
func (s *Solver[T]) Load(r *container.Reader) {
	n := 0
	for _, g := range s.groups {
		n += len(g.x)
	}
	counts, c := r.Ints("step", 5), container.ReadFloats[float64](r, "scal", 9)
	certificate := container.ReadFloats[float64](r, "cert", 2)
	x, f := container.ReadFloats[float64](r, "vars", n), container.ReadFloats[float64](r, "scor", len(s.f))
	if r.Err() != nil {
		return
	}
	if min(counts[0], counts[1], counts[2], counts[3]) < 0 || counts[3] > 2 {
		r.Corrupt("counts %d", counts)
		return
	}
	for _, v := range slices.Concat(c, certificate, x, f) {
		if v-v != 0 {
			r.Corrupt("a number that is %v", v)
			return
		}
	}
	if c[7] <= 0 || s.hasScalar() && c[0] <= 0 || min(c[1], c[2], c[6], c[8]) < 0 {
		r.Corrupt("a search for the scalar at %v", c)
		return
	}
	if s.hasScalar() {
		s.setScalar(c[0])
	}
	s.scalar = scalar{at: c[0], to: c[8], low: c[1], high: c[2], lowSlope: c[3], highSlope: c[4], sign: c[5],
		factor: c[6], tries: counts[2]}
	s.eps, s.count, s.began, s.tryInterior, s.f = c[7], counts[0], counts[1], counts[4] > 0, f
	s.Certificate.Primal, s.Certificate.Dual = certificate[0], certificate[1]
	for _, g := range s.groups {
		x = x[copy(g.x, x):]
		for _, v := range g.x {
			if k := s.sides[g.side]; v < k.lower || v > k.upper {
				r.Corrupt("a variable of %v outside [%v, %v]", v, k.lower, k.upper)
				return
			}
		}
	}
	switch counts[3] {
	case 1:
		s.interior = s.newInteriorPoint()
		if s.interior.solver != nil {
			s.interior.solver.Load(r)
		}
	case 2:
		s.interior = &interiorPoint{exhausted: true}
	}
}
