package kernel

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// Subset returns the kernel matrix of the examples rows of m, in that order, as if they were all: for folds and splits
// of one data set. Its rows are parts of m's rows, with their bits, and what is kept of them is kept by m, under the
// budget of m. It is an error if rows is empty or an index out of range.
//
// A row that m does not hold is computed by m in whole, and kept, where the subset has at least half of the examples
// and m has room for rows; otherwise only the part of the subset is computed, and not kept. Where a small subset is
// used for long, New of its Features keeps rows of its own. Pin makes a copy. Memory: O(len(rows)).
func (m *Matrix[T]) Subset(rows []int) (*Matrix[T], error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("kernel: a subset of no examples")
	}
	for p, i := range rows {
		if uint(i) >= uint(m.n) {
			return nil, fmt.Errorf("kernel: example %d at place %d of the subset, want one in 0..%d", i, p, m.n-1)
		}
	}
	whole, rows := m.from().within(slices.Clone(rows))
	s := &Matrix[T]{n: len(rows), k: m.k, d: m.d, thin: m.thin, cache: newCache[T](len(rows), 0)}
	s.source = subset[T]{s, whole, rows}
	if m.k != nil {
		s.x = design.Subset(whole.x, rows)
	}
	return s, nil
}

// subset is the source of a Subset: some examples of a matrix that is no Subset itself.
type subset[T vec.Float] struct {
	m, whole *Matrix[T]
	examples []int
}

func (s subset[T]) compute(dst [][]T, rows []int, workers int) int {
	whole, rows := s.within(rows)
	if whole.k == nil || whole.cache.room == 0 || s.m.n < whole.n-s.m.n {
		return whole.part(dst, rows, s.examples, workers)
	}
	l := whole.lent()
	defer whole.lents.Put(l)
	whole.lend(l, rows, keep, workers)
	defer whole.Return(l)
	parallel.Do(workers, len(rows), func(_, p int) { unchecked.Take(dst[p], l.Rows[p], s.examples) })
	return len(l.missing)
}

func (s subset[T]) value(i int) T { return s.whole.from().value(s.examples[i]) }

func (s subset[T]) rounding() (worst, typical float64) { return s.whole.from().rounding() }

func (s subset[T]) wide() (*Matrix[float64], error) {
	if s.m.k == nil {
		return converted(s.m), nil
	}
	wide, err := s.whole.Float64()
	if err != nil {
		return nil, err
	}
	return wide.Subset(s.examples)
}

func (s subset[T]) within(list []int) (*Matrix[T], []int) {
	examples := make([]int, len(list))
	core.Choose(examples, s.examples, list)
	return s.whole, examples
}
