package nuclear

import (
	"math"

	"github.com/dualgap/dualgap/internal/spectral"
	"github.com/dualgap/dualgap/vec"
)

// Penalty is lambda1 |W|_* + lambda2 |W|_F².
type Penalty struct{ Lambda1, Lambda2 float64 }

// Of returns the penalty of a W with these singular values, or an upper bound of it where they are the lengths of the
// columns of its factors. squares is |W|_F².
func (p Penalty) Of(values []float64, squares float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return p.Lambda1*sum + p.Lambda2*squares
}

// Conjugate returns the penalty's conjugate at a matrix with the singular values sigma, descending:
//
//	sum_j max(0, sigma_j - lambda1)² / (4 lambda2)
//
// For lambda2 = 0 it is 0 where none is above lambda1, and infinite elsewhere.
func (p Penalty) Conjugate(sigma []float64) (value float64) {
	for _, v := range sigma {
		over := v - p.Lambda1
		switch {
		case over <= 0:
		case p.Lambda2 == 0:
			return math.Inf(1)
		default:
			value += over * over / (4 * p.Lambda2)
		}
	}
	return value
}

// Reach returns the largest s in [0, 1] for which the conjugate at s times the matrix is finite.
func (p Penalty) Reach(sigma []float64) float64 {
	if p.Lambda2 > 0 || len(sigma) == 0 || !(sigma[0] > p.Lambda1) {
		return 1
	}
	return p.Lambda1 / sigma[0] * (1 - 1e-12)
}

// Sigma returns what the conjugate of a penalty wants of a matrix: its singular values or, where only the sum of their
// squares matters, the root of that.
func Sigma[T vec.Float](p Penalty, g vec.Matrix[T]) []float64 {
	if p.Lambda1 > 0 {
		return spectral.Values(g)
	}
	return []float64{frobenius(g)}
}

// frobenius returns |A|_F.
func frobenius[T vec.Float](a vec.Matrix[T]) float64 {
	sum := 0.0
	for i := range a.Rows {
		sum += float64(vec.SquaredNorm(a.Row(i)))
	}
	return math.Sqrt(sum)
}
