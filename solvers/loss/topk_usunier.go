package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// TopKUsunier is the top-k loss of Usunier, beta: the mean of the K largest of max(0, h_j), h_j = 1 + s_j - s_y, j != y,
// equation (5). 1 <= K <= m-1. With Gamma > 0 it is smoothed: the maximum of <h,u> - Gamma/2 |u|² over its set.
type TopKUsunier[T vec.Float] struct {
	K     int
	Gamma float64
}

// Primal returns the loss. O(m) for small K.
func (l TopKUsunier[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	if l.Gamma > 0 {
		u := scaledMargins(s, y[0], l.Gamma, w)
		project.TopKSimplexBeta(u, u, l.K, 1, 0, &w.projection)
		return smoothed(u, l.Gamma, w)
	}
	sum, margin := 0.0, 1-float64(s[y[0]])
	for _, v := range largest(s, y[0], l.K, w) {
		sum += max(0, float64(v)+margin)
	}
	return sum / float64(l.K)
}

// Dual returns <1,x> - Gamma/(2r) |x|², Proposition 5.
func (l TopKUsunier[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	return sumOthers(a, y[0]) - penalty(a, y[0], l.Gamma, r)
}

// Update is section 5: the biased projection onto the simplex of radius r with elements of at most r/K.
func (l TopKUsunier[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	if l.K == 1 && l.Gamma == 0 {
		if moved, ok := hingeUpdate(a, s, y[0], h, r, delta, w); ok {
			return moved
		}
	}
	b := w.take(len(a) - 1)
	inv, rho := curvature(h, l.Gamma, r)
	target(b, a, s, y[0], 1, inv, rho)
	th := project.TopKSimplexBeta(b, b, l.K, inner[T](r), rho, &w.projection)
	settle(b, l.K, r, th.U, false)
	return move(a, b, y[0], delta)
}

// Repair moves a into the set.
func (l TopKUsunier[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	repair(a, y[0], l.K, r, false, w)
}
