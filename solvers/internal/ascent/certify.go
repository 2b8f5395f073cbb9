package ascent

import (
	"math"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// certifier computes certificates in float64, whatever T is. Each of its parts is the work of one goroutine.
type certifier[T vec.Float] struct {
	x       design.Matrix[float64]
	rows    *rows[T]            // x where there is one output, and sparse rows that lie in memory; or nil
	coupled vec.Matrix[float64] // W = W0 + Xᵀ A R, where there is a coupling
	w       vec.Matrix[float64] // what the scores are of
	parts   []*part
	slack   Slack   // of the scores at w
	of      *Losses // at these

	sizes []float64 // of outputs

	// made once: a certificate allocates nothing
	rebuildPart, lossesPart, offPart, scoresPart func(_, q int)
}

// What is done with a loss: it is added up alone, or its g_i is noted, or how far it may be off is added up.
type task int

const (
	addLoss task = iota
	noteGap
	addOff
)

// part is a range of examples, and what it takes to sum over them.
type part struct {
	from, to int
	w        vec.Matrix[float64] // Xᵀ A; its memory is taken, or lent, when it is needed
	sum      float64
	squares  float64             // of the products |x_i| |a_i|, squared
	terms    float64             // sizes of what dual terms are sums of
	rows     []int               // of a block
	block    vec.Matrix[float64] // dual variables or scores of it
	all      []float64           // dual variables or scores of all outputs of an example
	work     loss.Workspace[float64]
	shaken   Shaken
	binary   *binary // where there are two classes and certifier.rows, or nil
}

// exactCols is how many columns W has in float64: one, or padded.
func exactCols(cols int) int {
	if cols == 1 {
		return 1
	}
	return padded[float64](cols)
}

// newCertifier is of the examples x, as they are.
func newCertifier[T vec.Float](s *linearSolver[T], x design.Matrix[T]) *certifier[T] {
	m := exactCols(s.cols)
	size := min(256, s.n)
	e := &certifier[T]{x: design.Float64(s.p.features(x)), of: s.p.Losses(s.squaredNorm), sizes: s.p.sizes()}
	if r := &s.workers[0].rows; m == 1 && s.p.ExactFactor == nil && r.ptr != nil && s.offset.mean == nil {
		e.rows = r
	}
	workers := min(s.o.Workers, shape.Pieces(s.n, size), design.Summers(x))
	for q := range workers {
		e.parts = append(e.parts, &part{
			from: q * s.n / workers, to: (q + 1) * s.n / workers,
			w: vec.Matrix[float64]{Rows: s.d, Cols: m, Stride: m}, rows: make([]int, 0, size),
			block: vec.NewMatrix[float64](size, m),
			all:   make([]float64, s.m),
		})
		if e.rows != nil && !s.offset.on {
			e.parts[q].binary = newBinary(s)
		}
	}
	if s.p.coupled() {
		e.coupled = vec.NewMatrix[float64](s.d, m)
	}
	e.rebuildPart = func(_, q int) { e.rebuild(s, e.parts[q]) }
	e.lossesPart = func(_, q int) { e.losses(s, e.parts[q], noteGap) }
	e.offPart = func(_, q int) { e.losses(s, e.parts[q], addOff) }
	e.scoresPart = func(_, q int) { e.scoresOfPart(s, e.parts[q]) }
	return e
}

// norm returns |x_i|.
func (s *linearSolver[T]) norm(i int) float64 {
	if s.offset.on {
		return s.offset.sizes[i]
	}
	return math.Sqrt(s.ex[i].h)
}

// squaredNorm returns |x_i|².
func (s *linearSolver[T]) squaredNorm(i int) float64 {
	if s.offset.on {
		return s.offset.sizes[i] * s.offset.sizes[i]
	}
	return s.ex[i].h
}

// Certify computes W from the dual variables anew, and from both the certificate and every g_i.
func (s *linearSolver[T]) Certify() (solvers.Certificate, error) {
	c, off, err := s.certify()
	if err != nil {
		return c, err
	}
	return c, s.Judge(c, off, s.o.Tol)
}

// Bound: see train.Bounded.
func (s *linearSolver[T]) Bound() float64 { return s.bound }

// certify is Certify with what may be rounding of it.
func (s *linearSolver[T]) certify() (c solvers.Certificate, off float64, err error) {
	for _, w := range s.workers { // of an epoch that the end of a context cut short
		s.collect(&w.counts)
	}
	if s.offset.on {
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
		s.hold(w)
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
		return s.certificate, 0, ErrNotFinite[T](s.epoch)
	}
	off = s.offDual()
	if s.bound = s.certificate.Dual - off/4; s.bound-s.bound != 0 { // the gap is off by two forms, D by half of one
		s.bound = math.Inf(-1)
	}
	return s.certificate, off + s.offLosses(losses, 2*primal),
		Underflow(s.certificate, s.o.Tol, float64(s.m)*(2*float64(s.n)+float64(s.d)))
}

// hold puts what a model holds in place of the constant feature's weights: see family.Hold. Where a factor makes
// weights the certificate has more digits than the model.
func (s *linearSolver[T]) hold(w vec.Matrix[float64]) {
	if s.p.Constant != 0 && !s.offset.on && s.p.Factor == nil && !s.p.coupled() {
		family.Hold(w.Row(s.d - 1)[:s.cols], s.p.Constant)
	}
}

// offDual is how far rounding may take the dual value of a certificate, and the penalty.
func (s *linearSolver[T]) offDual() float64 {
	r := s.rounding()
	r.AddTerm(math.Sqrt(r.squares) * math.Sqrt(2*s.base)) // <Xᵀ A, W0>
	return r.OffWeights(s.p.Lambda, 2*(s.quadratic-s.tilt))
}

// rounding is the rounding of Xᵀ A, and of the dual terms.
func (s *linearSolver[T]) rounding() Rounding {
	r := NewRounding(0, 0, s.n, s.d)
	for _, p := range s.exact.parts {
		r.squares, r.dual = r.squares+p.squares, r.dual+p.terms
	}
	r.sum = math.Sqrt(r.squares) // at least: it tells whether there is any
	return r
}

// offLosses is how far rounding may take the losses of a certificate, a sum at e.w, whose penalty is half of square.
func (s *linearSolver[T]) offLosses(losses, square float64) float64 {
	steep, own := steepest(s.exact.sizes), 0.0
	if s.exact.sizes != nil { // W is no model of numbers of T: it is off by itself, too
		r := s.rounding()
		own = steep * r.Weights()
	}
	w := steep*math.Sqrt(max(0, square)) + math.Sqrt(2*s.base)
	return s.p.Lambda * s.lossesOff(s.certificate, losses, w, own)
}

// lossesOff is how far rounding may take the losses of a certificate, a sum at e.w, whose columns have the norm w at
// most and are off by own.
func (s *linearSolver[T]) lossesOff(c solvers.Certificate, losses, w, own float64) float64 {
	e := s.exact
	e.slack = SlackOf(s.d+s.cols, w, 0)
	e.slack.Norm += deviations * own
	if most := e.of.Most(e.slack, losses); most <= Enough(c, s.p.Lambda, s.o.Tol) {
		return most
	}
	return e.each(e.offPart)
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
	p.sum, p.squares, p.terms = 0, 0, 0
	if p.binary != nil {
		e.rebuildBinary(s, p)
		return
	}
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
			b := sizeOf(row, e.sizes) * math.Sqrt(ex.h)
			p.squares += b * b
			p.terms += e.of.termSize(i, row, ex.term, &p.work)
		}
		switch {
		case zero:
		case e.rows != nil:
			e.rows.addExact(p.w.Data, i, row[0])
		default:
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

// losses sets sum to the sum of r_i times the losses at W, and sets every g_i if they are to be noted; or to how far
// these losses may be off.
func (e *certifier[T]) losses(s *linearSolver[T], p *part, do task) {
	p.sum = 0
	if p.binary != nil && do != addOff {
		e.lossesBinary(s, p, do)
		return
	}
	if e.rows != nil {
		for i := p.from; i < p.to; i++ {
			p.all[0] = e.rows.exactScore(i, e.w.Data)
			lossAt(s, p, i, p.all, do)
		}
		return
	}
	for i := p.from; i < p.to; i += p.block.Rows {
		size := min(p.block.Rows, p.to-i)
		for q := range size {
			p.rows = append(p.rows, i+q)
		}
		scores := p.block.Slice(0, size, 0, p.block.Cols)
		e.x.Scores(scores, e.w, p.rows)
		for q, i := range p.rows {
			lossAt(s, p, i, s.p.ExactFactor.Scores(p.all, scores.Row(q)), do)
		}
		p.rows = p.rows[:0]
	}
}

// lossAt adds r_i times the loss of example i at the given scores, and sets its g_i if that is to be noted; or adds how
// far it may be off.
func lossAt[T vec.Float](s *linearSolver[T], p *part, i int, scores []float64, do task) {
	if do == addOff {
		p.sum += s.exact.of.Off(i, s.norm(i), scores, s.exact.slack, &p.shaken)
		return
	}
	ex := &s.ex[i]
	p.work.Example = i
	weighted := float64(ex.r * s.p.Exact.Primal(scores, s.p.Labels.Of(i), &p.work)) // not fused: see Zero
	p.sum += weighted
	if do == addLoss {
		return
	}
	ex.gap = weighted - ex.term
	if ex.zero {
		return
	}
	for j, v := range s.a.Row(i) {
		ex.gap += float64(v) * scores[j]
	}
}
