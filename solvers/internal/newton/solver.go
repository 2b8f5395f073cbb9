package newton

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// solver is a training under way: a train.Method whose epoch is a Newton step.
type solver[T vec.Float] struct {
	train.Trust
	p    ascent.Problem[T]
	o    ascent.Options
	n, d int // examples, and features with the constant one
	x    design.Matrix[float64]
	losses
	hessian

	at, next *point  // where it is, and room for where a step leads
	mu       float64 // of the next step; 0: the losses are smooth
	epoch    int
	share    float64 // of the tolerance: the relative gap to come to
	stuck    bool    // rounding leaves no step

	step, q []float64 // a step and what it adds to the scores

	offset offset[T]
	exact  exact[T]
}

// point is weights, and what follows from them.
type point struct {
	w, s []float64 // the weights and the scores
	mu   float64
	a, c []float64 // the dual variables that the scores name, and the second derivatives
	g    []float64 // w - Xᵀa, and by an offset the negative sum of the a_i

	// The objective, and the parts of the gap: |g|²/2, with what an offset adds, and what smoothing makes.
	primal, far, smooth float64
}

func newPoint(n, d int) *point {
	v := make([]float64, 3*n+2*d)
	part := func(k int) (some []float64) {
		some, v = v[:k:k], v[k:]
		return some
	}
	return &point{w: part(d), s: part(n), a: part(n), c: part(n), g: part(d)}
}

// firstShare is share in the beginning.
const firstShare = .9

// copied is how many numbers a copy of the examples in float64 may have: such a copy stays in a cache as a rule. filled
// is how many with the zeros of sparse rows, which a fifth of the numbers make up for.
const copied, filled = 1 << 22, 1 << 19

// inFloat64 returns x in float64, as steps go through it.
func inFloat64[T vec.Float](x design.Matrix[T]) design.Matrix[float64] {
	n, d := x.Dims()
	switch {
	case fills(x):
		return design.DenseFloat64(x)
	case float64(n)*float64(d) <= copied: // n d may be beyond an int
		return design.CopiedFloat64(x)
	}
	return design.Float64(x)
}

// fills reports whether sparse rows are copied with their zeros.
func fills[T vec.Float](x design.Matrix[T]) bool {
	n, d := x.Dims()
	return design.IsSparse(x) && float64(n)*float64(d) <= filled && 5*family.Held(x) >= 1
}

// New returns a training of p that has taken no step yet, or an error where its numbers make no problem to solve.
func New[T vec.Float](p ascent.Problem[T], o ascent.Options) (ascent.Solver[T], error) {
	l := lossesOf(&p)
	if l == nil || p.X == nil || p.Outputs != 1 {
		return nil, fmt.Errorf("no features, or %d outputs, or a loss that package newton does not know", p.Outputs)
	}
	n, d := p.X.Dims()
	x := inFloat64(p.X)
	switch {
	case p.Offset:
		d, x = d+1, design.WithBias(x, 1)
	case p.Constant != 0:
		d, x = d+1, design.WithBias(x, float64(p.Constant))
	}
	norms, err := ascent.Norms(p.X, p.Constant)
	if err != nil {
		return nil, err
	}
	s := &solver[T]{p: p, o: o, n: n, d: d, x: x, losses: l, share: firstShare, mu: l.kink(), at: newPoint(n, d),
		next: newPoint(n, d), step: make([]float64, d), q: make([]float64, n)}
	s.hessian = newHessian(s.x, o.Workers)
	s.exact = newExact[T](n, d)
	s.exact.norms = norms
	s.exact.losses = p.Losses(func(i int) float64 { return norms[i] * norms[i] })
	if p.Offset {
		s.setOffset()
	}
	s.at.mu = s.mu
	s.evaluate(s.at)
	return s, nil
}

// Epoch is a Newton step. While it works what Save writes stays as it is.
func (s *solver[T]) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if s.at.mu != s.mu {
		s.at.mu = s.mu
		s.evaluate(s.at)
	}
	release := train.Still(ctx)
	ok := s.advance()
	release()
	if ok {
		s.at, s.next = s.next, s.at
		s.setSmoothing()
	}
	s.stuck = !ok
	s.epoch++
	return s.epoch, true
}

// advance takes a step to next. It returns false where rounding leaves none.
func (s *solver[T]) advance() bool {
	from, to := s.at, s.next
	if s.factor(from.c, s.leastBend()) != nil {
		return false
	}
	s.direct(from.g)
	s.scores(s.q, s.step)
	t := s.search(from)
	if !(t > 0) {
		return false
	}
	move(to.w, from.w, t, s.step)
	move(to.s, from.s, t, s.q)
	to.mu = s.mu
	s.evaluate(to)
	return to.primal-to.primal == 0
}

// move sets dst = from + t step.
func move(dst, from []float64, t float64, step []float64) {
	copy(dst, from)
	vec.Axpy(t, step, dst)
}

// search returns the t for which P, of smoothed losses, is least along the step, about; 0 where it does not fall.
func (s *solver[T]) search(from *point) (t float64) {
	const enough = .05
	step := s.penalized(s.step)
	along, square := vec.Dot(s.penalized(from.w), step), vec.SquaredNorm(step)
	first := vec.Dot(from.g, s.step)
	if !(first < 0) {
		return 0
	}
	low, high := 0.0, math.Inf(1)
	t = 1
	for range 30 {
		slope, bend := s.along(from.s, s.q, t, s.mu)
		slope, bend = slope+along+t*square, bend+square
		switch {
		case math.Abs(slope) <= -enough*first:
			return t
		case slope < 0:
			low = t
		default:
			high = t
		}
		t -= slope / bend
		switch inside := t > low && t < high; {
		case inside && low > 0:
			t = min(t, 8*low)
		case inside:
		case high < math.Inf(1):
			t = (low + high) / 2
		default:
			t = 2 * low
		}
	}
	return low
}

// evaluate computes what follows from the weights and scores of a point.
func (s *solver[T]) evaluate(p *point) {
	s.set(p.a, p.c, p.s, p.mu)
	clear(p.g)
	s.accumulate(p.g, p.a)
	p.far = 0
	for j, v := range s.penalized(p.w) {
		p.g[j] = v - p.g[j]
		p.far += p.g[j] * p.g[j] / 2
	}
	if s.p.Offset {
		p.g[s.d-1] = -p.g[s.d-1]
		p.far += s.unbalanced(p)
	}
	all := s.primal(p.s)
	p.primal = all + vec.SquaredNorm(s.penalized(p.w))/2
	p.smooth = 0
	if p.mu > 0 { // else losses and dual terms are even
		p.smooth = max(0, all-s.dual(p.a)+vec.Dot(p.a, p.s))
	}
}

func (s *solver[T]) accumulate(w, a []float64) {
	design.AccumulateAll(vec.MatrixOf(s.d, 1, w), vec.MatrixOf(s.n, 1, a), s.x, s.o.Workers)
}

func (s *solver[T]) scores(dst, w []float64) {
	design.ScoresAll(vec.MatrixOf(s.n, 1, dst), vec.MatrixOf(s.d, 1, w), s.x, s.o.Workers)
}

// setSmoothing sets the mu of the next step: smaller where smoothing makes too much of the gap, unless the point is far
// from the optimum of this mu.
func (s *solver[T]) setSmoothing() {
	const far = 10
	p, want := s.at, .4*s.share*s.o.Tol*s.at.primal
	if p.mu > 0 && p.smooth > want && p.far <= far*p.smooth {
		s.mu = p.mu * min(.5, max(.2, math.Sqrt(.7*want/p.smooth)))
	}
}

// Visits: see train.Method, as of the next ones. A step is a pass.
func (s *solver[T]) Visits() (visits, n int) { return s.epoch * s.n, s.n }

func (s *solver[T]) Estimate() solvers.Certificate {
	if s.stuck {
		return solvers.Certificate{Primal: math.NaN()}
	}
	p := s.at
	return solvers.Certificate{Primal: p.primal, Dual: p.primal - p.far - p.smooth}
}

func (s *solver[T]) Partial() bool { return false }

// Reconsider asks for a smaller gap.
func (s *solver[T]) Reconsider() bool {
	s.share /= 3
	s.setSmoothing()
	return !s.stuck && s.share*s.o.Tol > 1e-16
}
