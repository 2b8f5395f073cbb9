package ascent

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// shift adds v to the scores of the active examples.
func (s *kernelSolver[T]) shift(v float64) {
	for p := range s.at {
		s.f.Data[p*s.f.Stride] += T(v)
	}
}

// enter sets N of the examples of the level: the same part of their weights as of all, so that b is about that part of
// what it was.
func (s *kernelSolver[T]) enter() {
	o := &s.offset
	if !o.on {
		return
	}
	before, sum, total := o.at-o.c*o.sum, s.p.Sum, s.total()
	if l := s.levels; l != nil && !l.Last() && sum != 0 {
		weight := 0.0
		for _, i := range l.Level() {
			weight += s.ex[i].r
		}
		sum *= weight / o.weight
	}
	if o.sum != 0 {
		o.at = (o.at + o.c*(total-o.sum)) * sum / o.sum
	}
	o.sum = sum
	s.shift(o.at - o.c*o.sum - before)
}

// recentre moves at to b where the sum's part of the gap is what matters. Between epochs.
func (s *kernelSolver[T]) recentre() {
	o := &s.offset
	if !o.on {
		return
	}
	e := s.total() - o.sum
	if o.part(e) <= offsetShare*max(0, o.gaps) {
		return
	}
	o.at += o.c * e
	s.shift(o.c * e)
	if l := &s.momentum; l.began {
		for p := range l.w.Rows {
			l.w.Data[p*l.w.Stride] += T(o.c * e)
		}
	}
}

// estimateOffset: see Estimate. gaps, norm and dual are the sums of the g_i, of a_i s_i and of the dual terms of the
// active examples.
func (s *kernelSolver[T]) estimateOffset(gaps, norm, dual float64) solvers.Certificate {
	o := &s.offset
	total := s.total()
	e := total - o.sum
	o.b = o.at + o.c*e
	o.gaps, s.inside = gaps, gaps+o.part(e)
	if s.levels != nil {
		gaps, dual = gaps+s.levels.outside, dual+s.levels.terms
	}
	return o.certificate(dual-(norm-o.b*total)/2-o.b*e, gaps, e, 1)
}

// certifyOffset is Certify with an offset, of the balanced dual variables.
func (s *kernelSolver[T]) certifyOffset() (solvers.Certificate, error) {
	s.settle()
	e, o, rounding, dual := &s.exact, &s.offset, s.exact.rounding, 0.0
	for i := range s.ex {
		ex := &s.ex[i]
		exact, own := o.a[i], float64(s.duals(i)[0])
		e.a.Row(i)[0], e.a.Row(i)[e.m] = exact, own
		if ex.r == 0 {
			continue
		}
		rounding.Add(e.diagonal[i], max(abs(exact), abs(own)))
		e.work.Example, e.row[0] = i, exact
		ex.zero = own == 0
		ex.term = s.p.Exact.Dual(e.row, s.p.Labels.Of(i), ex.r, &e.work)
		rounding.AddTerm(e.losses.termSize(i, e.row, ex.term, &e.work))
		dual += ex.term
	}
	e.multiply(e.f, e.a, e.workers)
	norm, exactNorm := 0.0, 0.0
	for i := range s.n {
		a, f := e.a.Row(i), e.f.Row(i)
		exactNorm += a[0] * f[0]
		norm += a[e.m] * f[e.m]
		o.f[i] = f[e.m]
	}
	b := float64(T(s.p.bestOffset(o, o.f)))
	losses := s.lossesAt(b, &e.work, func(i int, phi, weighted float64) {
		s.setGap(i, weighted, b)
		rounding.AddLoss(s.ex[i].r, phi, s.p.Exact.Primal(e.zero, s.p.Labels.Of(i), &e.work), abs(o.f[i])+abs(b))
	})
	o.at = b
	off := b + o.c*(s.total()-o.sum)
	for i := range s.n {
		s.scoresOf(i)[0] = T(o.f[i] + off)
	}
	s.momentum.anew()
	s.sumOutside()
	s.quadratic = max(0, exactNorm) / 2
	s.certificate = solvers.Certificate{Primal: s.p.Lambda * (losses + max(0, norm)/2 + s.p.Sum*b),
		Dual: s.p.Lambda * (dual - s.quadratic)}
	s.Estimate()
	o.b = b
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return s.certificate, ErrNotFinite[T](s.epoch)
	}
	for _, a := range o.a { // they add up to N but for rounding
		rounding.AddTerm(abs(a * b))
	}
	rounding.AddOff(e.losses.Sum(rounding.Slack(e.steep, b), losses, Enough(s.certificate, s.p.Lambda, s.o.Tol), e.norm,
		func(i int) []float64 { return o.scores(i, b) }, &e.shaken))
	if err := rounding.Check(&s.Trust, s.certificate, s.p.Lambda, s.o.Tol, norm, exactNorm); err != nil {
		return s.certificate, fmt.Errorf("in epoch %d %w", s.epoch, err)
	}
	return s.certificate, nil
}

// withLast returns a, n-by-1, with b in one more row.
func withLast[T vec.Float](a vec.Matrix[T], b float64) vec.Matrix[T] {
	all := vec.NewMatrix[T](a.Rows+1, 1)
	for i := range a.Rows {
		all.Row(i)[0] = a.Row(i)[0]
	}
	all.Row(a.Rows)[0] = T(b)
	return all
}

func abs(v float64) float64 { return max(v, -v) }
