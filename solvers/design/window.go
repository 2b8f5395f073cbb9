package design

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Window returns the examples [from, to) of x as if they were all. It copies none of their numbers. Where x keeps them
// in a matrix in memory, as dataset.Dense does, products with all rows of the window are products with that part of the
// matrix; other storages are given a list of rows. The wrappers of this package pass a window on to what they wrap. It
// panics where the range is not within x.
func Window[T vec.Float](x Matrix[T], from, to int) Matrix[T] {
	n, d := x.Dims()
	if from < 0 || to < from || n < to {
		panic(shape.Errorf("design: Window", "[%d, %d) of %d examples", from, to, n))
	}
	if x, ok := x.(interface {
		window(from, to int) Matrix[T]
	}); ok {
		return x.window(from, to)
	}
	if from == 0 && to == n {
		return x
	}
	f := &subset[T]{x: x, n: to - from, d: d, from: from}
	if x, ok := x.(matrixRows[T]); ok {
		return &matrixWindow[T]{denseSubset: denseSubset[T]{subset: f, inner: x}, part: x.Slice(from, to, 0, d)}
	}
	return f.withRows()
}

// matrixRows is a storage whose examples are the rows of a matrix: one that embeds a vec.Matrix has this Slice.
type matrixRows[T vec.Float] interface {
	DenseRows[T]
	Slice(i, i2, j, j2 int) vec.Matrix[T]
}

// matrixWindow is neighbouring rows of a matrix, which is a matrix itself.
type matrixWindow[T vec.Float] struct {
	denseSubset[T]
	part vec.Matrix[T]
}

func (f *matrixWindow[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	if rows != nil || isColumn(w) && dst.Stride != 1 {
		f.subset.Scores(dst, w, rows)
		return
	}
	matrixScores(dst, w, f.part)
}

func (f *matrixWindow[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	if rows != nil || isColumn(w) && a.Stride != 1 {
		f.subset.Accumulate(w, a, rows)
		return
	}
	matrixAccumulate(w, a, f.part)
}

// matrixScores sets dst = X W, where dst has stride 1 if W is a column.
func matrixScores[T vec.Float](dst, w, x vec.Matrix[T]) {
	mustBe("Scores", "W", &w, x.Cols, w.Cols)
	mustBe("Scores", "dst", &dst, x.Rows, w.Cols)
	if isColumn(w) {
		vec.Gemv(1, x, w.Data[:x.Cols], 0, dst.Data[:x.Rows])
		return
	}
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0, dst)
}

// matrixAccumulate adds Xᵀ A to W, where A has stride 1 if W is a column.
func matrixAccumulate[T vec.Float](w, a, x vec.Matrix[T]) {
	mustBe("Accumulate", "W", &w, x.Cols, w.Cols)
	mustBe("Accumulate", "A", &a, x.Rows, w.Cols)
	if isColumn(w) {
		vec.GemvT(1, x, a.Data[:x.Rows], 1, w.Data[:x.Cols])
		return
	}
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, a, 1, w)
}

// isColumn reports whether W is a vector, whose products are products of a matrix with a vector.
func isColumn[T vec.Float](w vec.Matrix[T]) bool { return w.Cols == 1 && w.Stride == 1 }

// A window of neighbouring rows of x is one of x.
func (f *subset[T]) window(from, to int) Matrix[T] {
	if f.rows == nil {
		return Window(f.x, f.from+from, f.from+to)
	}
	rows := f.rows[from:to]
	for p, i := range rows {
		if i != rows[0]+p {
			part := &subset[T]{x: f.x, n: to - from, d: f.d, rows: rows, norms: f.norms[from:to]}
			return part.withRows()
		}
	}
	if len(rows) == 0 {
		return Window(f.x, 0, 0)
	}
	return Window(f.x, rows[0], rows[0]+len(rows))
}

func (f *biased[T]) window(from, to int) Matrix[T] { return WithBias(Window(f.x, from, to), f.b) }

func (f *wide[T]) window(from, to int) Matrix[float64] {
	x := Window(f.x, from, to)
	own, _ := x.(DenseRows[T])
	return &wide[T]{x: x, own: own, n: to - from, d: f.d, rows: f.rows, pool: f.pool}
}
