package l1

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// exact is the problem in float64, for certificates.
type exact struct {
	x       design.Matrix[float64] // with the constant feature
	labels  []int
	radius  []float64
	loss    Loss
	losses  *loss.Binary
	phi     []float64 // the losses of the last output
	classes []int     // of the outputs
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
// with theta_l = min(1, 1/|Xᵀa_l|_inf). For the logistic loss |a_il| is at most r_i. One output goes by columns: most
// weights are 0.
func certificate[T vec.Float](e *exact, s *store[T], w, a vec.Matrix[T]) (c solvers.Certificate, err error) {
	n, d := e.x.Dims()
	off := 0.0
	for from := 0; from < len(e.classes); from += groupOf {
		classes := e.classes[from:min(from+groupOf, len(e.classes))]
		wide, scores := vec.NewMatrix[float64](d, len(classes)), vec.NewMatrix[float64](n, len(classes))
		widen(wide, w, from)
		if s.bias != 0 {
			family.Hold(wide.Row(d-1), s.bias)
		}
		if len(e.classes) == 1 {
			s.scores(scores.Data, wide.Data)
		} else {
			design.ScoresAll(scores, wide, e.x, e.workers)
		}
		for l, class := range classes {
			c.Primal += e.primal(wide, scores, l, class)
			off += offPrimal(e, s, wide, l)
		}
		clear(wide.Data)
		widen(scores, a, from)
		if len(e.classes) == 1 {
			s.products(wide.Data, scores.Data)
		} else {
			design.AccumulateAll(wide, scores, e.x, e.workers)
		}
		for l, class := range classes {
			largest := largestOf(wide, l)
			dual := e.dual(largest, scores, l, class)
			c.Dual += dual
			off += e.offDual(dual, largest, raised(s, wide, scores, l, largest), scores, l, class)
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

// widen sets dst to as many columns of src, from the given one on.
func widen[T vec.Float](dst vec.Matrix[float64], src vec.Matrix[T], from int) {
	if dst.Cols == src.Cols {
		vec.Convert(dst.Data, src.Data)
		return
	}
	for i := range dst.Rows {
		vec.Convert(dst.Row(i), src.Row(i)[from:from+dst.Cols])
	}
}

// primal returns the primal value of output l, and leaves the losses in e.phi.
func (e *exact) primal(w, scores vec.Matrix[float64], l, class int) (sum float64) {
	for from := 0; from < len(e.radius); from += loss.BinaryAtOnce {
		phi := e.phi[from:min(from+loss.BinaryAtOnce, len(e.radius))]
		for k := range phi {
			phi[k] = e.sign(from+k, class) * scores.Data[(from+k)*scores.Stride+l]
		}
		e.losses.Primal(phi, phi)
		for k, r := range e.radius[from : from+len(phi)] {
			if r > 0 {
				sum += float64(r * phi[k])
			}
		}
	}
	for j := range w.Rows {
		sum += math.Abs(w.Data[j*w.Stride+l])
	}
	return sum
}

// largestOf returns what the dual variables of output l are to be divided by, with Xᵀa in xa.
func largestOf(xa vec.Matrix[float64], l int) float64 {
	largest := 1.0
	for j := range xa.Rows {
		largest = max(largest, math.Abs(xa.Row(j)[l]))
	}
	return largest
}

// dual returns the dual value of the dual variables of output l over largest.
func (e *exact) dual(largest float64, a vec.Matrix[float64], l, class int) (sum float64) {
	var x, r, terms [loss.BinaryAtOnce]float64
	for from := 0; from < len(e.radius); {
		count := 0
		for ; from < len(e.radius) && count < len(x); from++ {
			if e.radius[from] > 0 {
				x[count], r[count] = e.sign(from, class)*a.Data[from*a.Stride+l]/largest, e.radius[from]
				count++
			}
		}
		e.losses.Dual(terms[:count], x[:count], r[:count])
		for _, v := range terms[:count] {
			sum += v
		}
	}
	return sum
}

// offDual returns how much less the dual value may be if the dual variables are divided by more, in place of largest:
// of a concave function that is 0 at 0 a bound of it, where it is next to nothing beside the tolerance.
func (e *exact) offDual(dual, largest, more float64, a vec.Matrix[float64], l, class int) float64 {
	if most := dual * (1 - largest/more); most >= 0 && most <= e.tol/64*dual {
		return most
	}
	return dual - e.dual(more, a, l, class)
}

// binary returns the losses of many examples at once.
func (l Loss) binary() *loss.Binary {
	if l == Logistic {
		return loss.BinaryOf(loss.Logistic[float64]{})
	}
	return loss.BinaryOf(loss.SquaredHinge[float64]{})
}

// phi returns the loss of z = y s.
func phi(l Loss, z float64) float64 {
	if l == Logistic {
		return max(0, -z) + math.Log1p(math.Exp(-math.Abs(z)))
	}
	m := max(0, 1-z)
	return m * m
}
