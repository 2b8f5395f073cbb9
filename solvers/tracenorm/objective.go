package tracenorm

import "math"

// penalty is lambda1 |W|_* + lambda2 |W|_F².
type penalty struct{ lambda1, lambda2 float64 }

// of returns the penalty of a W with these singular values, or an upper bound of it where they are the lengths of the
// columns of its factors. squares is |W|_F².
func (p penalty) of(values []float64, squares float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return p.lambda1*sum + p.lambda2*squares
}

// conjugate returns that of the penalty at a matrix with the singular values sigma, descending:
//
//	sum_j max(0, sigma_j - lambda1)² / (4 lambda2)
//
// For lambda2 = 0 it is 0 where none is above lambda1, and infinite elsewhere.
func (p penalty) conjugate(sigma []float64) (value float64) {
	for _, v := range sigma {
		over := v - p.lambda1
		switch {
		case over <= 0:
		case p.lambda2 == 0:
			return math.Inf(1)
		default:
			value += over * over / (4 * p.lambda2)
		}
	}
	return value
}

// reach returns the largest s in [0, 1] for which the conjugate at s times the matrix is finite.
func (p penalty) reach(sigma []float64) float64 {
	if p.lambda2 > 0 || len(sigma) == 0 || !(sigma[0] > p.lambda1) {
		return 1
	}
	return p.lambda1 / sigma[0] * (1 - 1e-12)
}
