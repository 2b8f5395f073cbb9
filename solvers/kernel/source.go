package kernel

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// source is where the numbers of a Matrix come from: they are computed from examples, given, or, of a Subset, parts of
// the rows of another Matrix.
type source[T vec.Float] interface {
	// compute sets dst to at most 64 rows that are not in memory, and returns how many of them had to be computed.
	compute(dst [][]T, rows []int, workers int) int

	value(i int) T // K[i, i]
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

func (s computed[T]) compute(dst [][]T, rows []int, workers int) int {
	s.m.compute(workers, rows, nil, dst)
	return len(rows)
}

func (s computed[T]) value(i int) T { return T(s.m.k.of(float64(s.m.norms[i]))) }

func (s computed[T]) rounding() (worst, typical float64) { return roundingOf[T](s.m.k, s.m.d) }

func (s computed[T]) wide() (*Matrix[float64], error) {
	wide, err := newMatrix(design.Float64(s.m.x), s.m.k, 0, s.m.n, s.m.d)
	if err != nil {
		return nil, err
	}
	if s.m.thin && !wide.thin {
		wide.thin, wide.sparse = true, widen(s.m.sparse, wide.norms)
	}
	if single, ok := any(s.m).(*Matrix[float32]); ok && !wide.thin && exactProducts(single.x, single.norms) {
		wide.single, err = newMatrix(single.x, Linear{}, 0, single.n, single.d)
	}
	return wide, err
}

func (s computed[T]) within(list []int) (*Matrix[T], []int) { return s.m, list }

// cores is how many cores' scratch memory a budget counts: the same on each machine, since trainings take other steps
// where not all rows are kept.
const cores = 2

// scratch is the bytes of memory for a call of Rows by that number of cores.
func (m *Matrix[T]) scratch() int64 {
	if m.thin {
		return 0
	}
	return (3*batchRows+2*64*cores)*int64(m.d)*int64(unsafe.Sizeof(T(0))) + cores<<19
}

// numbers are a given matrix's, all of them in memory.
type numbers[T vec.Float] struct {
	m   *Matrix[T]
	k   vec.Matrix[T]
	off float64 // see Rounding
}

func (numbers[T]) compute([][]T, []int, int) int { return 0 } // all rows are in memory

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
