package loss

import (
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// TopKHinge is the top-k hinge loss, alpha: max(0, the mean of the K largest of 1 + s_j - s_y, j != y), equation (3).
// 1 <= K <= m-1.
type TopKHinge[T vec.Float] struct {
	K int
}

// Primal returns the loss. O(m) for small K.
func (l TopKHinge[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	sum := 0.0
	for _, v := range largest(s, y[0], l.K, w) {
		sum += float64(v)
	}
	return max(0, 1+sum/float64(l.K)-float64(s[y[0]]))
}

// Dual returns <1,x>, Proposition 2.
func (l TopKHinge[T]) Dual(a []T, y []int, r float64) float64 { return sumOthers(a, y[0]) }

// Update is Proposition 4: the biased projection onto the top-k simplex of radius r.
func (l TopKHinge[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	b := w.take(len(a) - 1)
	target(b, a, s, y[0], h)
	th := project.TopKSimplex(b, b, l.K, inner[T](r), 1, &w.projection)
	settle(b, l.K, r, th.U, l.K > 1)
	return move(a, b, y[0], delta)
}
