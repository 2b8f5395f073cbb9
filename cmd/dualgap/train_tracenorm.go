package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// TrainTraceNorm trains multinomial logistic regression with weights of low rank.
type TrainTraceNorm struct {
	Lambda1 float64 `group:"model" name:"lambda1" default:"0" help:"Weight of the trace norm: the larger, the lower the rank. With 0 for both, a two thousandth of the least that makes all weights 0."`
	Lambda2 float64 `group:"model" name:"lambda2" default:"0" help:"Weight of the sum of squares. With 0 for both, a tenth of lambda1."`
	Raw     bool    `group:"model" help:"Train on the examples as they are. By default the mean is taken from them, and the model has offsets for it."`
	Rank    int     `group:"model" default:"0" help:"Largest rank; 0: any."`
	Bias    float64 `group:"model" short:"B" default:"0" help:"The intercept: the value of a constant feature that every example has, regularized as the others. 0: as large as they are, the root of the mean of their variances. -1: none."`

	GridLambda1 []float64 `group:"choose" name:"grid-lambda1" placeholder:"L,..." help:"Values of lambda1 to try with -cv. By default 5, from a half to a two thousandth of the least that makes all weights 0."`
	GridLambda2 []float64 `group:"choose" name:"grid-lambda2" placeholder:"L,..." help:"Values of lambda2 to try with -cv. By default a tenth of the median lambda1, and that times and over 10."`

	Weights
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainTraceNorm) Help() string {
	return `Example: predict prints the probabilities of the classes with -b.

  dualgap train tracenorm --scale standard train.csv model.dg
  dualgap predict -b test.csv model.dg`
}

// Validate is called by kong.
func (t *TrainTraceNorm) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	switch {
	case (g["lambda1"] != nil || g["lambda2"] != nil) && t.Lambda1 == 0 && t.Lambda2 == 0:
		return usage("--lambda1 %v and --lambda2 %v: want one of them above 0, or leave out both", t.Lambda1, t.Lambda2)
	case t.Lambda1 < 0 || t.Lambda2 < 0:
		return usage("--lambda1 %v --lambda2 %v: want numbers of at least 0", t.Lambda1, t.Lambda2)
	case t.Rank < 0:
		return usage("--rank %d: want 1 at least, or 0 for any", t.Rank)
	}
	const own = "-cv tries values of its own: name them by --grid-lambda1 and --grid-lambda2, or leave out one of " +
		"the two"
	return first(
		g.apart(rule{"cv", "lambda1", own}, rule{"cv", "lambda2", own}),
		t.validateGrids(g, map[string][]float64{"grid-lambda1": t.GridLambda1, "grid-lambda2": t.GridLambda2}),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainTraceNorm) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareTraceNorm[float32](t), prepareTraceNorm[float64](t), t.Weights.Weights)
}

func prepareTraceNorm[T vec.Float](t *TrainTraceNorm) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		if err := oneClass(&t.Training, e); err != nil {
			return j, err
		}
		p := tracenorm.Problem[T]{X: e.Features(), Y: e.Y, Names: e.Classes}
		c := tracenorm.Config{Lambda1: t.Lambda1, Lambda2: t.Lambda2, Raw: t.Raw, Rank: t.Rank, Bias: max(0, t.Bias)}
		if t.Bias == 0 {
			c.Bias = spread(e.Features())
		}
		if p.Weights, err = weightsOf(&t.Weights, &t.Training, e); err != nil {
			return j, err
		}
		f := runsTraceNorm(p)
		j.fit, j.memory, j.metrics = f.fit(c), f.memory(c), classMetrics(p.Y, len(e.Classes), 1, true)
		j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
			return searchTraceNorm(ctx, s, t, p, c, found, grid)
		}
		return j, nil
	}
}

func runsTraceNorm[T vec.Float](p tracenorm.Problem[T]) runs[T, tracenorm.Config, tracenorm.Result[T]] {
	return runs[T, tracenorm.Config, tracenorm.Result[T]]{p, shared.tracenorm,
		func(_ tracenorm.Config, r *tracenorm.Result[T], err error) (*trained[T], error) {
			_, m := r.Model.Dims()
			return &trained[T]{
				Outcome: r.Outcome, model: &model.Model[T]{LowRank: r.Model},
				notes: map[string]string{predictor.NoteTask: predictor.Classes},
				about: fmt.Sprintf("rank %d with %d classes", len(r.Spectrum), m),
			}, err
		}}
}

func (s shared) tracenorm(c tracenorm.Config) tracenorm.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}

// searchTraceNorm measures points of a grid, or the weights as given.
func searchTraceNorm[T vec.Float](ctx context.Context, s shared, t *TrainTraceNorm, p tracenorm.Problem[T],
	c tracenorm.Config, found *search[T], grid bool) error {
	found.parameters = []string{"lambda1", "lambda2"}
	path := tracenorm.PathConfig{Lambda1s: t.GridLambda1, Lambda2s: t.GridLambda2}
	if !grid {
		if c.Lambda1 == 0 && c.Lambda2 == 0 { // as Fit has them
			largest, err := p.LargestLambda1(s.tracenorm(c))
			if err != nil {
				return err
			}
			c.Lambda1 = largest / 2000
			c.Lambda2 = c.Lambda1 / 10
		}
		path.Lambda1s, path.Lambda2s = []float64{c.Lambda1}, []float64{c.Lambda2}
	}
	return walk(found, s, func(s shared) ([]tracenorm.Point[T], error) {
		path.CrossValidation = s.cv
		return p.Path(ctx, s.tracenorm(c), path)
	}, func(at tracenorm.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
		c := c
		c.Lambda1, c.Lambda2 = at.Lambda1, at.Lambda2
		return []float64{at.Lambda1, at.Lambda2}, at.Validation, runsTraceNorm(p).fit(c)
	})
}
