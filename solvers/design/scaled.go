package design

import (
	"slices"
	"sync"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Scaled returns the examples of x with feature j multiplied by factors[j], without touching x. factors, one for each
// of d features, are copied; dataset.Standardize finds some, its Factor. Sparse rows cost what they cost in x. With
// other storages a call decodes examples where these are not more than the outputs, and else scales W, for d m
// operations more than a call of x. Put the constant feature of [WithBias] around Scaled, not into it, so that examples
// stay sparse. It panics where there are not d factors.
func Scaled[T vec.Float](x Matrix[T], factors []T) Matrix[T] {
	n, d := x.Dims()
	if len(factors) != d {
		panic(shape.Errorf("design: Scaled", "%d factors for %d features", len(factors), d))
	}
	return newScaled(x, slices.Clone(factors), n, d, new(pool[T]))
}

func newScaled[T vec.Float](x Matrix[T], factors []T, n, d int, pool *pool[T]) Matrix[T] {
	f := &scaled[T]{x: x, factors: factors, n: n, d: d, pool: pool}
	if x, ok := x.(SparseRows[T]); ok {
		return &scaledRows[T]{f, x}
	}
	return f
}

type scaled[T vec.Float] struct {
	x       Matrix[T]
	factors []T
	n, d    int
	pool    *pool[T]

	needNorms sync.Once
	norms     []T
}

func (f *scaled[T]) Dims() (n, d int) { return f.n, f.d }

func (f *scaled[T]) SquaredNorms(dst []T) {
	mustHold(dst, f.n)
	f.needNorms.Do(func() {
		f.norms = make([]T, f.n)
		gatherEach(f.x, f.n, func(p int) int { return p }, func(i int, row []T) {
			sum := 0.0
			for j, v := range row {
				c := float64(v * f.factors[j])
				sum += c * c
			}
			f.norms[i] = T(sum)
		})
	})
	copy(dst, f.norms)
}

func (f *scaled[T]) Gather(dst vec.Matrix[T], rows []int) {
	f.x.Gather(dst, rows)
	for p := range dst.Rows {
		multiply(dst.Row(p), f.factors)
	}
}

// multiply sets dst[j] *= factors[j].
func multiply[T vec.Float](dst, factors []T) {
	factors = factors[:len(dst)]
	for j := range dst {
		dst[j] *= factors[j]
	}
}

func (f *scaled[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	mustBe("Scores", "W", &w, f.d, w.Cols)
	mustBe("Scores", "dst", &dst, count(rows, f.n), w.Cols)
	if w.Cols == 0 {
		return
	}
	if dst.Rows <= w.Cols {
		f.blocks(rows, func(p int, x vec.Matrix[T]) {
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0, dst.Slice(p, p+x.Rows, 0, w.Cols))
		})
		return
	}
	s := f.pool.get(f.d*w.Cols, 0)
	own := vec.MatrixOf(f.d, w.Cols, s.numbers)
	for j, factor := range f.factors {
		to := own.Row(j)
		for c, v := range w.Row(j) {
			to[c] = factor * v
		}
	}
	f.x.Scores(dst, own, rows)
	f.pool.put(s)
}

func (f *scaled[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	mustBe("Accumulate", "W", &w, f.d, w.Cols)
	mustBe("Accumulate", "A", &a, count(rows, f.n), w.Cols)
	if w.Cols == 0 {
		return
	}
	if a.Rows <= w.Cols {
		f.blocks(rows, func(p int, x vec.Matrix[T]) {
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, a.Slice(p, p+x.Rows, 0, w.Cols), 1, w)
		})
		return
	}
	s := f.pool.get(f.d*w.Cols, 0)
	own := vec.MatrixOf(f.d, w.Cols, s.numbers)
	clear(own.Data)
	f.x.Accumulate(own, a, rows)
	for j, factor := range f.factors {
		vec.Axpy(factor, own.Row(j), w.Row(j))
	}
	f.pool.put(s)
}

// Gram decodes some of the examples cols and scales them twice, so that Scores of x gives their inner products.
func (f *scaled[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	mustBe("Gram", "dst", &dst, count(rows, f.n), count(cols, f.n))
	if dst.Cols == 0 {
		return
	}
	s := f.pool.get(min(blockRows, dst.Cols)*f.d, 0)
	f.blocks(cols, func(q int, z vec.Matrix[T]) {
		w := vec.MatrixOf(f.d, z.Rows, s.numbers[:f.d*z.Rows])
		for k := range z.Rows {
			for j, v := range z.Row(k) {
				w.Data[j*w.Stride+k] = v * f.factors[j]
			}
		}
		f.x.Scores(dst.Slice(0, dst.Rows, q, q+z.Rows), w, rows)
	})
	f.pool.put(s)
}

// blockRows examples are decoded together.
const blockRows = 32

// blocks calls do with the scaled examples of rows, block after block, and the place of the first.
func (f *scaled[T]) blocks(rows []int, do func(p int, x vec.Matrix[T])) {
	n := count(rows, f.n)
	size := min(blockRows, n)
	s := f.pool.get(size*f.d, size)
	for p := 0; p < n; p += size {
		some := s.rows[:min(size, n-p)]
		for q := range some {
			some[q] = at(rows, p+q)
		}
		x := vec.MatrixOf(len(some), f.d, s.numbers[:len(some)*f.d])
		f.Gather(x, some)
		do(p, x)
	}
	f.pool.put(s)
}

func (f *scaled[T]) widen() Matrix[float64] {
	factors := make([]float64, f.d)
	vec.Convert(factors, f.factors)
	return Scaled(Float64(f.x), factors)
}

func (f *scaled[T]) window(from, to int) Matrix[T] {
	return newScaled(Window(f.x, from, to), f.factors, to-from, f.d, f.pool)
}

func (f *scaled[T]) isSparse() bool  { return IsSparse(f.x) }
func (f *scaled[T]) keepsRows() bool { return keepsRows(f.x) }
func (f *scaled[T]) stored() float64 { return held(f.x) }
func (f *scaled[T]) InFile() bool    { return inFile(f.x) }
