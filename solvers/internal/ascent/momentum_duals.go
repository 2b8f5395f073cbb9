package ascent

import (
	"slices"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// extrapolateDuals moves A, and returns by how much the dual terms grow and how many blocks were brought back. Where
// dual variables keep their signs a kernel goes through the blocks and clips them.
func (s *common[T]) extrapolateDuals(of follower[T], beta T) (gain float64, repaired int) {
	l := &s.momentum
	bounded, ok := s.p.Loss.(loss.Bounded[T])
	all, known := false, -1.0 // what Bounds says of blocks of a weight, and which
	for from, rows := s.nextChanged(0), 0; from < s.n; from = s.nextChanged(from + rows) {
		moved, r := s.alike(from), s.p.Radius[from]
		if ok {
			if r != known {
				all, known = bounded.Bounds(l.most, r), r
			}
			rows = unchecked.ExtrapolateRows(s.duals(from), l.a.Row(from), l.free, s.a.Stride, l.a.Stride, beta, l.most,
				moved)
		} else {
			rows = 1
			moved[0] = extrapolateBlock(s.duals(from), l.a.Row(from), beta)
		}
		for q, outcome := range moved[:rows] {
			i := from + q
			if outcome == unchecked.Still {
				s.changed[i] = 0
				continue
			}
			if !(all && outcome == unchecked.Inside) && s.bringBack(of, i, bounded, all, outcome == unchecked.Clipped) {
				repaired++
			}
			gain += s.setTerm(i)
		}
	}
	return gain, repaired
}

// alike returns room for what becomes of examples, some of those from i on that have changed and whose weights are the
// same.
func (s *common[T]) alike(i int) (moved []uint8) {
	moved = s.momentum.moved[:min(len(s.momentum.moved), s.n-i)]
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
func (s *common[T]) bringBack(of follower[T], i int, bounded loss.Bounded[T], all, clipped bool) bool {
	l, a, y, r := &s.momentum, s.duals(i), s.p.Labels.Of(i), s.p.Radius[i]
	before := l.free
	if !clipped {
		before = l.block
		copy(before, a)
	}
	s.work.Example = i
	switch {
	case all:
	case bounded == nil || !bounded.Within(a, y, r):
		s.p.Loss.Repair(a, y, r, &s.work)
	case !clipped && rounded(a[y[0]:][:1], before[y[0]:][:1], nil): // all others are what they were
		return false
	}
	if rounded(a, before, y) {
		return false
	}
	of.follow(i, a, before)
	return true
}

// setTerm computes the dual term of example i, whose dual variables have changed, and returns by how much it has grown.
func (s *common[T]) setTerm(i int) (growth float64) {
	ex, a := &s.ex[i], s.duals(i)
	s.work.Example = i
	term := s.p.Loss.Dual(a, s.p.Labels.Of(i), ex.r, &s.work)
	growth = term - ex.term
	s.dual += growth
	ex.term, ex.zero = term, term == 0 && isZero(a)
	s.changed[i] = 1
	return growth
}

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
func (s *linearSolver[T]) follow(i int, a, before []T) {
	l, w := &s.momentum, &s.weights
	for j, v := range a {
		before[j] = v - before[j]
	}
	clear(l.step)
	s.move(l.step[:s.cols], before)
	if !w.byClass {
		s.workers[0].rows.add(&w.Matrix, i, l.step[:w.Cols])
		return
	}
	x := rowsFrom(&s.workers[0].block.x, 0, 1)
	s.workers[0].rows.x.Gather(x, append(l.rows[:0], i))
	for c, v := range l.step[:s.cols] {
		if v != 0 {
			vec.Axpy(v, x.Row(0), w.Row(c))
		}
	}
}

// move sets u to what W has of an example besides its features, for dual variables a: R a, or Q a where R = QᵀQ.
func (s *common[T]) move(u, a []T) {
	if c := s.momentum.coupling; c != nil {
		vec.Gemv(1, c.r, a, 0, u)
	} else {
		s.p.Factor.Move(u, a)
	}
}
