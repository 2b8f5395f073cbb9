package ascent

import (
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// An offset b of the scores of one output that the penalty leaves alone makes the problem, with N = Problem.Sum,
//
//	P(w, b) = lambda (sum_i r_i phi_i(<w, x_i> + b) + 1/2 |w|² + N b)
//	D(a)    = lambda (sum_i -r_i phi_i*(-a_i/r_i) - 1/2 <a, K a>)   over all a with sum_i a_i = N
//
// where b is the sum's multiplier. Ascent by examples cannot keep a sum, so that training is by the method of
// multipliers (Bertsekas, Constrained Optimization and Lagrange Multiplier Methods, 1982). Its inner problem has the
// penalty (b - at)²/(2c) besides, and in its dual, for e = sum_i a_i - N, which is then free,
//
//	D(a) - lambda (at e + c/2 e²),    whose scores are s = K a + b,  b = at + c e.
//
// That is a training on K + c whose scores begin at at - c N: on features, with a constant feature sqrt(c) that a prior
// pulls to (at - c N)/sqrt(c). When its gap is small beside the sum's part, c/2 e², at moves to b. This is a proximal
// step of b: with c as large as the K_ii a few of them are enough.
//
// The sum of the g_i of package loss is P(w, b) - L for the Lagrangian L = D(a) - lambda b e. A certificate is of dual
// variables that are balanced: the free ones are moved until their sum is N, as long as there are any; and of the b
// that is best for w.
type offset struct {
	on     bool
	c, at  float64     // of the penalty of the inner problem
	sum    float64     // N, of the examples of the level
	weight float64     // of all examples: the sum of the r_i
	sloped loss.Sloped // the loss, or
	curved loss.Curved
	Box
	a, f  []float64 // of certificates: the balanced dual variables, and scores without b
	b     float64   // the model's
	gaps  float64   // the sum of the g_i of active examples, as last estimated on a kernel
	form  float64   // |w|² of the balanced dual variables
	mean  []float64 // m, on features: see offset_centre.go; nil: 0. at is then of b'
	sizes []float64 // |x_i|, on features
	kinks []loss.Kink
	row   [1]float64 // a score, where losses are computed
}

// newOffset knows the intervals of p's dual variables.
func newOffset[T vec.Float](p *Problem[T]) (o offset) {
	if !p.Offset {
		return o
	}
	n := len(p.Radius)
	o = offset{on: true, Box: Box{R: p.Radius, Low: make([]float64, n), High: make([]float64, n)},
		a: make([]float64, n), f: make([]float64, n)}
	o.curved, _ = p.Exact.(loss.Curved)
	o.sloped, _ = p.Exact.(loss.Sloped)
	for i, r := range p.Radius {
		isTrue := len(p.Labels.Of(i)) > 0
		o.weight += r
		if o.curved != nil {
			from, _ := o.curved.Curve(math.Inf(-1), isTrue)
			to, _ := o.curved.Curve(math.Inf(1), isTrue)
			o.Low[i], o.High[i] = 0-r*to, 0-r*from
		} else {
			slope := o.sloped.Slope(i, isTrue)
			o.Low[i], o.High[i] = slope.Interval(r)
		}
	}
	return o
}

// stiffness is the mean of the K_ii: c of a kernel.
func stiffness[T vec.Float](diagonal []T) float64 {
	sum := 0.0
	for _, v := range diagonal {
		sum += float64(v)
	}
	if c := sum / float64(len(diagonal)); c > 0 && c-c == 0 {
		return c
	}
	return 1
}

// part is what the sum adds to the gap, about: it is what moving e to dual variables with other slopes costs.
func (o *offset) part(e float64) float64 { return o.c / 2 * e * e }

// share is how large that part has to be, beside the sum of the g_i, for at to move.
const offsetShare = 0.1

// certificate is the estimate for the Lagrangian at e, over lambda, with the sum of the g_i.
func (o *offset) certificate(lagrangian, gaps, e, lambda float64) solvers.Certificate {
	return solvers.Certificate{Primal: lambda * (lagrangian + gaps), Dual: lambda * (lagrangian - o.part(e))}
}

// magnitude returns the larger size of P and D, which may be negative with an offset.
func magnitude(c solvers.Certificate) float64 { return math.Max(math.Abs(c.Primal), math.Abs(c.Dual)) }

// zeroOffset returns the certificate of w = 0 and the b that is best there, from the one of b = 0. Where dual variables
// of 0 have another sum than N the dual value is a bound of those that are the same part of all r_i: |w| is at most the
// sum of the a_i sqrt(K_ii + c).
func (s *common[T]) zeroOffset(c solvers.Certificate) solvers.Certificate {
	if !s.offset.on {
		return c
	}
	var work loss.Workspace[float64]
	b := float64(s.p.zeroBias())
	clear(s.offset.f)
	c.Primal = s.p.Lambda * (s.lossesAt(b, &work, nil) + s.p.Sum*b)
	if s.p.Sum == 0 {
		return c
	}
	size := 0.0
	for _, ex := range s.ex {
		size += ex.r * math.Sqrt(ex.h)
	}
	size *= s.p.Sum / s.offset.weight * (1 + 0x1p-50*float64(s.n)) // what sums of norms are rounded by at most
	c.Dual -= s.p.Lambda * size * size / 2
	return c
}

// zeroBias returns the best offset of w = 0.
func (p *Problem[T]) zeroBias() T {
	o := newOffset(p)
	return T(p.bestOffset(&o, make([]float64, len(p.Radius))))
}

// settle balances the dual variables of the state, in numbers of T, and then in float64 for a certificate: into
// offset.a. These are then the dual variables that the certificate is of.
func (s *common[T]) settle() {
	o, a := &s.offset, s.offset.a
	o.sum = s.p.Sum
	s.widenTo(a)
	o.Balance(a, o.sum)
	for i := range s.ex {
		ex, own := &s.ex[i], s.duals(i)
		if T(a[i]) != own[0] {
			own[0] = T(a[i])
			s.work.Example = i
			s.p.Loss.Repair(own, s.p.Labels.Of(i), ex.r, &s.work)
			ex.zero, s.changed[i] = own[0] == 0, 1
		}
	}
	s.widenTo(a)
	o.Balance(a, o.sum)
}

// widenTo sets a to the dual variables in float64, in their intervals.
func (s *common[T]) widenTo(a []float64) {
	o := &s.offset
	for i := range a {
		a[i] = 0
		if s.ex[i].r > 0 {
			a[i] = min(max(float64(s.duals(i)[0]), o.Low[i]), o.High[i])
		}
	}
}

// sumOf returns the sum of a, n-by-1.
func sumOf[T vec.Float](a vec.Matrix[T]) (sum float64) {
	for i := range a.Rows {
		sum += float64(a.Row(i)[0])
	}
	return sum
}

// total returns the sum of the dual variables.
func (s *common[T]) total() (sum float64) { return sumOf(s.a) }

// scores returns the score f_i + b.
func (o *offset) scores(i int, b float64) []float64 {
	o.row[0] = o.f[i] + b
	return o.row[:]
}

// lossesAt returns the losses at the scores f + b, and tells of each, if tell is not nil.
func (s *common[T]) lossesAt(b float64, work *loss.Workspace[float64], tell func(i int, phi, weighted float64)) (
	sum float64) {
	for i := range s.ex {
		ex := &s.ex[i]
		if ex.r == 0 {
			continue
		}
		work.Example = i
		phi := s.p.Exact.Primal(s.offset.scores(i, b), s.p.Labels.Of(i), work)
		weighted := float64(ex.r * phi) // not fused: see Zero
		sum += weighted
		if tell != nil {
			tell(i, phi, weighted)
		}
	}
	return sum
}

// setGap sets g_i as a certificate finds it, at the weighted loss and b.
func (s *common[T]) setGap(i int, weighted, b float64) {
	ex := &s.ex[i]
	ex.gap = weighted - ex.term + s.offset.a[i]*(s.offset.f[i]+b)
}

// save writes what the next epoch depends on, where there is an offset, and load reads it.
func (o *offset) save(w *container.Writer) {
	if o.on {
		container.Floats(w, "offs", []float64{o.at, o.sum, o.b, o.gaps})
	}
}

func (o *offset) load(r *container.Reader) {
	if !o.on {
		return
	}
	v := container.ReadFloats[float64](r, "offs", 4)
	if r.Err() != nil {
		return
	}
	o.at, o.sum, o.b, o.gaps = v[0], v[1], v[2], v[3]
	if sum := o.at + o.sum + o.b; sum-sum != 0 {
		r.Corrupt("an offset of %v", v)
	}
}
