package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// TrainL1 trains linear models with L1 regularization.
type TrainL1 struct {
	Cost float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as liblinear-train's -c: the smaller, the fewer features have a weight."`
	Loss string  `group:"model" enum:"squared-hinge,logistic" default:"squared-hinge" help:"max(0, 1 - y s)², squared-hinge, as liblinear-train -s 5 has it, or log(1 + exp(-y s)), logistic, as -s 6."`

	GridC []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default 7, from twice the largest that makes all weights 0 to a thousand times that."`

	Intercept
	Weights
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainL1) Help() string {
	return `Example: few features that tell the classes apart; inspect names them.

  dualgap train l1 -cv 5 --loss logistic --scale standard train.csv model.dg
  dualgap inspect model.dg

Of more than two classes each is trained against all others.`
}

// Validate is called by kong.
func (t *TrainL1) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	if !(t.Cost > 0) {
		return usage("-c %v: want a cost above 0", t.Cost)
	}
	return first(
		g.apart(rule{"cv", "cost", ownCosts}),
		t.validateGrids(g, map[string][]float64{"grid-c": t.GridC}),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainL1) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareL1[float32](t), prepareL1[float64](t), t.Weights.Weights)
}

func prepareL1[T vec.Float](t *TrainL1) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		if err := oneClass(&t.Training, e); err != nil {
			return j, err
		}
		p := l1.Problem[T]{X: e.Features(), Y: e.Y, Names: e.Classes}
		c := l1.Config{C: t.Cost, Bias: t.Intercept.value()}
		if t.Loss == "logistic" {
			c.Loss = l1.Logistic
		}
		if p.Weights, err = weightsOf(&t.Weights, &t.Training, e); err != nil {
			return j, err
		}
		f := runsL1(p)
		j.fit, j.memory, j.metrics = f.fit(c), f.memory(c), classMetrics(p.Y, len(e.Classes), 1, false)
		j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
			found.parameters = []string{"c"}
			path := l1.PathConfig{Cs: t.GridC}
			if !grid {
				path.Cs = []float64{t.Cost}
			}
			return walk(found, s, func(s shared) ([]l1.Point[T], error) {
				path.CrossValidation = s.cv
				return p.Path(ctx, s.l1(c), path)
			}, func(at l1.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
				c := c
				c.C = at.C
				return []float64{at.C}, at.Validation, f.fit(c)
			})
		}
		return j, nil
	}
}

func runsL1[T vec.Float](p l1.Problem[T]) runs[T, l1.Config, l1.Result[T]] {
	return runs[T, l1.Config, l1.Result[T]]{p, shared.l1,
		func(_ l1.Config, r *l1.Result[T], err error) (*trained[T], error) {
			d, _ := r.Dims()
			return &trained[T]{
				Outcome: r.Outcome, model: &model.Model[T]{Linear: r.Model},
				notes: map[string]string{predictor.NoteTask: predictor.Classes},
				about: fmt.Sprintf("%d of %d features have a weight", r.Nonzeros(), d),
			}, err
		}}
}

func (s shared) l1(c l1.Config) l1.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}
