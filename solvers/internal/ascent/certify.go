package ascent

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// certifier computes certificates in float64, whatever T is. Each of its parts is the work of one goroutine.
type certifier[T vec.Float] struct {
	x       design.Matrix[float64]
	coupled vec.Matrix[float64] // W = W0 + Xᵀ A R, where there is a coupling
	w       vec.Matrix[float64] // what the scores are of
	parts   []*part

	// made once: a certificate allocates nothing
	rebuildPart, lossesPart, scoresPart func(_, q int)
}

// part is a range of examples, and what it takes to sum over them.
type part struct {
	from, to int
	w        vec.Matrix[float64] // Xᵀ A; its memory is taken, or lent, when it is needed
	sum      float64
	rows     []int               // of a block
	block    vec.Matrix[float64] // dual variables or scores of it
	all      []float64           // dual variables or scores of all outputs of an example
	work     loss.Workspace[float64]
}

// exactCols is how many columns W has in float64: one, or padded.
func exactCols(cols int) int {
	if cols == 1 {
		return 1
	}
	return padded[float64](cols)
}

func newCertifier[T vec.Float](s *linearSolver[T]) *certifier[T] {
	m := exactCols(s.cols)
	size := min(256, s.n)
	e := &certifier[T]{x: design.Float64(s.p.features(s.p.X))}
	workers := min(s.o.Workers, (s.n+size-1)/size, design.Summers(s.p.X))
	for q := range workers {
		e.parts = append(e.parts, &part{
			from: q * s.n / workers, to: (q + 1) * s.n / workers,
			w: vec.Matrix[float64]{Rows: s.d, Cols: m, Stride: m}, rows: make([]int, 0, size),
			block: vec.NewMatrix[float64](size, m),
			all:   make([]float64, s.m),
		})
	}
	if s.p.coupled() {
		e.coupled = vec.NewMatrix[float64](s.d, m)
	}
	e.rebuildPart = func(_, q int) { e.rebuild(s, e.parts[q]) }
	e.lossesPart = func(_, q int) { e.losses(s, e.parts[q], true) }
	e.scoresPart = func(_, q int) { e.scoresOfPart(s, e.parts[q]) }
	return e
}

// Certify computes W from the dual variables anew, and from both the certificate and every g_i.
func (s *linearSolver[T]) Certify() (solvers.Certificate, error) {
	for _, w := range s.workers { // of an epoch that the end of a context cut short
		s.collect(&w.counts)
	}
	if s.offset.on {
		if s.p.Sum != 0 && isZero(s.a.Data) { // nothing has moved
			s.certificate = s.Zero()
			return s.certificate, nil
		}
		return s.certifyOffset()
	}
	e := s.exact
	s.dual = e.each(e.rebuildPart)
	w := e.parts[0].w
	for _, p := range e.parts[1:] {
		vec.Axpy(1, p.w.Data, w.Data)
	}
	s.momentum.shift(-1, s.weights.Data)
	primal := 0.0 // the quadratic term of the model
	s.tilt = s.p.inner(w)
	if s.p.coupled() {
		vec.Gemm(vec.NoTrans, vec.NoTrans, 1, w.Slice(0, s.d, 0, s.m), s.p.Coupling, 0, e.coupled.Slice(0, s.d, 0, s.m))
		primal = vec.Dot(w.Data, e.coupled.Data) / 2
		s.quadratic, w = primal+s.tilt, e.coupled
		s.p.addPrior(w)
		s.weights.round(w, s.m, false)
	} else {
		s.quadratic = vec.SquaredNorm(w.Data)/2 + s.tilt
		s.p.addPrior(w)
		// The model's weights are of type T: they are what the primal value is of, but for those that a factor makes.
		s.weights.round(w, s.cols, s.p.Factor == nil)
		primal = s.p.distance(w) / 2
	}
	s.momentum.shift(1, s.weights.Data)
	e.w = w
	losses := e.each(e.lossesPart)
	s.gaps = 0
	for i := range s.ex {
		s.gaps += s.ex[i].gap
	}
	s.certificate = solvers.Certificate{Primal: s.p.Lambda * (losses + primal),
		Dual: s.p.Lambda * (s.dual - s.quadratic)}
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return s.certificate, ErrNotFinite[T](s.epoch)
	}
	return s.certificate, underflow(s.certificate, s.o.Tol, float64(s.m)*(2*float64(s.n)+float64(s.d)))
}

// each calls do for all parts and returns the sum of their sums, always in the same order.
func (e *certifier[T]) each(do func(_, q int)) (sum float64) {
	parallel.Do(len(e.parts), len(e.parts), do)
	for _, p := range e.parts {
		sum += p.sum
	}
	return sum
}

// rebuild sets w to Xᵀ A and sum to the sum of the dual terms, by the data and the dual variables alone: what visits
// have noted of an example is rounded to T, and may be of variables that a visit has moved without telling.
func (e *certifier[T]) rebuild(s *linearSolver[T], p *part) {
	clear(p.room().Data)
	p.sum = 0
	for i := p.from; i < p.to; i++ {
		ex := &s.ex[i]
		if ex.r == 0 {
			continue
		}
		a, row, y := s.a.Row(i), p.all, s.p.Labels.Of(i)
		p.work.Example, ex.zero = i, isZero(a)
		for j, v := range a {
			row[j] = float64(v)
		}
		zero := ex.zero
		switch {
		case s.offset.on:
			row[0] = s.offset.a[i]
			zero = row[0] == 0
		case !zero:
			s.p.Exact.Repair(row, y, ex.r, &p.work)
		}
		ex.term = s.p.Exact.Dual(row, y, ex.r, &p.work)
		if !zero {
			s.p.ExactFactor.Move(p.block.Row(len(p.rows)), row)
			p.rows = append(p.rows, i)
			if len(p.rows) == p.block.Rows {
				e.flush(p)
			}
		}
		p.sum += ex.term
	}
	e.flush(p)
}

// room returns w, in memory that is taken when it is needed.
func (p *part) room() vec.Matrix[float64] {
	if p.w.Data == nil {
		p.w.Data = make([]float64, p.w.Rows*p.w.Stride)
	}
	return p.w
}

// flush adds the dual variables of the block to w.
func (e *certifier[T]) flush(p *part) {
	e.x.Accumulate(p.w, p.block.Slice(0, len(p.rows), 0, p.block.Cols), p.rows)
	p.rows = p.rows[:0]
}

// losses sets sum to the sum of r_i times the losses at W, and sets every g_i if they are to be noted.
func (e *certifier[T]) losses(s *linearSolver[T], p *part, note bool) {
	p.sum = 0
	for i := p.from; i < p.to; i += p.block.Rows {
		size := min(p.block.Rows, p.to-i)
		for q := range size {
			p.rows = append(p.rows, i+q)
		}
		scores := p.block.Slice(0, size, 0, p.block.Cols)
		e.x.Scores(scores, e.w, p.rows)
		for q, i := range p.rows {
			row := s.p.ExactFactor.Scores(p.all, scores.Row(q))
			ex := &s.ex[i]
			p.work.Example = i
			weighted := float64(ex.r * s.p.Exact.Primal(row, s.p.Labels.Of(i), &p.work)) // not fused: see Zero
			p.sum += weighted
			if !note {
				continue
			}
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
