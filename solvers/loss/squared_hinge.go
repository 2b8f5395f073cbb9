package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// SquaredHinge is the squared hinge of one against all: the sum over all classes c of max(0, 1 - t_c s_c)², where t_c
// is +1 for a true class and -1 for any other. Any number of classes may be true, none and all too. Label adds costs,
// margins and a coupling.
//
// The entries of a block are t_c x_c, where x_c >= 0 has no upper bound, and the dual term is the sum of x_c -
// x_c²/(4r). Each class by itself is LIBLINEAR's SVM with L2-loss, where C = r; there the dual term is alpha -
// alpha²/(4C).
type SquaredHinge[T vec.Float] struct{ *Label[T] }

// Traits returns the name, that it is for sets of true classes, and that it is a sum over classes.
func (l SquaredHinge[T]) Traits() Traits {
	return Traits{Name: "squared hinge", Sets: true, Separable: true, AllMove: l.coupled()}
}

// With refuses K > 1 and smoothing: there is neither.
func (l SquaredHinge[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Part returns the loss of some of m classes, ascending.
func (l SquaredHinge[T]) Part(classes []int, m int) Loss[T] {
	return SquaredHinge[T]{l.partOf(classes, m)}
}

// Primal returns the loss. O(m).
func (l SquaredHinge[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	return l.primal(s, y, true, w)
}

// Dual returns the sum over c of x_c - x_c²/(4r).
func (l SquaredHinge[T]) Dual(a []T, _ []int, r float64, w *Workspace[T]) float64 {
	return l.dual(a, r, true, w)
}

// Visit moves each x_c to the maximum over x >= 0 of x - x²/(4r) - t_c s_c (x - x_c) - h/2 (x - x_c)², which is at
//
//	max(0, x_c + (1 - t_c s_c - x_c/(2r)) / (h + 1/(2r))).
func (l SquaredHinge[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return l.visit(a, s, y, h, r, term, least, true, delta, w)
}

// Couples reports whether VisitCoupled may be called.
func (l SquaredHinge[T]) Couples() bool { return l.couples(true) }

// VisitCoupled is Visit with labels by bits: see Coupled.
func (l SquaredHinge[T]) VisitCoupled(
	a, s []T, y []uint64, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return l.visitCoupled(a, s, y, h, r, term, least, true, delta, w)
}

// Groups reports whether VisitGroup may be called.
func (l SquaredHinge[T]) Groups() bool { return l.groups(true) }

// VisitGroup is Visit with the weights of a sparse example: see Grouped.
func (l SquaredHinge[T]) VisitGroup(
	z *vec.Matrix[T], idx []int32, val, a []T, m, y int, h, r, term, least float64, w *Workspace[T],
) (gap, after float64, moved bool) {
	return l.visitGroup(z, idx, val, a, m, y, h, r, term, least, true, w)
}

// Repair gives every entry the sign of its class, or 0.
func (l SquaredHinge[T]) Repair(a []T, y []int, r float64, _ *Workspace[T]) { l.repair(a, y, r, true) }

// Reach returns +Inf: dual variables have no bound.
func (SquaredHinge[T]) Reach([]T, []int, float64) float64 { return math.Inf(1) }
