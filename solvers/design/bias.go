package design

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// WithBias returns x with one more feature, the last, which is b in every example: the last row of W then holds the
// biases of the classes divided by b. The larger b, the less the regularization holds them down.
func WithBias[T vec.Float](x Matrix[T], b T) Matrix[T] {
	n, d := x.Dims()
	return &biased[T]{x: x, b: b, n: n, d: d}
}

type biased[T vec.Float] struct {
	x    Matrix[T]
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

func (f *biased[T]) Gather(dst vec.Matrix[T], rows []int) {
	f.check("Gather", dst.Cols, "columns of dst")
	f.x.Gather(dst.Slice(0, dst.Rows, 0, f.d), rows)
	for p := range dst.Rows {
		dst.Row(p)[f.d] = f.b
	}
}

func (f *biased[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	f.check("Scores", w.Rows, "rows of W")
	f.x.Scores(dst, w.Slice(0, f.d, 0, w.Cols), rows)
	switch {
	case w.Cols == 0:
	case w.Cols == 1 && dst.Stride == 1:
		add := f.b * w.Row(f.d)[0]
		for p, v := range dst.Data[:dst.Rows] {
			dst.Data[p] = v + add
		}
	default:
		for p := range dst.Rows {
			vec.Axpy(f.b, w.Row(f.d), dst.Row(p))
		}
	}
}

func (f *biased[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	f.check("Accumulate", w.Rows, "rows of W")
	f.x.Accumulate(w.Slice(0, f.d, 0, w.Cols), a, rows)
	switch {
	case w.Cols == 0:
	case w.Cols == 1 && a.Stride == 1:
		w.Row(f.d)[0] += f.b * vec.Sum(a.Data[:a.Rows])
	default:
		for p := range a.Rows {
			vec.Axpy(f.b, a.Row(p), w.Row(f.d))
		}
	}
}

func (f *biased[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	f.x.Gram(dst, rows, cols)
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

func (f *biased[T]) widen() Matrix[float64] { return WithBias(Float64(f.x), float64(f.b)) }

func (f *biased[T]) InFile() bool { return inFile(f.x) }

func (f *biased[T]) check(function string, got int, what string) {
	if got != f.d+1 {
		panic(shape.Errorf("design: "+function, "%d %s for %d features and the bias", got, what, f.d))
	}
}
