package design

import (
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Concat returns the features of all parts side by side: example i has the features of example i of the first part,
// then of the second, and so on. Parts may have different storages, none of which is copied. Scores and Gram take as
// much memory again as they write. It panics where there is no part, or where the numbers of examples differ.
func Concat[T vec.Float](parts ...Matrix[T]) Matrix[T] {
	if len(parts) == 0 {
		panic(shape.Errorf("design: Concat", "0 parts, want 1 at least"))
	}
	f := &concat[T]{parts: append([]Matrix[T](nil), parts...), from: make([]int, 1, len(parts)+1), pool: new(pool[T])}
	for p, x := range parts {
		n, d := x.Dims()
		if p == 0 {
			f.n = n
		}
		if n != f.n {
			panic(shape.Errorf("design: Concat", "%d examples in part 0 and %d in part %d", f.n, n, p))
		}
		f.from = append(f.from, f.from[p]+d)
	}
	return f
}

type concat[T vec.Float] struct {
	parts []Matrix[T]
	from  []int // the first feature of each part, and the number of all
	n     int
	pool  *pool[T]
}

func (f *concat[T]) d() int { return f.from[len(f.parts)] }

func (f *concat[T]) Dims() (n, d int) { return f.n, f.d() }

func (f *concat[T]) SquaredNorms(dst []T) {
	mustHold(dst, f.n)
	s := f.pool.get(f.n, 0)
	clear(dst)
	for _, x := range f.parts {
		x.SquaredNorms(s.numbers)
		vec.Axpy(1, s.numbers, dst)
	}
	f.pool.put(s)
}

func (f *concat[T]) Gather(dst vec.Matrix[T], rows []int) {
	mustBe("Gather", "dst", &dst, count(rows, f.n), f.d())
	for p, x := range f.parts {
		x.Gather(dst.Slice(0, dst.Rows, f.from[p], f.from[p+1]), rows)
	}
}

func (f *concat[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	mustBe("Scores", "W", &w, f.d(), w.Cols)
	mustBe("Scores", "dst", &dst, count(rows, f.n), w.Cols)
	f.sum(dst, func(p int, to vec.Matrix[T]) { f.parts[p].Scores(to, f.part(w, p), rows) })
}

func (f *concat[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	mustBe("Accumulate", "W", &w, f.d(), w.Cols)
	mustBe("Accumulate", "A", &a, count(rows, f.n), w.Cols)
	for p, x := range f.parts {
		x.Accumulate(f.part(w, p), a, rows)
	}
}

func (f *concat[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	mustBe("Gram", "dst", &dst, count(rows, f.n), count(cols, f.n))
	f.sum(dst, func(p int, to vec.Matrix[T]) { f.parts[p].Gram(to, rows, cols) })
}

// part is the rows of W that belong to part p.
func (f *concat[T]) part(w vec.Matrix[T], p int) vec.Matrix[T] {
	return w.Slice(f.from[p], f.from[p+1], 0, w.Cols)
}

// sum sets dst to the sum of what do writes for each part.
func (f *concat[T]) sum(dst vec.Matrix[T], do func(p int, to vec.Matrix[T])) {
	do(0, dst)
	if len(f.parts) == 1 || dst.Cols == 0 {
		return
	}
	s := f.pool.get(dst.Rows*dst.Cols, 0)
	to := vec.MatrixOf(dst.Rows, dst.Cols, s.numbers)
	for p := 1; p < len(f.parts); p++ {
		do(p, to)
		for i := range to.Rows {
			vec.Axpy(1, to.Row(i), dst.Row(i))
		}
	}
	f.pool.put(s)
}

// with returns what make makes of each part, side by side.
func with[T, U vec.Float](f *concat[T], make func(Matrix[T]) Matrix[U]) Matrix[U] {
	var parts []Matrix[U]
	for _, x := range f.parts {
		parts = append(parts, make(x))
	}
	return Concat(parts...)
}

func (f *concat[T]) widen() Matrix[float64] { return with(f, Float64[T]) }

func (f *concat[T]) window(from, to int) Matrix[T] {
	return with(f, func(x Matrix[T]) Matrix[T] { return Window(x, from, to) })
}

func (f *concat[T]) isSparse() bool  { return f.all(IsSparse[T]) }
func (f *concat[T]) keepsRows() bool { return f.all(keepsRows[T]) }
func (f *concat[T]) InFile() bool    { return !f.all(func(x Matrix[T]) bool { return !inFile(x) }) }

func (f *concat[T]) stored() (count float64) {
	for _, x := range f.parts {
		count += held(x)
	}
	return count
}

func (f *concat[T]) all(is func(Matrix[T]) bool) bool {
	for _, x := range f.parts {
		if !is(x) {
			return false
		}
	}
	return true
}
