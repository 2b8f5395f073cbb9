package nuclear

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// Duals are dual variables A, n-by-m, with rows w_i (p_i - e_y) for some probabilities p_i and the class y of example
// i. Their bound of the optimum is
//
//	D(A) = 1/n sum_i w_i H(p_i) - conjugate(Xᵀ A/n),   H(p) = -<p, log p>
//
// Since H is concave, its value of a mixture of several A is at least the mixture of their values.
type Duals[T vec.Float] struct {
	A    vec.Matrix[T]
	G    vec.Matrix[T] // Xᵀ A/n
	H    float64       // a lower bound of the first sum
	some vec.Matrix[T] // room for the G of a mixture
}

func NewDuals[T vec.Float](n, d, m int) Duals[T] {
	return Duals[T]{A: vec.NewMatrix[T](n, m), G: vec.NewMatrix[T](d, m), some: vec.NewMatrix[T](d, m)}
}

// Copy returns the same with an A of its own.
func (a Duals[T]) Copy() Duals[T] {
	own := vec.NewMatrix[T](a.A.Rows, a.A.Cols)
	copy(own.Data, a.A.Data)
	a.A = own
	return a
}

// scale multiplies A by s.
func (a *Duals[T]) scale(s float64) {
	vec.Scale(T(s), a.A.Data)
	vec.Scale(T(s), a.G.Data)
	a.H *= s
}

// value returns D, or a lower bound of it.
func (a *Duals[T]) value(p Penalty) float64 { return a.H - p.Conjugate(Sigma(p, a.G)) }

// mixture is the part of new dual variables, s times, that is mixed into A, and D then.
type mixture struct{ part, s, dual float64 }

// towards sets some to the gradient of a mixture with dual variables whose gradient is g.
func (a *Duals[T]) towards(t, s float64, g vec.Matrix[T]) {
	for j := range g.Rows {
		to := a.some.Row(j)
		copy(to, a.G.Row(j))
		vec.Scale(T(1-t), to)
		vec.Axpy(T(s*t), g.Row(j), to)
	}
}

// mixture returns how far A is to move towards the dual variables of an evaluation of the risk, with their gradient and
// their sum of H: as far as D grows. At the optimum both are the same; on the way D of the evaluations alone goes up
// and down.
func (a *Duals[T]) mixture(p Penalty, g vec.Matrix[T], h float64) mixture {
	s := p.Reach(Sigma(p, g))
	at := func(t float64) float64 {
		a.towards(t, s, g)
		return (1-t)*a.H + s*t*h - p.Conjugate(Sigma(p, a.some))
	}
	best, most := 0.0, a.value(p)
	take := func(t float64) float64 {
		v := at(t)
		if v > most {
			best, most = t, v
		}
		return v
	}
	// Halves until D falls on both sides of a t, then the vertex of the parabola through the three.
	left, end := most, 1.0 // before take, which may change most
	right := take(end)
	for range 8 {
		middle := take(end / 2)
		if middle >= left || end < 1e-2 {
			if bend := left - 2*middle + right; bend < 0 {
				if t := end / 4 * (3*left - 4*middle + right) / bend; t > 0 && t < 1 {
					take(t)
				}
			}
			break
		}
		right, end = middle, end/2
	}
	if math.IsNaN(most) {
		best = 0
	}
	return mixture{best, s, most}
}

// mix moves A towards those rows, with their gradient and their sum of H.
func (a *Duals[T]) mix(m mixture, rows, g vec.Matrix[T], h float64) {
	if m.part == 0 {
		return
	}
	a.towards(m.part, m.s, g)
	a.G, a.some = a.some, a.G
	a.H = (1-m.part)*a.H + m.s*m.part*h
	for i := range rows.Rows {
		vec.Scale(T(1-m.part), a.A.Row(i))
		vec.Axpy(T(m.s*m.part), rows.Row(i), a.A.Row(i))
	}
}

// exact returns the function that risk.EvaluateWith takes to put A, in float64, in place of other rows: with sums that
// are 1 and without what rounding has made negative. It adds each w_i H(p_i) to sums[i].
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
			row[l] = max(0, float64(v)/w)
			if l == y[i] {
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

// Save writes A and what is known of it, and Load reads dual variables of the same size.
func (a *Duals[T]) Save(w *container.Writer) {
	container.WriteMatrix(w, "dual", a.A)
	container.WriteMatrix(w, "xa", a.G)
	container.Floats(w, "h", []float64{a.H})
}

func (a *Duals[T]) Load(r *container.Reader) {
	rows, g, h := container.ReadMatrix[T](r, "dual"), container.ReadMatrix[T](r, "xa"),
		container.ReadFloats[float64](r, "h", 1)
	if r.Err() != nil {
		return
	}
	if rows.Rows != a.A.Rows || rows.Cols != a.A.Cols || g.Rows != a.G.Rows || g.Cols != a.G.Cols {
		r.Corrupt("dual variables %d by %d and %d by %d, want %d by %d and %d by %d",
			rows.Rows, rows.Cols, g.Rows, g.Cols, a.A.Rows, a.A.Cols, a.G.Rows, a.G.Cols)
		return
	}
	a.A, a.G, a.H = rows, g, h[0]
}
