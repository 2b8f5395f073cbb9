package bundle

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

const (
	// StripeRows is how many rows are gone through together: they share the cost of reading the examples. Certificates
	// hold four times as many for each goroutine.
	StripeRows = 64

	// pieceCols is how many columns are taken at a time: their products and norms stay in the first-level cache for all
	// kernels of a group.
	pieceCols = 2048
)

// piece is K_k[rows[place], from:to] of some rows.
type piece[T vec.Float] struct {
	k               int
	place, from, to int
	of              int // k among the kernels of its group
	products        core.Reader[T]
}

// values returns the values, in room or where they lie.
func (p *piece[T]) values(room []T) []T { return p.products.Values(room[:p.to-p.from], p.of) }

// addTo adds weight times the values to row[from:to].
func (p *piece[T]) addTo(row []T, weight float64) { p.products.Add(row[p.from:p.to], p.of, weight) }

// pairVisit is what eachPair does with the values of pairs.
type pairVisit[T vec.Float] struct {
	wanted func(k int) bool // nil: all kernels
	lanes  int              // the stripes of a lane are gone through in order, by one goroutine; 0: each stripe is one
	cols   int              // rows end at this column; 0: where b does

	begin func(w, stripe, from, to int)
	value func(w, stripe int, p *piece[T])
	end   func(w, lane, from, to int) // may be nil
}

// eachPair goes through the values of the bundle on and below the diagonal, where each pair of examples is met once, in
// the rows from first on and the first v.cols columns, by workers goroutines:
//
//	for each stripe of 64 rows from, ..., to-1, by any goroutine w:
//		begin(w, stripe, from, to)
//		for each group, whose products are computed once, each row, each piece of its columns, each kernel k wanted:
//			value(w, stripe, piece)
//		end(w, lane, from, to)
//
// The first row of a stripe is first+64*stripe.
func (b *Bundle[T]) eachPair(first, workers int, v pairVisit[T]) {
	b.prepare(0)
	scratches := make([]scratch[T], workers)
	count, cols := stripes(b.n-first), v.cols
	if cols == 0 {
		cols = b.n
	}
	lanes := min(v.lanes, count)
	if lanes == 0 {
		lanes = count
	}
	parallel.Do(workers, lanes, func(w, lane int) {
		for q := count - 1 - lane; q >= 0; q -= lanes { // the longest first
			from, to := first+q*StripeRows, min(first+(q+1)*StripeRows, b.n)
			v.begin(w, q, from, to)
			s := &scratches[w]
			s.rows = core.Some(s.rows, from, to)
			below, value := func(p int) int { return min(from+p+1, cols) }, func(p *piece[T]) { v.value(w, q, p) }
			for g := range b.groups {
				b.groups[g].eachPiece(s, min(to, cols), below, v.wanted, value)
			}
			if v.end != nil {
				v.end(w, lane, from, to)
			}
		}
	})
}

// stripes is how many stripes some rows are.
func stripes(rows int) int { return shape.Pieces(rows, StripeRows) }

// prepare makes what the rows of each group share, with a copy of the first keep examples.
func (b *Bundle[T]) prepare(keep int) {
	for _, g := range b.groups {
		g.Prepare(keep)
	}
}

// scratch is what eachPiece needs, for one goroutine.
type scratch[T vec.Float] struct {
	r       core.Reader[T]
	rows    []int
	kernels []int // of a group
	p       piece[T]
}

// eachPiece goes through s.rows of the group, the one at place p as far as the column ends(p), at most count.
func (g *group[T]) eachPiece(s *scratch[T], count int, ends func(p int) int, wanted func(k int) bool,
	do func(p *piece[T])) {
	s.kernels = s.kernels[:0]
	for k := range g.count {
		if wanted == nil || wanted(g.first+k) {
			s.kernels = append(s.kernels, k)
		}
	}
	if len(s.kernels) == 0 {
		return
	}
	s.r = g.Open(s.r, s.rows, count)
	defer s.r.Close()
	for p := range s.rows {
		for from := 0; from < ends(p); from += pieceCols {
			to := min(from+pieceCols, ends(p))
			s.r.At(p, from, to)
			for _, k := range s.kernels {
				s.p = piece[T]{g.first + k, p, from, to, k, s.r}
				do(&s.p)
			}
		}
	}
}
