package l1

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/sparse"
	"github.com/dualgap/dualgap/internal/columns"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// column is a feature of the examples: its values, and the rows that have them, ascending; nil rows stand for all.
type column[T vec.Float] struct {
	rows   []int32
	values []T
}

// store holds the examples by columns: a copy that is made once. Sparse examples have columns of the features that any
// example has, all others a column for each feature. A constant feature is the last one.
type store[T vec.Float] struct {
	n        int
	features []int32 // of the columns, ascending
	columns  []column[T]
	norms    []float64            // of the columns
	rows     design.SparseRows[T] // the examples, where columns are sparse, or nil
	bias     T                    // value of the constant feature, or 0
}

// newStore copies x, with a constant feature of value bias unless that is 0. O(n d), or O(nonzeros).
func newStore[T vec.Float](x design.Matrix[T], bias T) (*store[T], error) {
	n, d := x.Dims()
	s, stored := &store[T]{n: n, bias: bias}, 0
	if rows, ok := x.(design.SparseRows[T]); ok {
		c, err := columns.New(n, d, rows.Row)
		if err != nil {
			return nil, err
		}
		s.room(c.Len() + 1)
		for f := range c.Len() {
			feature, rows, values := c.At(f)
			s.add(feature, column[T]{rows, values})
			stored += len(rows)
		}
		if float64(stored) > denseShare*float64(n)*float64(c.Len()) {
			s.spread()
		} else {
			s.rows = rows
		}
	} else {
		s.room(d + 1)
		for j, values := range transposed(x) {
			s.add(int32(j), column[T]{nil, values})
		}
	}
	if bias != 0 {
		constant := make([]T, n)
		for i := range constant {
			constant[i] = bias
		}
		s.add(int32(d), column[T]{nil, constant})
	}
	return s, nil
}

// denseShare is the share of numbers from which on sparse columns are laid out dense.
const denseShare = 0.3

// spread lays sparse columns out dense.
func (s *store[T]) spread() {
	all := make([]T, s.n*len(s.columns))
	for f, c := range s.columns {
		to := all[f*s.n : (f+1)*s.n : (f+1)*s.n]
		for k, i := range c.rows {
			to[i] = c.values[k]
		}
		s.columns[f] = column[T]{nil, to}
	}
}

// room makes room for that many columns.
func (s *store[T]) room(columns int) {
	s.features, s.norms = make([]int32, 0, columns), make([]float64, 0, columns)
	s.columns = make([]column[T], 0, columns)
}

func (s *store[T]) add(feature int32, c column[T]) {
	square, other := 0.0, 0.0
	k := 0
	for ; k+1 < len(c.values); k += 2 {
		a, b := float64(c.values[k]), float64(c.values[k+1])
		square += a * a
		other += b * b
	}
	if k < len(c.values) {
		square += float64(c.values[k]) * float64(c.values[k])
	}
	square += other
	s.features, s.columns, s.norms = append(s.features, feature), append(s.columns, c),
		append(s.norms, math.Sqrt(square))
}

// transposed returns the d columns of x.
func transposed[T vec.Float](x design.Matrix[T]) [][]T {
	n, d := x.Dims()
	all := make([][]T, d)
	numbers := make([]T, n*d)
	for j := range all {
		all[j] = numbers[j*n : (j+1)*n : (j+1)*n]
	}
	size := min(n, max(1, 1<<16/max(1, d)))
	block, rows := vec.NewMatrix[T](size, d), make([]int, size)
	to := vec.MatrixOf(d, n, numbers)
	for i := 0; i < n; i += size {
		some := rows[:min(size, n-i)]
		for q := range some {
			some[q] = i + q
		}
		part := block.Slice(0, len(some), 0, d)
		x.Gather(part, some)
		unchecked.Transpose(to.Slice(0, d, i, i+len(some)), part)
	}
	return all
}

// scores sets y, which is 0, to X w, with w by features.
func (s *store[T]) scores(y, w []float64) {
	for f, j := range s.features {
		if v := w[j]; v != 0 {
			s.columns[f].addTo(y, v)
		}
	}
}

// products sets w, which is 0, by features, to Xᵀ a.
func (s *store[T]) products(w, a []float64) {
	for f, j := range s.features {
		w[j] = s.columns[f].dot(a)
	}
}

// dot returns the inner product of a column with a vector of all examples, in float64.
func (c column[T]) dot(x []float64) float64 {
	if unchecked.Is32[T]() {
		narrow := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(c.values))), len(c.values))
		if c.rows == nil {
			return vec.MixedDot(narrow, x)
		}
		var a, b float64
		k := 0
		for ; k+1 < len(c.rows); k += 2 {
			a += float64(narrow[k]) * x[c.rows[k]]
			b += float64(narrow[k+1]) * x[c.rows[k+1]]
		}
		if k < len(c.rows) {
			a += float64(narrow[k]) * x[c.rows[k]]
		}
		return a + b
	}
	wide := unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(c.values))), len(c.values))
	if c.rows == nil {
		return vec.Dot64(wide, x)
	}
	return sparse.DotF64(unsafe.SliceData(c.rows), unsafe.SliceData(wide), len(c.rows), unsafe.SliceData(x))
}

// addTo adds alpha times a column to a vector of all examples, in float64.
func (c column[T]) addTo(x []float64, alpha float64) {
	if unchecked.Is32[T]() {
		narrow := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(c.values))), len(c.values))
		if c.rows == nil {
			vec.MixedAxpy(alpha, narrow, x)
			return
		}
		for k, i := range c.rows {
			x[i] += alpha * float64(narrow[k])
		}
		return
	}
	wide := unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(c.values))), len(c.values))
	if c.rows == nil {
		vec.Axpy64(alpha, wide, x)
		return
	}
	sparse.AxpyF64(alpha, unsafe.SliceData(c.rows), unsafe.SliceData(wide), len(c.rows), unsafe.SliceData(x))
}

// product returns the inner product of a column with a vector of as many numbers of its own type.
func (c column[T]) product(x []T) T {
	if c.rows == nil {
		return vec.Dot(c.values, x)
	}
	idx, nnz := unsafe.SliceData(c.rows), len(c.rows)
	val, at := unsafe.Pointer(unsafe.SliceData(c.values)), unsafe.Pointer(unsafe.SliceData(x))
	if unchecked.Is32[T]() {
		return T(sparse.DotF32(idx, (*float32)(val), nnz, (*float32)(at)))
	}
	return T(sparse.DotF64(idx, (*float64)(val), nnz, (*float64)(at)))
}

// move adds alpha times a column to a vector of as many numbers of its own type.
func (c column[T]) move(alpha T, x []T) {
	if c.rows == nil {
		vec.Axpy(alpha, c.values, x)
		return
	}
	idx, nnz := unsafe.SliceData(c.rows), len(c.rows)
	val, at := unsafe.Pointer(unsafe.SliceData(c.values)), unsafe.Pointer(unsafe.SliceData(x))
	if unchecked.Is32[T]() {
		sparse.AxpyF32(float32(alpha), idx, (*float32)(val), nnz, (*float32)(at))
	} else {
		sparse.AxpyF64(float64(alpha), idx, (*float64)(val), nnz, (*float64)(at))
	}
}
