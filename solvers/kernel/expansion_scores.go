package kernel

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Scores sets dst, len(rows)-by-m, to the scores of the examples rows of x, by all cores; nil stands for all. Sizes
// that do not fit are an error with the numbers that clash. An example costs O(s (d + m)) for s dense support vectors,
// and for sparse ones s m, and the products of numbers that share a feature. Memory does not grow with n, nor with d
// where both sides are sparse.
func (m *Expansion[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores. A negative number is an error.
func (m *Expansion[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if m != nil && m.c.A.Cols == 0 {
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
	core.EachBlock(dst, rows, size, workers, func(_ int, part vec.Matrix[T], some []int, s *core.Scratch[T]) {
		if m.k == nil {
			s.X = core.AtLeast(s.X, len(some), m.c.N)
			values := s.X.Slice(0, len(some), 0, m.c.N)
			x.Gather(values, some)
			m.expand(part, values)
		} else if len(m.c.Support) > 0 {
			m.vectors.scores(m.k, part, m.c.A, x, some, s)
		}
		if m.k != nil {
			m.addBias(part)
		}
	})
	return nil
}

// ScoresOf sets dst to the scores of the examples of which k holds, in a row each, the kernel's values with all n
// training examples, as Matrix.Rows gives them.
func (m *Expansion[T]) ScoresOf(dst, k vec.Matrix[T]) error {
	if m.c.A.Cols == 0 {
		return errZero
	}
	if err := dst.Validate(); err != nil {
		return fmt.Errorf("kernel: the matrix of the scores: %w", err)
	}
	if err := k.Validate(); err != nil {
		return fmt.Errorf("kernel: the matrix of kernel values: %w", err)
	}
	if k.Cols != m.c.N || dst.Rows != k.Rows || dst.Cols != m.c.A.Cols {
		return fmt.Errorf("kernel: a %d-by-%d matrix for the scores of %d examples for %d outputs, "+
			"from the kernel's values with %d of %d training examples", dst.Rows, dst.Cols, k.Rows, m.c.A.Cols, k.Cols,
			m.c.N)
	}
	m.expand(dst, k)
	return nil
}

func (m *Expansion[T]) expand(dst, k vec.Matrix[T]) {
	for i := range dst.Rows {
		row, to := k.Row(i), dst.Row(i)
		clear(to)
		for p, j := range m.c.Support {
			vec.Axpy(row[j], m.c.A.Row(p), to)
		}
	}
	m.addBias(dst)
}
