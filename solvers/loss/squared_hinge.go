package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// SquaredHinge is the squared hinge of one against all: the sum over all classes c of max(0, 1 - t_c s_c)², where t_c
// is +1 for a true class and -1 for any other. Any number of classes may be true, none and all too.
//
// The entries of a block are t_c x_c, where x_c >= 0 has no upper bound, and the dual term is the sum of x_c -
// x_c²/(4r). Each class by itself is LIBLINEAR's SVM with L2-loss, where C = r; there the dual term is alpha -
// alpha²/(4C).
type SquaredHinge[T vec.Float] struct{}

// Traits returns the name, that it is for sets of true classes, and that it is a sum over classes.
func (SquaredHinge[T]) Traits() Traits {
	return Traits{Name: "squared hinge", Sets: true, Separable: true}
}

// With refuses K > 1 and smoothing: there is neither.
func (l SquaredHinge[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Primal returns the loss. O(m).
func (SquaredHinge[T]) Primal(s []T, y []int, _ *Workspace[T]) float64 {
	sum, from := 0.0, 0
	for _, c := range y {
		margin := max(0, 1-float64(s[c]))
		sum += squaredMargins(s[from:c]) + margin*margin
		from = c + 1
	}
	return sum + squaredMargins(s[from:])
}

// squaredMargins returns the loss of classes that are not true.
func squaredMargins[T vec.Float](s []T) (sum float64) {
	for _, v := range s {
		margin := max(0, 1+float64(v))
		sum += margin * margin
	}
	return sum
}

// Dual returns the sum over c of x_c - x_c²/(4r).
func (SquaredHinge[T]) Dual(a []T, _ []int, r float64, _ *Workspace[T]) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range a {
		x := math.Abs(float64(v))
		sum += x
		squares += x * x
	}
	return sum - squares/(4*r)
}

// Visit moves a block to its optimum.
func (l SquaredHinge[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return visit(l, a, s, y, h, r, term, least, delta, w)
}

// update takes the classes one by one, since no term of the objective holds two of them. Each x_c moves to the maximum
// over x >= 0 of x - x²/(4r) - t_c s_c (x - x_c) - h/2 (x - x_c)², which is at
//
//	max(0, x_c + (1 - t_c s_c - x_c/(2r)) / (h + 1/(2r))).
func (SquaredHinge[T]) update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	curve := 1 / (2 * r)
	b, inv, bend := w.take(len(a)), T(1/(float64(h)+curve)), T(curve)
	s = s[:len(b)]
	for j, v := range a { // as if no class were true
		b[j] = min(0, v-(1+s[j]+v*bend)*inv)
	}
	for _, c := range y {
		b[c] = max(0, a[c]+(1-s[c]-a[c]*bend)*inv)
	}
	return move(a, b, delta)
}

// Repair gives every entry the sign of its class, or 0.
func (SquaredHinge[T]) Repair(a []T, y []int, _ float64, _ *Workspace[T]) {
	each(len(a), y, func(j int, isTrue bool) {
		if isTrue {
			a[j] = max(0, a[j])
		} else {
			a[j] = min(0, a[j])
		}
	})
}

// Reach returns +Inf: dual variables have no bound.
func (SquaredHinge[T]) Reach([]T, []int, float64) float64 { return math.Inf(1) }
