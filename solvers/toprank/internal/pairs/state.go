package pairs

import "github.com/dualgap/dualgap/internal/container"

// Save writes the variables, the scores and where the search for the scalar is.
func (s *Solver[T]) Save(w *container.Writer) {
	method := pairSteps
	switch {
	case s.interior == nil:
	case s.interior.exhausted:
		method = interiorExhausted
	default:
		method = interiorSteps
	}
	s.fields(w.Fields, &method)
	if method == interiorSteps {
		s.interior.solver.Save(w)
	}
}

// What a state says of the method.
const (
	pairSteps = iota
	interiorSteps
	interiorExhausted
)

// fields are what a state holds besides the interior point method's: do writes or reads them.
func (s *Solver[T]) fields(do func(tag string, of ...any), method *int) {
	c := &s.scalar
	do("step", &s.count, &s.began, &c.tries, method, &s.tryInterior)
	do("scal", &c.at, &c.low, &c.high, &c.lowSlope, &c.highSlope, &c.sign, &c.factor, &s.eps, &c.to)
	do("cert", &s.Certificate.Primal, &s.Certificate.Dual)
	var x []any
	for _, g := range s.groups {
		x = append(x, g.x)
	}
	do("vars", x...)
	do("scor", s.f)
}

// Load reads what Save wrote of the same problem into a new Solver.
func (s *Solver[T]) Load(r *container.Reader) {
	method, c := pairSteps, &s.scalar
	s.fields(r.FiniteFields, &method)
	if method > interiorExhausted || s.eps <= 0 || s.hasScalar() && c.at <= 0 ||
		min(c.low, c.high, c.factor, c.to) < 0 {
		r.Corrupt("the method %d, a violation of %v, a search for the scalar at %+v", method, s.eps, *c)
	}
	if r.Err() != nil {
		return
	}
	if s.hasScalar() {
		s.setScalar(c.at)
	}
	for _, g := range s.groups {
		for _, v := range g.x {
			if k := s.sides[g.side]; v < k.lower || v > k.upper {
				r.Corrupt("a variable of %v outside [%v, %v]", v, k.lower, k.upper)
				return
			}
		}
	}
	switch method {
	case interiorSteps:
		s.interior = s.newInteriorPoint()
		if s.interior.solver != nil {
			s.interior.solver.Load(r)
		}
	case interiorExhausted:
		s.interior = &interiorPoint{exhausted: true}
	}
}
