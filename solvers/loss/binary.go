package loss

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// BinaryAtOnce is how many examples Binary treats at most.
const BinaryAtOnce = 256

// Binary is the loss of examples of two classes with one output, of many at once, in float64. What it returns is what
// Primal, Repair and Dual return of each, but for rounding; to the bit where all scores and dual variables are 0.
type Binary struct {
	squared, logistic bool
	e, log, q         [BinaryAtOnce]float64
}

// BinaryOf returns the loss l so, or nil where l is no such loss, or has costs, margins or a coupling. The losses of
// two examples then differ by their labels and weights alone.
func BinaryOf[T vec.Float](l Loss[T]) *Binary {
	switch l := l.(type) {
	case LabelHinge[T]:
		if l.Ones() {
			return &Binary{}
		}
	case SquaredHinge[T]:
		if l.Ones() {
			return &Binary{squared: true}
		}
	case Logistic[T]:
		if l.Ones() {
			return &Binary{logistic: true}
		}
	}
	return nil
}

// Primal sets phi to the losses at the scores t s. phi and ts are as long and may be the same.
func (b *Binary) Primal(phi, ts []float64) {
	if b.logistic {
		b.logistics(phi, ts)
		return
	}
	for k, v := range ts {
		phi[k] = psi(1-v, b.squared)
	}
}

func (b *Binary) logistics(phi, ts []float64) {
	e, log := b.e[:len(ts)], b.log[:len(ts)]
	for k, v := range ts {
		e[k] = -math.Abs(v)
	}
	vec.Exp(e, e)
	for k, v := range e {
		log[k] = 1 + v
	}
	vec.Log(log, log)
	for k, v := range e { // see logisticMemory.logs
		phi[k] = max(0, -ts[k]) + (log[k] + (v - ((1 + v) - 1)))
	}
}

// Dual brings the dual variables x = t a into their intervals, and sets terms to what they add to the dual objective,
// of losses of the weights r.
func (b *Binary) Dual(terms, x, r []float64) {
	switch {
	case b.logistic:
		b.entropies(terms, x, r)
	case b.squared:
		for k, v := range x {
			v = max(0, v)
			x[k], terms[k] = v, v-v*(v/r[k])/4 // v² may be less than the least number
		}
	default:
		for k, v := range x {
			x[k] = min(max(0, v), r[k])
			terms[k] = x[k]
		}
	}
}

// entropies is Dual of the logistic loss: see Logistic.Dual.
func (b *Binary) entropies(terms, x, r []float64) {
	q, p, logs := b.q[:len(x)], b.e[:len(x)], b.log[:len(x)]
	for k, v := range x {
		v = min(max(0, v), r[k])
		x[k], q[k] = v, max(0, min(v, r[k]-v))/r[k]
		p[k] = 1 - q[k]
	}
	vec.Log(logs, p)
	for k, v := range q {
		terms[k] = -(r[k] * p[k] * (logs[k] + ((1-p[k])-v)/p[k]))
		p[k] = max(v, 0x1p-1022)
	}
	vec.Log(logs, p)
	for k, v := range q {
		terms[k] -= r[k] * v * logs[k]
	}
}
