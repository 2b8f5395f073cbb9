package kernel

import (
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// reader is a core.Reader: products of some examples, and the distances of one of these from its neighbours.
type reader[T vec.Float] struct {
	m        *Matrix[T] // nil: given numbers
	kernels  []Kernel
	examples []int
	products [][]T // of each example
	lent     Lent[T]
	lends    bool
	block    vec.Matrix[T] // of products that are not lent
	squares  []T           // |x|² of all examples

	// Where At is: row p of the products, from the column first on.
	p, first int
	at       []T
	nx       T
	nz       []T

	near []int32
	pair vec.Matrix[T]
}

// newReader returns r, or a new reader if r is nil, of some examples.
func newReader[T vec.Float](r core.Reader[T], m *Matrix[T], kernels []Kernel, examples []int) *reader[T] {
	s, _ := r.(*reader[T])
	if s == nil {
		s = new(reader[T])
	}
	s.m, s.kernels, s.examples, s.products = m, kernels, append(s.examples[:0], examples...), s.products[:0]
	return s
}

func (p products[T]) Open(r core.Reader[T], examples []int, count int) core.Reader[T] {
	s := newReader(r, p.m, p.kernels, examples)
	s.squares = p.m.productNorms()
	s.lends = p.m.thin || p.m.cache.room >= p.m.n || count == p.m.n
	if s.lends {
		p.m.lend(&s.lent, s.examples, keep, 1)
		s.products = append(s.products, s.lent.Rows...)
		return s
	}
	for q := range s.examples {
		s.products = append(s.products, s.row(q, count))
	}
	p.m.compute(1, s.examples, nil, s.products)
	return s
}

func (g givenProducts[T, S]) Open(r core.Reader[T], examples []int, count int) core.Reader[T] {
	s := newReader(r, nil, []Kernel{Linear{}}, examples)
	for q, i := range s.examples {
		s.products = append(s.products, g.first(s.row(q, count), i, count))
	}
	return s
}

// row returns memory for the first count products of row q.
func (s *reader[T]) row(q, count int) []T {
	if s.block.Cols < count {
		s.block = core.Aligned[T](batchRows, count)
	}
	return s.block.Row(q)[:count]
}

func (s *reader[T]) Close() {
	if s.lends {
		s.m.Return(&s.lent)
	}
	clear(s.products)
	s.lends = false
}

func (s *reader[T]) At(p, from, to int) {
	s.p, s.first, s.at = p, from, s.products[p][from:to]
	if s.m != nil {
		i := s.examples[p]
		s.nx, s.nz = s.squares[i], s.squares[from:to]
	}
	if len(s.near) < to-from {
		s.near = make([]int32, to-from)
	}
}

func (s *reader[T]) Values(room []T, k int) []T {
	if _, linear := s.kernels[k].(Linear); linear {
		return s.at
	}
	values(s.kernels[k], s, 0, room[:len(s.at)], s.at, s.near)
	return room[:len(s.at)]
}

func (s *reader[T]) Add(dst []T, k int, weight float64) {
	addValues(s.kernels[k], weight, s, 0, dst, s.at, s.near)
}

func (s *reader[T]) norms(int) (nx T, nz []T) { return s.nx, s.nz }

func (s *reader[T]) distance(_, j int) T {
	i, j := s.examples[s.p], s.first+j
	if j == i {
		return 0
	}
	if s.m.thin {
		return s.m.sparse.row(i).squaredDistance(s.m.sparse.row(j))
	}
	if s.pair.Cols < s.m.d {
		s.pair = core.Aligned[T](2, s.m.d)
	}
	pair := s.pair.Slice(0, 2, 0, s.m.d)
	s.m.x.Gather(pair, []int{i, j})
	return vec.SquaredDistance(pair.Row(0), pair.Row(1))
}
