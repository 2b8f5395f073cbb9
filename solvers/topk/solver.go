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
	dense   solvers.DenseRows[T]  // x, where it is that
	sparse  solvers.SparseRows[T] // likewise
	y       *labels
	n, d, m int
	loss    loss.Loss[T]
	step    loss.Step[T] // nil where there is none

	state[T]
	certificate solvers.Certificate // of the last call of certify
	started     bool                // from dual variables, certified
	negligible  float64             // a g_i that is not worth an update

	due     []int  // the examples of an epoch
	stirred []bool // which of them moved
	alone   *worker[T]
	workers []*worker[T] // those that take turns; alone where there is no other
	size    int          // of a block
	passes  int          // over it
	byClass bool         // see state.w
	round   int          // examples that each visits before all put together what they have; 0: there is one worker
	work    loss.Workspace[T]
	exact   *certifier[T]
}

// state is all that an epoch depends on and changes.
type state[T vec.Float] struct {
	a      vec.Matrix[T] // dual variables, n-by-m
	w      vec.Matrix[T] // Xᵀ A up to rounding, d-by-m and columns of 0 up to a multiple of lanes; its transpose where byClass
	dual   float64       // sum of the dual terms
	gaps   float64       // sum of the g_i
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
	s := &solver[T]{c: c, y: y, n: n, d: d, m: m, loss: lossOf[T](c)}
	s.step = loss.StepOf(s.loss)
	s.x = solvers.Sparse(x) // leaves out zeros alone: what is not finite shows in its norms
	h := make([]T, n)
	s.x.SquaredNorms(h)
	if err := checkNorms(x, h, d); err != nil {
		return nil, err
	}
	s.dense, _ = s.x.(solvers.DenseRows[T])
	s.sparse, _ = s.x.(solvers.SparseRows[T])
	if err := s.checkRows(); err != nil {
		return nil, err
	}
	s.state = state[T]{
		a:        vec.NewMatrix[T](n, m),
		schedule: newSchedule(n),
		random:   *rand.NewPCG(c.Seed, 0),
	}
	// With a larger h an update maximises a lower bound of the dual objective instead of itself. The one example in question
	// has norm 0, or next to it: its dual variables go to their optimum in one step, and W stays.
	least, _, _ := limits[T]()
	zero := make([]T, m)
	for i, r := range r { // of W = 0 and A = 0
		ex := &s.ex[i]
		*ex = example{r: r, h: max(float64(h[i]), least), zero: true}
		if r == 0 {
			continue
		}
		s.at(i, 1)
		ex.term = s.loss.Dual(zero, y.of(i), r, &s.work)
		ex.gap = r*s.loss.Primal(zero, y.of(i), &s.work) - ex.term
		s.dual += ex.term
		s.gaps += ex.gap
	}
	s.size, s.passes = min(c.BlockSize, n), 1
	if c.BlockSize == 0 {
		s.size, s.passes = blockSize(s.x, m, s.step)
		s.size = min(s.size, n)
	}
	s.byClass = byClass(s.size)
	s.w = s.newW()
	s.due, s.stirred = make([]int, 0, n), make([]bool, n)
	s.hire()
	s.exact = newCertifier(s)
	return s, nil
}

// newW returns memory for W.
func (s *solver[T]) newW() vec.Matrix[T] {
	if s.byClass {
		return vec.NewMatrix[T](s.m, s.d)
	}
	return vec.NewMatrix[T](s.d, padded[T](s.m))
}

// weights returns W, d-by-m.
func (s *solver[T]) weights() vec.Matrix[T] {
	if !s.byClass {
		return s.w.Slice(0, s.d, 0, s.m)
	}
	w := vec.NewMatrix[T](s.d, s.m)
	for c := range s.m {
		for j, v := range s.w.Row(c) {
			w.Data[j*w.Stride+c] = v
		}
	}
	return w
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
	for from := 0; from < len(s.due); {
		if ctx.Err() != nil {
			for _, i := range s.due[from:] {
				s.at(i, s.epochs+1)
			}
			return false
		}
		to := s.advance(from)
		for p, i := range s.due[from:to] {
			if s.stirred[from+p] {
				s.moved(i, s.epochs)
			} else {
				s.rested(i, s.epochs)
			}
		}
		from = to
	}
	s.collect(s.alone)
	for _, w := range s.workers {
		s.collect(w)
	}
	s.negligible = 0.3 * s.c.Tol * s.estimate().Primal / (s.c.Lambda * float64(s.n))
	return true
}

// collect takes over what w has counted.
func (s *solver[T]) collect(w *worker[T]) {
	s.dual, s.gaps, s.visits = s.dual+w.dual, s.gaps+w.gaps, s.visits+w.visits
	w.dual, w.gaps, w.visits = 0, 0, 0
}

// estimate guesses the certificate from what the visits have seen, some of it long ago.
func (s *solver[T]) estimate() solvers.Certificate {
	dual := s.c.Lambda * (s.dual - float64(vec.SquaredNorm(s.w.Data))/2)
	return solvers.Certificate{Primal: dual + s.c.Lambda*s.gaps, Dual: dual}
}

// bringBack makes the examples that matter to a gap that is too large due in the next epoch.
func (s *solver[T]) bringBack() {
	s.wake(s.epochs, s.c.Tol*s.certificate.Primal/(s.c.Lambda*float64(s.n)))
}

func (s *solver[T]) certified() (solvers.Certificate, int) { return s.certificate, s.epochs }
