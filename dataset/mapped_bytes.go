package dataset

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// mappedBytes is examples that are turned into numbers where they are needed.
type mappedBytes[T vec.Float] struct {
	*mapping
	*decoder[T]
	n, d int
	data []byte
}

func (x *mappedBytes[T]) Dims() (n, d int) { return x.n, x.d }

func (x *mappedBytes[T]) Close() error {
	x.n, x.d, x.data = 0, 0, nil
	return x.mapping.Close()
}

func (x *mappedBytes[T]) SquaredNorms(dst []T) {
	mustHold("Mapped.SquaredNorms", dst, x.n)
	x.blocks(nil, func(p int, b *Dense[T]) { b.SquaredNorms(dst[p : p+b.Rows]) })
}

func (x *mappedBytes[T]) Gather(dst vec.Matrix[T], rows []int) {
	mustBe("Mapped.Gather", "dst", &dst, count(rows, x.n), x.d)
	for p := range dst.Rows {
		x.row(dst.Row(p), at(rows, p))
	}
}

func (x *mappedBytes[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	mustBe("Mapped.Scores", "W", &w, x.d, w.Cols)
	mustBe("Mapped.Scores", "dst", &dst, count(rows, x.n), w.Cols)
	x.blocks(rows, func(p int, b *Dense[T]) { b.Scores(dst.Slice(p, p+b.Rows, 0, w.Cols), w, nil) })
}

func (x *mappedBytes[T]) Accumulate(w, coef vec.Matrix[T], rows []int) {
	mustBe("Mapped.Accumulate", "W", &w, x.d, w.Cols)
	mustBe("Mapped.Accumulate", "A", &coef, count(rows, x.n), w.Cols)
	x.blocks(rows, func(p int, b *Dense[T]) { b.Accumulate(w, coef.Slice(p, p+b.Rows, 0, w.Cols), nil) })
}

func (x *mappedBytes[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	mustBe("Mapped.Gram", "dst", &dst, count(rows, x.n), count(cols, x.n))
	x.blocks(rows, func(p int, b *Dense[T]) {
		x.blocks(cols, func(q int, c *Dense[T]) {
			vec.Gemm(vec.NoTrans, vec.Transposed, 1, b.Matrix, c.Matrix, 0, dst.Slice(p, p+b.Rows, q, q+c.Rows))
		})
	})
}

func (x *mappedBytes[T]) Validate() error {
	err := x.CheckSizes()
	x.blocks(nil, func(p int, b *Dense[T]) {
		if k := firstNotFinite(b.Data); k >= 0 && err == nil {
			err = valueError(p+k/x.d, k%x.d, b.Data[k])
		}
	})
	return err
}

func (x *mappedBytes[T]) sparse() bool { return false }

func (x *mappedBytes[T]) extremes() (low, high []float64) {
	low, high = noRange(x.d)
	x.blocks(nil, func(_ int, b *Dense[T]) { widenRange(low, high, b) })
	return low, high
}

func (x *mappedBytes[T]) squares(mean []float64) (sum, square []float64) {
	sum, square = make([]float64, x.d), make([]float64, x.d)
	x.blocks(nil, func(_ int, b *Dense[T]) { addSquares(sum, square, mean, b) })
	return sum, square
}

// row sets dst to example i.
func (x *mappedBytes[T]) row(dst []T, i int) {
	if uint(i) >= uint(x.n) {
		panic(shape.Errorf("dataset: Mapped", "row %d of %d examples", i, x.n))
	}
	x.decode(dst, x.data[i*x.d*x.size:])
}

// blocks calls do for the chosen examples, block after block, with the place p of the first. A block has 2^15 numbers,
// or one row, so that a second-level cache holds it until the product has read it.
func (x *mappedBytes[T]) blocks(rows []int, do func(p int, b *Dense[T])) {
	n := count(rows, x.n)
	if n == 0 {
		return
	}
	rooms := roomsOf[T]()
	r, _ := rooms.Get().(*room[T])
	if r == nil {
		r = new(room[T])
	}
	size := min(n, max(1, 1<<15/max(1, x.d)))
	if len(r.rows) < size*x.d {
		r.rows = make([]T, size*x.d)
	}
	for p := 0; p < n; p += size {
		b := &r.block
		b.Matrix = vec.MatrixOf(min(size, n-p), x.d, r.rows[:min(size, n-p)*x.d])
		for k := range b.Rows {
			x.row(b.Row(k), at(rows, p+k))
		}
		do(p, b)
	}
	rooms.Put(r)
}
