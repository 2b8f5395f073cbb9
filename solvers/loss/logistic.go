package loss

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Logistic is the logistic loss of one against all: the sum over all labels c of log(1 + exp(-t_c s_c)), where t_c is
// +1 for a true label and -1 for any other. Any number of labels may be true, none and all too. Label adds costs and a
// coupling; margins it has none.
//
// The entries of a block are t_c x_c with 0 <= x_c <= r, and the dual term is the sum over c of
//
//	-x_c log(x_c/r) - (r - x_c) log((r - x_c)/r),   0 log 0 = 0.
//
// Each label by itself is LIBLINEAR's L2-regularised logistic regression, its -s 0 and -s 7, where C = r. The dual is
// (4) of "Dual coordinate descent methods for logistic regression and maximum entropy models" (Yu, Huang, Lin, Machine
// Learning 85, 2011).
type Logistic[T vec.Float] struct{ *Label[T] }

// Traits returns the name, that it is for sets of true labels, that it is a sum over labels, and that every dual
// variable moves.
func (Logistic[T]) Traits() Traits {
	return Traits{Name: "logistic", Sets: true, Separable: true, AllMove: true}
}

// With refuses K > 1 and smoothing, and a Label with margins: there is none of them.
func (l Logistic[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	if l.Label != nil && l.Margins != nil {
		return nil, fmt.Errorf("loss: margins of labels with the %s loss, which has none", l.Traits().Name)
	}
	return l, nil
}

// Part returns the loss of some of m labels, ascending.
func (l Logistic[T]) Part(labels []int, m int) Loss[T] { return Logistic[T]{l.partOf(labels, m)} }

// Primal returns the loss. O(m), with an exponential and a logarithm each.
func (l Logistic[T]) Primal(s []T, y []int, w *Workspace[T]) (sum float64) {
	g := w.logistic.grow(len(s))
	turnAway(g, s, y)
	g.logs()
	if l.Label == nil || l.Costs == nil {
		for c, z := range g.z {
			sum += max(0, z) + g.log[c]
		}
		return sum
	}
	for c, z := range g.z {
		sum += l.Costs[c] * (max(0, z) + g.log[c])
	}
	return sum
}

// Dual returns the sum of the entropies -x log(x/r) - (r-x) log(1-x/r).
func (l Logistic[T]) Dual(a []T, _ []int, r float64, w *Workspace[T]) (sum float64) {
	g := w.logistic.grow(len(a))
	q, p, logs := g.old, g.e, g.log
	for c, v := range a { // the smaller part of 1, and what that leaves
		weight := r * l.cost(c)
		x := math.Abs(float64(v))
		q[c] = max(0, min(x, weight-x)) / weight
		p[c] = 1 - q[c]
	}
	vec.Log(logs, p)
	for c, v := range q { // of p as it is rounded, and the rest of 1 - q in first order
		sum -= r * l.cost(c) * p[c] * (logs[c] + ((1-p[c])-v)/p[c])
		p[c] = max(v, 0x1p-1022)
	}
	vec.Log(logs, p)
	for c, v := range q {
		sum -= r * l.cost(c) * v * logs[c]
	}
	return sum
}

// Visit moves each x_c to the maximum of its entropy less t_c s_c (x - x_c) + h/2 (x - x_c)², by one kernel unless
// outputs are coupled.
func (l Logistic[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	g := w.logistic.grow(len(a))
	weigh(g, l.Label, r)
	if l.coupled() {
		return l.visitCoupled(a, s, y, h, term, least, delta, w)
	}
	g.flip(y)
	gap, after, outcome := unchecked.Logistic(a, s, delta, &g.rows[0], h, term, least)
	g.flip(y)
	if outcome == unchecked.Rests {
		after = term
	}
	return gap, after, outcome == unchecked.Moved
}

// Repair gives every entry the sign of its label, or 0, and at most the size r.
func (l Logistic[T]) Repair(a []T, y []int, r float64, _ *Workspace[T]) { l.repair(a, y, r, false) }

// Reach returns r over the largest entry.
func (l Logistic[T]) Reach(a []T, _ []int, r float64) float64 { return l.reach(a, r) }

// Bounds sets the upper ends of the intervals of the x_c.
func (l Logistic[T]) Bounds(most []T, r float64) (all bool) {
	return LabelHinge[T](l).Bounds(most, r)
}

// Within returns true.
func (Logistic[T]) Within([]T, []int, float64) bool { return true }

// At sets x_c to r v_c/(1 + exp(t_c s_c)). A coupling has no part in it: s are scores of the coupled weights.
func (l Logistic[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	g := w.logistic.grow(len(s))
	turnAway(g, s, y)
	for c, z := range g.z {
		weight := r * l.cost(c)
		small := weight * (g.e[c] / (1 + g.e[c]))
		a[c] = -sized[T](z > 0, small, weight)
	}
	for _, c := range y {
		a[c] = -a[c]
	}
}
