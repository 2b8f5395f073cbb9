package kernel

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// vectors are the support vectors of an Expansion.
type vectors[T vec.Float] interface {
	// blockRows is the number of examples whose scores are best computed at a time.
	blockRows() int

	// scores adds to dst the scores, with the coefficients a, of the examples rows of x.
	scores(k Kernel, dst, a vec.Matrix[T], x design.Matrix[T], rows []int, s *scratch[T])

	// supports are the same as a compression sees them, and pick are those at the given places, of d features.
	supports(k Kernel) supports
	pick(k Kernel, d int, places []int) (vectors[T], error)
}

// scratch is memory of one goroutine.
type scratch[T vec.Float] struct {
	rows    []int         // of a block
	x       vec.Matrix[T] // those examples
	z       vec.Matrix[T] // the same less a mean
	support vec.Matrix[T] // some support vectors less that
	norms   []T
	values  vec.Matrix[T] // of the kernel
	example sparseRow[T]
	row     []T           // given values of an example
	given   vec.Matrix[T] // sums of given values with the support vectors
	summed  bool          // given has some
}

// Scores sets dst, len(rows)-by-m, to the scores of the examples rows of x, by all cores; nil stands for all. Sizes
// that do not fit are an error with the numbers that clash. An example costs O(s (d + m)) for s dense support vectors,
// and for sparse ones s m, and the products of numbers that share a feature. Memory does not grow with n, nor with d
// where both sides are sparse.
func (m *Expansion[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores. A negative number is an error.
func (m *Expansion[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if m != nil && m.a.Cols == 0 {
		return errZero
	}
	if err := solvers.CheckScores(dst, m, x, rows); err != nil {
		return err
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	size := max(1, min(64, 1<<18/m.d)) // precomputed
	if m.k != nil {
		size = m.vectors.blockRows()
	}
	share := (dst.Rows-1)/workers + 1 // of a goroutine
	size = max(min(size, 16), min(size, share))
	blocks := (dst.Rows + size - 1) / size
	scratches := make([]scratch[T], max(1, min(workers, blocks)))
	parallel.Do(workers, blocks, func(w, b int) {
		s := &scratches[w]
		from, to := b*size, min((b+1)*size, dst.Rows)
		some := s.rows[:0]
		for p := from; p < to; p++ {
			if rows == nil {
				some = append(some, p)
			} else {
				some = append(some, rows[p])
			}
		}
		s.rows = some
		part := dst.Slice(from, to, 0, dst.Cols)
		if m.k == nil {
			s.x = atLeast(s.x, to-from, m.n)
			values := s.x.Slice(0, to-from, 0, m.n)
			x.Gather(values, some)
			m.expand(part, values)
			return
		}
		for p := range part.Rows {
			clear(part.Row(p))
		}
		if len(m.support) > 0 {
			m.vectors.scores(m.k, part, m.a, x, some, s)
		}
	})
	return nil
}

// ScoresOf sets dst to the scores of the examples of which k holds, in a row each, the kernel's values with all n
// training examples, as Matrix.Rows gives them.
func (m *Expansion[T]) ScoresOf(dst, k vec.Matrix[T]) error {
	if m.a.Cols == 0 {
		return errZero
	}
	if err := dst.Validate(); err != nil {
		return fmt.Errorf("kernel: the matrix of the scores: %w", err)
	}
	if err := k.Validate(); err != nil {
		return fmt.Errorf("kernel: the matrix of kernel values: %w", err)
	}
	if k.Cols != m.n || dst.Rows != k.Rows || dst.Cols != m.a.Cols {
		return fmt.Errorf("kernel: a %d-by-%d matrix for the scores of %d examples for %d outputs, "+
			"from the kernel's values with %d of %d training examples", dst.Rows, dst.Cols, k.Rows, m.a.Cols, k.Cols,
			m.n)
	}
	m.expand(dst, k)
	return nil
}

func (m *Expansion[T]) expand(dst, k vec.Matrix[T]) {
	for i := range dst.Rows {
		row, to := k.Row(i), dst.Row(i)
		clear(to)
		for p, j := range m.support {
			vec.Axpy(row[j], m.a.Row(p), to)
		}
	}
}

// atLeast returns m where it is large enough, else a new matrix.
func atLeast[T vec.Float](m vec.Matrix[T], rows, cols int) vec.Matrix[T] {
	if m.Rows >= rows && m.Cols >= cols {
		return m
	}
	return vec.NewMatrix[T](rows, cols)
}
