package ascent

import (
	"context"
	"math/rand/v2"
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// kernelSolver trains on a kernel. The scores of all active examples are at hand all the time.
type kernelSolver[T vec.Float] struct {
	common[T]
	at    []int             // the active examples
	k     *kernel.Matrix[T] // of these
	f     vec.Matrix[T]     // their scores K A R, or K A Qᵀ, and columns of 0 up to a multiple of lanes
	order []int             // their places in at, those with r_i > 0, as the epoch goes through them
	from  int               // how far it has come; len(order) between epochs
	spent bool              // the visits of the epoch are over; what follows them is not

	inside, primal float64 // sum of the g_i of the active examples, the size of P over lambda: as last estimated
	worth          float64 // a g_i that is worth a row of K

	levels *levels[T]      // nil: all examples are active
	block  block[T]        // places in at
	lent   kernel.Lent[T]  // their rows of K
	parts  []vec.Matrix[T] // of these, for each goroutine
	exact  kernelCertifier

	pushPart func(w, c int) // pushTo
}

// kernelRounds is how often a block is visited: rounds after the first cost no row of K.
const kernelRounds = 4

func newKernelSolver[T vec.Float](p Problem[T], o Options) (*kernelSolver[T], error) {
	s := newKernelTraining(p, o)
	var err error
	s.exact, err = newKernelCertifier(s)
	return s, err
}

// newKernelTraining is newKernelSolver without what certificates need.
func newKernelTraining[T vec.Float](p Problem[T], o Options) *kernelSolver[T] {
	n, m := p.Kernel.Len(), p.Outputs
	h := make([]T, n)
	p.Kernel.Diagonal(h)
	stiff := 0.0
	if p.Offset {
		stiff = stiffness(h)
		for i := range h {
			h[i] += T(stiff)
		}
	}
	wide, size := padded[T](p.Factor.Cols(m)), o.BlockSize
	if size == 0 {
		size = 64
	}
	size = min(n, size)
	s := &kernelSolver[T]{
		common: newCommon(p, o, p.Outputs, h), k: p.Kernel,
		block: newBlock[T](p.Factor.Cols(m), size, kernelRounds, p.Loss.Traits().AllMove),
	}
	s.offset.c, s.pushPart = stiff, s.pushTo
	s.momentum = momentum[T]{start: earliest, every: 0.5, theta: 1, rebuildAfter: rebuildAfter[T](),
		leaps: []*leap[T]{newLeap[T](0, m, 0)}, wide: make([]float64, 2*m)}
	if p.coupled() {
		s.momentum.coupling = &coupling[T]{r: narrow[T](p.Coupling)}
	}
	for i, ex := range s.ex {
		if ex.r > 0 {
			s.order = append(s.order, i)
		}
	}
	s.from = len(s.order)
	workers, _ := parallel.Cores(o.Workers, (n+partCols[T]()-1)/partCols[T]())
	for range workers {
		s.parts = append(s.parts, vec.NewMatrix[T](size, partCols[T]()+16)) // rows are no power of two apart
	}
	if p.byLevels(o, len(s.order)) {
		s.begin(wide)
	} else {
		s.f = vec.NewMatrix[T](n, wide)
		for i := range n {
			s.at = append(s.at, i)
		}
		s.enter()
		s.Estimate()
	}
	return s
}

func (s *kernelSolver[T]) Visits() (visits, n int) { return s.visits, s.n }

// Reconsider makes those examples active that have a loss by the scores of the certificate: among the active ones every
// epoch looks at all.
func (s *kernelSolver[T]) Reconsider() bool {
	if s.levels != nil {
		s.reconsider()
	}
	return true
}

// PrimalVariables returns A R.
func (s *kernelSolver[T]) PrimalVariables() (train.Variables[T], error) {
	if s.offset.on {
		return variables(withLast(s.a, s.offset.b)), nil
	}
	return variables(s.Coefficients()), nil
}

// DualVariables returns A. Where K is ill-conditioned the next certificate may be refused for its rounding.
func (s *kernelSolver[T]) DualVariables() *train.Variables[T] {
	a := variables(s.a)
	return &a
}

func (s *kernelSolver[T]) Fits(primal, dual train.Variables[T]) bool {
	rows := s.n
	if s.offset.on {
		rows++
	}
	return primal.Sized(rows, s.m) && dual.Sized(s.n, s.m)
}

// Start: see Solver.
func (s *kernelSolver[T]) Start(duals vec.Matrix[T]) (solvers.Certificate, error) {
	c, err := s.start(duals, s.Certify, func() float64 { return 2 * s.quadratic })
	if err == nil && s.levels != nil {
		s.beginAt()
	}
	return c, err
}

// Estimate computes the certificate and every g_i of the active examples from the scores as they are, of type T. O(n
// m).
func (s *kernelSolver[T]) Estimate() solvers.Certificate {
	gaps, norm, dual := 0.0, 0.0, 0.0
	for _, p := range s.order {
		i := s.at[p]
		ex, f := &s.ex[i], s.p.Factor.Scores(s.scores, s.f.Row(p))
		s.work.Example = i
		square := float64(vec.Dot(s.a.Row(i), f))
		ex.gap = ex.r*s.p.Loss.Primal(f, s.p.Labels.Of(i), &s.work) - ex.term + square
		gaps, norm, dual = gaps+ex.gap, norm+square, dual+ex.term
	}
	if s.offset.on {
		c := s.estimateOffset(gaps, norm, dual)
		s.primal = magnitude(c)
		s.worth = max(0.1*gaps, 0.3*s.o.Tol*s.primal) / float64(len(s.order))
		return solvers.Certificate{Primal: s.p.Lambda * c.Primal, Dual: s.p.Lambda * c.Dual}
	}
	// Examples that a tenth of the mean, or what the tolerance allows each, is too much for can wait.
	s.worth = max(0.1*gaps, 0.3*s.o.Tol*(dual-norm/2+gaps)) / float64(len(s.order))
	s.inside = gaps
	if s.levels != nil {
		gaps, dual = gaps+s.levels.outside, dual+s.levels.terms
	}
	dual -= norm / 2
	s.primal = dual + gaps
	return solvers.Certificate{Primal: s.p.Lambda * s.primal, Dual: s.p.Lambda * dual}
}

// Epoch visits the active examples that are worth it, in random order, by blocks: the same algorithm as on features,
// with the scores F = K A R in place of W.
//
//	between epochs     A, F <- beyond where the last epoch went, if the dual value stays: see momentum
//	for each block     of examples whose g_i is worth a row of K:
//	                   a_i <- its optimum at f_i, by delta_i, four times over;  F += K_bᵀ delta
//	in the end         other examples become active, when the gap of these is at its goal: see active.Levels
func (s *kernelSolver[T]) Epoch(ctx context.Context) (epoch int, whole bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if s.from == len(s.order) && !s.spent {
		s.extrapolate(ctx)
		s.recentre()
		s.epoch++
		s.from = 0
		s.shuffle(s.order)
	}
	b := &s.block
	b.rows = b.rows[:0]
	for q := s.from; q < len(s.order); q++ {
		if p := s.order[q]; s.gapOf(p) > s.worth {
			b.rows = append(b.rows, p)
		}
		if len(b.rows) == cap(b.rows) || q == len(s.order)-1 {
			if ctx.Err() != nil {
				return s.epoch, false
			}
			s.update()
			b.rows, s.from = b.rows[:0], q+1
		}
	}
	if s.levels != nil {
		s.spent = true
		s.Estimate()
		s.widen(ctx)
		s.spent = false
	}
	return s.epoch, true
}

func (s *kernelSolver[T]) shuffle(x []int) {
	rand.New(&s.random).Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
}

// gapOf is g_i of the active example at place p, at the scores as they are.
func (s *kernelSolver[T]) gapOf(p int) float64 {
	i := s.at[p]
	ex, f := &s.ex[i], s.p.Factor.Scores(s.scores, s.f.Row(p))
	s.work.Example = i
	return ex.r*s.p.Loss.Primal(f, s.p.Labels.Of(i), &s.work) - ex.term + float64(vec.Dot(s.duals(i), f))
}

// update visits the examples of the block, and then brings the scores of all active ones up to date.
func (s *kernelSolver[T]) update() {
	b := &s.block
	if len(b.rows) == 0 {
		return
	}
	s.k.Lend(&s.lent, b.rows, s.o.Workers)
	for p, at := range b.rows {
		copy(b.scores.Row(p), s.f.Row(at))
	}
	if b.visit(s) {
		s.push()
	}
	s.k.Return(&s.lent)
}

// partCols is how many numbers of a row of K are copied at a time, 4096 bytes: a block's stay in a second-level cache.
func partCols[T vec.Float]() int { return 4096 / int(unsafe.Sizeof(T(0))) }

// push adds the moves of the block to the scores, K_b the block's rows of K: F += K_bᵀ delta. The rows lie here and
// there: parts of them are copied side by side for a product.
func (s *kernelSolver[T]) push() {
	cols := partCols[T]()
	parallel.Do(len(s.parts), shape.Pieces(len(s.at), cols), s.pushPart)
	if s.offset.on {
		sum, delta := 0.0, s.moves()
		for p := range delta.Rows {
			sum += float64(delta.Row(p)[0])
		}
		s.shift(s.offset.c * sum)
	}
}

// moves returns the moves of the block's dual variables.
func (s *kernelSolver[T]) moves() vec.Matrix[T] {
	delta := rowsFrom(&s.block.delta, 0, len(s.block.rows))
	delta.Cols = s.cols
	return delta
}

// pushTo is push for part c of the scores, by goroutine w.
func (s *kernelSolver[T]) pushTo(w, c int) {
	cols, delta := partCols[T](), s.moves()
	from, to := c*cols, min((c+1)*cols, len(s.at))
	x := rowsFrom(&s.parts[w], 0, delta.Rows)
	x.Cols = to - from
	for p, row := range s.lent.Rows {
		copy(x.Row(p), row[from:to])
	}
	vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, delta, 1, s.f.Slice(from, to, 0, s.cols))
}

// visitOf: see visitor, as of the next one.
func (s *kernelSolver[T]) visitOf(p int, _ bool) (moved bool) {
	s.visits++
	b, i := &s.block, s.at[s.block.rows[p]]
	ex := &s.ex[i]
	s.work.Example = i
	f := s.p.Factor.Scores(s.scores, b.scores.Row(p))
	_, term, moved := s.p.Loss.Visit(s.duals(i), f, s.p.Labels.Of(i), ex.h, ex.r, ex.term, s.worth/4, b.step[:s.cols],
		&s.work)
	if moved {
		ex.term, s.changed[i] = term, 1
	}
	return moved
}

func (s *kernelSolver[T]) products(gram vec.Matrix[T]) {
	for p := range gram.Rows {
		row := gram.Row(p)[:len(s.block.rows)]
		unchecked.Take(row, s.lent.Rows[p], s.block.rows)
		if s.offset.on {
			for q := range row {
				row[q] += T(s.offset.c)
			}
		}
	}
}
