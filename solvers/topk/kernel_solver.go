package topk

import (
	"context"
	"math/rand/v2"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// kernelSolver is a training with a kernel under way.
type kernelSolver[T vec.Float] struct {
	c    Config
	k    *kernel.Matrix[T]
	y    *labels
	n, m int
	loss loss.Loss[T]
	r    []float64 // v_i/(lambda n) for weights v_i
	h    []T       // K_ii, at least the least number that divides safely

	a, f   vec.Matrix[T] // dual variables, n-by-m; scores K A, and columns of 0 up to a multiple of lanes
	term   []float64     // dual term of each example
	gap    []float64     // g_i of package loss as of the last estimate
	worth  float64       // a g_i that is worth a row of K
	epochs int
	visits int
	order  []int
	random rand.PCG

	certificate solvers.Certificate
	block       kernelBlock[T]
	work        loss.Workspace[T]
	exact       kernelCertifier
}

// kernelBlock is scratch memory for examples that are updated together.
type kernelBlock[T vec.Float] struct {
	rows          []int
	k             vec.Matrix[T] // their rows of K
	gram          vec.Matrix[T] // the columns of these that are theirs
	scores, delta vec.Matrix[T]
	step          []T
}

func newKernelSolver[T vec.Float](k *kernel.Matrix[T], y *labels, m int, c Config) (*kernelSolver[T], error) {
	n := k.Len()
	r, err := radii[T](c, y, m)
	if err != nil {
		return nil, err
	}
	wide, p := padded[T](m), min(n, orDefault(c.BlockSize, 64))
	s := &kernelSolver[T]{
		c: c, k: k, y: y, n: n, m: m, loss: lossOf[T](c), r: r, h: make([]T, n),
		a: vec.NewMatrix[T](n, m), f: vec.NewMatrix[T](n, wide), term: make([]float64, n), gap: make([]float64, n),
		block: kernelBlock[T]{
			k: vec.NewMatrix[T](p, n), gram: vec.NewMatrix[T](p, p), scores: vec.NewMatrix[T](p, wide), delta: vec.NewMatrix[T](p, wide),
			step: make([]T, wide), rows: make([]int, 0, p),
		},
		random: *rand.NewPCG(c.Seed, 0),
	}
	k.Diagonal(s.h)
	least, _, _ := limits[T]()
	zero := make([]T, m)
	for i, h := range s.h {
		s.h[i] = max(h, T(least)) // as in newSolver
		if r[i] > 0 {
			s.term[i] = s.loss.Dual(zero, y.of(i), r[i], &s.work)
			s.order = append(s.order, i)
		}
	}
	s.estimate()
	return s, s.prepare()
}

// estimate computes the certificate and every g_i from the scores as they are, of type T. O(n m).
func (s *kernelSolver[T]) estimate() solvers.Certificate {
	gaps, norm, dual := 0.0, 0.0, 0.0
	for _, i := range s.order {
		a, f := s.a.Row(i), s.f.Row(i)[:s.m]
		square := float64(vec.Dot(a, f))
		s.gap[i] = s.r[i]*s.loss.Primal(f, s.y.of(i), &s.work) - s.term[i] + square
		gaps, norm, dual = gaps+s.gap[i], norm+square, dual+s.term[i]
	}
	dual -= norm / 2
	// Examples that a tenth of the mean, or what the tolerance allows each, is too much for can wait.
	s.worth = max(0.1*gaps, 0.3*s.c.Tol*(dual+gaps)) / float64(len(s.order))
	return solvers.Certificate{Primal: s.c.Lambda * (dual + gaps), Dual: s.c.Lambda * dual}
}

// epoch visits the examples that are worth it, in random order. It reports false if ctx ended before it did.
func (s *kernelSolver[T]) epoch(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	s.epochs++
	rand.New(&s.random).Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	rows := s.block.rows[:0]
	for p, i := range s.order {
		if s.gapOf(i, s.f.Row(i)[:s.m]) > s.worth {
			rows = append(rows, i)
		}
		if len(rows) == cap(rows) || p == len(s.order)-1 && len(rows) > 0 {
			if ctx.Err() != nil {
				return false
			}
			s.update(rows)
			rows = rows[:0]
		}
	}
	return true
}

// gapOf is g_i at the given scores.
func (s *kernelSolver[T]) gapOf(i int, scores []T) float64 {
	return s.r[i]*s.loss.Primal(scores, s.y.of(i), &s.work) - s.term[i] + float64(vec.Dot(s.a.Row(i), scores))
}

// update visits the given examples one after the other, several times, and then brings the scores of all up to date. Rounds
// after the first cost no row of K.
func (s *kernelSolver[T]) update(rows []int) {
	const rounds = 4
	b, size := &s.block, len(rows)
	k, gram := b.k.Slice(0, size, 0, s.n), b.gram.Slice(0, size, 0, size)
	scores, delta := b.scores.Slice(0, size, 0, s.f.Cols), b.delta.Slice(0, size, 0, s.f.Cols)
	s.k.RowsWorkers(k, rows, s.c.Workers)
	clear(delta.Data)
	for p, i := range rows {
		copy(scores.Row(p), s.f.Row(i))
		for q, j := range rows {
			gram.Row(p)[q] = k.Row(p)[j]
		}
	}
	moved := false
	for range rounds {
		again := false
		for p, i := range rows {
			f := scores.Row(p)[:s.m]
			s.visits++
			a, y := s.a.Row(i), s.y.of(i)
			if s.gapOf(i, f) <= s.worth/4 || !s.loss.Update(a, f, y, s.h[i], s.r[i], b.step[:s.m], &s.work) {
				continue
			}
			again, moved = true, true
			s.term[i] = s.loss.Dual(a, y, s.r[i], &s.work)
			vec.Axpy(1, b.step, delta.Row(p))
			ger(s.c.Loss.allMove(), gram.Row(p), b.step, &scores)
		}
		if !again {
			break
		}
	}
	if moved {
		vec.GemmWorkers(vec.Transposed, vec.NoTrans, 1, k, delta, 1, s.f, s.c.Workers)
	}
}

func (s *kernelSolver[T]) certified() (solvers.Certificate, int) { return s.certificate, s.epochs }

// bringBack has nothing to do: every epoch looks at all examples.
func (s *kernelSolver[T]) bringBack() {}
