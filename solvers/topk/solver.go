package topk

import (
	"context"
	"math/rand/v2"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// solver is a training under way.
type solver[T vec.Float] struct {
	c       Config
	x       solvers.Features[T]
	dense   solvers.DenseRows[T] // x, where it is that
	y       *labels
	n, d, m int
	loss    loss.Loss[T]
	r       []float64 // v_i/(lambda n) for weights v_i
	h       []T       // |x_i|², at least the least number that divides safely

	state[T]
	certificate solvers.Certificate // of the last call of certify
	started     bool                // from dual variables, certified
	negligible  float64             // a g_i that is not worth an update

	due   []int // the examples of an epoch
	block block[T]
	one   [1]int
	work  loss.Workspace[T]
	exact *certifier[T]
}

// state is all that an epoch depends on and changes.
type state[T vec.Float] struct {
	a      vec.Matrix[T] // dual variables, n-by-m
	w      vec.Matrix[T] // Xᵀ A up to rounding, d-by-m and columns of 0 up to a multiple of lanes
	gap    []float64     // g_i of package loss as of the last visit
	term   []float64     // dual term of each example
	dual   float64       // their sum
	random rand.PCG
	epochs int
	visits int
	*schedule
}

func newSolver[T vec.Float](x solvers.Features[T], y *labels, m int, c Config) (*solver[T], error) {
	n, d := x.Dims()
	r, err := radii[T](c, y, m)
	if err != nil {
		return nil, err
	}
	s := &solver[T]{c: c, x: x, y: y, n: n, d: d, m: m, loss: lossOf[T](c), r: r, h: make([]T, n)}
	x.SquaredNorms(s.h)
	if err := checkNorms(x, s.h, d); err != nil {
		return nil, err
	}
	s.x = solvers.Sparse(x)
	s.dense, _ = s.x.(solvers.DenseRows[T])
	// With a larger h an update maximises a lower bound of the dual objective instead of itself. The one example in question
	// has norm 0, or next to it: its dual variables go to their optimum in one step, and W stays.
	least, _, _ := limits[T]()
	for i, h := range s.h {
		s.h[i] = max(h, T(least))
	}
	s.state = state[T]{
		a:        vec.NewMatrix[T](n, m),
		w:        vec.NewMatrix[T](d, padded[T](m)),
		gap:      make([]float64, n),
		term:     make([]float64, n),
		schedule: newSchedule(n),
		random:   *rand.NewPCG(c.Seed, 0),
	}
	zero := make([]T, m)
	for i, r := range r { // of W = 0 and A = 0
		if r == 0 {
			continue
		}
		s.at(i, 1)
		s.term[i] = s.loss.Dual(zero, y.of(i), r, &s.work)
		s.gap[i] = r*s.loss.Primal(zero, y.of(i), &s.work) - s.term[i]
		s.dual += s.term[i]
	}
	s.due = make([]int, 0, n)
	s.block = newBlock(s.x, s.w.Cols, c.BlockSize)
	s.exact = newCertifier(s)
	return s, nil
}

// padded rounds m up so that rows of W begin at vector registers' boundaries, and are whole ones.
func padded[T vec.Float](m int) int {
	lanes := 16
	if is64[T]() {
		lanes = 8
	}
	return (m + lanes - 1) / lanes * lanes
}

// epoch visits the examples whose time has come, in random order. It reports false if ctx ended before it did.
func (s *solver[T]) epoch(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	s.epochs++
	s.due = s.take(s.epochs, s.due[:0])
	random := rand.New(&s.random)
	for i := len(s.due) - 1; i > 0; i-- {
		j := random.IntN(i + 1)
		s.due[i], s.due[j] = s.due[j], s.due[i]
	}
	for due := s.due; len(due) > 0; {
		if ctx.Err() != nil {
			for _, i := range due {
				s.at(i, s.epochs+1)
			}
			return false
		}
		size := min(len(due), s.block.size())
		s.update(due[:size])
		due = due[size:]
	}
	s.negligible = 0.3 * s.c.Tol * s.estimate().Primal / (s.c.Lambda * float64(s.n))
	return true
}

// visit updates example i with the given scores and reports whether it moved, by delta. Where its g_i says that there is
// nothing to gain it stays.
func (s *solver[T]) visit(i int, scores, delta []T) (moved bool, gap float64) {
	s.visits++
	a, y, r := s.a.Row(i), s.y.of(i), s.r[i]
	scores = scores[:len(a)]
	gap = r*s.loss.Primal(scores, y, &s.work) - s.term[i] + float64(vec.Dot(a, scores))
	if gap <= s.negligible || !s.loss.Update(a, scores, y, s.h[i], r, delta, &s.work) {
		return false, gap
	}
	term := s.loss.Dual(a, y, r, &s.work)
	s.dual += term - s.term[i]
	s.term[i] = term
	return true, gap
}

// estimate guesses the certificate from what the visits have seen, some of it long ago.
func (s *solver[T]) estimate() solvers.Certificate {
	dual := s.c.Lambda * (s.dual - float64(vec.SquaredNorm(s.w.Data))/2)
	return solvers.Certificate{Primal: dual + s.c.Lambda*vec.Sum(s.gap), Dual: dual}
}

// bringBack makes the examples that matter to a gap that is too large due in the next epoch.
func (s *solver[T]) bringBack() {
	matters := s.c.Tol * s.certificate.Primal / (s.c.Lambda * float64(s.n))
	s.wake(s.epochs, func(i int) bool { return s.gap[i] > matters })
}
