package loss

import "github.com/dualgap/dualgap/vec"

// simplex is project.TopKSimplex for k = 1, on vectors of 17 to a few hundred elements, where most of the time of that would go
// into choosing a way: b becomes max(0, b-t) with sum_j max(0, b_j - t) = min(t/rho, r), or 0 where no element is positive.
//
// The left side is convex and falls, the right one is concave: Newton's method from a t where b's largest element alone is too
// much climbs to the root, and is there when the number of elements above t stays. Kernels in T find those elements, of which t is
// computed in float64.
func simplex[T vec.Float](b []T, r, rho T) {
	most := vec.Max(b)
	if !(most > 0) || r == 0 {
		clear(b)
		return
	}
	t, last := max(most-r, most*rho/(1+rho)), -1
	for range 64 {
		sum, count := vec.SumAbove(b, t)
		if count == last || count == 0 {
			break
		}
		last = count
		step := max((sum-t/rho)/(T(count)+1/rho), (sum-r)/T(count))
		if !(step > 0) {
			break
		}
		t += step
	}
	sum, count := 0.0, 0.0
	for _, v := range b {
		if v > t {
			sum += float64(v)
			count++
		}
	}
	exact := float64(t)
	if count > 0 {
		exact = max(sum/(count+1/float64(rho)), (sum-float64(r))/count)
	}
	for j, v := range b {
		b[j] = T(max(0, float64(v)-exact))
	}
}
