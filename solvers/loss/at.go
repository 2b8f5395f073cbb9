package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// Subgradient is a loss that computes in closed form what the function [At] computes: At sets a, whatever it holds.
type Subgradient[T vec.Float] interface {
	At(a, s []T, y []int, r float64, w *Workspace[T])
}

// At sets a to the dual variables that the scores s of an example name: the maximum of
//
//	-r phi*(-a/r) - <a,s>
//
// over all blocks, which is -r times a gradient of phi at s. It returns the dual term of a. So r phi(s) - term + <a,s>
// is 0 but for rounding, and of a model W the block of each example makes dual variables without a training: with
// lambda |W - Xᵀ A|²/2 as their gap, which goes to 0 with the gradient where losses are smooth.
//
// Of a smooth loss a is unique: TopKEntropy, MultilabelSoftmax, SquaredHinge, and hinges with Smoothing > 0. Of any
// other hinge a is one subgradient of many where scores tie or a margin is met exactly, and the gap of such blocks need
// not go to 0 as W goes to the optimum.
//
// y, r and w are as in [Loss]; a and s have m elements each and do not overlap; s is finite. a is feasible as a visit
// leaves it. A loss that is no [Subgradient], as the caller's own may be, is visited once from a = 0 with a norm of
// sqrt(u)/r, u the unit roundoff of T: its gap is then about sqrt(u) r |a/r|²; and m numbers are allocated. O(m), for
// losses with Smoothing the cost of a projection.
func At[T vec.Float](a []T, l Loss[T], s []T, y []int, r float64, w *Workspace[T]) (term float64) {
	if of, ok := l.(Subgradient[T]); ok {
		of.At(a, s, y, r, w)
		return l.Dual(a, y, r, w)
	}
	clear(a)
	quadratic := w.Quadratic
	l.Visit(a, s, y, atNorm[T](r), r, l.Dual(a, y, r, w), math.Inf(-1), make([]T, len(a)), w)
	w.Quadratic = quadratic
	return l.Dual(a, y, r, w)
}

// atNorm returns the norm of a visit that stands for none: sqrt(u)/r, or the normal number of T that is nearest.
func atNorm[T vec.Float](r float64) float64 {
	return min(max(math.Sqrt(unit[T]()/2)/r, 0x1p-126), 0x1p126)
}

// At takes the K largest margins where their mean is above 0, with r/K each; with Smoothing it projects all.
func (l TopKHinge[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	if l.Smoothing > 0 {
		u := scaledMargins(s, y[0], l.Smoothing, w)
		th := project.TopKSimplex(u, u, l.K, inner[T](1), 0, &w.projection)
		scaleTo(a, u, y[0], l.K, r, th.U, l.K > 1)
		return
	}
	top := largest(s, y[0], l.K, w)
	if !(1+sum(top)/float64(l.K)-float64(s[y[0]]) > 0) {
		clear(a)
		return
	}
	takeTop(a, s, y[0], top, math.Inf(-1), r)
}

// At takes the margins above 0 among the K largest, with r/K each; with Smoothing it projects all.
func (l TopKUsunier[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	if l.Smoothing > 0 {
		u := scaledMargins(s, y[0], l.Smoothing, w)
		th := project.TopKSimplexBeta(u, u, l.K, inner[T](1), 0, &w.projection)
		scaleTo(a, u, y[0], l.K, r, th.U, false)
		return
	}
	takeTop(a, s, y[0], largest(s, y[0], l.K, w), float64(s[y[0]])-1, r)
}

// takeTop sets the dual variables of the scores in top, the largest first, that are above floor to -r/k, all others to
// 0, and y's to their sum.
func takeTop[T vec.Float](a, s []T, y int, top []T, floor, r float64) {
	least, share := top[len(top)-1], roundDown[T](r/float64(len(top)))
	equal := 0 // how many scores equal to the least of top are in it
	for _, v := range top {
		if v == least {
			equal++
		}
	}
	taken := 0
	for j, v := range s {
		a[j] = 0
		if j == y || !(float64(v) > floor) || v < least {
			continue
		}
		if v == least {
			if equal == 0 {
				continue
			}
			equal--
		}
		a[j] = -share
		taken++
	}
	a[y] = T(float64(taken) * float64(share))
}

// scaleTo sets a to the block of r u, u in the set of radius 1 with the cap most.
func scaleTo[T vec.Float](a, u []T, y, k int, r, most float64, cone bool) {
	for j, v := range u {
		u[j] = T(r * float64(v))
	}
	settle(u, k, r, r*most, cone)
	put(a, u, y)
}

// At sets the n < K largest scores to q/K and the others in proportion to their exponentials: see Primal. With K = 1
// these are the probabilities of the classes.
func (l TopKEntropy[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	n, t, z, logit := l.caps(s, y[0], w)
	k := float64(l.K)
	most := float64(inner[T](r)) / (1 + math.Exp(-logit)) / k
	e, _ := w.wide(len(s) - 1)
	scoresBut(e, s, y[0])
	unchecked.ExpSum(e, e, t)
	x := w.take(len(s) - 1)
	for j, v := range e {
		x[j] = T(most * min(1, (k-float64(n))*v/z))
	}
	settle(x, l.K, r, most, l.K > 1)
	put(a, x, y[0])
}

// At gives r to the largest score of a false class and to the smallest of a true one, where there is a loss.
func (l MultilabelHinge[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	clear(a)
	if !(l.Primal(s, y, w) > 0) || len(y) == 0 || len(y) == len(s) {
		return
	}
	worst, best := -1, -1
	each(len(s), y, func(j int, isTrue bool) {
		if isTrue && (best < 0 || s[j] < s[best]) {
			best = j
		} else if !isTrue && (worst < 0 || s[j] > s[worst]) {
			worst = j
		}
	})
	a[best] = below[T](r)
	a[worst] = -a[best]
}

// At sets a to r (q - p), where p are the probabilities of the classes.
func (l MultilabelSoftmax[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) {
	switch len(y) {
	case 0:
		clear(a)
		return
	case 1:
		l.ofOne().At(a, s, y, r, w)
		return
	}
	p, _ := w.wide(len(s))
	vec.Convert(p, s)
	total, share := unchecked.ExpSum(p, p, vec.Max(p)), 1/float64(len(y))
	for j, v := range p {
		a[j] = T(-r * (v / total))
	}
	for _, c := range y {
		a[c] = T(r * (share - p[c]/total))
	}
}

// At sets x_c to 2 r v_c times what the label's margin lacks.
func (l SquaredHinge[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) { l.at(a, s, y, r, true, w) }

// At sets x_c to r v_c where the label's margin lacks anything.
func (l LabelHinge[T]) At(a, s []T, y []int, r float64, w *Workspace[T]) { l.at(a, s, y, r, false, w) }

// at is At of a sum over labels. A coupling has no part in it: s are scores of the coupled weights.
func (l *Label[T]) at(a, s []T, y []int, r float64, squared bool, w *Workspace[T]) {
	var margins []float64
	if l != nil && l.Margins != nil {
		margins, _ = l.margins(len(s), w)
	}
	each(len(s), y, func(c int, isTrue bool) {
		side, lacks := -1.0, 1.0
		if isTrue {
			side = 1
		}
		if margins != nil {
			lacks = margins[c]
		}
		lacks -= side * float64(s[c])
		weight := r * l.cost(c)
		switch {
		case !(lacks > 0):
			a[c] = 0
		case squared:
			a[c] = T(side * 2 * weight * lacks)
		default:
			a[c] = T(side) * below[T](weight)
		}
	})
}
