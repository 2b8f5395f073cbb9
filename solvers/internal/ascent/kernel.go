package ascent

import (
	"context"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// kernelSolver trains on a kernel. The scores of all n examples are at hand all the time.
type kernelSolver[T vec.Float] struct {
	common[T]
	k     *kernel.Matrix[T]
	f     vec.Matrix[T] // scores K A R, and columns of 0 up to a multiple of lanes
	order []int         // the examples with r_i > 0, as the epoch goes through them
	from  int           // how far it has come; len(order) between epochs
	worth float64       // a g_i that is worth a row of K
	block kernelBlock[T]
	exact kernelCertifier
}

// kernelBlock is scratch memory for examples that are updated together.
type kernelBlock[T vec.Float] struct {
	rows          []int
	k             vec.Matrix[T] // their rows of K
	gram          vec.Matrix[T] // the columns of these that are theirs
	scores, delta vec.Matrix[T]
	step          []T
}

func newKernelSolver[T vec.Float](p Problem[T], o Options) (*kernelSolver[T], error) {
	n, m := p.Kernel.Len(), p.Outputs
	h := make([]T, n)
	p.Kernel.Diagonal(h)
	wide, size := padded[T](m), o.BlockSize
	if size == 0 {
		size = 64
	}
	size = min(n, size)
	s := &kernelSolver[T]{
		common: newCommon(p, o, h), k: p.Kernel, f: vec.NewMatrix[T](n, wide),
		block: kernelBlock[T]{
			k: vec.NewMatrix[T](size, n), gram: vec.NewMatrix[T](size, size), scores: vec.NewMatrix[T](size, wide),
			delta: vec.NewMatrix[T](size, wide), step: make([]T, wide), rows: make([]int, 0, size),
		},
	}
	for i, ex := range s.ex {
		if ex.r > 0 {
			s.order = append(s.order, i)
		}
	}
	s.from = len(s.order)
	s.Estimate()
	var err error
	s.exact, err = newKernelCertifier(s)
	return s, err
}

func (s *kernelSolver[T]) Weights() vec.Matrix[T] { return vec.Matrix[T]{} }

func (s *kernelSolver[T]) Visits() (visits, n int) { return s.visits, s.n }

// Reconsider has nothing to do: every epoch looks at all examples.
func (s *kernelSolver[T]) Reconsider() {}

// Start: see Solver.
func (s *kernelSolver[T]) Start(duals vec.Matrix[T]) (solvers.Certificate, error) {
	return s.start(duals, s.Certify, func() float64 { return 2 * s.quadratic })
}

// Estimate computes the certificate and every g_i from the scores as they are, of type T. O(n m).
func (s *kernelSolver[T]) Estimate() solvers.Certificate {
	gaps, norm, dual := 0.0, 0.0, 0.0
	for _, i := range s.order {
		ex, f := &s.ex[i], s.f.Row(i)[:s.m]
		square := float64(vec.Dot(s.a.Row(i), f))
		ex.gap = ex.r*s.p.Loss.Primal(f, s.p.Labels.Of(i), &s.work) - ex.term + square
		gaps, norm, dual = gaps+ex.gap, norm+square, dual+ex.term
	}
	dual -= norm / 2
	// Examples that a tenth of the mean, or what the tolerance allows each, is too much for can wait.
	s.worth = max(0.1*gaps, 0.3*s.o.Tol*(dual+gaps)) / float64(len(s.order))
	return solvers.Certificate{Primal: s.p.Lambda * (dual + gaps), Dual: s.p.Lambda * dual}
}

// Epoch visits the examples that are worth it, in random order.
func (s *kernelSolver[T]) Epoch(ctx context.Context) (epoch int, whole bool) {
	if ctx.Err() != nil {
		return s.epoch, false
	}
	if s.from == len(s.order) {
		s.epoch++
		s.from = 0
		rand.New(&s.random).Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	}
	rows := s.block.rows[:0]
	for p := s.from; p < len(s.order); p++ {
		if i := s.order[p]; s.gapOf(i) > s.worth {
			rows = append(rows, i)
		}
		if len(rows) == cap(rows) || p == len(s.order)-1 {
			if ctx.Err() != nil {
				return s.epoch, false
			}
			s.update(rows)
			rows, s.from = rows[:0], p+1
		}
	}
	return s.epoch, true
}

// gapOf is g_i at the scores as they are.
func (s *kernelSolver[T]) gapOf(i int) float64 {
	ex, f := &s.ex[i], s.f.Row(i)[:s.m]
	return ex.r*s.p.Loss.Primal(f, s.p.Labels.Of(i), &s.work) - ex.term + float64(vec.Dot(s.duals(i), f))
}

// update visits the given examples one after the other, several times, and then brings the scores of all up to date.
// Rounds after the first cost no row of K.
func (s *kernelSolver[T]) update(rows []int) {
	const rounds = 4
	b, size := &s.block, len(rows)
	if size == 0 {
		return
	}
	k, gram := b.k.Slice(0, size, 0, s.n), b.gram.Slice(0, size, 0, size)
	scores, delta := b.scores.Slice(0, size, 0, s.f.Cols), b.delta.Slice(0, size, 0, s.f.Cols)
	s.k.RowsWorkers(k, rows, s.o.Workers)
	clear(delta.Data)
	for p, i := range rows {
		copy(scores.Row(p), s.f.Row(i))
		for q, j := range rows {
			gram.Row(p)[q] = k.Row(p)[j]
		}
	}
	moved, all := false, s.p.Loss.Traits().AllMove
	for range rounds {
		again := false
		for p, i := range rows {
			s.visits++
			ex := &s.ex[i]
			_, term, movedNow := s.p.Loss.Visit(s.duals(i), scores.Row(p)[:s.m], s.p.Labels.Of(i), ex.h, ex.r, ex.term, s.worth/4, b.step[:s.m], &s.work)
			if !movedNow {
				continue
			}
			again, moved, ex.term = true, true, term
			vec.Axpy(1, b.step, delta.Row(p))
			if all {
				unchecked.Ger(gram.Row(p), b.step, &scores)
			} else {
				unchecked.GerSome(gram.Row(p), b.step, &scores)
			}
		}
		if !again {
			break
		}
	}
	if moved {
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, k, delta, 1, s.f, s.o.Workers)
	}
}
