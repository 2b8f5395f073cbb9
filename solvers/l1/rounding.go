package l1

import (
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// deviations is how many roundoffs of a product each sum of products may be off by, times the root of the number of its
// terms: three times what it is off by as a rule, where roundings are independent of each other with mean 0 (Higham and
// Mary, "A new approach to probabilistic rounding error analysis", 2019). Bounds for the worst roundings would refuse
// what is good.
const deviations = 3 * 0x1p-53

// raised returns what largest may be, but for rounding of Xᵀa: |x_j| max_i |a_i| is no less than the root of the sum of
// the squares of the terms of an inner product. Of a feature far larger than the others that is more than the bound, 1,
// which its inner product is held to: then the dual variables prove little.
func raised[T vec.Float](s *store[T], xa, a vec.Matrix[float64], l int, largest float64) float64 {
	size := 0.0
	for i := range a.Rows {
		size = max(size, math.Abs(a.Row(i)[l]))
	}
	size *= deviations * math.Sqrt(float64(s.n+3))
	for f, j := range s.features {
		largest = max(largest, math.Abs(xa.Row(int(j))[l])+size*s.norms[f])
	}
	return largest
}

// offPrimal returns how far rounding may take the losses of output l, which e.phi has, at the weights w. With scores
// off by e_i they are off by sum_i r_i |phi'| e_i + r_i e_i² at most. The e_i together have the sum of squares V, e.g.
// (d+3) times the squares of roundoffs of the terms x_ij w_j, so that this is at most |(r_i phi')_i| V^{1/2} + max r V.
// The slope |phi'| is 2 sqrt(phi) of the squared hinge, and of the logistic loss at most 1 and phi.
func offPrimal[T vec.Float](e *exact, s *store[T], w vec.Matrix[float64], l int) float64 {
	square, terms, slopes, most := 0.0, 0, 0.0, slices.Max(e.radius)
	for f, j := range s.features {
		if v := w.Row(int(j))[l]; v != 0 {
			square, terms = math.Hypot(square, v*s.norms[f]), terms+1
		}
	}
	if terms == 0 {
		return 0
	}
	for i, r := range e.radius {
		of := r / most
		if e.loss == Logistic {
			of *= min(1, e.phi[i])
			slopes += of * of
		} else {
			slopes += 4 * of * of * e.phi[i]
		}
	}
	off := deviations * math.Sqrt(float64(terms+3)) * square
	return off * most * (math.Sqrt(slopes) + off)
}
