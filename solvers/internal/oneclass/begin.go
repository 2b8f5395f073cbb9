package oneclass

// The first dual variables are r_i of the examples with the lowest scores, as at an optimum, and 0 of the others. The
// scores are of a w that is about the optimum of a sample, whose first scores are of the sum of its examples. Where
// examples are few all of them are the sample.
const (
	oneOf       = 32   // examples that one of the sample stands for, at most
	leastSample = 150  // examples
	tries       = 8    // rounds on the sample, at most
	enough      = .001 // part of |w|² that the gap of the sample may be
)

// begin sets the first dual variables and w.
func (s *solver[T]) begin() {
	sampled, part := s.sample(), 0.0
	if s.weight > 0 {
		part = s.p.Sum / s.weight
	}
	for _, i := range s.active {
		s.add(i, s.r[i]*part)
	}
	s.renew()
	s.lowest()
	if sampled {
		for range tries {
			if s.gap <= enough*s.square {
				break
			}
			s.round()
		}
		s.all()
		s.renew()
		s.lowest()
	}
	s.begun, s.stuck = true, false
}

// sample makes one of some examples that follow each other active, at random, with their share of N, and reports
// whether these are not all.
func (s *solver[T]) sample() bool {
	s.all()
	of := min(oneOf, s.n/leastSample)
	if of < 2 {
		return false
	}
	s.active = s.active[:0]
	weight := 0.0
	for from := 0; from+of <= s.n; from += of {
		i := from + int(s.random.Uint64()%uint64(of))
		s.active = append(s.active, i)
		weight += s.r[i]
	}
	s.within *= weight / s.weight
	if weight == 0 {
		s.all()
		return false
	}
	return true
}

// lowest sets the dual variables by the scores of the active examples, which are those that there are, and computes the
// scores of their w.
func (s *solver[T]) lowest() {
	s.rho = s.threshold()
	clear(s.a)
	clear(s.w)
	rest := s.within
	for _, i := range s.active {
		if s.g[i] < s.rho {
			s.add(i, s.r[i])
			rest -= s.r[i]
		}
	}
	for _, i := range s.active {
		if s.g[i] == s.rho && rest > 0 {
			t := min(rest, s.r[i])
			s.add(i, t)
			rest -= t
		}
	}
	s.renew()
	s.shrink()
	s.measure()
}

// add sets a_i, which is 0, to v.
func (s *solver[T]) add(i int, v float64) {
	s.a[i] = v
	if v > 0 {
		s.rows.add(s.w, i, v)
		s.touched++
	}
}

// renew computes the scores of the active examples.
func (s *solver[T]) renew() {
	s.rows.scores(s.g, s.w, s.active)
	s.touched += len(s.active)
}
