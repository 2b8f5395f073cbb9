package l1

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// exact is the problem in float64, for certificates.
type exact struct {
	x       design.Matrix[float64] // with the constant feature
	labels  []int
	radius  []float64
	loss    Loss
	classes []int // of the outputs
	workers int
	tol     float64
	trust   train.Trust
}

// groupOf is how many outputs a certificate takes at a time.
const groupOf = 16

// certificate computes the values of the weights w, d-by-m, and of the dual variables a, n-by-m, from the data:
//
//	P = sum_l |w_l|_1 + sum_i r_i phi(y_il <w_l, x_i>),   D = sum_l sum_i -r_i phi*(-theta_l |a_il| / r_i)
//
// with theta_l = min(1, 1/|Xᵀa_l|_inf), for the logistic loss at most r_i/|a_il| besides. One output goes by columns:
// most weights are 0.
func certificate[T vec.Float](e *exact, s *store[T], w, a vec.Matrix[T]) (c solvers.Certificate, err error) {
	n, d := e.x.Dims()
	off := 0.0
	for from := 0; from < len(e.classes); from += groupOf {
		classes := e.classes[from:min(from+groupOf, len(e.classes))]
		wide, scores := vec.NewMatrix[float64](d, len(classes)), vec.NewMatrix[float64](n, len(classes))
		for j := range d {
			vec.Convert(wide.Row(j), w.Row(j)[from:from+len(classes)])
		}
		if len(e.classes) == 1 {
			s.scores(scores.Data, wide.Data)
		} else {
			design.ScoresAll(scores, wide, e.x, e.workers)
		}
		for l, class := range classes {
			c.Primal += e.primal(wide, scores, l, class)
			off += offPrimal(e, s, wide, scores, l, class)
		}
		clear(wide.Data)
		for i := range n {
			vec.Convert(scores.Row(i), a.Row(i)[from:from+len(classes)])
		}
		if len(e.classes) == 1 {
			s.products(wide.Data, scores.Data)
		} else {
			design.AccumulateAll(wide, scores, e.x, e.workers)
		}
		for l, class := range classes {
			largest := e.largest(wide, scores, l)
			dual := e.dual(largest, scores, l, class)
			c.Dual += dual
			off += dual - e.dual(raised(s, wide, scores, l, largest), scores, l, class)
		}
	}
	if gap := c.Gap(); gap-gap != 0 {
		return c, fmt.Errorf("the certificate has %v: numbers of the data are too large", c)
	}
	return c, e.trust.Judge(c, off, e.tol)
}

// sign returns y_il.
func (e *exact) sign(i, class int) float64 {
	if e.labels[i] == class {
		return 1
	}
	return -1
}

// primal returns the primal value of output l.
func (e *exact) primal(w, scores vec.Matrix[float64], l, class int) (sum float64) {
	for i, r := range e.radius {
		if r > 0 {
			sum += r * phi(e.loss, e.sign(i, class)*scores.Row(i)[l])
		}
	}
	for j := range w.Rows {
		sum += math.Abs(w.Row(j)[l])
	}
	return sum
}

// largest returns what the dual variables of output l are to be divided by, with Xᵀa in xa.
func (e *exact) largest(xa, a vec.Matrix[float64], l int) float64 {
	largest := 1.0
	for j := range xa.Rows {
		largest = max(largest, math.Abs(xa.Row(j)[l]))
	}
	if e.loss == Logistic { // rounding to T may take a beyond its bound
		for i, r := range e.radius {
			if r > 0 {
				largest = max(largest, math.Abs(a.Row(i)[l])/r)
			}
		}
	}
	return largest
}

// dual returns the dual value of the dual variables of output l over largest.
func (e *exact) dual(largest float64, a vec.Matrix[float64], l, class int) (sum float64) {
	for i, r := range e.radius {
		if r > 0 {
			sum += r * conjugate(e.loss, e.sign(i, class)*a.Row(i)[l]/largest/r)
		}
	}
	return sum
}

// phi returns the loss of z = y s.
func phi(l Loss, z float64) float64 {
	if l == Logistic {
		return max(0, -z) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	m := max(0, 1-z)
	return m * m
}

// conjugate returns -phi*(-p), for p a little outside of the domain by rounding: p - p²/4, p >= 0, or the entropy of p
// and 1 - p.
func conjugate(l Loss, p float64) float64 {
	p = max(0, p)
	if l == Logistic {
		if p = min(1, p); p == 0 || p == 1 {
			return 0
		}
		return -p*math.Log(p) - (1-p)*math.Log1p(-p)
	}
	return p - p*p/4
}
