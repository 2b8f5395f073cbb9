package loss

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// visitSoftmax is visit for the loss log sum_j exp s_j - mean over y of s_y, by the kernels of asm/entropy. A block is
// r (q - p), q uniform on y. The visit seeks the p in the simplex and the t with
//
//	c p_j + log p_j = s_j + c p'_j - t,  c = h r,
//
// where p' is the p of the last visit. It begins at the softmax of the scores, which the loss has found: there only the
// difference of p and p' is left to make up for. One step does as a rule, and none once dual variables have all but
// settled. What the kernels cannot solve is left to update.
//
// Where rest is set there is one true class: its dual variable is the sum of the others as they are rounded, and its p
// is what that leaves. Otherwise the dual variables of true classes are rounded, and their p with them.
func visitSoftmax[L Maximizer[T], T vec.Float](
	l L, rest bool, a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	m := w.softmax.grow(len(a))
	shift := float64(s[y[0]])
	softmaxBegin(a, s, m, shift)
	if !(m.sums[0] < 16) { // more costs digits of its logarithm; beside the largest score there is less
		shift = float64(vec.Max(s))
		softmaxBegin(a, s, m, shift)
	}
	total, sum := m.sums[0], 0.0
	logTotal := math.Log(total)
	for _, j := range y {
		sum += float64(s[j]) - shift
	}
	if len(y) > 1 {
		sum /= float64(len(y))
	}
	gap = r*(logTotal-sum) - term + m.sums[1]
	if !(gap > least) {
		return gap, term, false
	}
	c := h * r
	q, inverse := &m.problem, 1/total
	q.H, q.Plus, q.C, q.Total, q.Top = h, c, c*inverse, total, logTotal
	q.Near, q.Scale = near[T](), r*inverse
	solved := false
	switch {
	case !inRange(c, r):
	case rest:
		after, moved, solved = moveRest(a, y[0], r, delta, m)
	default:
		after, moved, solved = moveAll(a, y, r, delta, m, w)
	}
	if !solved {
		if !l.Update(a, s, y, T(h), r, delta, w) {
			return gap, term, false
		}
		return gap, l.Dual(a, y, r, w), true
	}
	return gap, after, moved
}

// moveRest moves the dual variables of the classes other than y by a kernel, and y's to their sum.
func moveRest[T vec.Float](a []T, y int, r float64, delta []T, m *softmaxMemory) (after float64, moved, solved bool) {
	q, old, logScale := &m.problem, a[y], -m.problem.Top
	shrink := 2*unit[T]() + 0x1p-52*float64(len(a)+16)
	q.Small, q.Shrunk = 4*shrink*q.Total, q.Scale*(1-shrink) // or the others, rounded, might exceed r
	outcome := softmaxStep(a, delta, m, y)
	if outcome == unchecked.EntropyRefused {
		return 0, false, false
	}
	l, p := m.at(y)
	if p < q.Small {
		logScale -= shrink + shrink*shrink/2 // of log(1-shrink) the next is less than rounding
	}
	entropy := q.Logs + q.Sum*logScale
	entropy += r * m.xLogX(1-float64(q.Sum*(1/r)), l, p) // rounded as by Dual
	a[y] = T(q.Sum)
	delta[y] = a[y] - old
	return -entropy, outcome > 0 || delta[y] != 0, true
}

// moveAll moves -r p of all classes, and adds r q where it belongs. The entropy is first taken of p, then of the p
// which the dual variables of the true classes have by then.
func moveAll[T vec.Float](
	a []T, y []int, r float64, delta []T, m *softmaxMemory, w *Workspace[T],
) (after float64, moved, solved bool) {
	q, share, old := &m.problem, 1/float64(len(y)), w.take(len(y))
	for i, j := range y {
		old[i] = a[j]
		a[j] = T(float64(a[j]) - r*share)
	}
	solved = softmaxStep(a, delta, m, -1) != unchecked.EntropyRefused
	entropy := q.Logs - q.Sum*q.Top
	for i, j := range y {
		if !solved {
			a[j] = old[i]
			continue
		}
		x := -float64(a[j])
		a[j] = T(r*share - x)
		delta[j] = a[j] - old[i]
		l, p := m.at(j)
		entropy += r * (m.xLogX(share-float64(float64(a[j])*(1/r)), l, p) - m.xLogX(x/r, l, p)) // rounded as by Dual
	}
	return -entropy, slices.ContainsFunc(delta[:len(a)], func(d T) bool { return d != 0 }), solved
}

// xLogX is x log x, continued to 0 and to what rounding makes of 0, where the x that sum to 1 are p/Total, or near.
func (m *softmaxMemory) xLogX(x, l, p float64) float64 {
	if x > 0 {
		return x * logNear(x*m.problem.Total, p, l, m.problem.Top)
	}
	return 0
}

// inRange reports whether none of the numbers that count, squared or rounded to float32, is denormal or too large.
func inRange(c, r float64) bool { return 0x1p-90 < r && r < 0x1p90 && 0x1p-90 < c && c < 0x1p40 }

// near returns how small residuals are when the last step follows them without another exponential.
//
// Where the e, and the d from the t before, are at most E, the e - d are at most 2 E. The polynomials p(e - d) leave
// out (2E)⁴/24 of a p at most, so that their sum, and d with it, is as far off; and the root d leaves out another 1.1
// E⁴. Together that is 2.5 E⁴ of a p: 2^-34 for float32, and 2^-54 for float64, a part of what p is rounded by.
func near[T vec.Float]() float64 {
	if unchecked.Is32[T]() {
		return 0x1p-9
	}
	return 0x1p-14
}

// logNear returns log x - shift, where l = log p. For x near p, with y = (x-p)/(x+p), log x is l + 2 artanh y.
func logNear(x, p, l, shift float64) float64 {
	y := (x - p) / (x + p)
	if !(math.Abs(y) < 0x1p-6) {
		return math.Log(x) - shift
	}
	square := y * y
	return l + 2*y*(1+square*(1.0/3+square*(1.0/5+square*(1.0/7)))) - shift // the next is y⁸/9, 2^-51 of y
}
