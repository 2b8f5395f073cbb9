package topk

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// certifier computes certificates in float64, whatever T is.
type certifier[T vec.Float] struct {
	x     solvers.Features[float64]
	loss  loss.Loss[float64]
	w     vec.Matrix[float64]
	rows  []int               // of a block
	block vec.Matrix[float64] // dual variables or scores of it
	work  loss.Workspace[float64]
}

func newCertifier[T vec.Float](s *solver[T]) *certifier[T] {
	const rows = 256
	return &certifier[T]{
		x:     solvers.Float64(s.x),
		loss:  lossOf[float64](s.c),
		w:     vec.NewMatrix[float64](s.d, padded[float64](s.m)),
		rows:  make([]int, 0, rows),
		block: vec.NewMatrix[float64](rows, padded[float64](s.m)),
	}
}

// certify computes W from the dual variables anew, and from both the certificate and every g_i. It is an error if they are
// not finite, for then numbers have outgrown T.
func (s *solver[T]) certify() error {
	e := s.exact
	s.dual = e.rebuild(s)
	dual := s.dual - vec.SquaredNorm(e.w.Data)/2
	for j := range s.d { // the model's weights are of type T: they are what the primal value is of
		exact, rounded := e.w.Row(j)[:s.m], s.w.Row(j)
		for c, v := range exact {
			rounded[c] = T(v)
			exact[c] = float64(rounded[c])
		}
	}
	primal := e.losses(s)/float64(s.n) + s.c.Lambda*vec.SquaredNorm(e.w.Data)/2
	s.certificate = solvers.Certificate{Primal: primal, Dual: s.c.Lambda * dual}
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return fmt.Errorf("topk: numbers outgrew %T in epoch %d: scale the features down, raise Lambda, or use float64", T(0), s.epochs)
	}
	return nil
}

// rebuild sets w to Xᵀ A and returns the sum of the dual terms.
func (e *certifier[T]) rebuild(s *solver[T]) (dual float64) {
	clear(e.w.Data)
	for i := range s.n {
		a, y := s.a.Row(i), s.y[i]
		if a[y] == 0 {
			continue // then all of a is 0
		}
		row, sum := e.block.Row(len(e.rows)), 0.0
		for j, v := range a {
			row[j] = float64(v)
			if j != y {
				sum -= row[j]
			}
		}
		row[y] = sum
		s.term[i] = e.loss.Dual(row[:s.m], s.y[i:i+1], s.r)
		dual += s.term[i]
		e.rows = append(e.rows, i)
		if len(e.rows) == e.block.Rows {
			e.flush()
		}
	}
	e.flush()
	return dual
}

// flush adds the dual variables of the block to w.
func (e *certifier[T]) flush() {
	e.x.Accumulate(e.rows, e.block.Slice(0, len(e.rows), 0, e.block.Cols), e.w)
	e.rows = e.rows[:0]
}

// losses returns the sum of the losses at w, and sets every g_i.
func (e *certifier[T]) losses(s *solver[T]) (sum float64) {
	for i := 0; i < s.n; i += e.block.Rows {
		size := min(e.block.Rows, s.n-i)
		for p := range size {
			e.rows = append(e.rows, i+p)
		}
		scores := e.block.Slice(0, size, 0, e.block.Cols)
		e.x.Scores(e.rows, e.w, scores)
		for p, i := range e.rows {
			row, y := scores.Row(p)[:s.m], s.y[i:i+1]
			phi := e.loss.Primal(row, y, &e.work)
			sum += phi
			g := s.r*phi - s.term[i]
			for j, v := range s.a.Row(i) {
				g += float64(v) * row[j]
			}
			s.gap[i] = g
		}
		e.rows = e.rows[:0]
	}
	return sum
}
