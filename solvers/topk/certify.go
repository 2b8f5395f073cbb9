package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// certifier computes certificates in float64, whatever T is. Each of its parts is the work of one goroutine.
type certifier[T vec.Float] struct {
	x     solvers.Features[float64]
	loss  loss.Loss[float64]
	w     vec.Matrix[float64] // that of the first part
	parts []*part

	rebuildPart, lossesPart func(p *part) // methods, bound once
}

// part is a range of examples, and what it takes to sum over them.
type part struct {
	from, to int
	w        vec.Matrix[float64]
	sum      float64
	rows     []int               // of a block
	block    vec.Matrix[float64] // dual variables or scores of it
	work     loss.Workspace[float64]
}

func newCertifier[T vec.Float](s *solver[T]) *certifier[T] {
	m := padded[float64](s.m)
	size := min(256, s.n)
	e := &certifier[T]{x: solvers.Float64(s.x), loss: lossOf[float64](s.c)}
	workers := min(s.c.Workers, (s.n+size-1)/size)
	for q := range workers {
		e.parts = append(e.parts, &part{
			from: q * s.n / workers, to: (q + 1) * s.n / workers,
			w: vec.NewMatrix[float64](s.d, m), rows: make([]int, 0, size), block: vec.NewMatrix[float64](size, m),
		})
	}
	e.w = e.parts[0].w
	e.rebuildPart, e.lossesPart = func(p *part) { e.rebuild(s, p) }, func(p *part) { e.losses(s, p) }
	return e
}

// certify computes W from the dual variables anew, and from both the certificate and every g_i. It is an error if they are
// not finite, for then numbers have outgrown T.
func (s *solver[T]) certify() error {
	e := s.exact
	s.dual = e.each(e.rebuildPart)
	for _, p := range e.parts[1:] {
		vec.Axpy(1, p.w.Data, e.w.Data)
	}
	dual := s.dual - vec.SquaredNorm(e.w.Data)/2
	for j := range s.d { // the model's weights are of type T: they are what the primal value is of
		at, step := j*s.w.Stride, 1
		if s.byClass {
			at, step = j, s.w.Stride
		}
		exact := e.w.Row(j)[:s.m]
		for c, v := range exact {
			rounded := T(v)
			s.w.Data[at], exact[c] = rounded, float64(rounded)
			at += step
		}
	}
	losses := e.each(e.lossesPart)
	s.gaps = 0
	for i := range s.ex {
		s.gaps += s.ex[i].gap
	}
	s.certificate = solvers.Certificate{Primal: s.c.Lambda * (losses + vec.SquaredNorm(e.w.Data)/2), Dual: s.c.Lambda * dual}
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return fmt.Errorf("topk: numbers outgrew %T in epoch %d: scale the features down, raise Lambda, or use float64", T(0), s.epochs)
	}
	return nil
}

// each calls do for all parts, each by a goroutine of its own, and returns the sum of their sums, always in the same order.
func (e *certifier[T]) each(do func(p *part)) (sum float64) {
	if len(e.parts) == 1 {
		do(e.parts[0])
		return e.parts[0].sum
	}
	done := make(chan struct{})
	for _, p := range e.parts {
		go func() {
			do(p)
			done <- struct{}{}
		}()
	}
	for range e.parts {
		<-done
	}
	for _, p := range e.parts {
		sum += p.sum
	}
	return sum
}

// rebuild sets w to Xᵀ A and sum to the sum of the dual terms.
func (e *certifier[T]) rebuild(s *solver[T], p *part) {
	clear(p.w.Data)
	p.sum = 0
	for i := p.from; i < p.to; i++ {
		ex := &s.ex[i]
		if !ex.zero {
			row, y := p.block.Row(len(p.rows))[:s.m], s.y.of(i)
			for j, v := range s.a.Row(i) {
				row[j] = float64(v)
			}
			e.loss.Repair(row, y, ex.r, &p.work)
			ex.term = e.loss.Dual(row, y, ex.r, &p.work)
			p.rows = append(p.rows, i)
			if len(p.rows) == p.block.Rows {
				e.flush(p)
			}
		}
		p.sum += ex.term
	}
	e.flush(p)
}

// flush adds the dual variables of the block to w.
func (e *certifier[T]) flush(p *part) {
	e.x.Accumulate(p.w, p.block.Slice(0, len(p.rows), 0, p.block.Cols), p.rows)
	p.rows = p.rows[:0]
}

// losses sets sum to the sum of r_i times the losses at w, and sets every g_i.
func (e *certifier[T]) losses(s *solver[T], p *part) {
	p.sum = 0
	for i := p.from; i < p.to; i += p.block.Rows {
		size := min(p.block.Rows, p.to-i)
		for q := range size {
			p.rows = append(p.rows, i+q)
		}
		scores := p.block.Slice(0, size, 0, p.block.Cols)
		e.x.Scores(scores, e.w, p.rows)
		for q, i := range p.rows {
			row := scores.Row(q)[:s.m]
			ex := &s.ex[i]
			weighted := ex.r * e.loss.Primal(row, s.y.of(i), &p.work)
			p.sum += weighted
			ex.gap = weighted - ex.term
			if ex.zero {
				continue
			}
			for j, v := range s.a.Row(i) {
				ex.gap += float64(v) * row[j]
			}
		}
		p.rows = p.rows[:0]
	}
}
