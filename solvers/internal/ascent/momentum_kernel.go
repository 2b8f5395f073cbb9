package ascent

import (
	"context"

	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// Momentum on a kernel: F = K A R, the scores of the active examples, is linear in A and extrapolated with it. Momentum
// begins anew where the active set changes, and where a certificate computes F anew: the roundings of F, which
// momentum takes along, are no direction to go on in. To compute F anew at other times, as W is, does not pay: in
// float32 a product with K rounds as much as the moves since the last one.

// extrapolate is called between epochs.
func (s *kernelSolver[T]) extrapolate(ctx context.Context) {
	if !s.momentum.due(s.visits, len(s.order)) {
		return
	}
	if s.k.Room() < len(s.at) { // rows have to be computed
		defer train.Hold(ctx)()
	}
	s.reserve()
	if beta := s.factor(s.f.Data); beta != 0 {
		s.step(s, s.f.Data, beta)
	}
}

// reserve makes room for A and F of the last extrapolation: a training of few passes has none.
func (s *kernelSolver[T]) reserve() {
	l := &s.momentum
	if l.a.Rows == 0 {
		l.a = vec.NewMatrix[T](s.n, s.m)
	}
	if l.w.Rows != s.f.Rows {
		l.w = vec.NewMatrix[T](s.f.Rows, s.f.Cols)
	}
}

// follow: see follower. K_i is a row, which costs as much as a visit's: rows are taken by blocks.
func (s *kernelSolver[T]) follow(_ *leap[T], i int, a, before []T) {
	b := &s.block
	for j, v := range a {
		before[j] = v - before[j]
	}
	row := b.delta.Row(len(b.rows))
	clear(row)
	s.move(row[:s.cols], before)
	p := i
	if s.levels != nil {
		p = s.levels.Place(i)
	}
	b.rows = append(b.rows, p)
	if len(b.rows) == cap(b.rows) {
		s.flush()
	}
}

// gather: see follower. There is one leap.
func (s *kernelSolver[T]) gather(*leap[T]) {}

// flush adds the moves of follow that are waiting to F.
func (s *kernelSolver[T]) flush() {
	b := &s.block
	if len(b.rows) > 0 {
		s.k.Lend(&s.lent, b.rows, s.o.Workers)
		s.push()
		s.k.Return(&s.lent)
		s.visits += len(b.rows)
		b.rows = b.rows[:0]
	}
}

func (s *kernelSolver[T]) euclidean() bool { return false }

// form returns 1/2 <A, F>, in float64; with an offset what follows it in the dual.
func (s *kernelSolver[T]) form() (sum float64) {
	s.flush()
	wide := s.momentum.wide
	a, f := wide[:s.m], wide[s.m:]
	for p, i := range s.at {
		vec.Convert(a, s.duals(i))
		vec.Convert(f, s.p.Factor.Scores(s.scores, s.f.Row(p)))
		sum += vec.Dot64(a, f)
	}
	if o := &s.offset; o.on { // 1/2 <a, K a> + at e + c/2 e², but for what does not depend on a
		sum += (o.at - o.c*o.sum) * s.total()
	}
	return sum / 2
}
