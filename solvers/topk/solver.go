package topk

import (
	"context"
	"math/rand/v2"
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// solver is a training under way.
type solver[T vec.Float] struct {
	c       Config
	x       solvers.Features[T]
	y       []int
	n, d, m int
	loss    loss.Loss[T]
	r       float64 // 1/(lambda n)
	h       []T     // |x_i|², at least the least number that divides safely

	state[T]
	certificate solvers.Certificate // of the last call of certify

	due    []int         // the examples of an epoch
	scores vec.Matrix[T] // of a block
	delta  vec.Matrix[T] // the moves of the examples of a block that moved
	moved  []int         // these examples
	gram   []T           // of one of them with the later ones
	work   loss.Workspace[T]
	exact  *certifier[T]
}

// state is all that an epoch depends on and changes.
type state[T vec.Float] struct {
	a      vec.Matrix[T] // dual variables, n-by-m
	w      vec.Matrix[T] // Xᵀ A up to rounding, d-by-m
	gap    []float64     // g_i of package loss as of the last visit
	term   []float64     // dual term of each example
	dual   float64       // their sum
	next   []int         // epoch of the next visit
	quiet  []uint8       // visits in a row that left the example alone
	random rand.PCG
	epochs int
}

// maxWait is the most epochs that an example waits for its next visit.
const maxWait = 64

func newSolver[T vec.Float](x solvers.Features[T], y []int, m int, c Config) (*solver[T], error) {
	n, d := x.Dims()
	r, err := checkRadius[T](c.Lambda, n)
	if err != nil {
		return nil, err
	}
	s := &solver[T]{c: c, x: x, y: y, n: n, d: d, m: m, loss: lossOf[T](c), r: r, h: make([]T, n)}
	x.SquaredNorms(s.h)
	if err := checkNorms(x, s.h, d); err != nil {
		return nil, err
	}
	// With a larger h an update maximises a lower bound of the dual objective instead of itself. The one example in question
	// has norm 0, or next to it: its dual variables go to their optimum in one step, and W stays.
	least, _, _ := limits[T]()
	for i, h := range s.h {
		s.h[i] = max(h, T(least))
	}
	s.state = state[T]{
		a:      vec.NewMatrix[T](n, m),
		w:      vec.NewMatrix[T](d, m),
		gap:    make([]float64, n),
		term:   make([]float64, n),
		next:   make([]int, n),
		quiet:  make([]uint8, n),
		random: *rand.NewPCG(c.Seed, 0),
	}
	for i := range s.gap {
		s.gap[i] = r // of W = 0 and A = 0: the loss is 1
	}
	size := c.BlockSize
	if size == 0 {
		size = blockSize(x, m)
	}
	size = min(size, n)
	s.due, s.moved = make([]int, 0, n), make([]int, 0, size)
	s.scores, s.delta = vec.NewMatrix[T](size, m), vec.NewMatrix[T](size, m)
	s.gram = make([]T, size)
	s.exact = newCertifier(s)
	return s, nil
}

// epoch visits the examples whose time has come, in random order. It reports false if ctx ended before it did.
func (s *solver[T]) epoch(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	s.epochs++
	s.due = s.due[:0]
	for i, e := range s.next {
		if e <= s.epochs {
			s.due = append(s.due, i)
		}
	}
	random := rand.New(&s.random)
	for i := len(s.due) - 1; i > 0; i-- {
		j := random.IntN(i + 1)
		s.due[i], s.due[j] = s.due[j], s.due[i]
	}
	for due := s.due; len(due) > 0; {
		if ctx.Err() != nil {
			return false
		}
		size := min(len(due), s.scores.Rows)
		s.block(due[:size])
		due = due[size:]
	}
	return true
}

// block updates the given examples one after the other. The scores of all are of the W before the block; s_p grows by
// <x_i, x_p> delta_i when example i before it moves.
func (s *solver[T]) block(rows []int) {
	scores := vec.MatrixOf(len(rows), s.m, s.scores.Data[:len(rows)*s.m])
	s.x.Scores(rows, s.w, scores)
	s.moved = s.moved[:0]
	for p, i := range rows {
		delta := s.delta.Row(len(s.moved))
		if !s.visit(i, scores.Row(p), delta) {
			continue
		}
		s.moved = append(s.moved, i)
		if later := rows[p+1:]; len(later) > 0 {
			gram := s.gram[:len(later)]
			s.x.Gram(rows[p:p+1], later, vec.MatrixOf(1, len(later), gram))
			vec.Ger(1, gram, delta, scores.Slice(p+1, len(rows), 0, s.m))
		}
	}
	if n := len(s.moved); n > 0 {
		s.x.Accumulate(s.moved, vec.MatrixOf(n, s.m, s.delta.Data[:n*s.m]), s.w)
	}
}

// visit updates example i with the given scores and reports whether it moved, by delta.
func (s *solver[T]) visit(i int, scores, delta []T) bool {
	a, y := s.a.Row(i), s.y[i:i+1]
	s.gap[i] = s.r*s.loss.Primal(scores, y, &s.work) - s.term[i] + float64(vec.Dot(a, scores))
	if !s.loss.Update(a, scores, y, s.h[i], s.r, delta, &s.work) {
		wait := 1 << s.quiet[i]
		if wait < maxWait {
			s.quiet[i]++
		}
		s.next[i] = s.epochs + wait
		return false
	}
	term := s.loss.Dual(a, y, s.r)
	s.dual += term - s.term[i]
	s.term[i] = term
	s.next[i], s.quiet[i] = s.epochs+1, 0
	return true
}

// estimate guesses the certificate from what the visits have seen, some of it long ago.
func (s *solver[T]) estimate() solvers.Certificate {
	dual := s.c.Lambda * (s.dual - float64(vec.SquaredNorm(s.w.Data))/2)
	return solvers.Certificate{Primal: dual + s.c.Lambda*vec.Sum(s.gap), Dual: dual}
}

// wake brings back, for the next epoch, the examples that matter to a gap that is too large.
func (s *solver[T]) wake() {
	matters := s.c.Tol * s.certificate.Primal / (s.c.Lambda * float64(s.n))
	for i, g := range s.gap {
		if g > matters {
			s.next[i], s.quiet[i] = s.epochs+1, 0
		}
	}
}

// blockSize returns how many examples pay for the Gram rows that they cost. Blocks read and write W once for all their
// examples: that pays where W exceeds a second-level cache, and not where examples are sparse and touch little of it, for
// which a sample is decoded.
func blockSize[T vec.Float](x solvers.Features[T], m int) int {
	const cache = 1 << 20
	n, d := x.Dims()
	if d*m*int(unsafe.Sizeof(T(0))) <= cache {
		return 1
	}
	rows := make([]int, max(1, min(n, 64, cache/d)))
	for p := range rows {
		rows[p] = p * (n / len(rows))
	}
	sample, stored := vec.NewMatrix[T](len(rows), d), 0
	x.Gather(rows, sample)
	for _, v := range sample.Data {
		if v != 0 {
			stored++
		}
	}
	if 4*stored < len(sample.Data) {
		return 1
	}
	return 8
}
