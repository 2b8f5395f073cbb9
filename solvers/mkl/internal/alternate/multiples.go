package alternate

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// bestPrimal returns the multiple t <= 2 of a model that has the least objective, and that objective,
//
//	P(t) = t²/2 |w|² + sum_i r_i loss(t s_i)
//
// which is convex in t: golden section, down to 1e-8 of t.
func (s *Solver[T]) bestPrimal(square float64, at []int, scores func(p int) []T) (t, primal float64) {
	losses := s.lossesAt(at, scores)
	value := func(t float64) float64 { return t*t/2*square + losses(t) }
	const golden = 0.6180339887498949
	low, high := 0.0, 2.0
	left, right := high-golden*(high-low), low+golden*(high-low)
	atLeft, atRight := value(left), value(right)
	for range 40 {
		if atLeft < atRight {
			high, right, atRight = right, left, atLeft
			left = high - golden*(high-low)
			atLeft = value(left)
		} else {
			low, left, atLeft = left, right, atRight
			right = low + golden*(high-low)
			atRight = value(right)
		}
	}
	t, primal = 1, value(1)
	if least := min(atLeft, atRight); least < primal {
		t, primal = left, atLeft
		if atRight < atLeft {
			t, primal = right, atRight
		}
	}
	return t, primal
}

// lossesAt returns the sum of the losses of examples at a multiple of their scores. The multi-class hinge is max(0, 1 -
// t margin).
func (s *Solver[T]) lossesAt(at []int, scores func(p int) []T) func(t float64) float64 {
	if hinge, ok := s.inner.Loss.(loss.TopKHinge[T]); !ok || hinge.K > 1 {
		row := make([]T, s.m)
		return func(t float64) (sum float64) {
			for p, i := range at {
				for c, v := range scores(p) {
					row[c] = T(t * float64(v))
				}
				sum += s.inner.Radius[i] * s.inner.Loss.Primal(row, s.inner.Labels.Of(i), &s.work)
			}
			return sum
		}
	}
	margins := make([]float64, len(at))
	for p, i := range at {
		f, y, worst := scores(p), s.inner.Labels.One[i], math.Inf(-1)
		for c, v := range f {
			if c != y {
				worst = max(worst, float64(v))
			}
		}
		margins[p] = float64(f[y]) - worst
	}
	return func(t float64) (sum float64) {
		for p, i := range at {
			sum += s.inner.Radius[i] * max(0, 1-t*margins[p])
		}
		return sum
	}
}

// bestDual returns the multiple t of dual variables with the given sum of dual terms and |theta|² that has the largest
// objective, D(t) = t terms - t²/2 |theta|², among those up to reach, and that objective. The losses have dual terms
// that are linear in A.
func bestDual(terms, square, reach float64) (t, dual float64) {
	if t = min(reach, 1e6); t*square > terms {
		t = max(0, terms/square)
	}
	return t, t*terms - t*t/2*square
}

// reach returns the largest multiple of the dual variables of examples that is feasible.
func (s *Solver[T]) reach(at []int, duals func(p int) []T) float64 {
	reach := 1e6
	for p, i := range at {
		if a := duals(p); !isZero(a) {
			reach = min(reach, s.inner.Loss.Reach(a, s.inner.Labels.Of(i), s.inner.Radius[i]))
		}
	}
	return reach
}

func isZero[T vec.Float](a []T) bool {
	return !slices.ContainsFunc(a, func(v T) bool { return v != 0 })
}
