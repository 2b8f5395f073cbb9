package smo

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what the method solves.
type Problem[T vec.Float] struct {
	Kernel  *kernel.Matrix[T]                  // n-by-n; rows are taken one at a time, and its budget is the cache
	Sets    [][]int                            // the labels of each example, in 0..Labels-1
	Labels  int                                // L
	R       vec.Matrix[float64]                // L-by-L, symmetric, positive semidefinite; empty: the identity
	C       float64                            // cost of a loss, > 0
	Margins func(i int, plus, minus []float64) // sets Δ+_il and Δ-_il of example i; default: 0 and 2
}

// Options says how the method goes.
type Options struct {
	// Steps are iterations of two variables each; default: no limit. Every is by default the number of examples.
	papers.Options

	Tau float64 // it ends when every projected gradient is smaller, > 0; default: 1e-3
	// ByLabel trains the labels one after the other, as 1-vs-all does, for an R that is empty or diagonal. Otherwise
	// each iteration is at the label that needs it most, L of them at a time.
	ByLabel bool
}

// Result is where the method ended. Its history knows the dual value, and no primal one. The Status is Converged where
// no projected gradient is Tau or larger, whatever the gap, and Stalled where that is out of reach in float64.
type Result[T vec.Float] struct {
	papers.End
	Duals vec.Matrix[T] // 2 y_il alpha_il, n-by-L: the Duals of package m3l
}

// Solve runs the method. When ctx ends it returns the result so far and ctx.Err().
//
// An iteration costs two rows of K and O(n), and every L of them O(n L). Memory: 3 n L float64 numbers, and the Duals.
func Solve[T vec.Float](ctx context.Context, p Problem[T], o Options) (*Result[T], error) {
	o, err := p.check(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("smo: %w", err)
	}
	s := start(p, o)
	status, err := s.solve(ctx)
	if s.dual-s.dual != 0 {
		return nil, fmt.Errorf("smo: a dual value of %v after %d iterations: C or margins are too large", s.dual,
			s.iterations)
	}
	return &Result[T]{papers.End{Status: status, Steps: s.steps}, s.duals()}, err
}

// check returns o with its defaults, or what is wrong with p or o.
func (p Problem[T]) check(ctx context.Context, o Options) (_ Options, err error) {
	switch {
	case ctx == nil:
		return o, fmt.Errorf("no context")
	case p.Kernel == nil:
		return o, fmt.Errorf("no Kernel")
	case p.Labels < 1:
		return o, fmt.Errorf("Labels = %d, want at least 1", p.Labels)
	}
	o.Tau = cmp.Or(o.Tau, 1e-3)
	labels := family.Labels{Sets: p.Sets}
	_, err = labels.Outputs(p.Kernel.Len(), p.Labels, "Labels")
	if err = cmp.Or(err, family.Positive("C", p.C), family.Positive("Tau", o.Tau)); err != nil {
		return o, err
	}
	if r := p.R; r.Rows+r.Cols > 0 {
		if err := r.Validate(); err != nil || r.Rows != p.Labels || r.Cols != p.Labels {
			return o, fmt.Errorf("R is %d-by-%d for %d labels", r.Rows, r.Cols, p.Labels)
		}
		for l := range r.Rows {
			for k, v := range r.Row(l) {
				switch {
				case v-v != 0:
					return o, fmt.Errorf("R of labels %d and %d is %v, want a finite number", l, k, v)
				case o.ByLabel && k != l && v != 0:
					return o, fmt.Errorf("ByLabel with R of labels %d and %d, %v, want 0: they depend on each other", l,
						k, v)
				}
			}
		}
	}
	o.Options, err = o.Options.WithDefaults(math.MaxInt, p.Kernel.Len())
	return o, err
}
