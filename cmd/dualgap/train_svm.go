package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// TrainSVM trains support vector machines of two classes with one weight vector.
type TrainSVM struct {
	Cost     float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as svm-train's and liblinear-train's -c."`
	Loss     string  `group:"model" enum:"default,hinge,squared-hinge,logistic" default:"default" help:"max(0, 1 - y s), hinge, as svm-train and liblinear-train -s 3 have it, its square, squared-hinge, as -s 1 and -s 2, or log(1 + exp(-y s)), logistic, as -s 0 and -s 7: its models have probabilities. By default the square without a kernel, as liblinear-train without -s, and the hinge with one."`
	Positive string  `group:"model" placeholder:"CLASS" help:"Class of the examples whose scores are to be above 0. By default the larger one of two numbers: 1 of -1 and 1; of names the one that appears second."`

	GridC []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .001, .01, .1, 1, 10, 100."`

	Intercept
	Offset
	Weights
	Kernels
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainSVM) Help() string {
	return `Examples: two classes by a linear model, and by a Gaussian kernel.

  dualgap train svm -c 1 train.svm model.dg
  dualgap train svm -t gaussian -c 10 train.svm model.dg
  dualgap train svm --loss logistic train.svm model.dg

The model that svm-train -t 2 -c 10 -g .1 trains:

  dualgap train svm -t gaussian -c 10 -g .1 --offset train.svm model.dg

The model has one score: the class is the positive one where it is above 0, and else the other. Of more than two classes
m3l and topk have a score for each.`
}

// Validate is called by kong.
func (t *TrainSVM) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	if err := t.validateGrids(g, map[string][]float64{"grid-c": t.GridC}); err != nil {
		return err
	}
	if !(t.Cost > 0) {
		return usage("-c %v: want a cost above 0", t.Cost)
	}
	return first(
		g.apart(rule{"cv", "cost", ownCosts}, bothOffsets),
		t.Kernels.validate(g),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainSVM) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareSVM[float32](t), prepareSVM[float64](t), t.Weights.Weights)
}

func prepareSVM[T vec.Float](t *TrainSVM) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		p, c, err := problemSVM(t, e)
		if err != nil {
			return j, err
		}
		j.metrics = signMetrics(p.Y)
		if p.Kernel == nil {
			j.wrong = rounding(p.X, c.Bias, t.middle(t.Cost, t.GridC))
		}
		path := svm.PathConfig{Cs: t.GridC}
		return searchSVM(j, p, c, path, []string{"c"}), nil
	}
}

// searchSVM returns j with the training of p, and the search along the path; parameters are what it goes along.
func searchSVM[T vec.Float](j job[T], p svm.Problem[T], c svm.Config, path svm.PathConfig,
	parameters []string) job[T] {
	f := runs[T, svm.Config, svm.Result[T]]{p, shared.svm,
		func(_ svm.Config, r *svm.Result[T], err error) (*trained[T], error) {
			return &trained[T]{Outcome: r.Outcome, model: r.Model.Model}, err
		}}
	j.fit, j.memory = f.fit(c), f.memory(c)
	j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
		found.parameters = parameters
		path := path
		switch {
		case p.OneClass:
			path.Nus = []float64{c.Nu}
		case !grid:
			path.Cs, path.Epsilons = []float64{c.C}, nil
		}
		return walk(found, s, func(s shared) ([]svm.Point[T], error) {
			path.CrossValidation = s.cv
			return p.Path(ctx, s.svm(c), path)
		}, func(at svm.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
			c := c
			c.C, c.Epsilon, c.Nu = at.C, at.Epsilon, at.Nu
			if p.OneClass {
				return []float64{at.Nu}, at.Validation, f.fit(c)
			}
			return []float64{at.C, at.Epsilon}[:len(parameters)], at.Validation, f.fit(c)
		})
	}
	return j
}

// problemSVM returns the problem that the flags make of the examples.
func problemSVM[T vec.Float](t *TrainSVM, e *data.Examples[T]) (p svm.Problem[T], c svm.Config, err error) {
	switch {
	case e.Sets != nil:
		return p, c, fmt.Errorf("%s: sets of labels, want one of two classes: see m3l", t.Train)
	case len(e.Classes) < 2:
		return p, c, fmt.Errorf("all examples have the class %s: there is nothing to learn", list(e.Classes))
	case len(e.Classes) > 2:
		return p, c, fmt.Errorf("%d classes, want two: m3l tells each from all others, topk all of them, and regress "+
			"predicts a number", len(e.Classes))
	}
	p = svm.Problem[T]{Y: e.Y, Names: e.Classes}
	if t.Positive != "" {
		switch place(e.Classes, t.Positive) {
		case -1:
			return p, c, usage("--positive %s: no such class in the data, there are %s", t.Positive, list(e.Classes))
		case 0:
			e.Classes = []string{e.Classes[1], e.Classes[0]} // also for what is fitted on held-out scores
			for i, y := range e.Y {
				e.Y[i] = 1 - y
			}
			p.Names = e.Classes
		}
	}
	if p.Weights, err = weightsOf(&t.Weights, &t.Training, e); err != nil {
		return p, c, err
	}
	c = svm.Config{C: t.Cost, Loss: svm.Hinge}
	if t.Loss == "squared-hinge" || t.Loss == "default" && t.Kernel == "none" {
		c.Loss = svm.SquaredHinge
	} else if t.Loss == "logistic" {
		c.Loss = svm.Logistic
	}
	c.Offset = t.Offset.Offset
	p.X, p.Kernel, c.Bias, err = matrix(&t.Kernels, t.Offset.instead(t.Intercept), e.Features())
	return p, c, err
}

func (s shared) svm(c svm.Config) svm.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}
