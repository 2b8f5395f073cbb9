// Package smo is the paper's own method of max-margin multi-label learning, its Algorithms 1 and 2: sequential minimal
// optimisation, ascent by two variables at a time, here with a coupling R of the labels. For examples i with labels
// y_il = 1, and y_il = -1 for those that example i does not have, it maximises over a, in terms of the paper's alpha
// a_il = y_il alpha_il,
//
//	sum_il (C Δ+_il + y_il a_il (Δ-_il - Δ+_il)) - 2 <a, K a R>,   0 <= y_il a_il <= C,
//
// where K is the kernel matrix: (25), and the constant that it leaves out. Each iteration moves the variables of two
// examples at one label to their joint optimum.
//
// The paper is "Efficient max-margin multi-label classification with applications to zero-shot learning" by Hariharan,
// Vishwanathan and Varma, Machine Learning 88, 2012, whose equations and lines the comments number.
package smo

import (
	"context"
	"math"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// solver is the paper's Algorithm 1 in the variables a_il = y_il alpha_il, whose gradients are y_il g_il: without the
// y, an update of gradients is a row of K added to them. It needs rows of K two at a time, n L times 3 numbers, and O(n
// L) operations for L iterations besides.
type solver[T vec.Float] struct {
	k        *kernel.Matrix[T]
	diagonal []T                 // K_ii
	r        vec.Matrix[float64] // L-by-L, or empty: I
	a        vec.Matrix[float64] // L-by-n
	g        vec.Matrix[float64] // L-by-n: dual's derivatives by a
	end      vec.Matrix[float64] // L-by-n: y_il C; a_il lies between 0 and this
	size     []float64           // of each label, the magnitude of its largest projected gradient; -1: not known
	u        []float64           // (36): what the label at hand has yet to tell the gradients of the others, over -4 R

	projected []float64 // the projected gradient, (31), at the label of the last call of first

	options    Options
	began      time.Time
	iterations int
	dual       float64 // the sum of the gains
	steps      []papers.Step
}

// start returns the method at a = 0.
func start[T vec.Float](p Problem[T], o Options) *solver[T] {
	n, labels := p.Kernel.Len(), p.Labels
	s := &solver[T]{
		k: p.Kernel, r: p.R, options: o, began: time.Now(), diagonal: make([]T, n), u: make([]float64, n),
		size: make([]float64, labels), projected: make([]float64, n),
		a: vec.NewMatrix[float64](labels, n), g: vec.NewMatrix[float64](labels, n),
		end: vec.NewMatrix[float64](labels, n),
	}
	p.Kernel.Diagonal(s.diagonal)
	y, plus, minus := make([]float64, labels), make([]float64, labels), make([]float64, labels)
	for l := range s.size {
		s.size[l] = -1
	}
	for i := range n {
		for l := range y {
			y[l], plus[l], minus[l] = -1, 0, 2
		}
		for _, l := range p.Sets[i] {
			y[l] = 1
		}
		if p.Margins != nil {
			p.Margins(i, plus, minus)
		}
		for l, y := range y {
			s.g.Row(l)[i], s.end.Row(l)[i] = y*(minus[l]-plus[l]), y*p.C
			s.dual += p.C * plus[l]
		}
	}
	return s
}

// solve runs the method to its end. The error is what ctx says.
func (s *solver[T]) solve(ctx context.Context) (status solvers.Status, err error) {
	s.record()
	all := make([]int, s.a.Rows)
	for l := range all {
		all[l] = l
	}
	groups := [][]int{all}
	if s.options.ByLabel {
		groups = groups[:0]
		for l := range all {
			groups = append(groups, all[l:l+1])
		}
	}
	for _, labels := range groups {
		status, err = s.maximize(ctx, labels)
		if status != solvers.Converged {
			break
		}
	}
	if s.steps[len(s.steps)-1].Steps < s.iterations {
		s.record()
	}
	return status, err
}

// maximize is Algorithm 1 over the given labels, with lines 28 to 32 where they belong, after the iterations at one
// label: printed inside that loop they would add u again and again. It also leaves a label as soon as that is done.
func (s *solver[T]) maximize(ctx context.Context, labels []int) (solvers.Status, error) {
	for {
		if err := ctx.Err(); err != nil {
			return solvers.Canceled, err
		}
		l, largest := s.label(labels) // line 7
		if largest < s.options.Tau {  // line 34
			return solvers.Converged, nil
		}
		clear(s.u) // lines 4 to 6
		moved := 0
		for range labels { // lines 8 to 27
			p, size := s.first(l) // line 9
			if size < s.options.Tau || s.full() || !s.step(l, p) {
				break
			}
			moved++
		}
		s.size[l] = -1
		s.spread(l, labels) // lines 28 to 32
		switch {
		case s.full():
			return solvers.EpochLimit, nil
		case moved == 0: // the largest gradient of all is too small to move its variable in float64
			return solvers.Stalled, nil
		}
	}
}

// full reports whether there have been as many iterations as allowed.
func (s *solver[T]) full() bool { return s.iterations >= s.options.Steps }

// spread brings the gradients of the other labels up to date: lines 28 to 32, (35).
func (s *solver[T]) spread(l int, labels []int) {
	for _, k := range labels {
		if r := s.prior(l, k); k != l && r != 0 {
			vec.Axpy64(-4*r, s.u, s.g.Row(k))
			s.size[k] = -1
		}
	}
}

// prior is R_lk.
func (s *solver[T]) prior(l, k int) float64 {
	switch {
	case s.r.Rows > 0:
		return s.r.At(l, k)
	case l == k:
		return 1
	}
	return 0
}

// record adds to the history. An iteration looks at two examples.
func (s *solver[T]) record() {
	s.steps = append(s.steps, papers.Step{Steps: s.iterations, Elapsed: time.Since(s.began),
		Certificate: solvers.Certificate{Primal: math.Inf(1), Dual: s.dual},
		Passes:      2 * float64(s.iterations) / float64(len(s.diagonal))})
}

// duals returns 2 y_il alpha_il, n-by-L.
func (s *solver[T]) duals() vec.Matrix[T] {
	all := vec.NewMatrix[T](s.a.Cols, s.a.Rows)
	for l := range s.a.Rows {
		for i, v := range s.a.Row(l) {
			all.Row(i)[l] = T(2 * v)
		}
	}
	return all
}
