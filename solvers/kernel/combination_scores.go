package kernel

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// errNothing is the answer of the zero Combination.
var errNothing = errors.New("kernel: the zero Combination has no coefficients")

// Scores sets dst, len(rows)-by-m, to the scores of the examples rows of x, by all cores; nil stands for all. Sizes
// that do not fit are an error with the numbers that clash. The kernels of a group share inner products. Memory of a
// goroutine is 64 examples with all their features, and what the support vectors take.
func (m *Combination[T]) Scores(dst vec.Matrix[T], x design.Matrix[T], rows []int) error {
	return m.ScoresWorkers(dst, x, rows, 0)
}

// ScoresWorkers is Scores by workers goroutines, 0 for all cores. A negative number is an error.
func (m *Combination[T]) ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error {
	if m != nil && m.a.Cols == 0 {
		return errNothing
	}
	if err := solvers.CheckScores(dst, m, x, rows); err != nil {
		return err
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	d, _ := m.Dims()
	all := make([]vec.Matrix[T], workers)
	m.eachBlock(dst, rows, 64, workers, func(w int, part vec.Matrix[T], some []int, s *scratch[T]) {
		all[w] = atLeast(all[w], len(some), d)
		block := all[w].Slice(0, len(some), 0, d)
		x.Gather(block, some)
		places, from := make([]int, len(some)), 0
		for p := range places {
			places[p] = p
		}
		for g := range m.parts {
			p := &m.parts[g]
			own := block.Slice(0, len(some), from, from+p.d)
			switch from += p.d; {
			case p.vectors != nil:
				p.vectors.scores(p.sum(), part, m.a, gathered[T]{Matrix: x, x: own}, places, s)
			case p.given():
				s.sum(some, m, p.weights[0], func(q int) []T {
					choose(s.row, own.Row(q), m.support)
					return s.row
				})
			}
		}
		m.expand(part, s)
	})
	return nil
}

// ScoresOf is ScoresWorkers of examples rows of a bundle with the same groups, nil standing for all, of which the n
// training examples are those at the places of, nil standing for all in order: of given matrices the values with these
// are looked up. It panics where sizes do not fit or an index is out of range.
func (m *Combination[T]) ScoresOf(dst vec.Matrix[T], b *Bundle[T], rows, of []int, workers int) {
	b.mustHold("Combination.ScoresOf", "row", rows)
	b.mustHold("Combination.ScoresOf", "training example", of)
	known, count := b.n, len(rows)
	if of != nil {
		known = len(of)
	}
	if rows == nil {
		count = b.n
	}
	if len(m.parts) != len(b.groups) || m.n != known || dst.Rows != count || dst.Cols != m.a.Cols {
		panic(shape.Errorf("kernel: Combination.ScoresOf",
			"dst is %d-by-%d for %d examples and %d outputs, %d groups for a model of %d, "+
				"%d training examples for one of %d", dst.Rows, dst.Cols, count, m.a.Cols, len(b.groups), len(m.parts),
			known, m.n))
	}
	workers, err := parallel.Cores(workers, dst.Rows)
	if err != nil {
		panic(shape.Errorf("kernel: Combination.ScoresOf", "%v", err))
	}
	support := m.support
	if of != nil {
		support = make([]int, len(m.support))
		choose(support, of, m.support)
	}
	m.eachBlock(dst, rows, 256, workers, func(_ int, part vec.Matrix[T], some []int, s *scratch[T]) {
		for g := range m.parts {
			p, own := &m.parts[g], &b.groups[g]
			switch {
			case p.vectors != nil:
				p.vectors.scores(p.sum(), part, m.a, own.products.x, some, s)
			case p.given():
				s.sum(some, m, p.weights[0], func(q int) []T {
					return own.given.row(s.row, some[q], support, len(support))
				})
			}
		}
		m.expand(part, s)
	})
}

// given reports whether the part is a given matrix with a weight.
func (p *part[T]) given() bool { return p.kernels == nil && p.weights[0] > 0 }

// sum adds a given matrix to the values of some examples with the support vectors, a row of which values returns,
// perhaps in the scratch memory norms.
func (s *scratch[T]) sum(some []int, m *Combination[T], weight float64, values func(q int) []T) {
	n := len(m.support)
	if !s.summed {
		s.given, s.row, s.summed = atLeast(s.given, len(some), n), slices.Grow(s.row[:0], n)[:n], true
		for q := range some {
			clear(s.given.Row(q)[:n])
		}
	}
	for q := range some {
		vec.Axpy(T(weight), values(q), s.given.Row(q)[:n])
	}
}

// expand adds to dst the sum of the coefficients by the values of given matrices, where there are any.
func (m *Combination[T]) expand(dst vec.Matrix[T], s *scratch[T]) {
	if s.summed {
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, s.given.Slice(0, dst.Rows, 0, len(m.support)), m.a, 1, dst)
		s.summed = false
	}
}

// eachBlock calls do for blocks of dst, cleared, of at most size rows, and these; nil stands for all of them. Blocks,
// and so the bits, are the same for any number of goroutines.
func (m *Combination[T]) eachBlock(dst vec.Matrix[T], rows []int, size, workers int, do func(w int, part vec.Matrix[T],
	some []int, s *scratch[T])) {
	scratches, index := make([]scratch[T], workers), make([][]int, workers)
	parallel.Do(workers, (dst.Rows+size-1)/size, func(w, q int) {
		from, to := q*size, min((q+1)*size, dst.Rows)
		some := index[w][:0]
		for p := from; p < to; p++ {
			if rows == nil {
				some = append(some, p)
			} else {
				some = append(some, rows[p])
			}
			clear(dst.Row(p))
		}
		index[w] = some
		if len(m.support) > 0 {
			do(w, dst.Slice(from, to, 0, dst.Cols), some, &scratches[w])
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
