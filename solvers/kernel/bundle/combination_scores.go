package bundle

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// errZero is the answer of the zero Combination.
var errZero = errors.New("bundle: the zero Combination has no coefficients")

// Scores sets dst, len(rows)-by-m, to the scores of the examples rows of x, by all cores; nil stands for all. Sizes
// that do not fit are an error with the numbers that clash. The kernels of a group share inner products. Memory of a
// goroutine is 64 examples with all their features, and what the support vectors take.
func (m *Combination[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores. A negative number is an error.
func (m *Combination[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if m != nil && m.c.A.Cols == 0 {
		return errZero
	}
	if err := solvers.CheckScores(dst, m, x, rows); err != nil {
		return err
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	d, _ := m.Dims()
	all := make([]vec.Matrix[T], workers)
	m.eachBlock(dst, rows, 64, workers, func(w int, some []int, s *sums[T]) {
		all[w] = core.AtLeast(all[w], len(some), d)
		block := all[w].Slice(0, len(some), 0, d)
		x.Gather(block, some)
		places, from := core.Some(nil, 0, len(some)), 0
		for g := range m.parts {
			p := &m.parts[g]
			own := block.Slice(0, len(some), from, from+p.d)
			from += p.d
			if p.vectors != nil {
				p.vectors.Scores(s.dst, m.c.A, gathered[T]{Matrix: x, x: own}, places, s.scratch)
			} else if p.weighs() {
				s.add(p.weights[0], func(q int) []T {
					core.Choose(s.row, own.Row(q), m.c.Support)
					return s.row
				})
			}
		}
	})
	return nil
}

// ScoresOf is ScoresWorkers of examples rows of a bundle with the same groups, nil standing for all, of which the n
// training examples are those at the places of, nil standing for all in order: of given matrices the values with these
// are looked up. It panics where sizes do not fit or an index is out of range.
func (m *Combination[T]) ScoresOf(dst vec.Matrix[T], b *Bundle[T], rows, of []int, workers int) {
	b.mustHold("Combination.ScoresOf", "row", rows)
	b.mustHold("Combination.ScoresOf", "training example", of)
	known, count, support := b.n, len(rows), m.c.Support
	if of != nil {
		known = len(of)
	}
	if rows == nil {
		count = b.n
	}
	if len(m.parts) != len(b.groups) || m.c.N != known || dst.Rows != count || dst.Cols != m.c.A.Cols {
		panic(shape.Errorf("bundle: Combination.ScoresOf",
			"dst is %d-by-%d for %d examples and %d outputs, %d groups for a model of %d, "+
				"%d training examples for one of %d", dst.Rows, dst.Cols, count, m.c.A.Cols, len(b.groups),
			len(m.parts), known, m.c.N))
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		panic(shape.Errorf("bundle: Combination.ScoresOf", "%v", err))
	}
	if of != nil {
		support = make([]int, len(m.c.Support))
		core.Choose(support, of, m.c.Support)
	}
	m.eachBlock(dst, rows, 256, workers, func(_ int, some []int, s *sums[T]) {
		for g := range m.parts {
			p := &m.parts[g]
			switch own := b.groups[g].Products.(type) {
			case core.Computed[T]:
				if p.vectors != nil {
					p.vectors.Scores(s.dst, m.c.A, own.Features(), some, s.scratch)
				}
			case core.Given[T]:
				if p.weighs() {
					s.add(p.weights[0], func(q int) []T { return own.Values(s.row, some[q], support) })
				}
			}
		}
	})
}

// sums are the scores of a block of examples.
type sums[T vec.Float] struct {
	dst     vec.Matrix[T]
	scratch *core.Scratch[T]
	row     []T           // given values of an example with the support vectors
	given   vec.Matrix[T] // their weighted sums, of each example
	any     bool          // given has some
}

// add adds a given matrix to the sums: values returns the values of example q of the block, perhaps in s.row.
func (s *sums[T]) add(weight float64, values func(q int) []T) {
	if !s.any {
		s.given, s.any = core.AtLeast(s.given, s.dst.Rows, len(s.row)), true
		for q := range s.dst.Rows {
			clear(s.given.Row(q))
		}
	}
	for q := range s.dst.Rows {
		vec.Axpy(T(weight), values(q), s.given.Row(q)[:len(s.row)])
	}
}

// eachBlock calls do for blocks of at most size examples rows, nil for all, whose scores go to dst.
func (m *Combination[T]) eachBlock(dst vec.Matrix[T], rows []int, size, workers int,
	do func(w int, some []int, s *sums[T])) {
	all, n := make([]sums[T], workers), len(m.c.Support)
	core.EachBlock(dst, rows, size, workers, func(w int, part vec.Matrix[T], some []int, scratch *core.Scratch[T]) {
		if n == 0 {
			return
		}
		s := &all[w]
		s.dst, s.scratch, s.any = part, scratch, false
		s.row = slices.Grow(s.row[:0], n)[:n]
		do(w, some, s)
		if s.any {
			vec.Gemm(vec.NoTrans, vec.NoTrans, 1, s.given.Slice(0, len(some), 0, n), m.c.A, 1, part)
		}
	})
}

// gathered is the features of a group of examples that have been gathered.
type gathered[T vec.Float] struct {
	design.Matrix[T] // of all groups: nothing of it is asked for
	x                vec.Matrix[T]
}

func (g gathered[T]) Dims() (n, d int) { return g.x.Rows, g.x.Cols }

func (g gathered[T]) Gather(dst vec.Matrix[T], rows []int) {
	for p, i := range rows {
		copy(dst.Row(p), g.x.Row(i))
	}
}
