package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// warm starts from the multiple of the given dual variables that is feasible and has the largest dual objective.
func (s *solver[T]) warm(duals vec.Matrix[T]) error {
	if err := duals.Validate(); err != nil {
		return fmt.Errorf("topk: dual variables to start from: %w", err)
	}
	if duals.Rows != s.n || duals.Cols != s.m {
		return fmt.Errorf("topk: %d-by-%d dual variables to start from, for %d examples and %d classes", duals.Rows, duals.Cols, s.n, s.m)
	}
	scale, any := 0.0, false
	for i := range s.ex {
		r, row := s.ex[i].r, duals.Row(i)
		sum, most := 0.0, 0.0
		for c, v := range row {
			if v-v != 0 {
				return fmt.Errorf("topk: dual variable %v of row %d and class %d, need a finite number", v, i, c)
			}
			sum += max(0, float64(v))
			most = max(most, -float64(v))
		}
		size := sum
		if s.c.Loss == Beta { // x_j <= r/K
			size = max(sum, float64(s.c.K)*most)
		}
		if r > 0 && size > 0 && (!any || r < scale*size) {
			scale, any = r/size, true
		}
	}
	if !any {
		return nil
	}
	s.scaleDuals(duals, scale)
	if err := s.certify(); err != nil {
		return err
	}
	if t := s.bestMultiple(1 / scale); t != 1 {
		s.scaleDuals(s.a, t)
		if err := s.certify(); err != nil {
			return err
		}
	}
	s.started = true
	s.bringBack()
	return nil
}

// bestMultiple returns the t in [0,1] for which t A has the largest dual objective, up to some percent of the way, and the
// given one where that is almost as good: it may be the solution. The objective is concave in t: golden section.
func (s *solver[T]) bestMultiple(given float64) float64 {
	norm := vec.SquaredNorm(s.exact.w.Data)
	row := make([]T, s.m)
	value := func(t float64) float64 {
		sum := -t * t * norm / 2
		for i := range s.ex {
			if s.ex[i].zero {
				sum += s.ex[i].term
				continue
			}
			for c, v := range s.a.Row(i) {
				row[c] = T(t * float64(v))
			}
			sum += s.loss.Dual(row, s.y.of(i), s.ex[i].r, &s.work)
		}
		return sum
	}
	const golden = 0.6180339887498949
	low, high := 0.0, 1.0
	for range 10 {
		if left, right := high-golden*(high-low), low+golden*(high-low); value(left) < value(right) {
			low = left
		} else {
			high = right
		}
	}
	t := (low + high) / 2
	if value(1) >= value(t) {
		t = 1
	}
	if given <= 1 && value(given) >= (1-1e-4)*value(t) {
		t = given
	}
	return t
}

// scaleDuals sets A to a multiple of the given dual variables, moved into their set where rounding leaves it.
func (s *solver[T]) scaleDuals(duals vec.Matrix[T], scale float64) {
	for i := range s.ex {
		ex, a := &s.ex[i], s.a.Row(i)
		if ex.r == 0 || isZero(duals.Row(i)) {
			continue
		}
		for c, v := range duals.Row(i) {
			a[c] = T(scale * float64(v))
		}
		s.loss.Repair(a, s.y.of(i), ex.r, &s.work)
		ex.zero = isZero(a)
	}
}
