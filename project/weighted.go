package project

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// item is one element of a weighted knapsack.
type item struct{ a, b, l, u float64 }

// at is the element's value for the multiplier t.
func (e item) at(t float64) float64 { return min(max(e.l, e.a-t*e.b), e.u) }

// WeightedKnapsack sets dst to the projection of a onto { l_i <= x_i <= u_i, <b,x> = r }, or <= r, and returns its
// thresholds:
//
//	x_i = min(max(l_i, a_i - Lambda b_i), u_i),  T = Lambda,
//
// where Lambda is the multiplier of <b,x>, at least 0 with AtMost. Cap and Mid count the elements at u_i and between
// their bounds. U is NaN, as the elements share no cap.
//
// Weights may have any sign; an element of weight 0 is clipped. l_i may be -Inf and u_i may be Inf. A set that is
// empty, by l_i > u_i or by r, is an error that names the numbers, and so is any other number that is not finite; dst
// then stays as it was.
//
// dst and a may be the same slice. b, l and u are only read and may not overlap dst. WeightedKnapsack panics unless all
// lengths agree.
//
// It fixes variables as [Knapsack] does: O(d) as a rule, at worst d passes.
func WeightedKnapsack[T vec.Float](dst, a, b, l, u []T, rel Relation, r T, w *Workspace[T]) (Thresholds, error) {
	checkLengths("WeightedKnapsack", dst, a)
	checkItems("WeightedKnapsack", a, b, l, u)
	if w == nil {
		w = new(Workspace[T])
	}
	items, sum := w.items[:0], float64(r)
	least, most, now, size := 0.0, 0.0, 0.0, 0.0 // of <b,x>, and the magnitudes in its ends
	if sum-sum != 0 {
		return Thresholds{}, fmt.Errorf("project: WeightedKnapsack: r = %v is not finite", r)
	}
	for i := range a {
		e := item{float64(a[i]), float64(b[i]), float64(l[i]), float64(u[i])}
		if !(e.l <= e.u) || math.IsInf(e.l, 1) || math.IsInf(e.u, -1) || e.a-e.a != 0 || e.b-e.b != 0 {
			return Thresholds{}, fmt.Errorf("project: WeightedKnapsack: element %d: a = %v, b = %v, bounds %v and %v",
				i, a[i], b[i], l[i], u[i])
		}
		if e.b == 0 {
			continue
		}
		p, q := e.b*e.l, e.b*e.u
		least += min(p, q)
		most += max(p, q)
		if end := math.Abs(p) + math.Abs(q); end-end == 0 {
			size += end
		}
		now += e.b * e.at(0)
		items = append(items, e)
	}
	w.items = items
	size *= rounding[T]() + float64(len(a))*0x1p-53 // of the bounds, and of the sums
	if least > sum+size || rel == Equal && most+size < sum {
		return Thresholds{}, fmt.Errorf("project: WeightedKnapsack: <b,x> is in [%v, %v], r = %v", least, most, r)
	}
	sum = max(sum, least)
	if rel == Equal {
		sum = min(sum, most)
	}
	t := 0.0
	if rel == Equal || now > sum {
		t = fixWeighted(items, sum)
		t += correction(a, b, l, u, sum, t) // what is lost to cancellation while sums contain the elements themselves
	}
	th := Thresholds{T: t, U: math.NaN(), Lambda: t}
	for i := range a {
		e := item{float64(a[i]), float64(b[i]), float64(l[i]), float64(u[i])}
		x := e.at(t)
		switch {
		case x <= e.l:
		case x >= e.u:
			th.Cap++
		default:
			th.Mid++
		}
		dst[i] = T(x)
	}
	return th, nil
}

// fixWeighted returns t with sum b x(t) = r: the products b x all fall as t grows.
func fixWeighted(v []item, r float64) (t float64) {
	for len(v) > 0 {
		s, q := 0.0, 0.0
		for _, e := range v {
			s += e.a * e.b
			q += e.b * e.b
		}
		t = (s - r) / q
		miss := -r // sum b x(t) - r
		for _, e := range v {
			miss += e.b * e.at(t)
		}
		if !(miss > 0 || miss < 0) {
			return t
		}
		free := v[:0]
		for _, e := range v {
			y := e.a - t*e.b
			// miss > 0: t is too small, and who is at the lesser end of its products stays there.
			if atLow := (miss > 0) == (e.b > 0); atLow && y <= e.l {
				r -= e.b * e.l
			} else if !atLow && y >= e.u {
				r -= e.b * e.u
			} else {
				free = append(free, e)
			}
		}
		if len(free) == len(v) {
			return t
		}
		v = free
	}
	return t
}

// correction is one Newton step from t.
func correction[T vec.Float](a, b, l, u []T, r, t float64) float64 {
	s, q := -r, 0.0
	for i := range a {
		e := item{float64(a[i]), float64(b[i]), float64(l[i]), float64(u[i])}
		x := e.at(t)
		s += e.b * x
		if e.l < x && x < e.u {
			q += e.b * e.b
		}
	}
	if q == 0 {
		return 0
	}
	return s / q
}
