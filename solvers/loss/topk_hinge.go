package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// TopKHinge is the top-k hinge loss, alpha: max(0, the mean of the K largest of h_j = 1 + s_j - s_y, j != y), equation
// (3). 1 <= K <= m-1. With Smoothing > 0 it is smoothed: the maximum of <h,u> - Smoothing/2 |u|² over Delta_k, at most
// Smoothing/(2 K) less.
type TopKHinge[T vec.Float] struct {
	K         int
	Smoothing float64
}

// Traits returns the name, and that a visit is one kernel for K = 1 without smoothing.
func (l TopKHinge[T]) Traits() Traits { return Traits{Name: "top-k hinge", Fused: l.crammerSinger()} }

// With sets K and Smoothing.
func (l TopKHinge[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := check(k, smoothing); err != nil {
		return nil, err
	}
	return TopKHinge[T]{K: k, Smoothing: smoothing}, nil
}

// crammerSinger reports whether this is the multiclass hinge of Crammer and Singer.
func (l TopKHinge[T]) crammerSinger() bool { return l.K == 1 && l.Smoothing == 0 }

// Primal returns the loss. O(m) for small K.
func (l TopKHinge[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	if l.Smoothing > 0 {
		u := scaledMargins(s, y[0], l.Smoothing, w)
		project.TopKSimplex(u, u, l.K, 1, 0, &w.projection)
		return smoothed(u, l.Smoothing, w)
	}
	if l.K == 1 {
		return max(0, 1+worst(s, y[0])-float64(s[y[0]]))
	}
	sum := 0.0
	for _, v := range largest(s, y[0], l.K, w) {
		sum += float64(v)
	}
	return max(0, 1+sum/float64(l.K)-float64(s[y[0]]))
}

// Dual returns <1,x> - Smoothing/(2r) |x|², Proposition 2.
func (l TopKHinge[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	return sumOthers(a, y[0]) - penalty(a, y[0], l.Smoothing, r)
}

// Visit moves a block to its optimum.
func (l TopKHinge[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	if l.crammerSinger() {
		return visitFused(l, a, s, y, h, r, term, least, delta, w)
	}
	return Visit(l, a, s, y, h, r, term, least, delta, w)
}

// Update is Proposition 4: the biased projection onto the top-k simplex of radius r.
func (l TopKHinge[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	b := w.take(len(a) - 1)
	inv, rho := curvature(h, l.Smoothing, r)
	target(b, a, s, y[0], 1, inv, rho)
	th := project.TopKSimplex(b, b, l.K, inner[T](r), rho, &w.projection)
	settle(b, l.K, r, th.U, l.K > 1)
	return moveX(a, b, y[0], delta)
}

// Repair moves a into the set.
func (l TopKHinge[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	repair(a, y[0], l.K, r, true, w)
}

// Reach returns r/<1,x>.
func (l TopKHinge[T]) Reach(a []T, _ []int, r float64) float64 { return r / positive(a) }
