package ascent

import (
	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/vec"
)

// coupling is what momentum needs of R where outputs are coupled: moves are multiplied by it, and on features it knows
// the quadratic term from W = Xᵀ A R,
//
//	<A, K A R> = <R⁻¹, Wᵀ W>.
type coupling[T vec.Float] struct {
	r       vec.Matrix[T]
	inverse vec.Matrix[float64] // R⁻¹
	product vec.Matrix[float64] // Wᵀ W, its lower half
	wide    []float64           // some of W
}

// newCoupling returns nil where R⁻¹ makes too much of the roundings of W: above a condition number of 1/sqrt(u) they
// are as large as what an extrapolation gains. O(m³).
func newCoupling[T vec.Float](r vec.Matrix[float64]) *coupling[T] {
	most := 0x1p12
	if is64[T]() {
		most = 0x1p26
	}
	inverse, ok := inverseOf(r, most)
	if !ok {
		return nil
	}
	m := r.Rows
	return &coupling[T]{r: narrow[T](r), inverse: inverse,
		product: vec.NewMatrix[float64](m, m), wide: make([]float64, max(4096/m, 1)*m)}
}

// inverseOf returns R⁻¹; ok is false where R has none, or a condition number, |R| |R⁻¹| in Frobenius norms, above most.
// O(m³).
func inverseOf(r vec.Matrix[float64], most float64) (inverse vec.Matrix[float64], ok bool) {
	m := r.Rows
	factor, inverse := vec.NewMatrix[float64](m, m), vec.NewMatrix[float64](m, m)
	for l := range m {
		copy(factor.Row(l), r.Row(l))
		inverse.Row(l)[l] = 1
	}
	size := vec.Norm(factor.Data)
	if cholesky.Factor(factor, 1) != nil {
		return inverse, false
	}
	cholesky.Solve(factor, inverse, 1)
	return inverse, size*vec.Norm(inverse.Data) <= most
}

// form returns <R⁻¹, Wᵀ W>, in float64. O(d m²).
func (c *coupling[T]) form(w *weights[T]) (sum float64) {
	m := c.r.Rows
	lines := len(c.wide) / m
	clear(c.product.Data)
	if w.byClass {
		for from := 0; from < w.Cols; from += lines {
			c.add(vec.NoTrans, w.Slice(0, m, from, min(from+lines, w.Cols)))
		}
	} else {
		for from := 0; from < w.Rows; from += lines {
			c.add(vec.Transposed, w.Slice(from, min(from+lines, w.Rows), 0, m))
		}
	}
	for l := range m {
		inverse, product := c.inverse.Row(l), c.product.Row(l)
		sum += 2*vec.Dot(inverse[:l], product[:l]) + inverse[l]*product[l]
	}
	return sum
}

// add adds part partᵀ to the product, or partᵀ part.
func (c *coupling[T]) add(t vec.Trans, part vec.Matrix[T]) {
	wide := vec.Matrix[float64]{Data: c.wide[:part.Rows*part.Cols], Rows: part.Rows, Cols: part.Cols, Stride: part.Cols}
	for q := range part.Rows {
		vec.Convert(wide.Row(q), part.Row(q))
	}
	vec.Syrk(vec.Lower, t, 1, wide, 1, c.product)
}

// narrow returns r in numbers of T.
func narrow[T vec.Float](r vec.Matrix[float64]) vec.Matrix[T] {
	to := vec.NewMatrix[T](r.Rows, r.Cols)
	for l := range r.Rows {
		vec.Convert(to.Row(l), r.Row(l))
	}
	return to
}
