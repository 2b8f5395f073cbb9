package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// OneClass is the sum over all outputs c of max(0, -s_c): the hinge of scores that are to be positive, without a
// margin. There are no classes: y in the methods of [Loss] is not used. With an offset -rho of one output, whose dual
// variables have a given sum, it is the loss of the one-class support vector machine (Schölkopf, Platt, Shawe-Taylor,
// Smola, Williamson, Estimating the support of a high-dimensional distribution, Neural Computation 13, 2001), LIBSVM's
// -s 2 and LIBLINEAR's -s 21.
//
// The conjugate at u is 0 on the domain -1 <= u_c <= 0. So a block has 0 <= a_c <= r, and its dual term is 0.
type OneClass[T vec.Float] struct{}

// Traits returns the name, that there are no classes, and that it is a sum over outputs.
func (OneClass[T]) Traits() Traits { return Traits{Name: "one-class", Sets: true, Separable: true} }

// With refuses K > 1 and smoothing: there is neither.
func (l OneClass[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Primal returns the loss. O(m).
func (OneClass[T]) Primal(s []T, _ []int, _ *Workspace[T]) (sum float64) {
	for _, v := range s {
		sum += max(0, -float64(v))
	}
	return sum
}

// Dual returns 0.
func (OneClass[T]) Dual([]T, []int, float64, *Workspace[T]) float64 { return 0 }

// Visit moves each a_c to clip(a_c - s_c/h, 0, r).
func (l OneClass[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	gap = r*l.Primal(s, y, w) + inner64(a, s)
	if !(gap > least) {
		return gap, 0, false
	}
	most := below[T](r)
	s, delta = s[:len(a)], delta[:len(a)]
	for c, v := range a {
		x := min(T(max(0, float64(v)-float64(s[c])/h)), most)
		delta[c], a[c] = x-v, x
		moved = moved || x != v
	}
	return gap, 0, moved
}

// Ones returns true.
func (OneClass[T]) Ones() bool { return true }

// VisitOne is Visit.
func (OneClass[T]) VisitOne(a, s T, _ bool, _ int, h, r, _, least float64) (to T, gap, after float64) {
	x, score := float64(a), float64(s)
	gap = max(x*score, (x-r)*score)
	if !(gap > least) {
		return a, gap, 0
	}
	return min(T(max(0, x-score/h)), below[T](r)), gap, 0
}

// Bounds sets r.
func (OneClass[T]) Bounds(most []T, r float64) (all bool) {
	for c := range most {
		most[c] = below[T](r)
	}
	return true
}

// Within returns true.
func (OneClass[T]) Within([]T, []int, float64) bool { return true }

// Repair gives every entry at least 0 and at most r.
func (OneClass[T]) Repair(a []T, _ []int, r float64, _ *Workspace[T]) {
	most := below[T](r)
	for c, v := range a {
		a[c] = min(max(v, 0), most)
	}
}

// Reach returns r over the largest entry.
func (OneClass[T]) Reach(a []T, _ []int, r float64) float64 {
	reach := math.Inf(1)
	for _, v := range a {
		if v != 0 {
			reach = min(reach, r/math.Abs(float64(v)))
		}
	}
	return reach
}

// At sets a_c to r where the score is below 0.
func (OneClass[T]) At(a, s []T, _ []int, r float64, _ *Workspace[T]) {
	most := below[T](r)
	for c, v := range s {
		a[c] = 0
		if v < 0 {
			a[c] = most
		}
	}
}
