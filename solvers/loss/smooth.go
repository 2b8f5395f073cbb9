package loss

import (
	"github.com/dualgap/dualgap/vec"
)

// What the smoothed losses need: phi(h) = max <h,u> - smoothing/2 |u|² over a set of u. The solution is the projection
// of h/smoothing onto the set; the conjugate is smoothing/2 |u|² - <1,u>.

// scaledMargins returns h/smoothing over the classes other than y.
func scaledMargins[T vec.Float](s []T, y int, smoothing float64, w *Workspace[T]) []T {
	u := w.take(len(s) - 1)
	margin, inv := 1-s[y], T(1/smoothing)
	for j, v := range s[:y] {
		u[j] = (v + margin) * inv
	}
	for j, v := range s[y+1:] {
		u[y+j] = (v + margin) * inv
	}
	w.margins = append(w.margins[:0], u...)
	return u
}

// smoothed returns phi at u, which is the projection of w.margins. Numbers of both are about 1/smoothing, whose square
// may be less than the least number.
func smoothed[T vec.Float](u []T, smoothing float64, w *Workspace[T]) float64 {
	const large = 0x1p400
	sum, first, last := 0.0, 1.0, smoothing
	if smoothing > large {
		first, last = smoothing, 1
	}
	for j, v := range u {
		sum += float64(v) * (first * (float64(w.margins[j]) - float64(v)/2))
	}
	return last * sum
}

// penalty returns smoothing/(2r) |x|². Elements are as small as r, whose square may be less than the least number.
func penalty[T vec.Float](a []T, y int, smoothing, r float64) float64 {
	if smoothing == 0 {
		return 0
	}
	sum := 0.0
	for j, v := range a {
		if j != y {
			sum += float64(v) * (float64(v) / r * smoothing)
		}
	}
	return sum / 2
}

// curvature returns 1/(h + smoothing/r) and rho = h/(h + smoothing/r): an update minimises 1/2 |b-x|² + rho/2 <1,x>².
func curvature[T vec.Float](h T, smoothing, r float64) (inv, rho T) {
	if smoothing == 0 {
		return 1 / h, 1
	}
	inv = T(1 / (float64(h) + smoothing/r))
	return inv, h * inv
}
