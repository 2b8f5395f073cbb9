package ascent

import (
	"bytes"
	"slices"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// leap extrapolates the dual variables of all examples, or of one goroutine's range. Blocks that it brings back move W,
// or, in all ranges but the first, a worker's.
type leap[T vec.Float] struct {
	number      int
	block, free []T // what a block was before it was brought back, by Repair alone and by the kernel
	step        []T // how W moves
	most        []T // the largest sizes of a block's dual variables
	moved       [64]uint8
	work        loss.Workspace[T]

	dual, gain float64 // the sum of dual terms, and by how much they have grown
	repaired   int     // blocks that were brought back
}

func newLeap[T vec.Float](number, m, columns int) *leap[T] {
	return &leap[T]{
		number: number, block: make([]T, m), free: make([]T, m), step: make([]T, columns), most: make([]T, m),
	}
}

// extrapolateDuals moves A, and returns by how much the dual terms grow and how many blocks were brought back.
func (s *common[T]) extrapolateDuals(of follower[T], beta T) (gain float64, repaired int) {
	leaps := s.momentum.leaps
	leaps[0].dual = s.dual
	if len(leaps) == 1 { // a function for goroutines would be an allocation
		s.leap(leaps[0], of, beta, 0, s.n)
	} else {
		time := float64(bytes.Count(s.changed, []byte{1})) * float64(50+2*s.m) // ns
		parallel.Do(parallel.Worth(len(leaps), time), len(leaps), func(_, q int) {
			s.leap(leaps[q], of, beta, parallel.Share(s.n, len(leaps), q), parallel.Share(s.n, len(leaps), q+1))
		})
	}
	s.dual = 0
	for _, p := range leaps {
		s.dual, gain, repaired = s.dual+p.dual, gain+p.gain, repaired+p.repaired
		if p.number > 0 && p.repaired > 0 {
			of.gather(p)
		}
		p.dual, p.gain, p.repaired = 0, 0, 0
	}
	return gain, repaired
}

// leap moves the dual variables of examples from, ..., to-1. Where these keep their signs a kernel goes through the
// blocks and clips them.
func (s *common[T]) leap(p *leap[T], of follower[T], beta T, from, to int) {
	bounded, ok := s.p.Loss.(loss.Bounded[T])
	all, known := false, -1.0 // what Bounds says of blocks of a weight, and which
	for from, rows := s.nextChanged(from), 0; from < to; from = s.nextChanged(from + rows) {
		moved, r := s.alike(p.moved[:min(len(p.moved), to-from)], from), s.p.Radius[from]
		if ok {
			if r != known {
				all, known = bounded.Bounds(p.most, r), r
			}
			rows = unchecked.ExtrapolateRows(s.duals(from), s.momentum.a.Row(from), p.free, s.a.Stride,
				s.momentum.a.Stride, beta, p.most, moved)
		} else {
			rows = 1
			moved[0] = extrapolateBlock(s.duals(from), s.momentum.a.Row(from), beta)
		}
		for q, outcome := range moved[:rows] {
			i := from + q
			if outcome == unchecked.Still {
				s.changed[i] = 0
				continue
			}
			if !(all && outcome == unchecked.Inside) &&
				s.bringBack(p, of, i, bounded, all, outcome == unchecked.Clipped) {
				p.repaired++
			}
			growth := s.newTerm(i, &p.work)
			p.dual, p.gain = p.dual+growth, p.gain+growth
		}
	}
}

// alike returns moved for some of the examples from i on that have changed and whose weights are the same.
func (s *common[T]) alike(moved []uint8, i int) []uint8 {
	for q := range moved {
		if s.changed[i+q] == 0 || s.p.Radius[i+q] != s.p.Radius[i] {
			return moved[:q]
		}
	}
	return moved
}

// extrapolateBlock is what the kernel does with a block, but that it clips nothing.
func extrapolateBlock[T vec.Float](a, last []T, beta T) (outcome uint8) {
	for j, v := range a {
		if v != last[j] {
			outcome = unchecked.Inside
			a[j], last[j] = v+T(beta*(v-last[j])), v
		}
	}
	return outcome
}

// bringBack moves the extrapolated block of example i into its domain, W or the scores with it, and reports whether the
// block was not there but for rounding. A block that the kernel has clipped is there where bounds are all there is to
// the domain.
func (s *common[T]) bringBack(p *leap[T], of follower[T], i int, bounded loss.Bounded[T], all, clipped bool) bool {
	a, y, r := s.duals(i), s.p.Labels.Of(i), s.p.Radius[i]
	before := p.free
	if !clipped {
		before = p.block
		copy(before, a)
	}
	p.work.Example = i
	switch {
	case all:
	case bounded == nil || !bounded.Within(a, y, r):
		s.p.Loss.Repair(a, y, r, &p.work)
	case !clipped && rounded(a[y[0]:][:1], before[y[0]:][:1], nil): // all others are what they were
		return false
	}
	if rounded(a, before, y) {
		return false
	}
	of.follow(p, i, a, before)
	return true
}

// newTerm computes the dual term of example i, whose dual variables have changed, and returns by how much it has grown.
func (s *common[T]) newTerm(i int, work *loss.Workspace[T]) (growth float64) {
	ex, a := &s.ex[i], s.duals(i)
	work.Example = i
	term := s.p.Loss.Dual(a, s.p.Labels.Of(i), ex.r, work)
	growth = term - ex.term
	ex.term, ex.zero = term, term == 0 && isZero(a)
	s.changed[i] = 1
	return growth
}

// setTerm is newTerm, and adds to the sum of the dual terms.
func (s *common[T]) setTerm(i int) { s.dual += s.newTerm(i, &s.work) }

// rounded reports whether a repaired block is the block before but for rounding: then it was in its domain, and W need
// not follow. Of the true classes rounding goes with the largest dual variable, of all others with the dual variable
// itself.
func rounded[T vec.Float](repaired, before []T, y []int) bool {
	unit := T(0x1p-22)
	if is64[T]() {
		unit = 0x1p-51
	}
	largest := T(-1) // not known yet
	for j, v := range before {
		off := max(repaired[j]-v, v-repaired[j])
		if off <= unit*max(v, -v) {
			continue
		}
		if largest < 0 {
			largest = max(vec.Max(before), -vec.Min(before))
		}
		if off > unit*largest || !slices.Contains(y, j) {
			return false
		}
	}
	return true
}

// follow: see follower.
func (s *linearSolver[T]) follow(p *leap[T], i int, a, before []T) {
	worker := s.workers[p.number]
	w := &worker.weights
	for j, v := range a {
		before[j] = v - before[j]
	}
	clear(p.step)
	s.move(p.step[:s.cols], before)
	if p.number > 0 && p.repaired == 0 {
		clear(w.Data)
	}
	if !w.byClass {
		worker.rows.add(&w.Matrix, i, p.step[:w.Cols])
		return
	}
	x := rowsFrom(&worker.block.x, 0, 1)
	worker.rows.x.Gather(x, append(worker.block.rows[:0], i))
	for c, v := range p.step[:s.cols] {
		if v != 0 {
			vec.Axpy(v, x.Row(0), w.Row(c))
		}
	}
}

// gather: see follower.
func (s *linearSolver[T]) gather(p *leap[T]) {
	vec.Axpy(1, s.workers[p.number].weights.Data, s.weights.Data)
}

// move sets u to what W has of an example besides its features, for dual variables a: R a, or Q a where R = QᵀQ.
func (s *common[T]) move(u, a []T) {
	if c := s.momentum.coupling; c != nil {
		vec.Gemv(1, c.r, a, 0, u)
	} else {
		s.p.Factor.Move(u, a)
	}
}
