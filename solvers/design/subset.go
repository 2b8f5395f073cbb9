package design

import (
	"slices"
	"sync"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Subset returns the examples rows of x, in that order, as if they were all: for folds and splits. It keeps a copy of
// rows, which must not be nil, and of their squared norms, and no other numbers. It panics where a row is out of range.
func Subset[T vec.Float](x Matrix[T], rows []int) Matrix[T] {
	n, d := x.Dims()
	f := &subset[T]{x: x, n: len(rows), d: d, norms: make([]T, len(rows))}
	f.rows = append(make([]int, 0, len(rows)), rows...)
	all := make([]T, n)
	x.SquaredNorms(all)
	for p, i := range rows {
		if i < 0 || i >= n {
			panic(shape.Errorf("design: Subset", "row %d at place %d of the list, for %d examples", i, p, n))
		}
		f.norms[p] = all[i]
	}
	return f.withRows()
}

// subset is n examples of x.
type subset[T vec.Float] struct {
	x     Matrix[T]
	n, d  int
	rows  []int // of x; nil: those from from on
	from  int
	norms []T // nil: not known yet
	once  sync.Once
	pool  sync.Pool // of *[]int, for rows of the subset as rows of x
}

// withRows returns f as a SparseRows or DenseRows where x is one.
func (f *subset[T]) withRows() Matrix[T] {
	switch x := f.x.(type) {
	case SparseRows[T]:
		return &sparseSubset[T]{subset: f, inner: x}
	case DenseRows[T]:
		return &denseSubset[T]{subset: f, inner: x}
	}
	return f
}

// sparseSubset and denseSubset give the rows of what they wrap.
type sparseSubset[T vec.Float] struct {
	*subset[T]
	inner SparseRows[T]
}

type denseSubset[T vec.Float] struct {
	*subset[T]
	inner DenseRows[T]
}

func (f *sparseSubset[T]) Row(i int) (columns []int32, values []T) { return f.inner.Row(f.row(i)) }

func (f *denseSubset[T]) Row(i int) []T { return f.inner.Row(f.row(i)) }

func (f *subset[T]) Dims() (n, d int) { return f.n, f.d }

func (f *subset[T]) SquaredNorms(dst []T) {
	mustHold(dst, f.n)
	f.once.Do(func() {
		if f.norms == nil {
			n, _ := f.x.Dims()
			all := make([]T, n)
			f.x.SquaredNorms(all)
			f.norms = slices.Clone(all[f.from : f.from+f.n])
		}
	})
	copy(dst, f.norms)
}

func (f *subset[T]) Gather(dst vec.Matrix[T], rows []int) {
	r, back := f.translate(rows)
	f.x.Gather(dst, r)
	f.release(back)
}

func (f *subset[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	r, back := f.translate(rows)
	f.x.Scores(dst, w, r)
	f.release(back)
}

func (f *subset[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	r, back := f.translate(rows)
	f.x.Accumulate(w, a, r)
	f.release(back)
}

func (f *subset[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	r, back := f.translate(rows)
	c, back2 := f.translate(cols)
	f.x.Gram(dst, r, c)
	f.release(back)
	f.release(back2)
}

func (f *subset[T]) widen() Matrix[float64] {
	if f.rows == nil {
		return Window(Float64(f.x), f.from, f.from+f.n)
	}
	return Subset(Float64(f.x), f.rows)
}

func (f *subset[T]) InFile() bool { return inFile(f.x) }

// row is the row of x that is row i of the subset.
func (f *subset[T]) row(i int) int {
	if uint(i) >= uint(f.n) {
		panic(shape.Errorf("design: Subset", "row %d of %d examples", i, f.n))
	}
	if f.rows == nil {
		return f.from + i
	}
	return f.rows[i]
}

// translate returns rows of x, and what release takes.
func (f *subset[T]) translate(rows []int) ([]int, *[]int) {
	if rows == nil && f.rows != nil {
		return f.rows, nil
	}
	back, _ := f.pool.Get().(*[]int)
	if back == nil {
		back = new([]int)
	}
	size := count(rows, f.n)
	r := slices.Grow((*back)[:0], max(1, size)) // not nil, even when empty
	for p := range size {
		r = append(r, f.row(at(rows, p)))
	}
	*back = r
	return r, back
}

func (f *subset[T]) release(back *[]int) {
	if back != nil {
		f.pool.Put(back)
	}
}
