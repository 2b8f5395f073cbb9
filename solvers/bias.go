package solvers

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

// WithBias returns x with one more feature, the last, which is b in every example: the last row of W then holds the
// biases of the classes divided by b. The larger b, the less the regularization holds them down.
func WithBias[T vec.Float](x Features[T], b T) Features[T] {
	n, d := x.Dims()
	return &biased[T]{x: x, b: b, n: n, d: d}
}

type biased[T vec.Float] struct {
	x    Features[T]
	b    T
	n, d int // of x
}

func (f *biased[T]) Dims() (n, d int) { return f.n, f.d + 1 }

func (f *biased[T]) SquaredNorms(dst []T) {
	f.x.SquaredNorms(dst)
	for i := range dst {
		dst[i] += f.b * f.b
	}
}

func (f *biased[T]) Gather(rows []int, dst vec.Matrix[T]) {
	f.check(dst.Cols, "columns of dst")
	f.x.Gather(rows, dst.Slice(0, dst.Rows, 0, f.d))
	for p := range dst.Rows {
		dst.Row(p)[f.d] = f.b
	}
}

func (f *biased[T]) Scores(rows []int, w, dst vec.Matrix[T]) {
	f.check(w.Rows, "rows of W")
	f.x.Scores(rows, w.Slice(0, f.d, 0, w.Cols), dst)
	if w.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		vec.Axpy(f.b, w.Row(f.d), dst.Row(p))
	}
}

func (f *biased[T]) Accumulate(rows []int, a, w vec.Matrix[T]) {
	f.check(w.Rows, "rows of W")
	f.x.Accumulate(rows, a, w.Slice(0, f.d, 0, w.Cols))
	if w.Cols == 0 {
		return
	}
	for p := range a.Rows {
		vec.Axpy(f.b, a.Row(p), w.Row(f.d))
	}
}

func (f *biased[T]) Gram(rows, cols []int, dst vec.Matrix[T]) {
	f.x.Gram(rows, cols, dst)
	if dst.Cols == 0 {
		return
	}
	for p := range dst.Rows {
		to := dst.Row(p)
		for q := range to {
			to[q] += f.b * f.b
		}
	}
}

func (f *biased[T]) widen() Features[float64] { return WithBias(Float64(f.x), float64(f.b)) }

func (f *biased[T]) check(got int, what string) {
	if got != f.d+1 {
		panic(fmt.Sprintf("solvers: %d %s for %d features and the bias", got, what, f.d))
	}
}
