package ascent

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// What several workers need of a coupling R. Where they take a part t of their moves ΔA, D = Xᵀ ΔA R being the sum of
// the changes of W, the quadratic term of the dual objective is
//
//	q + t <ΔA, X W> + t²/2 <ΔA, X D>
//
// with q and W before the round. Worker w has added up <ΔA_w, X W> + 1/2 <ΔA_w, X D_w>, visit by visit. The forms
// <ΔA, X D> are sums over the examples that moved, one product a row of X. Where labels are few and R is well
// conditioned they are <R⁻¹, Dᵀ D>, which costs O(d L²) for all examples.
type forms[T vec.Float] struct {
	inverse vec.Matrix[T] // R⁻¹, or empty
	product vec.Matrix[T] // Dᵀ D, its lower half
}

// mostFormLabels is the number of labels up to which R⁻¹ costs less than products of rows.
const mostFormLabels = 64

// inverseOfForms returns R⁻¹, or none where the labels are too many or R⁻¹ makes too much of the roundings of D.
func inverseOfForms[T vec.Float](r vec.Matrix[float64]) (inverse vec.Matrix[T]) {
	const mostCondition = 0x1p8
	if r.Rows == 0 || r.Rows > mostFormLabels {
		return inverse
	}
	if exact, ok := inverseOf(r, mostCondition); ok {
		inverse = narrow[T](exact)
	}
	return inverse
}

// known reports whether there is R⁻¹.
func (f *forms[T]) known() bool { return f.inverse.Rows > 0 }

// of returns <R⁻¹, Dᵀ D>. O(d L²).
func (f *forms[T]) of(d *weights[T]) (sum float64) {
	m := f.inverse.Rows
	f.multiply(d, m)
	for l := range m {
		inverse, product := f.inverse.Row(l), f.product.Row(l)
		sum += 2*float64(vec.Dot(inverse[:l], product[:l])) + float64(inverse[l]*product[l])
	}
	return sum
}

// multiply sets the product of m labels.
func (f *forms[T]) multiply(d *weights[T], m int) {
	if d.byClass {
		vec.Syrk(vec.Lower, vec.NoTrans, 1, d.Slice(0, m, 0, d.Cols), 0, f.product)
	} else {
		vec.Syrk(vec.Lower, vec.Transposed, 1, d.Slice(0, d.Rows, 0, m), 0, f.product)
	}
}

// ownForm returns <ΔA_w, X D_w> at the end of a round, where weights are D_w.
func (w *worker[T]) ownForm() float64 {
	if w.forms.known() {
		return w.forms.of(&w.weights)
	}
	return w.product(&w.weights)
}

// product returns <ΔA_w, X D>: the sum over the worker's examples that moved in the round of <Δa_i, Dᵀ x_i>.
func (w *worker[T]) product(d *weights[T]) (sum float64) {
	b, m := &w.block, w.s.m
	for from, size := 0, b.size(); from < len(w.round); from += size {
		to := min(from+size, len(w.round))
		b.rows = b.rows[:0]
		for p, i := range w.round[from:to] {
			if w.roundMoved[from+p] {
				b.rows = append(b.rows, i)
			}
		}
		switch {
		case len(b.rows) == 0:
			continue
		case size == 1:
			w.rows.scores(b.scores.Data, b.rows[0], &d.Matrix)
		default:
			x := rowsFrom(&b.x, 0, len(b.rows))
			w.rows.x.Gather(x, b.rows)
			d.scores(rowsFrom(&b.scores, 0, len(b.rows)), x)
		}
		q := 0
		for p := from; p < to; p++ {
			if !w.roundMoved[p] {
				continue
			}
			step := b.step[:m]
			copy(step, w.s.duals(w.round[p]))
			vec.Axpy(-1, w.old.Row(p), step)
			sum += float64(vec.Dot(step, b.scores.Row(q)[:m]))
			q++
		}
	}
	return sum
}

// quadraticAlong returns <ΔA, X W> and <ΔA, X D> of the moves of all workers, where D is the first one's weights.
func (s *linearSolver[T]) quadraticAlong(team []*worker[T]) (linear, square float64) {
	d := &team[0].weights
	switch f := &team[0].forms; {
	case !s.p.coupled():
		return float64(vec.Dot(s.weights.Data, d.Data)), float64(vec.SquaredNorm(d.Data))
	case f.known():
		square = f.of(d)
	default:
		parallel.Do(len(team), len(team), func(_, q int) { team[q].joint = team[q].product(d) })
		for _, w := range team {
			square += w.joint
		}
	}
	for _, w := range team {
		linear += w.quadratic - w.quadraticBefore - w.own/2
	}
	return linear, square
}
