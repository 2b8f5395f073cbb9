package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// lowerVisit is what lower does with values.
type lowerVisit[T vec.Float] struct {
	wanted func(k int) bool
	lanes  int // stripes of a lane are gone through in order, by one goroutine; 0: each stripe is one

	begin func(w, stripe, from, to int)
	value func(w, stripe, k int, kernel Kernel, row, column int, products []T, t *bundlePiece[T])
	end   func(w, lane, from, to int) // may be nil
}

// lower goes through the values of the bundle on and below the diagonal, where each pair of examples is met once, in
// the rows from first on: 64 of them at a time, with the columns up to the last of these, by workers goroutines.
//
//	for each stripe of rows, by any goroutine:
//		begin(w, stripe, from, to)
//		for each group, of which products are computed once, each row, each piece of its columns, each kernel k wanted:
//			value(w, stripe, k, kernel, row, column, ...)
//		end(w, lane, from, to)
//
// Products are of the columns from column on; t is what makes values of them. The first row of a stripe is
// first+64*stripe.
func (b *Bundle[T]) lower(first, workers int, v lowerVisit[T]) {
	scratches := make([]lowerScratch[T], workers)
	for g := range b.groups {
		if m := b.groups[g].products; m != nil {
			m.productNorms() // before goroutines ask for them
		}
	}
	count := (b.n - first + most - 1) / most
	lanes := min(v.lanes, count)
	if lanes == 0 {
		lanes = count
	}
	stripe := func(w, lane, q int) {
		s, from, to := &scratches[w], first+q*most, min(first+(q+1)*most, b.n)
		if s.t.near == nil {
			s.t.near = make([]int32, piece)
		}
		v.begin(w, q, from, to)
		for g := range b.groups {
			group := &b.groups[g]
			s.wanted = s.wanted[:0]
			for p := range group.kernels {
				if v.wanted(group.first + p) {
					s.wanted = append(s.wanted, p)
				}
			}
			if len(s.wanted) == 0 {
				continue
			}
			s.fetch(group, from, to)
			t := &s.t
			t.m, t.cols = group.products, nil
			var norms []T
			if t.m != nil {
				norms = t.m.productNorms()
			}
			for i := from; i < to; i++ {
				t.row = i
				for t.from = 0; t.from <= i; t.from += piece {
					end := min(t.from+piece, i+1)
					if t.m != nil {
						t.nx, t.nz = norms[i], norms[t.from:end]
					}
					for _, p := range s.wanted {
						v.value(w, q, group.first+p, group.kernels[p], i, t.from, s.to[i-from][t.from:end], t)
					}
				}
			}
			s.giveBack(group)
		}
		if v.end != nil {
			v.end(w, lane, from, to)
		}
	}
	parallel.Do(workers, lanes, func(w, lane int) {
		for q := count - 1 - lane; q >= 0; q -= lanes { // the longest first
			stripe(w, lane, q)
		}
	})
}

// lowerScratch is scratch memory of a goroutine.
type lowerScratch[T vec.Float] struct {
	t      bundlePiece[T]
	loan   loan[T]
	lent   bool
	block  vec.Matrix[T]
	rows   []int
	to     [][]T // products of the stripe
	wanted []int
}

// fetch makes to the products of the rows from, ..., to-1 with the columns below to, or more of them.
func (s *lowerScratch[T]) fetch(g *bundleGroup[T], from, to int) {
	m := g.products
	s.to, s.rows = s.to[:0], s.rows[:0]
	for i := from; i < to; i++ {
		s.rows = append(s.rows, i)
	}
	s.lent = m != nil && (m.thin || m.cache.room >= m.n)
	if s.lent {
		m.lend(&s.loan, s.rows, vec.Matrix[T]{}, 1)
		s.to = append(s.to, s.loan.to...)
		return
	}
	if s.block.Cols < to {
		s.block = aligned[T](most, to)
	}
	for p, i := range s.rows {
		row := s.block.Row(p)[:to]
		if m == nil {
			row = g.given.row(row, i, nil, to)
		}
		s.to = append(s.to, row)
	}
	if m != nil {
		m.compute(1, s.rows, nil, s.to)
	}
}

func (s *lowerScratch[T]) giveBack(g *bundleGroup[T]) {
	if s.lent {
		g.products.giveBack(&s.loan)
	}
	clear(s.to)
}
