package design

import (
	"sync"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Float64 returns x in float64, for certificates: x itself where it is that already, else a wrapper that converts as it
// goes, a block of gathered rows at a time or, from SparseRows, number by number. The numbers of x are taken as they
// are; only what is computed from them is more precise.
func Float64[T vec.Float](x Matrix[T]) Matrix[float64] {
	switch x := x.(type) {
	case Matrix[float64]:
		return x
	case interface{ widen() Matrix[float64] }:
		return x.widen()
	case SparseRows[T]:
		return &sparse[T, float64]{x}
	}
	n, d := x.Dims()
	if x, ok := any(x).(tables64); ok {
		return &wideTables{x: x, Matrix: newWide(x, n, d)}
	}
	return newWide(x, n, d)
}

// tables64 is a compressed storage that has products in float64 by tables, as pq.Matrix has.
type tables64 interface {
	Matrix[float32]
	Scores64(dst, w vec.Matrix[float64], rows []int)
	Accumulate64(w, a vec.Matrix[float64], rows []int)
}

// wideTables are the products of that, and what else there is of the wrapper.
type wideTables struct {
	Matrix[float64]
	x tables64
}

// fewRows is below how many rows these are decoded: a call's tables cost as much as some hundred rows.
const fewRows = 512

func (f *wideTables) Scores(dst, w vec.Matrix[float64], rows []int) {
	if f.few(rows) {
		f.Matrix.Scores(dst, w, rows)
		return
	}
	f.x.Scores64(dst, w, rows)
}

func (f *wideTables) Accumulate(w, a vec.Matrix[float64], rows []int) {
	if f.few(rows) {
		f.Matrix.Accumulate(w, a, rows)
		return
	}
	f.x.Accumulate64(w, a, rows)
}

func (f *wideTables) few(rows []int) bool {
	n, _ := f.Dims()
	return count(rows, n) < fewRows
}

// wide is the wrapper. Its blocks are of 2^16 numbers, so that both copies stay in a second-level cache.
type wide[T vec.Float] struct {
	x    Matrix[T]
	own  DenseRows[T] // x, where its rows are converted from where they lie
	n, d int
	rows int        // of a block
	pool *sync.Pool // of *wideBlock[T], shared with windows
}

type wideBlock[T vec.Float] struct {
	index  []int
	narrow vec.Matrix[T] // none yet where rows are converted from where they lie
	wide   vec.Matrix[float64]
}

// newWide returns the wrapper of x, n-by-d.
func newWide[T vec.Float](x Matrix[T], n, d int) *wide[T] {
	own, _ := x.(DenseRows[T])
	return &wide[T]{x: x, own: own, n: n, d: d, rows: min(256, max(1, 1<<16/max(d, 1))), pool: new(sync.Pool)}
}

func (f *wide[T]) Dims() (n, d int) { return f.n, f.d }

func (f *wide[T]) SquaredNorms(dst []float64) {
	mustHold(dst, f.n)
	f.each(nil, func(p int, x vec.Matrix[float64]) {
		for i := range x.Rows {
			dst[p+i] = vec.SquaredNorm(x.Row(i))
		}
	})
}

func (f *wide[T]) Gather(dst vec.Matrix[float64], rows []int) {
	mustBe("Gather", "dst", &dst, count(rows, f.n), f.d)
	if f.owns(rows) {
		for p := range dst.Rows {
			vec.Convert(dst.Row(p), f.own.Row(at(rows, p)))
		}
		return
	}
	f.each(rows, func(p int, x vec.Matrix[float64]) {
		for i := range x.Rows {
			copy(dst.Row(p+i), x.Row(i))
		}
	})
}

func (f *wide[T]) Scores(dst, w vec.Matrix[float64], rows []int) {
	mustBe("Scores", "W", &w, f.d, w.Cols)
	mustBe("Scores", "dst", &dst, count(rows, f.n), w.Cols)
	if w.Cols == 0 {
		return
	}
	f.each(rows, func(p int, x vec.Matrix[float64]) {
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0, dst.Slice(p, p+x.Rows, 0, w.Cols))
	})
}

func (f *wide[T]) Accumulate(w, a vec.Matrix[float64], rows []int) {
	mustBe("Accumulate", "W", &w, f.d, w.Cols)
	mustBe("Accumulate", "A", &a, count(rows, f.n), w.Cols)
	if w.Cols == 0 {
		return
	}
	f.each(rows, func(p int, x vec.Matrix[float64]) {
		vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, a.Slice(p, p+x.Rows, 0, w.Cols), 1, w)
	})
}

func (f *wide[T]) Gram(dst vec.Matrix[float64], rows, cols []int) {
	mustBe("Gram", "dst", &dst, count(rows, f.n), count(cols, f.n))
	f.each(rows, func(p int, x vec.Matrix[float64]) {
		f.each(cols, func(q int, z vec.Matrix[float64]) {
			for i := range x.Rows {
				to := dst.Row(p + i)
				for j := range z.Rows {
					to[q+j] = vec.Dot(x.Row(i), z.Row(j))
				}
			}
		})
	})
}

// owns reports whether rows lie in memory; where one is none of the n, x's Gather says so.
func (f *wide[T]) owns(rows []int) bool {
	for _, i := range rows {
		if uint(i) >= uint(f.n) {
			return false
		}
	}
	return f.own != nil
}

// each calls do with the place of a block in rows and its examples, block after block.
func (f *wide[T]) each(rows []int, do func(p int, x vec.Matrix[float64])) {
	b, _ := f.pool.Get().(*wideBlock[T])
	if b == nil {
		b = &wideBlock[T]{index: make([]int, f.rows), wide: vec.NewMatrix[float64](f.rows, f.d)}
	}
	owns := f.owns(rows)
	if !owns && b.narrow.Rows == 0 {
		b.narrow = vec.NewMatrix[T](f.rows, f.d)
	}
	for p, n := 0, count(rows, f.n); p < n; p += f.rows {
		index := b.index[:min(f.rows, n-p)]
		for i := range index {
			index[i] = at(rows, p+i)
		}
		if owns {
			for q, i := range index {
				vec.Convert(b.wide.Row(q), f.own.Row(i))
			}
		} else {
			used := len(index) * f.d
			f.x.Gather(b.narrow.Slice(0, len(index), 0, f.d), index)
			vec.Convert(b.wide.Data[:used], b.narrow.Data[:used])
		}
		do(p, b.wide.Slice(0, len(index), 0, f.d))
	}
	f.pool.Put(b)
}

// count is the number of examples that rows stands for: nil is all n.
func count(rows []int, n int) int {
	if rows == nil {
		return n
	}
	return len(rows)
}

// at is the example at place p of rows.
func at(rows []int, p int) int {
	if rows == nil {
		return p
	}
	return rows[p]
}

// mustBe panics unless m, which the message calls name, is a sound rows-by-cols matrix.
func mustBe[T vec.Float](function, name string, m *vec.Matrix[T], rows, cols int) {
	if m.Rows != rows || m.Cols != cols {
		panic(shape.Errorf("design: "+function, "%s is %d-by-%d, expected %d-by-%d", name, m.Rows, m.Cols, rows, cols))
	}
	m.Check()
}

// mustHold panics unless dst has a place for the squared norm of each of n examples.
func mustHold[T vec.Float](dst []T, n int) {
	if len(dst) != n {
		panic(shape.Errorf("design: SquaredNorms", "%d numbers for %d examples", len(dst), n))
	}
}
