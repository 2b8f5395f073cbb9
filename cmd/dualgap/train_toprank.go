package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// TrainTopRank trains rankings that are right at the top.
type TrainTopRank struct {
	Positive []string `group:"model" placeholder:"CLASS,..." help:"Classes whose examples are to be at the top. By default the larger one of two numbers: 1 of -1 and 1."`
	Method   string   `group:"model" enum:"toppush,patmat" default:"toppush" help:"The threshold is the mean of the k largest scores of negative examples (toppush), or such that a part tau of them may pass (patmat)."`
	K        int      `group:"model" short:"k" placeholder:"K" help:"Of toppush: negative examples that the threshold is the mean of. By default 1."`
	Tau      float64  `group:"model" placeholder:"TAU" help:"Of patmat: part of the negative examples that may pass. By default .05."`
	All      bool     `group:"model" help:"Of patmat: tau is a part of all examples, not of the negative ones."`
	Cost     float64  `group:"model" short:"c" default:"1" help:"Cost of the losses."`
	Loss     string   `group:"model" enum:"quadratic,hinge" default:"quadratic" help:"max(0, 1 + theta s)^2 or max(0, 1 + theta s)."`
	Theta1   float64  `group:"model" name:"theta1" default:"1" help:"theta in the losses of positive examples."`
	Theta2   float64  `group:"model" name:"theta2" default:"1" help:"Of patmat: theta in the threshold."`

	GridC  []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .01, .1, 1, 10, 100."`
	Recall float64   `group:"choose" default:"0.2" help:"Cross-validation measures the precision among the highest scores that hold such a part of the positive examples."`

	Kernels
	Training
}

// Help is what the help says besides.
func (*TrainTopRank) Help() string {
	return `Example: examples of class 1 above those of class -1.

  dualgap train toprank -c 10 train.svm model.dg`
}

// Validate is called by kong.
func (t *TrainTopRank) Validate() error {
	if err := t.Training.Validate(); err != nil {
		return err
	}
	if err := t.validateGrids(map[string][]float64{"grid-c": t.GridC}); err != nil {
		return err
	}
	switch {
	case !(t.Cost > 0):
		return usage("-c %v: need a cost above 0", t.Cost)
	case t.Method == "toppush" && (t.Tau != 0 || t.All):
		return usage("--tau and --all belong to --method patmat; toppush has -k")
	case t.Method == "patmat" && t.K != 0:
		return usage("-k belongs to --method toppush; patmat has --tau")
	}
	return t.Kernels.check()
}

// Run is the command.
func (t *TrainTopRank) Run(ctx context.Context, out *output) error {
	if t.Float64 {
		return train(ctx, out, &t.Training, prepareTopRank[float64](t))
	}
	return train(ctx, out, &t.Training, prepareTopRank[float32](t))
}

func prepareTopRank[T vec.Float](t *TrainTopRank) func(*data.Examples[T]) (job[T], error) {
	return func(e *data.Examples[T]) (j job[T], err error) {
		if err := oneClass(&t.Training, e); err != nil {
			return j, err
		}
		c := toprank.Config{K: t.K, Tau: t.Tau, All: t.All, C: t.Cost, Theta1: t.Theta1, Theta2: t.Theta2}
		if t.Method == "patmat" {
			c.Method = toprank.PatMat
		}
		if t.Loss == "hinge" {
			c.Loss = toprank.Hinge
		}
		p := toprank.Problem[T]{}
		notes := map[string]string{models.NoteTask: models.Top}
		if p.Positive, err = t.positive(e.Classes, e.Y, notes); err != nil {
			return j, err
		}
		if p.X, p.Kernel, err = matrix(&t.Kernels, e.X); err != nil {
			return j, err
		}
		end := func(r *toprank.Result[T], err error) (*trained[T], error) {
			if r == nil {
				return nil, err
			}
			return &trained[T]{r.Outcome, r.Model.Model, notes, fmt.Sprintf("threshold %v", float32(r.Threshold))}, err
		}
		j.fit = func(ctx context.Context, s shared, state io.Reader) (*trained[T], error) {
			c := s.toprank(c)
			if state != nil {
				return end(p.Resume(ctx, state, c))
			}
			return end(p.Fit(ctx, c))
		}
		j.search = func(ctx context.Context, s shared, folds int, grid bool) (*search[T], error) {
			path := toprank.PathConfig{Cs: t.GridC, Folds: folds, Recall: t.Recall}
			if !grid {
				path.Cs = []float64{t.Cost}
			}
			points, err := p.Path(ctx, s.toprank(c), path)
			found := &search[T]{measure: fmt.Sprintf("Precision at Recall %v", t.Recall), parameters: []string{"c"}}
			for _, at := range points {
				found.add(point[T]{
					[]float64{at.C}, at.Precision, at.Spread, func() (*trained[T], error) { return end(at.Result, nil) },
				})
			}
			return found, err
		}
		return j, nil
	}
}

func (s shared) toprank(c toprank.Config) toprank.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress, s.checkpoint
	return c
}

// positive returns of each example whether it is positive, and notes the names of the classes.
func (t *TrainTopRank) positive(classes []string, y []int, notes map[string]string) ([]bool, error) {
	names := t.Positive
	if names == nil {
		if len(classes) != 2 || !isNumber(classes[1]) { // texts are in the order of their first appearance
			return nil, usage("%d classes: say by --positive which are to be at the top, of %s", len(classes), list(classes))
		}
		names = classes[1:]
	}
	is := make([]bool, len(classes))
	for _, name := range names {
		c := place(classes, name)
		if c < 0 {
			return nil, usage("--positive %s: no such class in the data, there are %s", name, list(classes))
		}
		is[c] = true
	}
	var top, others []string
	for c, class := range classes {
		if is[c] {
			top = append(top, class)
		} else {
			others = append(others, class)
		}
	}
	if len(others) == 0 {
		return nil, usage("--positive %s: all examples would be at the top", strings.Join(names, ","))
	}
	notes[models.NotePositive] = strings.Join(top, ",")
	if len(others) == 1 {
		notes[models.NoteNegative] = others[0]
	}
	positive := make([]bool, len(y))
	for i, c := range y {
		positive[i] = is[c]
	}
	return positive, nil
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
