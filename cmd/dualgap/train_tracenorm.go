package main

import (
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// TrainTraceNorm trains multinomial logistic regression with weights of low rank.
type TrainTraceNorm struct {
	Lambda1 float64 `group:"model" name:"lambda1" default:"0" help:"Weight of the trace norm: the larger, the lower the rank. With 0 for both, a fiftieth of the least that makes all weights 0."`
	Lambda2 float64 `group:"model" name:"lambda2" default:"0" help:"Weight of the sum of squares. With 0 for both, a tenth of lambda1."`
	Raw     bool    `group:"model" help:"Train on the examples as they are. By default the mean is taken from them, and the model has offsets for it."`
	Rank    int     `group:"model" default:"0" help:"Largest rank; 0: any."`
	Bias    float64 `group:"model" short:"B" default:"-1" help:"Value of a constant feature that is added to every example; below 0: none."`

	GridLambda1 []float64 `group:"choose" name:"grid-lambda1" placeholder:"L,..." help:"Values of lambda1 to try with -cv. By default 5, from a half to a two hundredth of the least that makes all weights 0."`
	GridLambda2 []float64 `group:"choose" name:"grid-lambda2" placeholder:"L,..." help:"Values of lambda2 to try with -cv. By default a tenth of the median lambda1, and that times and over 10."`

	ClassWeights
	Training
}

// Help is what the help says besides.
func (*TrainTraceNorm) Help() string {
	return `Example: predict prints the probabilities of the classes with -b.

  dualgap train tracenorm --scale standard train.csv model.dg
  dualgap predict -b test.csv model.dg`
}

// Validate is called by kong.
func (t *TrainTraceNorm) Validate() error {
	if err := t.Training.Validate(); err != nil {
		return err
	}
	switch {
	case t.Lambda1 < 0 || t.Lambda2 < 0:
		return usage("--lambda1 %v --lambda2 %v: need numbers of at least 0", t.Lambda1, t.Lambda2)
	case t.Rank < 0:
		return usage("--rank %d: need 1 at least, or 0 for any", t.Rank)
	}
	return t.validateGrids(map[string][]float64{"grid-lambda1": t.GridLambda1})
}

// Run is the command.
func (t *TrainTraceNorm) Run(ctx context.Context, out *output) error {
	if t.Float64 {
		return train(ctx, out, &t.Training, prepareTraceNorm[float64](t))
	}
	return train(ctx, out, &t.Training, prepareTraceNorm[float32](t))
}

func prepareTraceNorm[T vec.Float](t *TrainTraceNorm) func(*data.Examples[T]) (job[T], error) {
	return func(e *data.Examples[T]) (j job[T], err error) {
		if err := oneClass(&t.Training, e); err != nil {
			return j, err
		}
		p := tracenorm.Problem[T]{X: e.X, Y: e.Y, Names: e.Classes}
		c := tracenorm.Config{Lambda1: t.Lambda1, Lambda2: t.Lambda2, Raw: t.Raw, Rank: t.Rank, Bias: max(0, t.Bias)}
		if p.Weights, err = t.ClassWeights.ofExamples(e.Classes, e.Y); err != nil {
			return j, err
		}
		j.fit = func(ctx context.Context, s shared, state io.Reader) (*trained[T], error) {
			c := s.tracenorm(c)
			if state != nil {
				return endTraceNorm(p.Resume(ctx, state, c))
			}
			return endTraceNorm(p.Fit(ctx, c))
		}
		j.search = func(ctx context.Context, s shared, folds int, grid bool) (*search[T], error) {
			return searchTraceNorm(ctx, t, p, s.tracenorm(c), folds, grid)
		}
		return j, nil
	}
}

func (s shared) tracenorm(c tracenorm.Config) tracenorm.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress, s.checkpoint
	return c
}

func endTraceNorm[T vec.Float](r *tracenorm.Result[T], err error) (*trained[T], error) {
	if r == nil {
		return nil, err
	}
	_, m := r.Model.Dims()
	return &trained[T]{
		Outcome: r.Outcome, model: &model.Model[T]{LowRank: r.Model}, notes: map[string]string{models.NoteTask: models.Classes},
		about: fmt.Sprintf("rank %d with %d classes", len(r.Spectrum), m),
	}, err
}

// searchTraceNorm measures accuracy, over a grid or with the weights as given.
func searchTraceNorm[T vec.Float](ctx context.Context, t *TrainTraceNorm, p tracenorm.Problem[T], c tracenorm.Config,
	folds int, grid bool) (*search[T], error) {
	path := tracenorm.PathConfig{Lambda1s: t.GridLambda1, Lambda2s: t.GridLambda2, Folds: folds}
	if !grid {
		if c.Lambda1 == 0 && c.Lambda2 == 0 { // those of Fit
			largest, err := p.LargestLambda1(c)
			if err != nil {
				return nil, err
			}
			c.Lambda1 = largest / 50
			c.Lambda2 = c.Lambda1 / 10
		}
		path.Lambda1s, path.Lambda2s = []float64{c.Lambda1}, []float64{c.Lambda2}
	}
	points, err := p.Path(ctx, c, path)
	s := &search[T]{measure: "Accuracy", parameters: []string{"lambda1", "lambda2"}}
	for _, at := range points {
		if at.Accuracy == nil { // ended early
			break
		}
		s.add(point[T]{
			[]float64{at.Lambda1, at.Lambda2}, at.Accuracy[0], at.Spread[0],
			func() (*trained[T], error) { return endTraceNorm(at.Result, nil) },
		})
	}
	return s, err
}
