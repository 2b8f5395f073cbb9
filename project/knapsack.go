package project

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// Knapsack sets dst to the projection of a onto { l <= x_i <= u, <1,x> = r }, or <= r: the continuous quadratic
// knapsack problem, for l = 0 the capped simplex. It returns its thresholds: U = u and
//
//	x_i = min(max(l, a_i - T), u),  Lambda = T,
//
// the multiplier of the sum, which is at least 0 with AtMost. l may be -Inf and u may be Inf. A set that is empty is an
// error that names the numbers; dst then stays as it was.
//
// dst and a have the same length, or Knapsack panics. They may be the same slice and may not overlap otherwise. Where l
// is finite, an element -Inf stands for its limit, as long as the others can hold the sum. All other elements that are
// not finite make dst and the thresholds NaN, except for infinities that AtMost only clips.
//
// Where few elements can be at the upper bound the others are pruned first. Then elements are fixed at their bounds, in
// each pass the elements of the side that exceeds the other (Kiwiel, "Variable fixing algorithms for the continuous
// quadratic knapsack problem", 2008, Algorithm 3.1). O(d) as a rule; at worst each of d passes fixes one element.
func Knapsack[T vec.Float](dst, a []T, l, u T, rel Relation, r T, w *Workspace[T]) (Thresholds, error) {
	checkLengths("Knapsack", dst, a)
	lo, hi, sum := float64(l), float64(u), float64(r)
	if err := emptyKnapsack(len(a), l, u, rel, r); err != nil {
		return Thresholds{}, err
	}
	if len(a) == 0 {
		return Thresholds{U: hi}, nil
	}
	n := float64(len(a))
	sum = max(sum, n*lo)
	if rel == Equal {
		sum = min(sum, n*hi)
	}
	if rel == AtMost {
		if s, n := clippedSum(a, lo, hi); !(s > sum) {
			if s != s {
				return undefined(dst), nil
			}
			clip(dst, a, 0, 0, lo, hi)
			return Thresholds{U: hi, Counts: n}, nil
		}
	}
	if w == nil {
		w = newWorkspace[T]()
	}
	if lo == 0 && w.smallEqual(dst, a, sum, hi) {
		return w.problem.thresholds().knapsack(rel, hi), nil
	}
	cand, sum := w.pruneKnapsack(dst, a, lo, hi, sum)
	if lo == 0 && len(cand) < len(a) && w.smallEqual(cand, cand, sum, hi) {
		w.spreadSmall(dst, a, cand)
		return w.problem.thresholds().knapsack(rel, hi), nil
	}
	c := fixed(w.scratch(len(cand)), cand, lo, hi, sum)
	if c-c != 0 {
		return undefined(dst), nil
	}
	t, th := 0.0, Thresholds{}
	for range 2 { // what c lost to rounding is relative to the elements; what t loses, to what is left of them
		var s float64
		s, th.Counts = shiftedSum(cand, c, t, lo, hi)
		if th.Mid > 0 {
			t += (s - sum) / float64(th.Mid)
		}
	}
	th.Counts = count(cand, c, t, lo, hi)
	th.T = c + t
	if lo == 0 {
		w.spread(dst, a, cand, c, t, hi)
	} else {
		clip(dst, a, c, t, lo, hi)
	}
	return th.knapsack(rel, hi), nil
}

// emptyKnapsack returns why no d elements between l and u have a sum that is r, or at most r. Division rounds a bound
// of r/d: then all elements are at it.
func emptyKnapsack[T vec.Float](d int, l, u T, rel Relation, r T) error {
	lo, hi, sum := float64(l), float64(u), float64(r)
	least, most := float64(d)*lo, float64(d)*hi
	if d == 0 {
		least, most = 0, 0
	}
	switch {
	case !(l <= u) || math.IsInf(lo, 1) || math.IsInf(hi, -1):
		return fmt.Errorf("project: Knapsack: bounds %v and %v, want l <= u", l, u)
	case sum-sum != 0:
		return fmt.Errorf("project: Knapsack: r = %v is not finite", r)
	case least-rounding[T]()*math.Abs(least) > sum, rel == Equal && most+rounding[T]()*math.Abs(most) < sum:
		return fmt.Errorf("project: Knapsack: %d elements between %v and %v cannot sum to %v", d, l, u, r)
	}
	return nil
}

// rounding is the relative distance of 1 and the next number of T: what sums of bounds may miss by.
func rounding[T vec.Float]() float64 {
	if unchecked.Is32[T]() {
		return 0x1p-23
	}
	return 0x1p-52
}

// pruneKnapsack returns those elements of a that may be above lo, and the sum that they have to hold. Where many can be
// at the upper bound it returns all.
func (w *Workspace[T]) pruneKnapsack(dst, a []T, lo, hi, sum float64) ([]T, float64) {
	need := (sum - float64(len(a))*lo) / (hi - lo)
	if !w.prunes(len(a), 1) || !(need <= classes) {
		return a, sum
	}
	cand := a
	if lo == 0 && len(a) <= cheapTo {
		cand = w.collect(dst, a, max(1, int(math.Ceil(need))), lowBound{limit: min(hi, sum), rest: math.Inf(1)})
	}
	n := float64(len(cand))
	if n <= classes {
		return cand, sum
	}
	m, t := w.classMaxima(cand), math.NaN()
	if lo == 0 && w.smallEqual(w.sink[:], m, sum, hi) {
		t = w.problem.T
	}
	if t != t {
		t = fixed(w.scratch(classes), m, lo, hi, sum-(n-classes)*lo)
	}
	if t-t != 0 {
		return cand, sum
	}
	to := dst
	if lo != 0 {
		to = nil
	}
	cand = w.above(to, a, cand, t+lo-0x1p-44*(math.Abs(t)+math.Abs(lo)+math.Abs(sum)))
	return cand, sum - (n-float64(len(cand)))*lo
}

// knapsack sets what T implies. Where rounding alone makes the sum of clipped elements exceed r, T may be anything
// between the elements at the bounds.
func (th Thresholds) knapsack(rel Relation, u float64) Thresholds {
	if rel == AtMost {
		th.T = max(0, th.T)
	}
	th.U, th.Lambda = u, th.T
	return th
}

// fixed returns t with sum_i min(max(l, a_i - t), u) = r, using v.
//
// With all elements free, t = (sum_i a_i - r)/m. Where then the sum of clipped elements is too small, t is too large,
// and those at u stay there; where it is too large, those at l do.
func fixed[T vec.Float](v []float64, a []T, l, u, r float64) (t float64) {
	v = v[:0]
	for _, ai := range a {
		if x := float64(ai); math.IsInf(x, -1) && !math.IsInf(l, -1) {
			r -= l
		} else {
			v = append(v, x)
		}
	}
	if len(v) < len(a) && !(float64(len(v))*u >= r) { // those at -Inf would have to hold a part of the sum
		return math.NaN()
	}
	for len(v) > 0 {
		s := 0.0
		for _, x := range v {
			s += x
		}
		t = (s - r) / float64(len(v))
		miss := -r // of the sum, from clipped numbers: what they lose to the bounds may be too large to tell
		for _, x := range v {
			miss += min(max(l, x-t), u)
		}
		free, bound := 0, l // what is kept moves to the front, without a branch that nobody can predict
		switch {
		case miss > 0:
			for _, x := range v {
				v[free] = x
				if x-t > l {
					free++
				}
			}
		case miss < 0:
			bound = u
			for _, x := range v {
				v[free] = x
				if x-t < u {
					free++
				}
			}
		default:
			return t // NaN too
		}
		if free == len(v) {
			return t
		}
		r -= bound * float64(len(v)-free)
		v = v[:free]
	}
	return t
}

// clippedSum is shiftedSum without a shift.
func clippedSum[T vec.Float](a []T, l, u float64) (s float64, n Counts) {
	return shiftedSum(a, 0, 0, l, u)
}

// shiftedSum returns the sum of a - c - t within [l, u], and how many elements are at u and between.
func shiftedSum[T vec.Float](a []T, c, t, l, u float64) (s float64, n Counts) {
	for _, ai := range a {
		x := float64(ai) - c - t
		switch {
		case x <= l:
			x = l
		case x >= u:
			x = u
			n.Cap++
		default:
			n.Mid++
		}
		s += x
	}
	return s, n
}
