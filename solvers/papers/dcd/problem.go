package dcd

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what the method solves: n examples of d features, L labels.
type Problem[T vec.Float] struct {
	X       design.Matrix[T]                   // n-by-d
	Sets    [][]int                            // the labels of each example, in 0..Labels-1
	Labels  int                                // L
	R       vec.Matrix[float64]                // L-by-L, symmetric, positive semidefinite; empty: the identity
	C       float64                            // cost of a loss, > 0
	Margins func(i int, plus, minus []float64) // sets Δ+_il and Δ-_il of example i; default: 0 and 2
}

// Options says how the method goes.
type Options struct {
	// Steps are variables that are drawn; default: no limit. Every is by default n L, a pass over all variables.
	papers.Options

	Tau float64 // it ends when the magnitude of every projected gradient is smaller, > 0; default: 1e-3
	// Switch: below this magnitude of the projected gradients in the active sets, labels are drawn, and L variables
	// along each, > 0. The paper names no number; default: 0.1.
	Switch float64
	Seed   uint64 // of the draws
}

// Result is where the method ended. In its history Primal and Dual are the values at the alpha of the step, and Count
// is how many variables are in the active sets. The Status is Converged where no projected gradient is Tau or larger,
// whatever the gap, and Stalled where that is out of reach in float64.
type Result[T vec.Float] struct {
	papers.End
	Duals vec.Matrix[T]       // 2 y_il alpha_il, n-by-L: the Duals of package m3l
	Z     vec.Matrix[float64] // L-by-d: the label l has the score z_lᵀx
}

// Solve runs the method. When ctx ends it returns the result so far and ctx.Err().
//
// Before the switch a step costs L + 1 products with an example, O(L nnz(x_i)), after it 3 products and, for every L of
// them, O(d L). The estimate after a pass costs a product for each active variable, and so does an entry of the history
// for all of them. It computes in float64. Memory: 4 n L numbers, and d L.
func Solve[T vec.Float](ctx context.Context, p Problem[T], o Options) (*Result[T], error) {
	s, err := p.begin(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("dcd: %w", err)
	}
	end, err := papers.Run(ctx, s, s.o.Options, math.Inf(-1))
	if end.Status == solvers.Running {
		return nil, fmt.Errorf("dcd: %w", err)
	}
	s.spread()
	duals := vec.NewMatrix[T](s.y.Cols, s.y.Rows)
	for i := range duals.Rows {
		for l := range duals.Cols {
			duals.Row(i)[l] = T(2 * s.y.At(l, i) * s.alpha.At(l, i))
		}
	}
	return &Result[T]{end, duals, s.z}, err
}

// begin returns the method at its start, or what is wrong with p or o.
func (p Problem[T]) begin(ctx context.Context, o Options) (*method, error) {
	n, d, o, err := p.check(ctx, o)
	if err != nil {
		return nil, err
	}
	r := p.R
	if r.Rows == 0 {
		r = vec.NewMatrix[float64](p.Labels, p.Labels)
		for l := range p.Labels {
			r.Row(l)[l] = 1
		}
	}
	if err := family.CheckSizes(n, d, p.Labels, 0); err != nil {
		return nil, err
	}
	x := rowsOf(p.X)
	for i := range n {
		if v := x.square(i); v-v != 0 {
			return nil, fmt.Errorf("example %d has the squared norm %v, want a finite number", i, v)
		}
	}
	y, margin := vec.NewMatrix[float64](p.Labels, n), vec.NewMatrix[float64](p.Labels, n)
	base := p.fill(y, margin)
	s := begin(x, y, margin, r, o)
	s.c, s.base, s.dual = p.C, p.C*base, p.C*base
	return s, nil
}

// fill sets the labels and Δ- - Δ+ of all variables, and returns the sum of Δ+.
func (p Problem[T]) fill(y, margin vec.Matrix[float64]) (sum float64) {
	plus, minus := make([]float64, p.Labels), make([]float64, p.Labels)
	for i, set := range p.Sets {
		for l := range p.Labels {
			y.Row(l)[i], plus[l], minus[l] = -1, 0, 2
		}
		for _, l := range set {
			y.Row(l)[i] = 1
		}
		if p.Margins != nil {
			p.Margins(i, plus, minus)
		}
		for l := range p.Labels {
			margin.Row(l)[i] = minus[l] - plus[l]
			sum += plus[l]
		}
	}
	return sum
}

// check returns the size of X and o with its defaults, or what is wrong with p or o.
func (p Problem[T]) check(ctx context.Context, o Options) (n, d int, _ Options, err error) {
	switch {
	case ctx == nil:
		return 0, 0, o, fmt.Errorf("no context")
	case p.X == nil:
		return 0, 0, o, fmt.Errorf("no X")
	case p.Labels < 1:
		return 0, 0, o, fmt.Errorf("Labels = %d, want at least 1", p.Labels)
	}
	if n, d, err = design.Validate(p.X); err != nil {
		return 0, 0, o, err
	}
	o.Tau, o.Switch = cmp.Or(o.Tau, 1e-3), cmp.Or(o.Switch, .1)
	labels := family.Labels{Sets: p.Sets}
	_, err = labels.Outputs(n, p.Labels, "Labels")
	err = cmp.Or(err, family.Positive("C", p.C), family.Positive("Tau", o.Tau), family.Positive("Switch", o.Switch),
		p.checkR())
	if err == nil {
		o.Options, err = o.Options.WithDefaults(math.MaxInt, n*p.Labels)
	}
	return n, d, o, err
}

// checkR returns what is wrong with R, but for eigenvalues below 0.
func (p Problem[T]) checkR() error {
	r := p.R
	if r.Rows+r.Cols == 0 {
		return nil
	}
	if err := r.Validate(); err != nil || r.Rows != p.Labels || r.Cols != p.Labels {
		return fmt.Errorf("R is %d-by-%d for %d labels", r.Rows, r.Cols, p.Labels)
	}
	for l := range r.Rows {
		for k, v := range r.Row(l) {
			switch {
			case v-v != 0 || k == l && v < 0:
				return fmt.Errorf("R of labels %d and %d is %v, want a finite number, at least 0 on the diagonal", l, k,
					v)
			case v != r.At(k, l):
				return fmt.Errorf("R of labels %d and %d is %v, but of %d and %d %v: not symmetric", l, k, v, k, l,
					r.At(k, l))
			}
		}
	}
	return nil
}
