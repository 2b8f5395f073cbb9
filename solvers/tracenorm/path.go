package tracenorm

import (
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
	"github.com/dualgap/dualgap/solvers/metrics"
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

// pair is a place in the grid.
type pair struct{ lambda1, lambda2 float64 }

// reached is a training at the place that it has come to, from where it goes on.
type reached[T vec.Float] struct {
	*Result[T]
	t *training[T]
}

// Path trains with each pair of a Lambda1 and a Lambda2: the Lambda1s descend, and for each of them the Lambda2s go to
// and fro. A training goes on from the one before, with what L-BFGS remembers of it and its dual variables; the first
// begins at p.Start. Where a model is within c.Tol of the next pair's optimum as it is, as the numbers of its
// certificate show, it is that pair's result too, and costs nothing. With folds, Path then does so without each of them
// in turn as well, and tests on it; folds are as equal in size and classes as they can be, drawn by c.Seed, and
// c.Workers of them run at a time. The points are in the order of the trainings; [solvers.Best] picks one. c.Lambda1
// and c.Lambda2 are not used; c.Progress tells of the trainings on all examples only, and c.Checkpoint keeps what the
// folds have measured, for path.State.
//
// A look at a whole grid is cheap with a large c.Tol, as the paper's: train the best points again with a small one.
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// folds.
func (p Problem[T]) Path(ctx context.Context, c Config, path PathConfig) ([]Point[T], error) {
	grid, fold, err := p.grid(ctx, &c, &path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	checkpoint := c.Checkpoint
	c.Checkpoint = solvers.Checkpoint{} // of the path, not of trainings
	p.X = design.Sparse(p.X)            // once for all trainings
	t := p.trial(c, path.Tops)
	t.Grid, t.Fold, t.Checkpoint = grid, fold, checkpoint
	results, err := t.Run(ctx, path.CrossValidation)
	points := make([]Point[T], len(results))
	for q, r := range results {
		points[q] = Point[T]{r.At.lambda1, r.At.lambda2, r.Result.Result, r.Validation}
	}
	return points, err
}

// trial trains at a place of the grid, and measures.
func (p Problem[T]) trial(c Config, tops int) crossval.Trial[T, pair, reached[T]] {
	return crossval.Trial[T, pair, reached[T]]{
		Fit: func(ctx context.Context, at pair, start reached[T], rows []int) (reached[T], error) {
			part, c := p, c
			c.Lambda1, c.Lambda2 = at.lambda1, at.lambda2
			if rows != nil {
				c.Workers, c.Progress = 1, nil
				part.X, part.Y, part.Weights = design.Subset(p.X, rows), family.Pick(p.Y, rows),
					family.Pick(p.Weights, rows)
				part.Start = nil
			}
			r, err := part.move(ctx, c, start)
			if err != nil && r.Result == nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return r, err
		},
		Scores: crossval.Scores[T, reached[T]](p.X, nil),
		Own:    append(crossval.Accuracies(tops), solvers.Measure{Name: "log-loss", Smaller: true}),
		Measure: func(scores vec.Matrix[T], rows []int) ([]float64, error) {
			loss, y := 0.0, family.Pick(p.Y, rows)
			for i, c := range y {
				loss += float64(vec.LogSumExp(scores.Row(i))-scores.Row(i)[c]) / float64(len(y))
			}
			accuracies, err := metrics.TopK(scores, y, tops)
			return append(accuracies, loss), err
		},
		Workers: c.Workers,
		Simpler: func(a, b pair) bool {
			return a.lambda1 > b.lambda1 || a.lambda1 == b.lambda1 && a.lambda2 > b.lambda2
		},
		Identity: func(at pair) (train.Identity, error) {
			c := c
			c.Lambda1, c.Lambda2 = at.lambda1, at.lambda2
			t, b, err := p.base(c)
			if err != nil {
				return train.Identity{}, err
			}
			return t.identity(&b), nil
		},
	}
}

// move trains at a place of the grid from where another training is, which goes on as this one.
func (p Problem[T]) move(ctx context.Context, c Config, start reached[T]) (reached[T], error) {
	t := start.t
	if t == nil {
		var err error
		if t, err = p.training(c); err != nil {
			return start, err
		}
	} else if t.to(c) {
		end, err := train.Only(t, t.Assemble(), solvers.Outcome{Status: solvers.Converged, Tol: t.Tol})
		if err != nil {
			return reached[T]{nil, t}, err
		}
		m, err := t.Model(end.Primal, t.Identity().Notes(&end.Outcome))
		if err != nil {
			return reached[T]{nil, t}, err
		}
		return reached[T]{t.Result(m, end), t}, nil
	}
	r, err := family.Run(ctx, t, nil)
	return reached[T]{r, t}, err
}

// to changes the penalty of a training that is over, and reports whether its solution is good enough as it is.
func (t *training[T]) to(c Config) bool {
	t.Penalty = nuclear.Penalty{Lambda1: c.Lambda1, Lambda2: c.Lambda2}
	if t.Assemble().RelativeGap() <= t.Tol {
		return true
	}
	t.Dual = t.Dual.Copy() // the last result's stay
	t.Visited, t.epoch, t.stuck, t.looked = 0, 0, false, t.every
	if kicked := t.kick(); kicked || !t.last() || optim.Dot(t.descent.Z, t.descent.Z) == 0 {
		t.begun = false
		return false
	}
	t.descent.Value = t.add(t.descent.Gradient, t.descent.Z)
	return false
}

// grid returns the pairs in the order of the trainings, and the folds, and fills in what path and c leave open. What is
// wrong shows here, before anything is trained.
func (p Problem[T]) grid(ctx context.Context, c *Config, path *PathConfig) (grid []pair, fold []int, err error) {
	if ctx == nil {
		return nil, nil, fmt.Errorf("no context")
	}
	t, err := p.prepare(*c)
	if err != nil {
		return nil, nil, err
	}
	c.Classes = t.c.Classes
	ones, twos := slices.Clone(path.Lambda1s), slices.Clone(path.Lambda2s)
	if ones == nil {
		largest, err := p.LargestLambda1(*c)
		if err != nil {
			return nil, nil, err
		}
		for e := range 5 {
			ones = append(ones, largest/2*math.Pow(1000, -float64(e)/4))
		}
	}
	slices.Sort(ones)
	slices.Reverse(ones)
	if twos == nil && len(ones) > 0 {
		middle := math.Abs(ones[len(ones)/2]) / 10 // what is negative is refused below by its own name
		twos = []float64{middle * 10, middle, middle / 10}
	}
	slices.Sort(twos)
	slices.Reverse(twos)
	for q, one := range ones {
		for _, two := range twos {
			if one == 0 && two == 0 {
				return nil, nil, fmt.Errorf("Lambda1 = 0 with Lambda2 = 0, need one of them above 0")
			}
			at := *c
			at.Lambda1, at.Lambda2 = one, two
			if err := at.check(); err != nil {
				return nil, nil, err
			}
			grid = append(grid, pair{one, two})
		}
		if row := grid[q*len(twos):]; q%2 == 1 {
			slices.Reverse(row)
		}
	}
	if path.Tops == 0 {
		path.Tops = 1
	}
	if path.Tops < 1 || path.Tops > c.Classes {
		return nil, nil, fmt.Errorf("top-%d accuracy of %d classes", path.Tops, c.Classes)
	}
	fold, err = crossval.Folds[T](path.CrossValidation, solvers.Strata{Y: p.Y}, c.Seed, nil)
	return grid, fold, err
}
