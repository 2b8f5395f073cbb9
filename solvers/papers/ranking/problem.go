package ranking

import (
	"cmp"
	"context"
	"fmt"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/toploss"
	"github.com/dualgap/dualgap/solvers/papers"
)

// Losses are the parameters of the problem, in package toprank's words.
type Losses struct {
	Positive []bool // of each example, whether it is to be above the threshold

	PatMat bool // the threshold is Pat&Mat's, else TopPush's
	Hinge  bool // l1 and l2 are the hinge, else the quadratic
	All    bool // of Pat&Mat: the threshold is over all examples, else over the negative ones

	K              int     // of TopPush: how many negative examples the threshold is the mean of; default: 1
	Tau            float64 // of Pat&Mat: part of the examples that may pass the threshold, in (0, 1); default: .05
	C              float64 // weight of the losses, > 0; default: 1
	Theta1, Theta2 float64 // scales of l1 and l2, > 0; default: 1
}

// Options says how a method goes.
type Options struct {
	papers.Options
	Tol     float64 // an entry of the history with this relative gap ends it; default: none does
	Workers int     // goroutines for products of all examples; default: all cores

	// Of Pairs: where Violation is set k is the variable with the largest slope of those that may grow, else a random
	// one, drawn by Seed.
	Violation bool
	Seed      uint64
}

// Result is where a method ended.
type Result struct {
	papers.End
	Alpha, Beta []float64 // dual variables of each example, feasible: as in package toprank
}

// objective returns the problem of n examples, and o with its defaults, or what is wrong with them.
func (l Losses) objective(ctx context.Context, n, steps, every int, o Options) (_ *toploss.Objective, _ Options,
	err error) {
	l.K, l.Tau, l.C = cmp.Or(l.K, 1), cmp.Or(l.Tau, .05), cmp.Or(l.C, 1)
	l.Theta1, l.Theta2 = cmp.Or(l.Theta1, 1), cmp.Or(l.Theta2, 1)
	positives := 0
	for _, positive := range l.Positive {
		if positive {
			positives++
		}
	}
	switch {
	case ctx == nil:
		return nil, o, fmt.Errorf("no context")
	case len(l.Positive) != n:
		return nil, o, fmt.Errorf("Positive of %d examples, but there are %d", len(l.Positive), n)
	case positives == 0 || positives == n:
		return nil, o, fmt.Errorf("%d positive examples of %d, want at least one positive and one negative", positives,
			n)
	case !l.PatMat && (l.K < 1 || l.K > n-positives):
		return nil, o, fmt.Errorf("K = %d, want one in 1..%d", l.K, n-positives)
	case l.PatMat && !(l.Tau > 0 && l.Tau < 1):
		return nil, o, fmt.Errorf("Tau = %v, want a number above 0 and below 1", l.Tau)
	}
	err = cmp.Or(family.Positive("C", l.C), family.Positive("Theta1", l.Theta1), family.Positive("Theta2", l.Theta2))
	if err != nil {
		return nil, o, err
	}
	if o.Options, err = o.Options.WithDefaults(steps, every); err != nil {
		return nil, o, err
	}
	if o.Workers, err = parallel.Cores(o.Workers, n); err != nil {
		return nil, o, err
	}
	if l.PatMat {
		l.K = 0
	}
	return toploss.New(toploss.Objective{PatMat: l.PatMat, Hinge: l.Hinge, All: l.All, K: l.K, C: l.C, Tau: l.Tau,
		Theta1: l.Theta1, Theta2: l.Theta2, Positive: l.Positive}), o, nil
}

// finite returns the certificate as a step, or an error where it is none.
func finite(c solvers.Certificate) (s papers.Step, err error) {
	s.Certificate = c
	if c.Gap()-c.Gap() != 0 {
		err = fmt.Errorf("%v: C or the numbers of the examples are too large", c)
	}
	return s, err
}
