package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// TopKHinge is the top-k hinge loss, alpha: max(0, the mean of the K largest of h_j = 1 + s_j - s_y, j != y), equation (3).
// 1 <= K <= m-1. With Gamma > 0 it is smoothed: the maximum of <h,u> - Gamma/2 |u|² over Delta_k, at most Gamma/(2 K) less.
type TopKHinge[T vec.Float] struct {
	K     int
	Gamma float64
}

// Primal returns the loss. O(m) for small K.
func (l TopKHinge[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	if l.Gamma > 0 {
		u := scaledMargins(s, y[0], l.Gamma, w)
		project.TopKSimplex(u, u, l.K, 1, 0, &w.projection)
		return smoothed(u, l.Gamma, w)
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

// Dual returns <1,x> - Gamma/(2r) |x|², Proposition 2.
func (l TopKHinge[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	return sumOthers(a, y[0]) - penalty(a, y[0], l.Gamma, r)
}

// Update is Proposition 4: the biased projection onto the top-k simplex of radius r.
func (l TopKHinge[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	if l.K == 1 && l.Gamma == 0 {
		if moved, ok := hingeUpdate(a, s, y[0], h, r, delta, w); ok {
			return moved
		}
	}
	b := w.take(len(a) - 1)
	inv, rho := curvature(h, l.Gamma, r)
	target(b, a, s, y[0], 1, inv, rho)
	th := project.TopKSimplex(b, b, l.K, inner[T](r), rho, &w.projection)
	settle(b, l.K, r, th.U, l.K > 1)
	return move(a, b, y[0], delta)
}

// Repair moves a into the set.
func (l TopKHinge[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	repair(a, y[0], l.K, r, true, w)
}
