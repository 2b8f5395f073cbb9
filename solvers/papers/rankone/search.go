package rankone

import (
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// add takes a step along a new atom, W + delta u vᵀ, by the rule for penalties of l1 that the paper takes over: delta
// is the first of -slope/c, half of it, a quarter ... by which I falls by a tenth of what the slope promises, where c
// is the curvature of I along the atom. It reports whether there was one. One product X u, and O(n m) for each delta.
func (d *descent[T]) add(u, v []T, slope float64) bool {
	const armijo, halvings = 0.1, 40
	x := d.product(u)
	delta := -slope / d.curvature(x, v)
	if !(delta > 0) || math.IsInf(delta, 1) { // no curvature that this precision shows
		delta = 1
	}
	wv := make([]T, d.D)
	vec.Gemv(1, d.W, v, 0, wv)
	inner := float64(vec.Dot(wv, u)) // <W, u vᵀ>
	for range halvings {
		step := T(delta)
		loss := d.Sample.OfScores(func(i int, row []T) {
			copy(row, d.scores.Row(i))
			vec.Axpy(step*x[i], v, row)
		})
		delta = float64(step)
		change := loss - d.Loss + d.Lambda1*delta + d.Lambda2*delta*(2*inner+delta)
		if change <= armijo*delta*slope {
			vec.Ger(step, x, v, d.scores)
			vec.Ger(step, u, v, d.W)
			d.append(delta, u, v, x)
			d.Loss = loss
			d.added++
			return true
		}
		delta /= 2
	}
	d.Loss = d.risk()
	return false
}

// product returns X u, of n numbers.
func (d *descent[T]) product(u []T) []T {
	d.passes += .5 / float64(d.M)
	x := make([]T, d.N)
	rows, sparse := d.Data.X.(design.SparseRows[T])
	if !sparse {
		design.ScoresAll(vec.MatrixOf(d.N, 1, x), vec.MatrixOf(d.D, 1, u), d.Data.X, d.Workers)
		return x
	}
	const part = 512
	parallel.Chunks(d.Workers, d.N, part, func(_, from, to int) {
		for i := from; i < to; i++ {
			columns, values := rows.Row(i)
			x[i] = vec.SparseDot(columns, values, u)
		}
	})
	return x
}

// curvature returns the second derivative of R along u vᵀ, with x = X u and the classes' probabilities p_i:
//
//	1/n sum_i x_i² (sum_l p_il v_l² - (sum_l p_il v_l)²) + 2 lambda2
func (d *descent[T]) curvature(x, v []T) (c float64) {
	squares, means, meanSquares := make([]T, d.M), make([]T, d.N), make([]T, d.N)
	vec.Mul(squares, v, v)
	rows := d.Sample.Duals() // p_i - e_y
	vec.Gemv(1, rows, v, 0, means)
	vec.Gemv(1, rows, squares, 0, meanSquares)
	for i, y := range d.Data.Y {
		mean := float64(means[i] + v[y])
		c += float64(x[i]) * float64(x[i]) * max(0, float64(meanSquares[i]+squares[y])-mean*mean)
	}
	return c/float64(d.N) + 2*d.Lambda2
}
