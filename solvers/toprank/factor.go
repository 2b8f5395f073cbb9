package toprank

import (
	"cmp"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// mostFactored is of how many examples a kernel matrix becomes features: it is held twice in float64, and a step
// costs O(n³).
const mostFactored = 4000

// newByFactor is the training of few examples within queries on a kernel K = L Lᵀ: the rows of L are their features.
// Of x, where it is not nil, K is the linear kernel.
func newByFactor[T vec.Float](o *objective, x design.Matrix[T], k *kernel.Matrix[T]) (*byFeatures[T], error) {
	wide, err := k.Float64()
	if err != nil {
		return nil, err
	}
	s := byRows[T](o, x)
	if x == nil {
		s.wide = wide
	}
	flat, of := []int(nil), make([][]int, len(s.rows))
	for q, rows := range s.rows {
		for _, i := range rows {
			of[q] = append(of[q], len(flat))
			flat = append(flat, i)
		}
	}
	l, err := factored(wide, flat, o.Workers)
	if err != nil {
		return nil, err
	}
	return s, s.begin(inMemory{l}, of)
}

// factored returns L of the examples rows. What rounding, of a given K too, may leave of one that is singular is added
// to its diagonal; certificates are of K as it is.
func factored(k *kernel.Matrix[float64], rows []int, workers int) (l vec.Matrix[float64], err error) {
	n, most := len(rows), 0.0
	l = vec.NewMatrix[float64](n, n)
	for more := math.Ldexp(float64(n), -53); more < 1e-3; more *= 16 {
		k.Block(l, rows, rows, workers)
		for i := range n {
			most = max(most, l.Row(i)[i])
		}
		for i := range n {
			l.Row(i)[i] += more * cmp.Or(most, 1)
		}
		if err = cholesky.Factor(l, workers); err == nil {
			break
		}
	}
	if err != nil {
		return l, fmt.Errorf("the kernel matrix is not positive semi-definite: %w", err)
	}
	for i := range n {
		clear(l.Row(i)[i+1:])
	}
	return l, nil
}

// inMemory is features that are a matrix.
type inMemory struct{ vec.Matrix[float64] }

func (m inMemory) Dims() (n, d int) { return m.Rows, m.Cols }

func (m inMemory) at(rows []int, q int) []float64 {
	if rows == nil {
		return m.Row(q)
	}
	return m.Row(rows[q])
}

func (m inMemory) SquaredNorms(dst []float64) {
	for i := range dst {
		dst[i] = vec.SquaredNorm(m.Row(i))
	}
}

func (m inMemory) Gather(dst vec.Matrix[float64], rows []int) {
	for q := range dst.Rows {
		copy(dst.Row(q), m.at(rows, q))
	}
}

func (m inMemory) Scores(dst, w vec.Matrix[float64], rows []int) {
	for q := range dst.Rows {
		vec.GemvT(1, w, m.at(rows, q), 0, dst.Row(q))
	}
}

func (m inMemory) Accumulate(w, a vec.Matrix[float64], rows []int) {
	for q := range a.Rows {
		vec.Ger(1, m.at(rows, q), a.Row(q), w)
	}
}

func (m inMemory) Gram(dst vec.Matrix[float64], rows, cols []int) {
	for p := range dst.Rows {
		for q := range dst.Cols {
			dst.Row(p)[q] = vec.Dot(m.at(rows, p), m.at(cols, q))
		}
	}
}
