package kernel

import (
	"runtime"
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// source is where the numbers of a Matrix come from: they are computed from examples, given, or, of a Subset, parts of
// the rows of another Matrix.
type source[T vec.Float] interface {
	rows(dst vec.Matrix[T], rows []int, workers int) // dst = K[rows]
	fill(dst []T, i int)                             // dst = K[i], which is not in memory
	value(i int) T                                   // K[i, i]
	rounding() (worst, typical float64)
	wide() (*Matrix[float64], error)

	// within returns the matrix that holds or computes the rows, no Subset, and the given examples as examples of that.
	within(list []int) (*Matrix[T], []int)
}

// from returns the source. The zero Matrix is a given one of no examples.
func (m *Matrix[T]) from() source[T] {
	if m.source == nil {
		return numbers[T]{m: m}
	}
	return m.source
}

// computed are the values of a kernel for all pairs of examples.
type computed[T vec.Float] struct{ m *Matrix[T] }

func (s computed[T]) rows(dst vec.Matrix[T], rows []int, workers int) {
	m, l := s.m, s.m.borrowing()
	for from := 0; from < len(rows); from += batchRows {
		some := rows[from:min(from+batchRows, len(rows))]
		to := dst.Slice(from, from+len(some), 0, m.n)
		m.borrow(l, some, to, workers)
		parallel.Do(workers, len(some), func(_, p int) {
			if l.held[p] != nil {
				copy(to.Row(p), l.to[p])
			}
		})
		m.giveBack(l)
	}
	m.borrows.Put(l)
}

func (s computed[T]) fill(dst []T, i int) {
	s.m.compute(1, []int{i}, nil, [][]T{dst})
	s.m.count.Add(1)
}

func (s computed[T]) value(i int) T { return T(s.m.k.of(float64(s.m.norms[i]))) }

func (s computed[T]) rounding() (worst, typical float64) { return roundingOf[T](s.m.k, s.m.d) }

func (s computed[T]) wide() (*Matrix[float64], error) {
	wide, err := newMatrix(design.Float64(s.m.x), s.m.k, 0, s.m.n, s.m.d)
	if err == nil && s.m.thin && !wide.thin {
		wide.thin, wide.sparse = true, widen(s.m.sparse, wide.norms)
	}
	return wide, err
}

func (s computed[T]) within(list []int) (*Matrix[T], []int) { return s.m, list }

// scratch is the bytes of memory for a call of Rows by all cores.
func (m *Matrix[T]) scratch() int64 {
	d, cores := int64(m.d), int64(runtime.GOMAXPROCS(0))
	if m.thin {
		return 0
	}
	return (3*batchRows+2*64*cores)*d*int64(unsafe.Sizeof(T(0))) + cores<<19
}

// numbers are a given matrix's, all of them in memory.
type numbers[T vec.Float] struct {
	m   *Matrix[T]
	k   vec.Matrix[T]
	off float64 // see Rounding
}

func (s numbers[T]) rows(dst vec.Matrix[T], rows []int, _ int) {
	for p, i := range rows {
		s.fill(dst.Row(p), i)
	}
}

func (s numbers[T]) fill(dst []T, i int) { copy(dst, s.k.Row(i)) }

func (s numbers[T]) value(i int) T { return s.k.Row(i)[i] }

func (s numbers[T]) rounding() (worst, typical float64) { return s.off, 0 }

func (s numbers[T]) wide() (*Matrix[float64], error) { return converted(s.m), nil }

func (s numbers[T]) within(list []int) (*Matrix[T], []int) { return s.m, list }

// converted returns the numbers of a given matrix, or of a Subset of one, in float64.
func converted[T vec.Float](m *Matrix[T]) *Matrix[float64] {
	wide := vec.NewMatrix[float64](m.n, m.n)
	row := vec.NewMatrix[T](1, m.n)
	for i := range m.n {
		m.Rows(row, []int{i}, 1)
		vec.Convert(wide.Row(i), row.Data)
	}
	off, _ := m.from().rounding()
	return given(wide, off)
}
