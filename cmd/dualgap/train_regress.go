package main

import (
	"context"
	"fmt"
	"math"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// TrainRegress trains support vector regression.
type TrainRegress struct {
	Cost    float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as svm-train's and liblinear-train's -c."`
	Epsilon float64 `group:"model" short:"p" default:"0.1" help:"How far a prediction may be from the label at no cost, as svm-train's and liblinear-train's -p."`
	Loss    string  `group:"model" enum:"default,insensitive,squared-insensitive" default:"default" help:"max(0, |s - y| - epsilon), insensitive, as svm-train -s 3 and liblinear-train -s 13 have it, or its square, squared-insensitive, as liblinear-train -s 11 and -s 12. By default the square without a kernel, and the first with one."`

	GridC []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .001, .01, .1, 1, 10, 100."`
	GridP []float64 `group:"choose" name:"grid-p" placeholder:"EPSILON,..." help:"Epsilons to try with -cv. By default the one of -p."`

	Intercept
	Offset
	Weights string `group:"model" placeholder:"FILE" help:"Multiply the loss of each example by its weight, of at least 0: a file with a number a line, or NPY."`
	Kernels
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainRegress) Help() string {
	return `The label of each example is the number to predict. Examples: a linear model, and one of a Gaussian kernel.

  dualgap train regress -p .1 train.csv model.dg
  dualgap train regress -t gaussian -c 10 train.svm model.dg

The intercept is regularized by default, with a kernel too, and pulls predictions towards 0: where the numbers are far
from 0 beside their spread take --offset, as svm-train -s 3 has it.

The answer of predict is the number; evaluate tells the mean squared error, the mean absolute error and R².`
}

// Validate is called by kong.
func (t *TrainRegress) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	t.numbers = true
	if err := t.validateGrids(g, map[string][]float64{"grid-c": t.GridC, "grid-p": t.GridP}); err != nil {
		return err
	}
	switch {
	case !(t.Cost > 0):
		return usage("-c %v: want a cost above 0", t.Cost)
	case !(t.Epsilon >= 0) || math.IsInf(t.Epsilon, 1):
		return usage("-p %v: want a finite number of at least 0", t.Epsilon)
	}
	return first(
		g.apart(rule{"cv", "cost", ownCosts}, rule{"grid-p", "epsilon", "-cv tries the values of --grid-p"},
			bothOffsets),
		t.Kernels.validate(g),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainRegress) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareRegress[float32](t), prepareRegress[float64](t), t.Weights)
}

func prepareRegress[T vec.Float](t *TrainRegress) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		if e.Values == nil {
			return j, fmt.Errorf("%s: labels that are no numbers, want the number to predict of each example", t.Train)
		}
		p, c := svm.Problem[T]{Targets: e.Values}, svm.Config{C: t.Cost, Loss: svm.Insensitive, Epsilon: t.Epsilon}
		if t.Loss == "squared-insensitive" || t.Loss == "default" && t.Kernel == "none" {
			c.Loss = svm.SquaredInsensitive
		}
		if p.Weights, err = (&Weights{Weights: t.Weights}).fromFile(&t.Training, e.Len()); err != nil {
			return j, err
		}
		c.Offset = t.Offset.Offset
		if p.X, p.Kernel, c.Bias, err = matrix(&t.Kernels, t.Offset.instead(t.Intercept), e.Features()); err != nil {
			return j, err
		}
		j.task, j.metrics = predictor.Numbers, numberMetrics(e.Values)
		if p.Kernel == nil {
			j.wrong = rounding(p.X, c.Bias, t.middle(t.Cost, t.GridC))
		}
		parameters := []string{"c"}
		if t.GridP != nil {
			parameters = append(parameters, "p")
		}
		return searchSVM(j, p, c, svm.PathConfig{Cs: t.GridC, Epsilons: t.GridP}, parameters), nil
	}
}
