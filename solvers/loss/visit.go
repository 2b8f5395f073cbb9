package loss

import "github.com/dualgap/dualgap/vec"

// Maximizer is what Visit needs of a loss.
type Maximizer[T vec.Float] interface {
	Primal(s []T, y []int, w *Workspace[T]) float64
	Dual(a []T, y []int, r float64, w *Workspace[T]) float64

	// Update moves a to the maximum of the dual objective over the block, -r phi*(-a/r) - <s, a - before> - h/2
	// |a - before|², sets delta to the move, and reports whether that is not zero. It writes no more than len(a)
	// elements of delta.
	Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool
}

// Visit is the Visit of a loss by its primal value, its update and its dual term, one after the other. A loss passes
// itself as a type parameter: as an interface it would be allocated. (Where a is 0, <a,s> tells no more than whether a
// score is NaN.)
func Visit[L Maximizer[T], T vec.Float](
	l L, a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	gap = r*l.Primal(s, y, w) - term
	if !w.Zero || gap > least {
		gap += float64(vec.Dot(a, s))
	}
	if !(gap > least) || !l.Update(a, s, y, T(h), r, delta, w) {
		return gap, term, false
	}
	return gap, l.Dual(a, y, r, w), true
}

// move sets a to b and delta to the difference, and reports whether there is any.
func move[T vec.Float](a, b, delta []T) (moved bool) {
	b, delta = b[:len(a)], delta[:len(a)]
	for j, v := range b {
		step := v - a[j]
		if step != 0 {
			moved = true
		}
		delta[j], a[j] = step, v
	}
	return moved
}

// positive returns the sum of the positive elements of a, in float64.
func positive[T vec.Float](a []T) float64 {
	sum := 0.0
	for _, v := range a {
		sum += max(0, float64(v))
	}
	return sum
}
