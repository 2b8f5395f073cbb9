package loss

import "github.com/dualgap/dualgap/vec"

// LabelHinge is the hinge of one against all: the sum over all labels c of max(0, 1 - t_c s_c), where t_c is +1 for a
// true label and -1 for any other. Any number of labels may be true, none and all too. Label adds costs, margins and a
// coupling.
//
// The entries of a block are t_c x_c with 0 <= x_c <= r, and the dual term is the sum of the x_c. Each label by itself
// is the SVM of LIBSVM without a constant, and LIBLINEAR's with L1-loss, where C = r. With a coupling R, margins and r
// = 2 C it is the dual (25) of "Efficient max-margin multi-label classification" (Hariharan, Vishwanathan, Varma,
// 2012), where x = 2 alpha.
type LabelHinge[T vec.Float] struct{ *Label[T] }

// Traits returns the name, that it is for sets of true labels, and that it is a sum over labels.
func (l LabelHinge[T]) Traits() Traits {
	return Traits{Name: "label hinge", Sets: true, Separable: true, AllMove: l.coupled()}
}

// With refuses K > 1 and smoothing: there is neither.
func (l LabelHinge[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Part returns the loss of some of m labels, ascending.
func (l LabelHinge[T]) Part(labels []int, m int) Loss[T] { return LabelHinge[T]{l.partOf(labels, m)} }

// Primal returns the loss. O(m).
func (l LabelHinge[T]) Primal(s []T, y []int, w *Workspace[T]) float64 {
	return l.primal(s, y, false, w)
}

// Dual returns the sum of the x_c.
func (l LabelHinge[T]) Dual(a []T, _ []int, r float64, w *Workspace[T]) float64 {
	return l.dual(a, r, false, w)
}

// Visit moves each x_c to clip(x_c + (1 - t_c s_c)/h, 0, r): no term of the objective holds two of them.
func (l LabelHinge[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return l.visit(a, s, y, h, r, term, least, false, delta, w)
}

// Couples reports whether VisitCoupled may be called.
func (l LabelHinge[T]) Couples() bool { return l.couples(false) }

// VisitCoupled is Visit with labels by bits: see Coupled.
func (l LabelHinge[T]) VisitCoupled(
	a, s []T, y []uint64, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return l.visitCoupled(a, s, y, h, r, term, least, false, delta, w)
}

// Groups reports whether VisitGroup may be called.
func (l LabelHinge[T]) Groups() bool { return l.groups(false) }

// VisitGroup is Visit with the weights of a sparse example: see Grouped.
func (l LabelHinge[T]) VisitGroup(
	z *vec.Matrix[T], idx []int32, val, a []T, m, y int, h, r, term, least float64, w *Workspace[T],
) (gap, after float64, moved bool) {
	return l.visitGroup(z, idx, val, a, m, y, h, r, term, least, false, w)
}

// Repair gives every entry the sign of its label, or 0, and at most the size r.
func (l LabelHinge[T]) Repair(a []T, y []int, r float64, _ *Workspace[T]) { l.repair(a, y, r, false) }

// Reach returns r over the largest entry.
func (l LabelHinge[T]) Reach(a []T, _ []int, r float64) float64 { return l.reach(a, r) }
