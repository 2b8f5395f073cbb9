package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Targets are what the losses of regression compare scores with. Nil stands for targets of 0 and Epsilon = 0. Nothing
// of it may change while a loss is in use.
type Targets struct {
	// Y has the targets of the examples, m of each: of example i, which Workspace.Example names, y_c is Y[i*m+c]. Nil:
	// 0.
	Y []float64

	Epsilon float64 // how far a score may be from its target at no cost, >= 0
}

// EpsilonInsensitive is the loss of support vector regression: the sum over the outputs c of
// max(0, |s_c - y_c| - epsilon), with the targets y_c of the example. There are no classes: y in the methods of [Loss]
// is not used.
//
// The conjugate at u is the sum of y_c u_c + epsilon |u_c| on the domain -1 <= u_c <= 1. So a block has |a_c| <= r, and
// the dual term is the sum of y_c a_c - epsilon |a_c|. Of one output it is LIBLINEAR's support vector regression with
// L1-loss, where C = r, and LIBSVM's epsilon-SVR without a constant.
type EpsilonInsensitive[T vec.Float] struct{ *Targets }

// SquaredEpsilonInsensitive is the sum over the outputs c of max(0, |s_c - y_c| - epsilon)²: see [EpsilonInsensitive].
//
// The conjugate at u is the sum of y_c u_c + epsilon |u_c| + u_c²/4, without a bound, and the dual term the sum of
// y_c a_c - epsilon |a_c| - a_c²/(4r). Of one output it is LIBLINEAR's support vector regression with L2-loss, where C
// = r. With epsilon = 0 it is the square of the residual: ridge regression.
type SquaredEpsilonInsensitive[T vec.Float] struct{ *Targets }

// Traits returns the name. The loss is no sum of the same loss over groups of outputs, whose targets differ.
func (EpsilonInsensitive[T]) Traits() Traits { return Traits{Name: "epsilon-insensitive", Sets: true} }

// Traits returns the name.
func (SquaredEpsilonInsensitive[T]) Traits() Traits {
	return Traits{Name: "squared epsilon-insensitive", Sets: true}
}

// With refuses K > 1 and smoothing: there is neither.
func (l EpsilonInsensitive[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// With refuses K > 1 and smoothing: there is neither.
func (l SquaredEpsilonInsensitive[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Primal returns the loss. O(m).
func (l EpsilonInsensitive[T]) Primal(s []T, _ []int, w *Workspace[T]) float64 {
	return insensitive(l.Targets, s, false, w)
}

// Primal returns the loss. O(m).
func (l SquaredEpsilonInsensitive[T]) Primal(s []T, _ []int, w *Workspace[T]) float64 {
	return insensitive(l.Targets, s, true, w)
}

// Dual returns the sum of y_c a_c - epsilon |a_c|.
func (l EpsilonInsensitive[T]) Dual(a []T, _ []int, _ float64, w *Workspace[T]) float64 {
	return insensitiveDual(l.Targets, a, 0, w)
}

// Dual returns the sum of y_c a_c - epsilon |a_c| - a_c²/(4r).
func (l SquaredEpsilonInsensitive[T]) Dual(a []T, _ []int, r float64, w *Workspace[T]) float64 {
	return insensitiveDual(l.Targets, a, r, w)
}

// Visit moves each a_c to clip(shrink(a_c + (y_c - s_c)/h, epsilon/h), -r, r), where shrink(z, e) is z moved towards 0
// by at most e.
func (l EpsilonInsensitive[T]) Visit(
	a, s []T, _ []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	gap = r*insensitive(l.Targets, s, false, w) - term + inner64(a, s)
	if !(gap > least) {
		return gap, term, false
	}
	moved = regress(l.Targets, a, s, h, 0, below[T](r), delta, w)
	if !moved {
		return gap, term, false
	}
	return gap, insensitiveDual(l.Targets, a, 0, w), true
}

// Visit moves each a_c to shrink(h a_c + y_c - s_c, epsilon)/(h + 1/(2r)).
func (l SquaredEpsilonInsensitive[T]) Visit(
	a, s []T, _ []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	gap = r*insensitive(l.Targets, s, true, w) - term + inner64(a, s)
	if !(gap > least) {
		return gap, term, false
	}
	moved = regress(l.Targets, a, s, h, 1/(2*r), T(math.Inf(1)), delta, w)
	if !moved {
		return gap, term, false
	}
	return gap, insensitiveDual(l.Targets, a, r, w), true
}

// Repair gives every entry at most the size r.
func (EpsilonInsensitive[T]) Repair(a []T, _ []int, r float64, _ *Workspace[T]) {
	most := below[T](r)
	for c, v := range a {
		a[c] = min(max(v, -most), most)
	}
}

// Repair changes nothing: dual variables have no bound.
func (SquaredEpsilonInsensitive[T]) Repair([]T, []int, float64, *Workspace[T]) {}

// Reach returns r over the largest entry.
func (EpsilonInsensitive[T]) Reach(a []T, _ []int, r float64) float64 {
	reach := math.Inf(1)
	for _, v := range a {
		if v != 0 {
			reach = min(reach, r/math.Abs(float64(v)))
		}
	}
	return reach
}

// Reach returns +Inf: dual variables have no bound.
func (SquaredEpsilonInsensitive[T]) Reach([]T, []int, float64) float64 { return math.Inf(1) }

// At sets a_c to r towards the target where the score is farther from it than epsilon.
func (l EpsilonInsensitive[T]) At(a, s []T, _ []int, r float64, w *Workspace[T]) {
	most := below[T](r)
	for c, v := range s {
		switch off := shrink(l.target(w.Example, len(s), c)-float64(v), l.epsilon()); {
		case off > 0:
			a[c] = most
		case off < 0:
			a[c] = -most
		default:
			a[c] = 0
		}
	}
}

// At sets a_c to 2 r times what the score is from its target, less epsilon.
func (l SquaredEpsilonInsensitive[T]) At(a, s []T, _ []int, r float64, w *Workspace[T]) {
	for c, v := range s {
		a[c] = T(2 * r * shrink(l.target(w.Example, len(s), c)-float64(v), l.epsilon()))
	}
}

// target returns y_c of example i, of m outputs.
func (t *Targets) target(i, m, c int) float64 {
	if t == nil || t.Y == nil {
		return 0
	}
	return t.Y[i*m+c]
}

func (t *Targets) epsilon() float64 {
	if t == nil {
		return 0
	}
	return t.Epsilon
}

// shrink moves z towards 0 by at most e.
func shrink(z, e float64) float64 {
	switch {
	case z > e:
		return z - e
	case z < -e:
		return z + e
	}
	return 0 * z // NaN stays
}

// insensitive returns the sum over c of psi(|s_c - y_c| - epsilon).
func insensitive[T vec.Float](t *Targets, s []T, squared bool, w *Workspace[T]) (sum float64) {
	free := t.epsilon()
	for c, v := range s {
		sum += psi(Excess(float64(v), t.target(w.Example, len(s), c), free), squared)
	}
	return sum
}

// Excess returns |s - y| - free. Where that is next to nothing beside free the difference of the two is exact
// (Sterbenz), but s - y is rounded, perhaps by as much as is left: then what it is rounded by is added (Knuth).
func Excess(s, y, free float64) float64 {
	d := s - y
	z := math.Abs(d) - free
	if math.Abs(z) > 0x1p-32*free {
		return z
	}
	back := d - s
	off := (s - (d - back)) - (y + back)
	if d < 0 {
		off = -off
	}
	return z + off
}

// insensitiveDual returns the sum over c of y_c a_c - epsilon |a_c|, and with r > 0 less a_c²/(4r).
func insensitiveDual[T vec.Float](t *Targets, a []T, r float64, w *Workspace[T]) (sum float64) {
	free := t.epsilon()
	for c, v := range a {
		v := float64(v)
		sum += t.target(w.Example, len(a), c)*v - free*math.Abs(v)
		if r > 0 {
			sum -= v * (v / r) / 4 // v² may be less than the least number
		}
	}
	return sum
}

// inner64 returns <a,s> in float64.
func inner64[T vec.Float](a, s []T) (sum float64) {
	s = s[:len(a)]
	for c, v := range a {
		sum += float64(v) * float64(s[c])
	}
	return sum
}

// regress moves each a_c to the maximum over |a'| <= most of
//
//	y_c a' - epsilon |a'| - bend/2 a'² - s_c (a' - a_c) - h/2 (a' - a_c)²,
//
// sets delta to the moves, and reports whether there is any.
func regress[T vec.Float](t *Targets, a, s []T, h, bend float64, most T, delta []T, w *Workspace[T]) (moved bool) {
	free, inv := t.epsilon(), 1/(h+bend)
	s, delta = s[:len(a)], delta[:len(a)]
	for c, v := range a {
		off := t.target(w.Example, len(a), c) - float64(s[c])
		x := min(max(T(shrink(h*float64(v)+off, free)*inv), -most), most)
		delta[c], a[c] = x-v, x
		moved = moved || x != v
	}
	return moved
}
