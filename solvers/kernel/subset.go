package kernel

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Subset returns the kernel matrix of the examples rows of m, in that order, as if they were all: for folds and splits
// of one data set. Its rows are parts of those of m, with their bits, and what is kept of them is kept by m, under the
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
			return nil, fmt.Errorf("kernel: example %d at place %d of the subset, need one in 0..%d", i, p, m.n-1)
		}
	}
	whole, rows := m.within(slices.Clone(rows))
	s := &Matrix[T]{n: len(rows), k: m.k, d: m.d, thin: m.thin, given: whole.given, parent: whole, examples: rows,
		cache: newCache[T](len(rows), 0)}
	if m.k != nil {
		s.x = design.Subset(whole.x, rows)
		s.norms = make([]T, s.n)
		choose(s.norms, whole.norms, rows)
	}
	return s, nil
}

// within returns the matrix that m is a Subset of, or m, and the given examples as examples of that.
func (m *Matrix[T]) within(list []int) (*Matrix[T], []int) {
	if m.parent == nil {
		return m, list
	}
	examples := make([]int, len(list))
	choose(examples, m.examples, list)
	return m.parent, examples
}

// subsetRows is Rows of a Subset.
func (m *Matrix[T]) subsetRows(dst vec.Matrix[T], rows []int, workers int) {
	whole, rows := m.within(rows)
	if whole.k == nil || whole.cache.room == 0 || m.n < whole.n-m.n {
		m.computed.Add(int64(whole.part(dst, rows, m.examples, workers)))
		return
	}
	l := whole.loan()
	defer whole.loans.Put(l)
	for from := 0; from < len(rows); from += most {
		some := rows[from:min(from+most, len(rows))]
		whole.lend(l, some, vec.Matrix[T]{}, workers)
		m.computed.Add(int64(len(l.missing)))
		parallel.Do(workers, len(some), func(_, q int) { choose(dst.Row(from+q), l.to[q], m.examples) })
		whole.giveBack(l)
	}
}
