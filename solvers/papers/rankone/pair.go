package rankone

import (
	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/vec"
)

// pair returns unit vectors with uᵀ (-h) v = sigma, at most the largest singular value of h and epsilon/2 below it at
// most as a rule: line 1. Power steps begin at the longest row of h:
//
//	u = -h v/|h v|,   v = -hᵀ u/|hᵀ u|,   sigma = |hᵀ u|
//
// By each, sigma rises, at last by a constant part q of the rise before, so that it has rise q/(1-q) to go; they end
// where that is epsilon/4. What they miss, as from a start without a part along the top vector, shows when the method
// is about to stop. O(d m) a step.
func (d *descent[T]) pair() (u, v []T, sigma float64) {
	const most = 1000 // steps
	u, v = make([]T, d.D), make([]T, d.M)
	longest, length := 0, T(0)
	for j := range d.D {
		if s := vec.SquaredNorm(d.h.Row(j)); s > length {
			longest, length = j, s
		}
	}
	copy(v, d.h.Row(longest))
	vec.Normalize(v)
	last := 0.0
	for k := range most {
		vec.Gemv(-1, d.h, v, 0, u)
		vec.Normalize(u)
		vec.GemvT(-1, d.h, u, 0, v)
		now := float64(vec.Normalize(v))
		rise := now - sigma
		sigma = now
		if k > 1 && (!(rise > 0) || rise < last && rise*rise/(last-rise) <= d.epsilon/4) {
			break
		}
		last = rise
	}
	return u, v, sigma
}

// exactPair returns the top pair of -h by its decomposition.
func (d *descent[T]) exactPair() (u, v []T, sigma float64) {
	left, right, values, ok := spectral.Decompose(spectral.Float64(d.h))
	if !ok || len(values) == 0 {
		return make([]T, d.D), make([]T, d.M), 0
	}
	return unit[T](left, -1), unit[T](right, 1), values[0]
}

// unit returns the first column of a over its length, times sign.
func unit[T vec.Float](a vec.Matrix[float64], sign float64) []T {
	column, rounded := make([]float64, a.Rows), make([]T, a.Rows)
	for i := range column {
		column[i] = sign * a.Row(i)[0]
	}
	vec.Normalize(column)
	vec.Convert(rounded, column)
	return rounded
}
