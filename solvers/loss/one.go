package loss

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// One is a loss whose visit of an example with one output is arithmetic of a few numbers.
type One[T vec.Float] interface {
	// Ones reports whether VisitOne may be called.
	Ones() bool

	// VisitOne is Visit of example i, which has the one dual variable a and the score s: it returns the variable to
	// move to, which is a where there is not more than least to gain. isTrue says whether the label is true.
	VisitOne(a, s T, isTrue bool, i int, h, r, term, least float64) (to T, gap, after float64)
}

// Ones: a loss with costs, margins or a coupling takes its usual visit.
func (l LabelHinge[T]) Ones() bool { return l.Label == nil }

// VisitOne moves x = t a to clip(x + (1 - t s)/h, 0, r).
func (l LabelHinge[T]) VisitOne(a, s T, isTrue bool, _ int, h, r, term, least float64) (to T, gap, after float64) {
	x, lacks := float64(a), 1-float64(s)
	if !isTrue {
		x, lacks = -x, 1+float64(s)
	}
	gap = max(-x*lacks, (r-x)*lacks)
	if !(gap > least) {
		return a, gap, term
	}
	to = min(T(max(x+lacks/h, 0)), below[T](r))
	after = float64(to)
	if !isTrue {
		to = -to
	}
	return to, gap, after
}

// Ones: a loss with costs, margins or a coupling takes its usual visit.
func (l SquaredHinge[T]) Ones() bool { return l.Label == nil }

// VisitOne moves x = t a to max(0, x + (1 - t s - x/(2r))/(h + 1/(2r))).
func (l SquaredHinge[T]) VisitOne(a, s T, isTrue bool, _ int, h, r, term, least float64) (to T, gap, after float64) {
	x, lacks := float64(a), 1-float64(s)
	if !isTrue {
		x, lacks = -x, 1+float64(s)
	}
	bend := 1 / (2 * r)
	kept := max(0, lacks)
	off := kept - bend*x
	gap = off*off*r + x*(kept-lacks)
	if !(gap > least) {
		return a, gap, term
	}
	to = T(max(0, x+(lacks-bend*x)/(h+bend)))
	x = float64(to)
	after = x - bend*x*x/2
	if !isTrue {
		to = -to
	}
	return to, gap, after
}

// Ones: a loss with costs or a coupling takes its usual visit.
func (l Logistic[T]) Ones() bool { return l.Label == nil }

// VisitOne moves x = t a as Visit does.
func (l Logistic[T]) VisitOne(a, s T, isTrue bool, _ int, h, r, term, least float64) (to T, gap, after float64) {
	x, z := float64(a), -float64(s)
	if !isTrue {
		x, z = -x, -z
	}
	gap = float64(r*(max(0, z)+math.Log1p(math.Exp(-math.Abs(z))))) - float64(x*z) - term
	if !(gap > least) {
		return a, gap, term
	}
	x, after = unchecked.LogisticLabel[T](z, x, r, 1/r, float64(below[T](r)), h)
	to = T(x)
	if !isTrue {
		to = -to
	}
	return to, gap, after
}

// Ones returns true.
func (EpsilonInsensitive[T]) Ones() bool { return true }

// VisitOne is Visit.
func (l EpsilonInsensitive[T]) VisitOne(a, s T, _ bool, i int, h, r, term, least float64) (to T, gap, after float64) {
	x, y, free := float64(a), l.target(i, 1, 0), l.epsilon()
	off := y - float64(s)
	gap = r*max(0, math.Abs(off)-free) - term + x*float64(s)
	if !(gap > least) {
		return a, gap, term
	}
	most := below[T](r)
	to = min(max(T(shrink(h*x+off, free)/h), -most), most)
	x = float64(to)
	return to, gap, y*x - free*math.Abs(x)
}

// Ones returns true.
func (SquaredEpsilonInsensitive[T]) Ones() bool { return true }

// VisitOne is Visit.
func (l SquaredEpsilonInsensitive[T]) VisitOne(a, s T, _ bool, i int, h, r, term, least float64) (to T, gap,
	after float64) {
	x, y, free := float64(a), l.target(i, 1, 0), l.epsilon()
	off := y - float64(s)
	lacks := max(0, math.Abs(off)-free)
	gap = r*lacks*lacks - term + x*float64(s)
	if !(gap > least) {
		return a, gap, term
	}
	to = T(shrink(h*x+off, free) / (h + 1/(2*r)))
	x = float64(to)
	return to, gap, y*x - free*math.Abs(x) - x*(x/r)/4
}
