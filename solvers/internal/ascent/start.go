package ascent

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// start sets A to the multiple of the given dual variables that is feasible and has the largest dual objective. certify
// computes the certificate of A, and norm returns <A, K A R> for the A of the last one.
func (s *common[T]) start(duals vec.Matrix[T], certify func() (solvers.Certificate, error),
	norm func() float64) (solvers.Certificate, error) {
	if err := CheckDuals(duals, s.n, s.m); err != nil {
		return solvers.Certificate{}, err
	}
	scale, bounded := s.reach(duals)
	switch {
	case math.IsInf(scale, 1): // all are 0
		return certify()
	case s.p.Sum != 0: // which a multiple may not have
		if sum := sumOf(duals); sum != 0 {
			scale = min(scale, math.Abs(s.p.Sum/sum))
		}
		s.multiple(duals, scale)
		return certify()
	case !bounded:
		scale = min(scale, 4)
	}
	s.multiple(duals, scale)
	certificate, err := certify()
	if err != nil {
		return certificate, err
	}
	switch t := s.bestMultiple(1/scale, norm()); t {
	case 1:
		return certificate, nil
	case 1 / scale: // to the bit what was given
		s.multiple(duals, 1)
	default:
		s.multiple(s.a, t)
	}
	return certify()
}

// reach returns the largest multiple of the given dual variables that is feasible, +Inf where all are 0, and whether
// their domain has a bound.
func (s *common[T]) reach(duals vec.Matrix[T]) (scale float64, bounded bool) {
	scale = math.Inf(1)
	for i := range s.ex {
		row := duals.Row(i)
		most := 0.0
		for _, v := range row {
			most = max(most, math.Abs(float64(v)))
		}
		if r := s.ex[i].r; r > 0 && most > 0 {
			reach := s.p.Loss.Reach(row, s.p.Labels.Of(i), r)
			bounded = bounded || !math.IsInf(reach, 1)
			// Dual variables without bound are some r_i large; this keeps what is far from that within the range of T.
			scale = min(scale, reach, 1e3*r/most)
		}
	}
	if scale < 1 && scale >= 1-4*train.Epsilon[T]() { // outside for rounding alone, which multiple brings back
		scale = 1
	}
	return scale, bounded
}

// CheckDuals returns an error unless duals are finite numbers of n examples and m outputs.
func CheckDuals[T vec.Float](duals vec.Matrix[T], n, m int) error {
	if err := duals.Validate(); err != nil {
		return fmt.Errorf("dual variables to start from: %w", err)
	}
	if duals.Rows != n || duals.Cols != m {
		return fmt.Errorf("%d-by-%d dual variables to start from, for %d examples and %d outputs", duals.Rows,
			duals.Cols, n, m)
	}
	for i := range n {
		for c, v := range duals.Row(i) {
			if v-v != 0 {
				return fmt.Errorf("dual variable %v of row %d and output %d, want a finite number", v, i, c)
			}
		}
	}
	return nil
}

// bestMultiple returns the t in [0,1] for which t A has the largest dual objective, up to some percent of t, and the
// given one where that is almost as good: it may be the solution. It is 0 where every multiple is worse than that. The
// objective is concave in t: golden section, on an interval that shrinks while t is a small part of it.
func (s *common[T]) bestMultiple(given, norm float64) float64 {
	row := make([]T, s.m)
	value := func(t float64) float64 {
		sum := -t*t*norm/2 - t*s.tilt
		for i := range s.ex {
			if s.ex[i].zero {
				sum += s.ex[i].term
				continue
			}
			for c, v := range s.a.Row(i) {
				row[c] = T(t * float64(v))
			}
			s.work.Example = i
			sum += s.p.Loss.Dual(row, s.p.Labels.Of(i), s.ex[i].r, &s.work)
		}
		return sum
	}
	const golden = 0.6180339887498949
	t := 1.0
	for most := 1.0; ; most = 2 * t {
		low, high := 0.0, most
		for range 10 {
			if left, right := high-golden*(high-low), low+golden*(high-low); value(left) < value(right) {
				low = left
			} else {
				high = right
			}
		}
		t = (low + high) / 2
		if t > most/8 || t < 1e-30 {
			break
		}
	}
	best := value(t)
	switch {
	case best <= value(0):
		return 0
	case value(1) >= best:
		t, best = 1, value(1)
	}
	if given <= 1 && value(given) >= best-1e-4*math.Abs(best) {
		t = given
	}
	return t
}

// multiple sets A to a multiple of the given dual variables, moved into their domain where rounding leaves it.
func (s *common[T]) multiple(duals vec.Matrix[T], t float64) {
	for i := range s.ex {
		ex, a := &s.ex[i], s.a.Row(i)
		if ex.r == 0 || isZero(duals.Row(i)) {
			continue
		}
		for c, v := range duals.Row(i) {
			a[c] = T(t * float64(v))
		}
		s.work.Example = i
		s.p.Loss.Repair(a, s.p.Labels.Of(i), ex.r, &s.work)
		ex.zero, s.changed[i] = isZero(a), 1
		if ex.zero { // a certificate takes its dual term as it is
			ex.term = s.p.Loss.Dual(a, s.p.Labels.Of(i), ex.r, &s.work)
		}
	}
}
