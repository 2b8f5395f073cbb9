package cholesky

import "github.com/dualgap/dualgap/vec"

// Solve overwrites B, n-by-m, by the X with L Lᵀ X = B, where Factor has left L in the lower half of l, by workers
// goroutines, 0 for all cores. The bits do not depend on their number. It panics where sizes do not fit or workers is
// negative. O(2 n² m).
func Solve(l, b vec.Matrix[float64], workers int) {
	workers = mustFit("Solve", &l, b.Rows, workers)
	b.Check()
	forward(l, b, workers)
	backward(l, b, workers)
}

// forward sets B = L⁻¹ B.
func forward(l, b vec.Matrix[float64], workers int) {
	n, m := l.Rows, b.Cols
	if n > leaf {
		h := half(n)
		upper, lower := b.Slice(0, h, 0, m), b.Slice(h, n, 0, m)
		forward(l.Slice(0, h, 0, h), upper, workers)
		vec.GemmWorkers(vec.NoTrans, vec.NoTrans, -1, l.Slice(h, n, 0, h), upper, 1, lower, workers)
		forward(l.Slice(h, n, h, n), lower, workers)
		return
	}
	for i := range n {
		row, to := l.Row(i), b.Row(i)
		for k, v := range row[:i] {
			vec.Axpy64(-v, b.Row(k), to)
		}
		for j := range to {
			to[j] /= row[i]
		}
	}
}

// backward sets B = L⁻ᵀ B.
func backward(l, b vec.Matrix[float64], workers int) {
	n, m := l.Rows, b.Cols
	if n > leaf {
		h := half(n)
		upper, lower := b.Slice(0, h, 0, m), b.Slice(h, n, 0, m)
		backward(l.Slice(h, n, h, n), lower, workers)
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, -1, l.Slice(h, n, 0, h), lower, 1, upper, workers)
		backward(l.Slice(0, h, 0, h), upper, workers)
		return
	}
	for i := n - 1; i >= 0; i-- {
		row, from := l.Row(i), b.Row(i)
		for j := range from {
			from[j] /= row[i]
		}
		for k, v := range row[:i] {
			vec.Axpy64(-v, from, b.Row(k))
		}
	}
}
