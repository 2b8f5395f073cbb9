package ascent

import (
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// withOffset returns p, on features, as a training of its inner problem: with a constant feature, whose value centre
// sets, and a prior, which centre and setOrigin set.
func (p Problem[T]) withOffset() Problem[T] {
	if !p.Offset {
		return p
	}
	_, d := p.X.Dims()
	p.Constant, p.Prior = 1, vec.NewMatrix[float64](d+1, 1)
	return p
}

// beginOffset sets c and what m makes. N is 0: see newSolver.
func (s *linearSolver[T]) beginOffset(e *measured[T]) {
	if o := &s.offset; o.on {
		constant := float64(s.p.Constant)
		o.c, o.sizes = constant*constant, e.sizes
		for _, v := range e.mean {
			o.mean = append(o.mean, float64(v))
		}
		s.setOrigin()
	}
}

// constant returns the weight of the constant feature.
func (s *linearSolver[T]) constant() *T {
	if s.weights.byClass {
		return &s.weights.Data[s.d-1]
	}
	return &s.weights.Data[(s.d-1)*s.weights.Stride]
}

// setOrigin sets the prior, and what goes by it.
func (s *linearSolver[T]) setOrigin() {
	o, constant := &s.offset, float64(s.p.Constant)
	s.p.Prior.Row(s.d - 1)[0] = o.at/constant - constant*o.sum
	origin := float64(T(s.p.Prior.Row(s.d - 1)[0]))
	s.base = origin * origin / 2
}

// excess returns b', which is b where m is 0, and e, from the weight of the constant feature.
func (s *linearSolver[T]) excess() (b, e float64) {
	b = float64(s.p.Constant) * float64(*s.constant())
	return b, (b - s.offset.at) / s.offset.c
}

// recentre moves at to b where the sum's part of the gap is what matters. Between epochs.
func (s *linearSolver[T]) recentre() {
	o := &s.offset
	if !o.on {
		return
	}
	b, e := s.excess()
	if o.part(e) <= offsetShare*max(0, s.gaps) {
		return
	}
	o.at = b
	s.setOrigin()
	move := T(float64(s.p.Constant) * e)
	*s.constant() += move
	if l := &s.momentum; l.began { // the last W moves with it
		place := (s.d - 1) * l.w.Stride
		if s.weights.byClass {
			place = s.d - 1
		}
		l.w.Data[place] += move
	}
}

// estimateOffset: see Estimate.
func (s *linearSolver[T]) estimateOffset() solvers.Certificate {
	b, e := s.excess()
	own := float64(*s.constant())
	return s.offset.certificate(s.dual-(s.quadratic+s.base-own*own/2)-b*e, s.gaps, e, s.p.Lambda)
}

// certifyOffset is Certify with an offset, of the balanced dual variables.
func (s *linearSolver[T]) certifyOffset() (c solvers.Certificate, off float64, err error) {
	multiplier, _ := s.excess()
	s.settle()
	e, o := s.exact, &s.offset
	s.dual = e.each(e.rebuildPart)
	w := e.parts[0].w
	for _, p := range e.parts[1:] {
		vec.Axpy(1, p.w.Data, w.Data)
	}
	last := w.Row(s.d - 1)
	last[0] = 0
	o.form = vec.SquaredNorm(w.Data)
	s.weights.round(w, s.cols, true)
	e.w = w
	e.each(e.scoresPart)
	b := float64(T(s.p.bestOffset(o, o.f)))
	losses := s.lossesAt(b, &e.parts[0].work, func(i int, _, weighted float64) { s.setGap(i, weighted, b) })
	norm := vec.SquaredNorm(w.Data)
	s.gaps = 0
	for i := range s.ex {
		s.gaps += s.ex[i].gap
	}
	s.certificate = solvers.Certificate{
		Primal: s.p.Lambda * (losses + norm/2),
		Dual:   s.p.Lambda * (s.dual - o.form/2),
	}
	o.at, o.b = b+s.alongMean(), b
	if s.epoch > 0 { // the best for w is farther from the best of all, as a rule
		o.at = multiplier
	}
	s.setOrigin()
	constant := float64(s.p.Constant)
	*s.constant() = T(s.p.Prior.Row(s.d - 1)[0] + constant*s.total())
	s.quadratic, s.tilt = s.fromWeights(), 0
	s.momentum.theta = 1 // it begins anew
	if gap := s.certificate.Gap(); gap-gap != 0 {
		return s.certificate, 0, ErrNotFinite[T](s.epoch)
	}
	rounding := s.offsetRounding(losses, norm, b)
	return s.certificate, rounding.OffWeights(s.p.Lambda, o.form),
		Underflow(s.certificate, s.o.Tol, 2*float64(s.n)+float64(s.d))
}

// offsetRounding is the rounding of certifyOffset: where its w is small beside its terms it may be rounding.
func (s *linearSolver[T]) offsetRounding(losses, norm, b float64) (r Rounding) {
	e, o := s.exact, &s.offset
	r = NewRounding(0, 0, s.n, s.d)
	for i, a := range o.a {
		r.Add(o.sizes[i]*o.sizes[i], math.Abs(a))
		r.AddTerm(abs(a * b)) // they add up to 0 but for rounding
	}
	for _, p := range e.parts {
		r.AddTerm(p.terms)
	}
	e.slack = SlackOf(s.d, math.Sqrt(norm), b)
	r.AddOff(e.of.Sum(e.slack, losses, Enough(s.certificate, s.p.Lambda, s.o.Tol), s.norm,
		func(i int) []float64 { return o.scores(i, b) }, &e.parts[0].shaken))
	return r
}

// scoresOfPart sets the scores of the part's examples at the weights, without an offset.
func (e *certifier[T]) scoresOfPart(s *linearSolver[T], p *part) {
	for i := p.from; i < p.to; i += p.block.Rows {
		size := min(p.block.Rows, p.to-i)
		for q := range size {
			p.rows = append(p.rows, i+q)
		}
		scores := p.block.Slice(0, size, 0, p.block.Cols)
		e.x.Scores(scores, e.w, p.rows)
		for q, i := range p.rows {
			s.offset.f[i] = scores.Row(q)[0]
		}
		p.rows = p.rows[:0]
	}
}
