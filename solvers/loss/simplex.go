package loss

import "github.com/dualgap/dualgap/vec"

// simplex is project.TopKSimplex for k = 1 and settle behind it, on vectors of 17 to a few hundred elements, where most of the time
// of those would go into choosing a way: b becomes max(0, b-t) with sum_j max(0, b_j - t) = min(t/rho, r), or 0 where no element is
// positive.
//
// The left side is convex and falls, the right one is concave: Newton's method from a t where b's largest element alone is too
// much climbs to the root, and is there when the number of elements above t stays. Only elements above the first t matter.
func simplex[T vec.Float](b []T, r float64, rho T, w *Workspace[T]) {
	radius := float64(inner[T](r))
	most := float64(vec.Max(b))
	if !(most > 0) || radius == 0 {
		clear(b)
		return
	}
	inv := 1 / float64(rho)
	t := max(most-radius, most/(1+inv))
	if cap(w.margins) < len(b) {
		w.margins = make([]T, len(b))
	}
	if len(w.places) < len(b) {
		w.places = make([]int32, len(b))
	}
	above := w.margins[:len(b)]
	count := vec.FilterAbove(b, roundBelow[T](t), above, w.places)
	above = above[:count]
	last := -1
	for range 64 {
		sum, n := 0.0, 0
		for _, v := range above {
			if d := float64(v) - t; d > 0 {
				sum += d
				n++
			}
		}
		if n == last || n == 0 {
			break
		}
		last = n
		step := max((sum-t*inv)/(float64(n)+inv), (sum-radius)/float64(n))
		if !(step > 0) {
			break
		}
		t += step
	}
	clear(b)
	total := 0.0
	for k, v := range above {
		x := T(max(0, float64(v)-t))
		b[w.places[k]] = x
		total += float64(x)
	}
	if !(total <= r*(1+0x1p-51*float64(len(b)))) { // numbers of a very hostile input
		settle(b, 1, r, r, false)
	}
}

// roundBelow returns a number of T that is at most v, or next to it.
func roundBelow[T vec.Float](v float64) T {
	t := T(v)
	if float64(t) > v {
		t -= t * T(unit[T]())
	}
	return t
}
