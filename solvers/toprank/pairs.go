package toprank

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/toprank/internal/toppairs"
	"github.com/dualgap/dualgap/vec"
)

// PairOptions says how Pairs goes. The zero value of each field is its default.
type PairOptions struct {
	Steps     int  // repeat loops at most; default: 20000, as in the paper
	Every     int  // repeat loops between two evaluations of the objectives; default: Steps
	Violation bool // k is the variable with the largest slope of those that may grow, not a random one
}

// Pairs runs the paper's own method, Algorithm 3.1: each repeat loop chooses a variable k, and of all pairs (k, l)
// moves the one that gains most. It is here to repeat the paper's Table 4 and Figure 3, and for comparison; to train,
// use Fit.
//
// A loop costs O(n) and two rows of Kernel, which is needed: give it a budget of all of them, or they are computed
// again and again. Arithmetic is in T; evaluations, of all pairs of examples, are in float64, and set the scores right.
// It starts from Start, or from uniform variables. It ends with Converged where an evaluation finds the relative gap
// within Config.Tol, else with EpochLimit behind the last loop, an epoch being one of them.
//
// Pairs alone do not reach every optimum, however exact each step is: with TopPushK the caps beta <= S/K, and with
// PatMat and Hinge the maximum in the dual, tie many betas, which then had to move together. With K = 1, and with
// PatMat and Quadratic, they do reach it.
func (p Problem[T]) Pairs(ctx context.Context, c Config, options PairOptions) (*Result[T], []Step, error) {
	m := train.Steps[T]{Most: 20000, Visits: 2}
	all, err := p.beforePairs(ctx, c)
	if err == nil {
		err = limits(&m, options.Steps, options.Every)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("toprank: %w", err)
	}
	s, order, err := p.pairs(all.objective)
	if err != nil {
		return nil, nil, fmt.Errorf("toprank: %w", err)
	}
	alpha, beta := all.alpha, all.beta
	m.Method = compared[T]{all, func() (solvers.Certificate, error) {
		certificate, err := all.certify(alpha, beta)
		s.Set(family.Pick(alpha, order), family.Pick(beta, order), family.Pick(all.f, order))
		return certificate, err
	}}
	m.Advance = func(steps int) (done int) {
		for ; done < steps && ctx.Err() == nil; done++ {
			s.Loop(options.Violation)
		}
		a, b := s.Duals()
		for q, i := range order {
			alpha[i], beta[i] = a[q], b[q]
		}
		return done
	}
	return p.compare(ctx, all.objective, "pairs", m, nil)
}

// compared is a training whose certificates are another method's.
type compared[T vec.Float] struct {
	*training[T]
	certify func() (solvers.Certificate, error)
}

func (c compared[T]) Certify() (solvers.Certificate, error) { return c.certify() }

// beforePairs returns a training for its certificates, with the dual variables to start from. With PatMat and Quadratic
// some beta must be above 0, or delta is 0.
func (p Problem[T]) beforePairs(ctx context.Context, c Config) (*training[T], error) {
	switch {
	case ctx == nil:
		return nil, fmt.Errorf("no context")
	case p.Kernel == nil || p.X != nil:
		return nil, fmt.Errorf("Pairs of features: it needs Kernel")
	case p.Groups != nil:
		return nil, fmt.Errorf("Pairs with Groups: Fit, Resume and Path alone train within queries")
	}
	o, err := p.prepare(c)
	if err != nil {
		return nil, err
	}
	all, err := newTraining(o, nil, p.Kernel)
	if err != nil {
		return nil, err
	}
	if all.alpha, all.beta = o.Uniform(); p.Start != nil {
		all.alpha, all.beta = slices.Clone(p.Start.Alpha), slices.Clone(p.Start.Beta)
		err = o.Check(all.alpha, all.beta)
	}
	return all, err
}

// pairs returns the method at 0, and the example at each of its places: the positive ones come first, so that each side
// of variables has neighbours.
func (p Problem[T]) pairs(o *objective) (_ *toppairs.Solver[T], order []int, err error) {
	k := p.Kernel
	if order = o.PositivesFirst(slices.Clone(o.Rows())); !slices.IsSorted(order) {
		if k, err = active.Part(k, order); err != nil {
			return nil, nil, err
		}
	}
	return toppairs.New(k, o.Sides(order), o.Seed), order, nil
}
