package ascent

import (
	"bytes"
	"math"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// momentum extrapolates the dual variables between epochs. An epoch is one step of an ascent; as in Nesterov's method,
// and in Fista (Beck and Teboulle, 2009), the next epoch starts beyond where the last one ended:
//
//	y = x + beta (x - x_last),    beta = theta (1 - theta)/(theta² + next),
//	theta <- next = (sqrt(theta⁴ + 4 theta²) - theta²)/2,    theta = 1 in the beginning
//
// where x stands for A and, since it is linear in A, for W. Blocks that leave their domain are brought back. Where the
// dual value is less at y than at x, the training stays at x, and momentum begins anew: so the dual value never falls.
type momentum[T vec.Float] struct {
	start, every float64 // passes before the first extrapolation, and between two

	a, w  vec.Matrix[T] // A and W at the last one, whose memory is taken for the first one
	began bool          // whether there was one
	theta float64
	at    int // visits at the last one

	// extrapolations since W was computed from A, and how many there are to be before the next time
	sinceRebuild, rebuildAfter int

	leaps    []*leap[T] // of all examples, by ranges
	wide     []float64
	rows     []int
	coupling *coupling[T] // made when the first extrapolation is due
}

// earliest is the least number of passes before the first extrapolation.
const earliest = 5

// newMomentum waits so long that trainings of few passes pay nothing, and wide sparse data little: there W, which is
// gone through, is large beside the data.
func newMomentum[T vec.Float](n, d, m, cols, stored, size int, w *vec.Matrix[T]) momentum[T] {
	l := momentum[T]{
		start: earliest, every: 0.1, theta: 1, rebuildAfter: rebuildAfter[T](),
		a: vec.Matrix[T]{Rows: n, Cols: m, Stride: m}, w: vec.Matrix[T]{Rows: w.Rows, Cols: w.Cols, Stride: w.Cols},
		leaps: []*leap[T]{newLeap[T](0, m, max(cols, w.Cols))}, wide: make([]float64, min(len(w.Data), 4096)),
		rows: make([]int, 0, size),
	}
	if n*m > 1<<19 { // the dual variables and their last values do not fit a second-level cache
		l.every = 0.5
	}
	l.seldom(20 * float64(d) / float64(max(stored, 1)))
	return l
}

// seldom makes extrapolations so rare that each takes little beside the visits.
func (l *momentum[T]) seldom(passes float64) {
	if passes > l.every {
		l.start, l.every = 8, passes
	}
}

// due reports whether an extrapolation is due after a number of visits of n examples.
func (l *momentum[T]) due(visits, n int) bool {
	passes := func(visits int) float64 { return float64(visits) / float64(n) }
	return passes(visits) >= l.start && (!l.began || passes(visits-l.at) >= l.every)
}

// anew begins momentum anew: with what the next extrapolation finds.
func (l *momentum[T]) anew() { l.began, l.theta = false, 1 }

// factor returns beta of an extrapolation that is due, where x is linear in A. Where it is 0 A and x are kept for the
// next one, and that is all.
func (s *common[T]) factor(x []T) (beta T) {
	l := &s.momentum
	first := !l.began
	l.at, l.began = s.visits, true
	square := l.theta * l.theta
	next := (math.Sqrt(square*square+4*square) - square) / 2
	if !first {
		beta = T(l.theta * (1 - l.theta) / (square + next))
		l.theta = next
	}
	if beta == 0 {
		if l.w.Data == nil {
			l.a, l.w = vec.NewMatrix[T](l.a.Rows, l.a.Cols), vec.NewMatrix[T](l.w.Rows, l.w.Cols)
		}
		copy(l.w.Data, x)
		for i := s.nextChanged(0); i < s.n; i = s.nextChanged(i) {
			copy(l.a.Row(i), s.duals(i))
			s.changed[i] = 0
		}
	}
	return beta
}

// nextChanged returns the first example from i on whose dual variables may have changed, or n.
func (s *common[T]) nextChanged(i int) int {
	if to := bytes.IndexByte(s.changed[i:], 1); to >= 0 {
		return i + to
	}
	return s.n
}

// follower is what has x, which is linear in A: W on features, the scores on kernels.
type follower[T vec.Float] interface {
	// follow adds to x what bringing the block of example i back to a has moved, in place of what it was before; in a
	// leap with a number it does so apart, and gather adds that to x.
	follow(p *leap[T], i int, a, before []T)
	gather(p *leap[T])

	// form returns the quadratic term at x, and euclidean reports whether it is |x|²/2, which is known for little.
	form() float64
	euclidean() bool
}

// step extrapolates A and x, unless the dual value falls. It returns by how much the quadratic term grows, and how many
// blocks were brought back.
func (s *common[T]) step(of follower[T], x []T, beta T) (growth float64, repaired int) {
	before, known := 0.0, of.euclidean()
	if !known {
		before = of.form()
	}
	was, is := unchecked.Extrapolate(x, s.momentum.w.Data, beta)
	if known {
		before = was / 2
	}
	gain, repaired := s.extrapolateDuals(of, beta)
	after := is / 2
	if !known || repaired > 0 {
		after = of.form()
	}
	growth = after - before
	if gain-growth >= 0 {
		return growth, repaired
	}
	s.undo(x)
	return 0, repaired
}

// extrapolate is called between epochs.
func (s *linearSolver[T]) extrapolate() {
	l := &s.momentum
	if !l.due(s.visits, s.n) {
		return
	}
	if s.p.coupled() && l.coupling == nil {
		l.coupling = newCoupling[T](s.p.Coupling)
		if l.coupling == nil {
			l.start = math.Inf(1)
			return
		}
	}
	beta := s.factor(s.weights.Data)
	if beta == 0 {
		return
	}
	l.sinceRebuild++
	if l.sinceRebuild > l.rebuildAfter {
		l.sinceRebuild = 0
		s.visits += s.rebuild(&l.w, l.a)/2 + s.rebuild(&s.weights.Matrix, s.a)/2
	}
	growth, repaired := s.step(s, s.weights.Data, beta)
	s.visits += repaired / 2
	if s.p.coupled() {
		s.quadratic += growth
	}
}

func (s *linearSolver[T]) euclidean() bool { return s.momentum.coupling == nil }

// form returns the quadratic term of W.
func (s *linearSolver[T]) form() float64 {
	if c := s.momentum.coupling; c != nil {
		return c.form(&s.weights) / 2
	}
	return s.momentum.squaredNorm(s.weights.Data) / 2
}

// shift adds W to its last value, or subtracts it: between two such calls W is computed anew, and what changes then is
// no momentum.
func (l *momentum[T]) shift(sign T, w []T) {
	if l.began {
		vec.Axpy(sign, w, l.w.Data)
	}
}

// rebuildAfter is the number of extrapolations after which W and its last value are computed anew from the dual
// variables. The roundings of W, which no visit corrects, are extrapolated as W is, so that they grow with the square
// of that number in the worst case.
func rebuildAfter[T vec.Float]() int {
	if is64[T]() {
		return 128
	}
	return 32
}

const leastRebuildAfter = 2

// doubt is called where a gap was thought to be small and is not: in float32 as a rule because of roundings of W.
func (l *momentum[T]) doubt() {
	if !is64[T]() && l.began {
		l.rebuildAfter = max(leastRebuildAfter, l.rebuildAfter/2)
	}
}

// doubtful reports whether gaps were thought to be small, and were not, again and again: the training is at the limits
// of float32.
func (l *momentum[T]) doubtful() bool { return l.rebuildAfter == leastRebuildAfter }

// rebuild sets w to W of the dual variables a, and returns how many examples that took.
func (s *linearSolver[T]) rebuild(w *vec.Matrix[T], a vec.Matrix[T]) (examples int) {
	s.origin(w)
	step, b, rows := s.momentum.leaps[0].step, &s.workers[0].block, s.momentum.rows[:0]
	for i := range s.n {
		if row := a.Data[i*a.Stride:][:s.m]; !isZero(row) {
			examples++
			if s.size == 1 {
				clear(step)
				s.move(step[:s.cols], row)
				s.workers[0].rows.add(w, i, step[:w.Cols])
				continue
			}
			clear(b.delta.Row(len(rows)))
			s.move(b.delta.Row(len(rows))[:s.cols], row)
			rows = append(rows, i)
		}
		if len(rows) == 0 || len(rows) < cap(rows) && i < s.n-1 {
			continue
		}
		x, delta := rowsFrom(&b.x, 0, len(rows)), rowsFrom(&b.delta, 0, len(rows))
		s.workers[0].rows.x.Gather(x, rows)
		if s.weights.byClass {
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, delta.Slice(0, len(rows), 0, s.cols), x, 1, *w)
		} else {
			vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, delta, 1, *w)
		}
		rows = rows[:0]
	}
	return examples
}

// undo goes back to where the last epoch ended. Momentum begins anew.
func (s *common[T]) undo(x []T) {
	l := &s.momentum
	l.theta = 1
	copy(x, l.w.Data)
	for i := s.nextChanged(0); i < s.n; i = s.nextChanged(i) {
		copy(s.duals(i), l.a.Row(i))
		s.setTerm(i)
		s.changed[i] = 0
	}
}

// squaredNorm returns |x|² with sums in float64: what extrapolation gains is a small part of it.
func (l *momentum[T]) squaredNorm(x []T) (sum float64) {
	for len(x) > 0 {
		part := l.wide[:min(len(l.wide), len(x))]
		vec.Convert(part, x[:len(part)])
		sum += vec.SquaredNorm(part)
		x = x[len(part):]
	}
	return sum
}

// numbers are the numbers of a state; none before the first extrapolation, as in states of programs without momentum.
func (l *momentum[T]) numbers() []float64 {
	if !l.began {
		return nil
	}
	return []float64{l.theta, float64(l.at), float64(l.sinceRebuild), float64(l.rebuildAfter)}
}

func (l *momentum[T]) save(w *container.Writer) {
	if l.began {
		container.WriteMatrix(w, "lsta", l.a)
		container.WriteMatrix(w, "lstw", l.w)
	}
}

// load reads what save wrote, and takes the numbers of the state.
func (l *momentum[T]) load(r *container.Reader, numbers []float64) {
	l.began, l.at, l.sinceRebuild, l.rebuildAfter, l.theta = false, 0, 0, rebuildAfter[T](), 1
	if len(numbers) == 0 {
		return
	}
	const most = 1 << 53
	sound := len(numbers) == 4 && numbers[0] > 0 && numbers[0] <= 1
	for q := 1; q < len(numbers); q++ {
		v := numbers[q]
		sound = sound && v >= 0 && v < most && v < math.MaxInt && v == math.Trunc(v)
	}
	if !sound || numbers[3] < leastRebuildAfter {
		r.Corrupt("momentum of %v", numbers)
		return
	}
	a, w := container.ReadMatrix[T](r, "lsta"), container.ReadMatrix[T](r, "lstw")
	switch {
	case r.Err() != nil:
	case a.Rows != l.a.Rows || a.Cols != l.a.Cols || w.Rows != l.w.Rows || w.Cols != l.w.Cols:
		r.Corrupt("momentum of %d-by-%d dual variables and %d-by-%d weights, want %d-by-%d and %d-by-%d", a.Rows,
			a.Cols, w.Rows, w.Cols, l.a.Rows, l.a.Cols, l.w.Rows, l.w.Cols)
	default:
		l.began, l.theta, l.a, l.w = true, numbers[0], a, w
		l.at, l.sinceRebuild, l.rebuildAfter = int(numbers[1]), int(numbers[2]), int(numbers[3])
	}
}
