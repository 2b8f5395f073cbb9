package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// TopKUsunier is the top-k loss of Usunier, beta: the mean of the K largest of max(0, h_j), h_j = 1 + s_j - s_y, j !=
// y, equation (5). 1 <= K <= m-1. With Smoothing > 0 it is smoothed: the maximum of <h,u> - Smoothing/2 |u|² over its
// set.
type TopKUsunier[T vec.Float] struct {
	K         int
	Smoothing float64
}

// Traits returns the name, and that a visit is one kernel for K = 1 without smoothing.
func (l TopKUsunier[T]) Traits() Traits {
	return Traits{Name: "top-k Usunier", Fused: l.crammerSinger()}
}

// With sets K and Smoothing.
func (l TopKUsunier[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := check(k, smoothing); err != nil {
		return nil, err
	}
	return TopKUsunier[T]{K: k, Smoothing: smoothing}, nil
}

// crammerSinger reports whether this is the multiclass hinge of Crammer and Singer.
func (l TopKUsunier[T]) crammerSinger() bool { return l.K == 1 && l.Smoothing == 0 }

// Primal returns the loss. O(m) for small K.
func (l TopKUsunier[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	if l.Smoothing > 0 {
		u := scaledMargins(s, y[0], l.Smoothing, w)
		project.TopKSimplexBeta(u, u, l.K, 1, 0, &w.projection)
		return smoothed(u, l.Smoothing, w)
	}
	sum, margin := 0.0, 1-float64(s[y[0]])
	for _, v := range largest(s, y[0], l.K, w) {
		sum += max(0, float64(v)+margin)
	}
	return sum / float64(l.K)
}

// Dual returns <1,x> - Smoothing/(2r) |x|², Proposition 5.
func (l TopKUsunier[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	return sumOthers(a, y[0]) - penalty(a, y[0], l.Smoothing, r)
}

// Visit moves a block to its optimum.
func (l TopKUsunier[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	if l.crammerSinger() {
		return visitFused(l, a, s, y, h, r, term, least, delta, w)
	}
	return Visit(l, a, s, y, h, r, term, least, delta, w)
}

// Update is section 5: the biased projection onto the simplex of radius r with elements of at most r/K.
func (l TopKUsunier[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	b := w.take(len(a) - 1)
	inv, rho := curvature(h, l.Smoothing, r)
	target(b, a, s, y[0], 1, inv, rho)
	th := project.TopKSimplexBeta(b, b, l.K, inner[T](r), rho, &w.projection)
	settle(b, l.K, r, th.U, false)
	return moveX(a, b, y[0], delta)
}

// Repair moves a into the set.
func (l TopKUsunier[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	repair(a, y[0], l.K, r, false, w)
}

// Reach returns the t at which the sum of t x is r or its largest element r/K.
func (l TopKUsunier[T]) Reach(a []T, _ []int, r float64) float64 {
	most := 0.0
	for _, v := range a {
		most = max(most, -float64(v))
	}
	return r / max(positive(a), float64(l.K)*most)
}
