package tracenorm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/crossval"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/nuclear"
	"github.com/dualgap/dualgap/solvers/internal/optim"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// PathConfig says which weights of the penalties to train with, and how to compare them.
type PathConfig struct {
	Lambda1s []float64 // default: 5 from a half to a two thousandth of LargestLambda1, in equal ratios
	Lambda2s []float64 // default: a tenth of the median Lambda1, and that times and over 10
	Tops     int       // accuracies to measure, top-1 to top-Tops; default: 1

	solvers.CrossValidation // Measures: by default these accuracies, in this order, and the log-loss
}

// Point is one pair of weights of a path.
type Point[T vec.Float] struct {
	Lambda1, Lambda2 float64
	Result           *Result[T] // on all examples

	// By default Measures[j-1] is the top-j accuracy, and the last one the multinomial logistic loss.
	solvers.Validation
}

// Path trains with each pair of a Lambda1 and a Lambda2: the Lambda1s descend, and for each of them the Lambda2s go to
// and fro: see [solvers.CrossValidation]. A training continues the one before, with what L-BFGS remembers of it and its
// dual variables. Where a model is within c.Tol of the next pair's optimum as it is, as the numbers of its certificate
// show, it is that pair's result too, and costs nothing. Parts are as equal in classes as they can be. c.Lambda1 and
// c.Lambda2 are not used.
//
// A look at a whole grid is cheap with a large c.Tol, as the paper's: train the best points again with a small one.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	return p.run(ctx, c, path, crossval.Whole)
}

// PathFold is the share of a Path that trains without part which, or on all examples where which is [solvers.AllRows]:
// see [solvers.JoinFolds].
func (p Problem[T]) PathFold(ctx context.Context, c Config, path PathConfig, which int) ([]Point[T], error) {
	return p.run(ctx, c, path, which)
}

func (p Problem[T]) run(ctx context.Context, c Config, path PathConfig, which int) ([]Point[T], error) {
	g, err := p.grid(c, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	point := func(at pair, r *reached[T], v solvers.Validation) Point[T] {
		if r == nil {
			return Point[T]{at.lambda1, at.lambda2, nil, v}
		}
		return Point[T]{at.lambda1, at.lambda2, r.Result, v}
	}
	return crossval.Run(ctx, g, path.CrossValidation, which, point)
}

// grid is the path over pairs of weights.
type (
	grid[T vec.Float] = crossval.Path[T, pair, *Model[T], reached[T], onward[T]]
	pair              struct{ lambda1, lambda2 float64 }
)

// reached is the result at a pair, with the training, which goes on from there.
type reached[T vec.Float] struct {
	*Result[T]
	by *prepared[T]
}

// grid returns the path: its pairs, the training at each, accuracies and the log-loss.
func (p Problem[T]) grid(c Config, path PathConfig) (g grid[T], err error) {
	first, err := p.prepare(c, c.options())
	if err != nil {
		return g, err
	}
	c.Classes = first.c.Classes
	pairs, err := p.pairs(c, path)
	if err != nil {
		return g, err
	}
	accuracies, err := crossval.Accuracies(p.Y, cmp.Or(path.Tops, 1), c.Classes)
	p.X = design.Sparse(p.X) // once for all trainings
	return grid[T]{
		Family: name, Options: c.options(), Grid: pairs, By: solvers.Strata{Y: p.Y},
		Simpler: func(a, b pair) bool {
			return a.lambda1 > b.lambda1 || a.lambda1 == b.lambda1 && a.lambda2 > b.lambda2
		},
		Prepare: func(at pair, start *reached[T], rows []int, o solvers.Options) (onward[T], error) {
			if start != nil && p.Prior.Rows > 0 { // whose part of the gradient goes with Lambda2
				return p.after(start, rows, c, at, o)
			}
			if start != nil {
				start.by.c.Lambda1, start.by.c.Lambda2 = at.lambda1, at.lambda2
				return onward[T]{start.by}, nil
			}
			c := c
			c.Lambda1, c.Lambda2 = at.lambda1, at.lambda2
			t, err := p.part(rows).prepare(c, o)
			return onward[T]{t}, err
		},
		Scores:   crossval.Scores[T, *reached[T]](p.X, nil),
		Measures: append(accuracies, solvers.Measure{Name: "log-loss", Smaller: true, Of: p.logLoss}),
	}, err
}

// after returns the training at a pair from the result at another.
func (p Problem[T]) after(start *reached[T], rows []int, c Config, at pair, o solvers.Options) (onward[T], error) {
	p = p.part(rows)
	p.Start, c.Lambda1, c.Lambda2 = start.Result, at.lambda1, at.lambda2
	t, err := p.prepare(c, o)
	return onward[T]{t}, err
}

// pairs returns the places of the grid in the order of the trainings.
func (p Problem[T]) pairs(c Config, path PathConfig) (all []pair, err error) {
	largest := 0.0
	if path.Lambda1s == nil {
		c.Lambda2 = 0 // without the prior's part
		if largest, err = p.LargestLambda1(c); err != nil {
			return nil, err
		}
	}
	var defaults []float64
	for e := range 5 {
		defaults = append(defaults, largest/2*math.Pow(1000, -float64(e)/4))
	}
	ones, twos := crossval.Down(path.Lambda1s, defaults...), path.Lambda2s
	if twos == nil && len(ones) > 0 {
		middle := math.Abs(ones[len(ones)/2]) / 10 // what is negative is refused below by its own name
		twos = []float64{middle * 10, middle, middle / 10}
	}
	twos = crossval.Down(twos)
	for q, one := range ones {
		for _, two := range twos {
			if one == 0 && two == 0 {
				return nil, fmt.Errorf("Lambda1 = 0 with Lambda2 = 0, want one of them above 0")
			}
			all = append(all, pair{one, two})
		}
		if q%2 == 1 {
			slices.Reverse(all[q*len(twos):])
		}
	}
	return all, nil
}

// part returns the problem of the examples rows, nil for all of them.
func (p Problem[T]) part(rows []int) Problem[T] {
	if rows != nil {
		p.X, p.Y, p.Weights = design.Subset(p.X, rows), family.Pick(p.Y, rows), family.Pick(p.Weights, rows)
		p.Start = nil
	}
	return p
}

// logLoss returns the mean multinomial logistic loss of the examples rows.
func (p Problem[T]) logLoss(scores vec.Matrix[float64], rows []int) (mean float64, err error) {
	for i, y := range family.Pick(p.Y, rows) {
		mean += (vec.LogSumExp(scores.Row(i)) - scores.Row(i)[y]) / float64(len(rows))
	}
	return mean, nil
}

// onward is a training that goes on along a path: with another penalty from where the last one has brought it.
type onward[T vec.Float] struct{ *prepared[T] }

// Begin goes on where there is a last one. Its solution may be good enough as it is.
func (o onward[T]) Begin() (train.Method[T], func() (train.Beginning[T], error), error) {
	if o.t == nil {
		return o.prepared.Begin()
	}
	if o.t.to(o.c.penalty()) {
		return o.t, func() (train.Beginning[T], error) {
			return train.Beginning[T]{Certificate: o.t.Assemble()}, nil
		}, nil
	}
	return o.t, nil, nil
}

func (o onward[T]) Result(m *Model[T], end train.Ended[T]) *reached[T] {
	return &reached[T]{o.prepared.Result(m, end), o.prepared}
}

// to changes the penalty of a training that is over, and reports whether its solution is good enough as it is.
func (t *training[T]) to(penalty nuclear.Penalty) bool {
	t.Penalty, t.Visited, t.epoch = penalty, 0, 0
	if t.Assemble().RelativeGap() <= t.Tol {
		return true
	}
	t.Dual = t.Dual.Copy() // the last result's stay
	t.stuck, t.looked = false, t.every
	if perturbed := t.perturb(); perturbed || !t.last() || optim.Dot(t.descent.Z, t.descent.Z) == 0 {
		t.begun = false
		return false
	}
	t.descent.Value = t.add(t.descent.Gradient, t.descent.Z)
	return false
}
