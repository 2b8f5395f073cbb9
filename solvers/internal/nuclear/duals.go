package nuclear

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Duals are dual variables A, n-by-k, with rows w_i (p_i - e_y) for some probabilities p_i and the class y of example i. Their
// bound of the optimum is
//
//	D(A) = 1/n sum_i w_i H(p_i) - conjugate(Xᵀ A/n),   H(p) = -<p, log p>
//
// Since H is concave, that of a mixture of several A is at least what mixing the sums of H tells.
type Duals[T vec.Float] struct {
	A    vec.Matrix[T]
	G    vec.Matrix[T] // Xᵀ A/n
	H    float64       // a lower bound of the first sum
	some vec.Matrix[T] // room for g
}

func NewDuals[T vec.Float](n, d, k int) Duals[T] {
	return Duals[T]{A: vec.NewMatrix[T](n, k), G: vec.NewMatrix[T](d, k), some: vec.NewMatrix[T](d, k)}
}

// Copy returns the same with an A of its own.
func (a Duals[T]) Copy() Duals[T] {
	own := vec.NewMatrix[T](a.A.Rows, a.A.Cols)
	copy(own.Data, a.A.Data)
	a.A = own
	return a
}

// value returns D, or a lower bound of it.
func (a *Duals[T]) value(p Penalty) float64 { return a.H - p.Conjugate(Sigma(p, a.G)) }

// mix moves A towards those of an evaluation of the risk, with their gradient and their sum of H, as far as D grows, and
// returns D. At the optimum both are the same; on the way D of the evaluations alone goes up and down.
func (a *Duals[T]) mix(p Penalty, rows, g vec.Matrix[T], h float64) float64 {
	s := p.Reach(Sigma(p, g))
	at := func(t float64) float64 { // the part t of the new ones, s times
		for j := range g.Rows {
			to := a.some.Row(j)
			copy(to, a.G.Row(j))
			vec.Scale(T(1-t), to)
			vec.Axpy(T(s*t), g.Row(j), to)
		}
		return (1-t)*a.H + s*t*h - p.Conjugate(Sigma(p, a.some))
	}
	// Halves until D falls on both sides of a t, then the vertex of the parabola through the three.
	best, most := 0.0, a.value(p)
	left, right, end := most, at(1), 1.0
	if right > most {
		best, most = 1, right
	}
	for range 8 {
		middle := at(end / 2)
		if middle > most {
			best, most = end/2, middle
		}
		if middle >= left || end < 1e-2 {
			if bend := left - 2*middle + right; bend < 0 {
				t := end / 4 * (3*left - 4*middle + right) / bend
				if t > 0 && t < 1 {
					if v := at(t); v > most {
						best, most = t, v
					}
				}
			}
			break
		}
		right, end = middle, end/2
	}
	if best == 0 || math.IsNaN(most) {
		return most
	}
	at(best)
	a.G, a.some = a.some, a.G
	a.H = (1-best)*a.H + s*best*h
	for i := range rows.Rows {
		vec.Scale(T(1-best), a.A.Row(i))
		vec.Axpy(T(s*best), rows.Row(i), a.A.Row(i))
	}
	return most
}

// exact returns the function that risk.EvaluateWith takes to put A, in float64, in place of other rows: with sums that are
// 1 and without what rounding has made negative. It adds each w_i H(p_i) to sums[i].
func (a *Duals[T]) exact(y []int, weights []float64, sums []float64) func(i int, row []float64) {
	return func(i int, row []float64) {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w == 0 {
			clear(row)
			return
		}
		rest := 0.0
		for l, v := range a.A.Row(i) {
			if row[l] = max(0, float64(v)/w); l == y[i] {
				row[l] = 0
			}
			rest += row[l]
		}
		scale := w / max(1, rest) // more than 1 by rounding only
		row[y[i]] = -min(rest, 1)
		h := 0.0
		for l, v := range row {
			p := v / max(1, rest)
			if l == y[i] {
				p = 1 + v
			}
			if p > 0 {
				h -= p * math.Log(p)
			}
			if l != y[i] {
				row[l] = v * scale
			}
		}
		row[y[i]] *= w
		sums[i] = w * h
	}
}
