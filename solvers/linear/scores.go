package linear

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// ScoresOf sets dst to the scores of the m outputs for the example x of d features. It panics where a length is
// another. O(d m).
func (m *Model[T]) ScoresOf(dst, x []T) {
	if len(x) != m.d || len(dst) != m.w.Cols {
		panic(shape.Errorf("linear: Model.ScoresOf",
			"%d features and %d scores for a model of %d features and %d outputs",
			len(x), len(dst), m.d, m.w.Cols))
	}
	vec.GemvT(1, m.Weights(), x, 0, dst)
	if m.constant != 0 {
		vec.Axpy(m.constant, m.w.Row(m.d), dst)
	}
}

// Predict returns the class of x: the output with the largest score, the first of equal ones, or -1 if a score is NaN.
// It panics where x has not d numbers. The zero Model has no class and returns -1 for every x. O(d m).
func (m *Model[T]) Predict(x []T) int {
	var best [1]int
	m.rank(best[:], x)
	return best[0]
}

// TopK sets dst to the len(dst) outputs with the largest scores for x, best first, ordered as by solvers.Rank; all are
// -1 if a score is NaN, and for the zero Model. It panics where x has not d numbers or dst more than m. O(d m + m
// len(dst)).
func (m *Model[T]) TopK(dst []int, x []T) {
	if len(dst) > m.w.Cols && m.w.Cols > 0 {
		panic(shape.Errorf("linear: Model.TopK", "%d best of %d outputs", len(dst), m.w.Cols))
	}
	m.rank(dst, x)
}

func (m *Model[T]) rank(dst []int, x []T) {
	if m.w.Cols == 0 {
		none(dst)
		return
	}
	s, _ := m.pool.Get().(*[]T)
	if s == nil {
		s = new([]T)
		*s = make([]T, m.w.Cols)
	}
	m.ScoresOf(*s, x)
	for _, v := range *s {
		if v != v {
			none(dst)
			m.pool.Put(s)
			return
		}
	}
	solvers.Rank(dst, *s)
	m.pool.Put(s)
}

// none makes all of dst -1, no output.
func none(dst []int) {
	for p := range dst {
		dst[p] = -1
	}
}

// Scores sets dst, len(rows)-by-m, to the scores of the examples rows of x, by all cores; nil stands for all. Sizes
// that do not fit are an error with the numbers that clash.
func (m *Model[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores. A negative number is an error.
func (m *Model[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if m != nil && m.w.Cols == 0 {
		return errZero
	}
	if err := solvers.CheckScores(dst, m, x, rows); err != nil {
		return err
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	if m.constant != 0 {
		x = design.WithBias(x, m.constant)
	}
	if rows == nil {
		design.ScoresAll(dst, m.w, x, workers)
		return nil
	}
	const size = 1024 // rows that a goroutine takes at a time
	parallel.Chunks(workers, len(rows), size, func(_, from, to int) {
		x.Scores(dst.Slice(from, to, 0, dst.Cols), m.w, rows[from:to])
	})
	return nil
}
