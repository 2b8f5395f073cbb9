package ascent

import (
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// binary is what a part of a certificate has where there are two classes and one output, and sparse rows that lie in
// memory: losses and dual terms of many examples at once, since a call of each for one takes longer than its scores.
type binary struct {
	loss     *loss.Binary
	rows     []int     // examples with a weight
	v, r, of []float64 // their dual variables or scores, times t; their weights; dual terms or losses
}

// newBinary returns nil where the loss is another one.
func newBinary[T vec.Float](s *linearSolver[T]) *binary {
	l := loss.BinaryOf(s.p.Exact)
	if l == nil || s.one == nil {
		return nil
	}
	size := min(loss.BinaryAtOnce, s.n)
	return &binary{loss: l, rows: make([]int, 0, size), v: make([]float64, size), r: make([]float64, size),
		of: make([]float64, size)}
}

// next takes examples from, ..., to-1, but as many as there is room for, and returns those behind them.
func (b *binary) next(ex []example, from, to int) int {
	b.rows = b.rows[:0]
	for ; from < to && len(b.rows) < cap(b.rows); from++ {
		if ex[from].r > 0 {
			b.r[len(b.rows)] = ex[from].r
			b.rows = append(b.rows, from)
		}
	}
	return from
}

// side is t of an example: 1 where its label is true, else -1.
func (ex *example) side() float64 {
	if ex.labels != 0 {
		return 1
	}
	return -1
}

// rebuildBinary is rebuild.
func (e *certifier[T]) rebuildBinary(s *linearSolver[T], p *part) {
	b := p.binary
	for i := p.from; i < p.to; {
		i = b.next(s.ex, i, p.to)
		n := len(b.rows)
		for k, i := range b.rows {
			ex, a := &s.ex[i], float64(s.a.Data[i])
			ex.zero = a == 0
			b.v[k] = ex.side() * a
		}
		b.loss.Dual(b.of[:n], b.v[:n], b.r[:n])
		for k, i := range b.rows {
			ex := &s.ex[i]
			ex.term = b.of[k]
			p.sum += ex.term
			if !ex.zero {
				size := sizeOf(b.v[k:k+1], e.sizes) // the dual terms are no differences: see termSize
				p.squares += size * size * ex.h
				e.rows.addExact(p.w.Data, i, ex.side()*b.v[k])
			}
		}
	}
}

// lossesBinary is losses.
func (e *certifier[T]) lossesBinary(s *linearSolver[T], p *part, do task) {
	b := p.binary
	for i := p.from; i < p.to; {
		i = b.next(s.ex, i, p.to)
		n := len(b.rows)
		for k, i := range b.rows {
			b.v[k] = s.ex[i].side() * e.rows.exactScore(i, e.w.Data)
		}
		b.loss.Primal(b.of[:n], b.v[:n])
		for k, i := range b.rows {
			ex := &s.ex[i]
			weighted := float64(ex.r * b.of[k]) // not fused: see Zero
			p.sum += weighted
			if do == addLoss {
				continue
			}
			ex.gap = weighted - ex.term
			if !ex.zero {
				ex.gap += float64(s.a.Data[i]) * ex.side() * b.v[k]
			}
		}
	}
}
