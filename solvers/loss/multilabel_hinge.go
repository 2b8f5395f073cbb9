package loss

import (
	"math"

	"github.com/dualgap/dualgap/project"
	"github.com/dualgap/dualgap/vec"
)

// MultilabelHinge is max(0, 1 + the largest score of a false class - the smallest of a true one), for a set Y of true
// classes. It is 0 where no class or every class is true. For one true class it is TopKHinge with K = 1.
//
// A block is -x over the false classes and z over the true ones, x >= 0, z >= 0, <1,x> = <1,z> <= r; the conjugate is
// -<1,x>/r.
type MultilabelHinge[T vec.Float] struct{}

// Traits returns the name, that it is for sets of true classes.
func (MultilabelHinge[T]) Traits() Traits { return Traits{Name: "multilabel hinge", Sets: true} }

// With refuses K > 1 and smoothing: there is neither.
func (l MultilabelHinge[T]) With(k int, smoothing float64) (Loss[T], error) {
	if err := checkNone(l.Traits().Name, k, smoothing); err != nil {
		return nil, err
	}
	return l, nil
}

// Primal returns the loss. O(m).
func (MultilabelHinge[T]) Primal(s []T, y []int, _ *Workspace[T]) float64 {
	worst, best := math.Inf(-1), math.Inf(1)
	each(len(s), y, func(j int, isTrue bool) {
		if isTrue {
			best = min(best, float64(s[j]))
		} else {
			worst = max(worst, float64(s[j]))
		}
	})
	return max(0, 1+worst-best)
}

// Dual returns <1,x>.
func (MultilabelHinge[T]) Dual(a []T, y []int, r float64, _ *Workspace[T]) float64 {
	all, some := sum(a), 0.0
	for _, c := range y {
		some += float64(a[c])
	}
	return some - all
}

// Visit moves a block to its optimum.
func (l MultilabelHinge[T]) Visit(
	a, s []T, y []int, h, r, term, least float64, delta []T, w *Workspace[T],
) (gap, after float64, moved bool) {
	return Visit(l, a, s, y, h, r, term, least, delta, w)
}

// Update projects (x, z): with b and c the points without constraint, x = max(0, b - t) and z = max(0, c + t) for the t
// at which their sums agree, or each with a threshold of its own where that sum exceeds r.
func (l MultilabelHinge[T]) Update(a, s []T, y []int, h T, r float64, delta []T, w *Workspace[T]) bool {
	m := len(a)
	if len(y) == 0 || len(y) == m {
		clear(delta)
		return false
	}
	b, c, inv := w.take(m)[:0], w.margins[:0], 1/h
	each(m, y, func(j int, isTrue bool) {
		if isTrue {
			c = append(c, a[j]-s[j]*inv)
		} else {
			b = append(b, -a[j]+(1+s[j])*inv)
		}
	})
	w.margins = c
	radius := inner[T](r)
	if t, total := meet(b, c); total <= float64(radius) {
		for j, v := range b {
			b[j] = T(max(0, float64(v)-t))
		}
		for j, v := range c {
			c[j] = T(max(0, float64(v)+t))
		}
	} else {
		project.Simplex(b, b, project.Equal, radius, &w.projection)
		project.Simplex(c, c, project.Equal, radius, &w.projection)
	}
	balance(b, c, r)
	moved := false
	each(m, y, func(j int, isTrue bool) {
		var v T
		if isTrue {
			v, c = c[0], c[1:]
		} else {
			v, b = -b[0], b[1:]
		}
		delta[j] = v - a[j]
		moved = moved || delta[j] != 0
		a[j] = v
	})
	return moved
}

// Repair moves a into the set.
func (l MultilabelHinge[T]) Repair(a []T, y []int, r float64, w *Workspace[T]) {
	m := len(a)
	b, c := w.take(m)[:0], w.margins[:0]
	each(m, y, func(j int, isTrue bool) {
		if isTrue {
			c = append(c, max(0, a[j]))
		} else {
			b = append(b, max(0, -a[j]))
		}
	})
	w.margins = c
	balance(b, c, r)
	each(m, y, func(j int, isTrue bool) {
		if isTrue {
			a[j], c = c[0], c[1:]
		} else {
			a[j], b = -b[0], b[1:]
		}
	})
}

// Reach returns r/<1,z>.
func (l MultilabelHinge[T]) Reach(a []T, _ []int, r float64) float64 { return r / positive(a) }

// balance scales x and z, whose sums differ by rounding, to the same sum, at most r: exactly so in float64, and to
// rounding in float32, where Repair comes after conversion.
func balance[T vec.Float](x, z []T, r float64) {
	sx, sz := sum(x), sum(z)
	to := min(sx, sz, r)
	scale(x, to, sx)
	scale(z, to, sz)
}

func scale[T vec.Float](x []T, to, from float64) {
	if to == from {
		return
	}
	for j, v := range x {
		x[j] = T(float64(v) * (to / from))
	}
}

// meet returns the t for which sum_j max(0, b_j - t) = sum_j max(0, c_j + t), and that sum. The left side falls in t
// and the right one grows, both piecewise linear. Newton's method between brackets; where no element is above its
// threshold the sum is 0.
func meet[T vec.Float](b, c []T) (t, total float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range c {
		low = min(low, -float64(v)) // below, nothing of c
	}
	for _, v := range b {
		high = max(high, float64(v)) // above, nothing of b
	}
	if low >= high {
		return high, 0
	}
	t = (low + high) / 2
	for range 100 {
		left, right, count := 0.0, 0.0, 0
		for _, v := range b {
			if d := float64(v) - t; d > 0 {
				left += d
				count++
			}
		}
		for _, v := range c {
			if d := float64(v) + t; d > 0 {
				right += d
				count++
			}
		}
		total = min(left, right)
		switch {
		case left > right:
			low = t
		case left < right:
			high = t
		default:
			return t, total
		}
		next := t + (left-right)/float64(count)
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if next == t {
			return t, total
		}
		t = next
	}
	return t, total
}

// each calls do with every class in order and whether it is one of y, which ascend.
func each(m int, y []int, do func(j int, isTrue bool)) {
	for j := range m {
		isTrue := len(y) > 0 && y[0] == j
		if isTrue {
			y = y[1:]
		}
		do(j, isTrue)
	}
}
