package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// TrainTopK trains top-k support vector machines.
type TrainTopK struct {
	K         int     `group:"model" short:"k" default:"1" help:"Guesses that count: an example is right where its class is among the k best."`
	Loss      string  `group:"model" placeholder:"LOSS" help:"topk-entropy (k = 1: softmax), topk-hinge (k = 1: the hinge of Crammer and Singer) or topk-usunier; for sets of labels multilabel-hinge, multilabel-softmax or squared-hinge (one against all). By default topk-entropy, which is the most accurate on most data; with a kernel or --smoothing topk-hinge, whose models need few of the examples."`
	Smoothing float64 `group:"model" default:"0" help:"Of topk-hinge and topk-usunier: the larger, the smoother."`
	Cost      float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as LIBLINEAR's -c; the objective has Lambda = 1/(c n) for n examples."`
	Lambda    float64 `group:"model" placeholder:"LAMBDA" help:"Weight of the regularization, in place of the cost."`

	GridC     []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .001, .01, .1, 1, 10, 100."`
	GridK     []int     `group:"choose" name:"grid-k" placeholder:"K,..." help:"Values of k to train with under -cv; what counts is the accuracy of the first -k guesses. By default k."`
	GridGamma []float64 `group:"choose" name:"grid-g" placeholder:"GAMMA,..." help:"Values of gamma to try with -cv. By default gamma."`

	Intercept
	Related
	Weights
	Kernels
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainTopK) Help() string {
	return `Example: five guesses count, and the cost is chosen by cross-validation in five parts.

  dualgap train topk -k 5 -cv 5 train.svm model.dg

With -k 1 it is multinomial logistic regression, and with --loss topk-hinge the multi-class support vector machine of
Crammer and Singer, liblinear-train -s 4.`
}

// losses are the names of the losses in flags.
var losses = map[string]topk.Loss{
	"topk-hinge": topk.TopKHinge, "topk-usunier": topk.TopKUsunier, "topk-entropy": topk.TopKEntropy,
	"multilabel-hinge": topk.MultilabelHinge, "multilabel-softmax": topk.MultilabelSoftmax,
	"squared-hinge": topk.SquaredHinge,
}

// setLosses are the losses for sets of labels.
var setLosses = []string{"multilabel-hinge", "multilabel-softmax", "squared-hinge"}

// loss returns the name of the loss. Without a flag it is the most accurate one, but with a kernel the one whose models
// do not need every example.
func (t *TrainTopK) loss() string {
	switch {
	case t.Loss != "":
		return t.Loss
	case t.Kernel != "none" || t.Smoothing != 0:
		return "topk-hinge"
	}
	return "topk-entropy"
}

// Validate is called by kong.
func (t *TrainTopK) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	if err := t.validateGrids(g, map[string][]float64{"grid-c": t.GridC, "grid-k": floats(t.GridK),
		"grid-g": t.GridGamma}); err != nil {
		return err
	}
	if _, ok := losses[t.loss()]; !ok {
		return usage("--loss %s: want topk-hinge, topk-usunier, topk-entropy, %s", t.Loss,
			strings.Join(setLosses, ", "))
	}
	switch {
	case !(t.Cost > 0):
		return usage("-c %v: want a cost above 0", t.Cost)
	case g["lambda"] != nil && !(t.Lambda > 0):
		return usage("--lambda %v: want a number above 0", t.Lambda)
	case t.K < 1:
		return usage("-k %d: want 1 guess at least", t.K)
	case g["smoothing"] != nil && t.Loss != "" && t.Loss != "topk-hinge" && t.Loss != "topk-usunier":
		return usage("--smoothing %v and --loss %s: topk-hinge and topk-usunier alone have a smoothing", t.Smoothing,
			t.Loss)
	}
	return first(
		g.apart(
			rule{"cost", "lambda", "lambda is 1/(c n), want one of them"},
			rule{"cv", "cost", ownCosts},
			rule{"cv", "lambda", ownCosts},
		),
		g.apart(rule{"prior-model", "kernel", noWeights}, rule{"prior-model", "scale", notScaled}),
		t.Kernels.validate(g),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainTopK) Run(ctx context.Context, out *output) error {
	if err := t.Related.open(&t.Training); err != nil {
		return err
	}
	return train(ctx, out, &t.Training, prepareTopK[float32](t), prepareTopK[float64](t), t.Weights.Weights,
		t.PriorModel)
}

func prepareTopK[T vec.Float](t *TrainTopK) preparing[T] {
	return func(e *data.Examples[T]) (job[T], error) {
		p, c, err := problemTopK(t, e)
		if err != nil {
			return job[T]{}, err
		}
		f := runsTopK(p)
		j := job[T]{fit: f.fit(c), memory: f.memory(c), paths: max(1, len(t.GridK)) * max(1, len(t.GridGamma))}
		if p.Kernel == nil {
			j.wrong = rounding(p.X, c.Bias, t.middle(1/(c.Lambda*float64(e.Len())), t.GridC))
		}
		j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
			return searchTopK(ctx, s, t, e, p, c, found, grid)
		}
		if p.Sets != nil {
			j.metrics = orderMetrics(p.Sets, t.K)
		} else {
			j.metrics = classMetrics(p.Y, len(e.Classes), t.K, c.Loss == topk.TopKEntropy && t.K == 1 && t.GridK == nil)
		}
		return j, nil
	}
}

func runsTopK[T vec.Float](p topk.Problem[T]) runs[T, topk.Config, topk.Result[T]] {
	return runs[T, topk.Config, topk.Result[T]]{p, shared.topk,
		func(_ topk.Config, r *topk.Result[T], err error) (*trained[T], error) {
			return &trained[T]{Outcome: r.Outcome, model: r.Model}, err
		}}
}

func (s shared) topk(c topk.Config) topk.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}

// problemTopK returns the problem that the flags make of the examples.
func problemTopK[T vec.Float](t *TrainTopK, e *data.Examples[T]) (p topk.Problem[T], c topk.Config, err error) {
	p = topk.Problem[T]{Y: e.Y, Sets: e.Sets, Names: e.Classes}
	c = topk.Config{K: t.K, Loss: losses[t.loss()], Smoothing: t.Smoothing, Lambda: t.Lambda}
	if t.Lambda == 0 {
		c.Lambda = 1 / (t.Cost * float64(e.Len()))
	}
	if err := enoughClasses(t.K, e.Classes); err != nil {
		return p, c, err
	}
	if !slices.Contains(setLosses, t.Loss) {
		if err = oneClass(&t.Training, e); err != nil {
			return p, c, fmt.Errorf("%w, or --loss %s", err, setLosses[0])
		}
		p.Y, p.Sets = e.Y, nil
	}
	if p.Weights, err = weightsOf(&t.Weights, &t.Training, e); err != nil {
		return p, c, err
	}
	if p.X, p.Kernel, c.Bias, err = matrix(&t.Kernels, t.Intercept, e.Features()); err == nil {
		p.Prior, err = weightsFor(&t.Related, &t.Training, e, c.Bias)
	}
	return p, c, err
}
