package main

import (
	"context"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// TrainOneClass trains support vector machines of one class.
type TrainOneClass struct {
	Nu float64 `group:"model" short:"n" default:"0.5" help:"Most of the examples, by weight, that may be outside, as svm-train's and liblinear-train's -n."`

	Weights string `group:"model" placeholder:"FILE" help:"Multiply the loss of each example by its weight, of at least 0: a file with a number a line, or NPY."`
	Kernels
	Training
}

// Help is what the help says besides.
func (*TrainOneClass) Help() string {
	return `All examples are of the class; labels are not used, and --unlabeled files will do. Example: by a Gaussian
kernel, with at most a tenth of the examples outside.

  dualgap train oneclass -t gaussian -n .1 train.svm model.dg

The answer of predict is 1, inside, where the score is at least 0, and else -1, and the score. Where data have the labels 1
and -1, predict and evaluate compare, and "dualgap calibrate --threshold false-rate=.01" moves the border. Without a kernel
inside is a side of a plane that 0 is on the other side of: features that are centred are for a kernel.`
}

// Validate is called by kong.
func (t *TrainOneClass) Validate(k *kong.Context) error {
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	t.bare = true
	switch {
	case !(t.Nu > 0 && t.Nu <= 1):
		return usage("-n %v: want a number above 0, at most 1", t.Nu)
	case t.CV > 0:
		return usage("-cv %d: examples of one class do not tell how large -n is to be", t.CV)
	case t.Fitting.any():
		return usage("--calibrate and --threshold: examples of one class do not tell what is outside")
	}
	return t.Kernels.validate(givenIn(k))
}

// Run is the command.
func (t *TrainOneClass) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareOneClass[float32](t), prepareOneClass[float64](t), t.Weights)
}

func prepareOneClass[T vec.Float](t *TrainOneClass) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		p, c := svm.Problem[T]{OneClass: true}, svm.Config{Nu: t.Nu}
		if p.Weights, err = (&Weights{Weights: t.Weights}).fromFile(&t.Training, e.Len()); err != nil {
			return j, err
		}
		if p.X, p.Kernel, _, err = matrix(&t.Kernels, Intercept{-1}, e.Features()); err != nil {
			return j, err
		}
		j.task, j.metrics = predictor.Top, outsideMetrics()
		return searchSVM(j, p, c, svm.PathConfig{}, []string{"n"}), nil
	}
}

// outsideMetrics measure models of one class by examples that are of it.
func outsideMetrics() []metric {
	of := func(scores vec.Matrix[float64], rows []int) (float64, error) {
		outside := 0
		for p := range rows {
			if scores.Row(p)[0] < 0 {
				outside++
			}
		}
		return float64(outside) / float64(max(1, len(rows))), nil
	}
	return []metric{{"outside", true, solvers.Measure{Name: "Outside", Smaller: true, Of: of}}}
}
