package dcd

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// rows are the examples in float64, one at a time.
type rows interface {
	features() int
	square(i int) float64                // x_iᵀx_i
	dot(i int, z []float64) float64      // x_iᵀz
	axpy(by float64, i int, z []float64) // z += by x_i
}

// rowsOf returns the examples of x. Sparse and dense ones in float64 stay where they are; in float32 their numbers are
// copied. Others are decoded one at a time, for each product.
func rowsOf[T vec.Float](x design.Matrix[T]) rows {
	n, d := x.Dims()
	all := common{d: d, squares: make([]float64, n)}
	var r rows
	switch x := x.(type) {
	case design.SparseRows[T]:
		s := &sparse{common: all, columns: make([][]int32, n), values: make([][]float64, n)}
		for i := range n {
			columns, values := x.Row(i)
			s.columns[i], s.values[i] = columns, wide(values)
			all.squares[i] = vec.SquaredNorm(s.values[i])
		}
		r = s
	case design.DenseRows[T]:
		s := &dense{common: all, values: make([][]float64, n)}
		for i := range n {
			s.values[i] = wide(x.Row(i))
			all.squares[i] = vec.SquaredNorm(s.values[i])
		}
		r = s
	default:
		s := &decoded{common: all, x: design.Float64(x), at: -1, row: vec.NewMatrix[float64](1, d)}
		for i := range n {
			all.squares[i] = vec.SquaredNorm(s.decode(i))
		}
		r = s
	}
	return r
}

// wide returns x in float64: x itself, or a copy.
func wide[T vec.Float](x []T) []float64 {
	if x, ok := any(x).([]float64); ok {
		return x
	}
	w := make([]float64, len(x))
	vec.Convert(w, x)
	return w
}

// common is what all storages keep.
type common struct {
	d       int
	squares []float64
}

func (c *common) features() int        { return c.d }
func (c *common) square(i int) float64 { return c.squares[i] }

// sparse are sparse examples.
type sparse struct {
	common
	columns [][]int32
	values  [][]float64
}

func (s *sparse) dot(i int, z []float64) float64 { return vec.SparseDot(s.columns[i], s.values[i], z) }

func (s *sparse) axpy(by float64, i int, z []float64) {
	vec.SparseAxpy(by, s.columns[i], s.values[i], z)
}

// dense are dense examples.
type dense struct {
	common
	values [][]float64
}

func (s *dense) dot(i int, z []float64) float64 { return vec.Dot64(s.values[i], z) }

func (s *dense) axpy(by float64, i int, z []float64) { vec.Axpy64(by, s.values[i], z) }

// decoded are examples of any other storage, of which it keeps the last one.
type decoded struct {
	common
	x   design.Matrix[float64]
	at  int
	row vec.Matrix[float64]
	one [1]int
}

func (s *decoded) decode(i int) []float64 {
	if s.at != i {
		s.at, s.one[0] = i, i
		s.x.Gather(s.row, s.one[:])
	}
	return s.row.Data
}

func (s *decoded) dot(i int, z []float64) float64 { return vec.Dot64(s.decode(i), z) }

func (s *decoded) axpy(by float64, i int, z []float64) { vec.Axpy64(by, s.decode(i), z) }
