package tracenorm

import (

	"github.com/dualgap/dualgap/solvers/internal/risk"
	"github.com/dualgap/dualgap/vec"
)

// penalty is lambda1 |W|_* + lambda2 |W|_F².
type penalty struct{ lambda1, lambda2 float64 }

// of returns the penalty of a W with these singular values, or an upper bound of it with lengths of the columns of its factors.
func (p penalty) of(values []float64, squares float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return p.lambda1*sum + p.lambda2*squares
}

// conjugate returns the conjugate of the penalty at a matrix with the singular values s sigma, and its derivative in s:
//
//	sum_j max(0, s sigma_j - lambda1)² / (4 lambda2)
//
// For lambda2 = 0 it is 0 up to largest, and infinite beyond.
func (p penalty) conjugate(sigma []float64, s float64) (value, slope float64) {
	if p.lambda2 == 0 {
		return 0, 0
	}
	for _, v := range sigma {
		over := s*v - p.lambda1
		if !(over <= 0) {
			value += over * over / (4 * p.lambda2)
			slope += v * over / (2 * p.lambda2)
		}
	}
	return value, slope
}

// largest returns the largest s in [0, 1] for which the conjugate is finite.
func (p penalty) largest(sigma []float64) float64 {
	if p.lambda2 > 0 || len(sigma) == 0 || sigma[0] <= p.lambda1 {
		return 1
	}
	return p.lambda1 / sigma[0]
}

// dual returns the best lower bound of the optimum, and its s, from the evaluation of a risk at W, with the dual variables
// p_i = e_y + s (softmax_i - e_y): entropy(s) less the conjugate at s G. At s = 1 the entropy is loss - <W, G>, which costs nothing.
// That is the best, or next to it, near the optimum: any s is tried only where the bound falls short of enough.
func dual[T vec.Float](p penalty, r *risk.Risk[T], loss, wg float64, sigma []float64, enough float64) (d, s float64) {
	most := p.largest(sigma)
	if most == 1 {
		c, _ := p.conjugate(sigma, 1)
		if d = loss - wg - c; d >= enough || d != d {
			return d, 1
		}
	}
	at := func(s float64) (value, slope float64) {
		h, dh := r.Entropy(s)
		c, dc := p.conjugate(sigma, s)
		return h - c, dh - dc
	}
	// The bound is concave in s, and 0 at 0: bisection on its slope.
	low, high := 0.0, most
	value, slope := at(most)
	d, s = value, most
	for range 20 {
		if slope >= 0 && s == most || high-low < 1e-3*high {
			break
		}
		middle := (low + high) / 2
		if value, slope = at(middle); slope > 0 {
			low = middle
		} else {
			high = middle
		}
		if value > d {
			d, s = value, middle
		}
		if d >= enough {
			break
		}
	}
	return max(d, 0), s
}
