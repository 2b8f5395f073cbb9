package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// TrainTopRank trains rankings that are right at the top.
type TrainTopRank struct {
	Positive []string `group:"model" sep:"none" placeholder:"CLASS,..." help:"Classes whose examples are to be at the top; one with a comma in its name alone, or with \\ before the comma. By default the larger one of two numbers: 1 of -1 and 1."`
	Method   string   `group:"model" enum:"toppush,patmat" default:"toppush" help:"The threshold is the mean of the k largest scores of negative examples (toppush), or such that a part tau of them may pass (patmat)."`
	K        int      `group:"model" short:"k" placeholder:"K" help:"Of toppush: negative examples that the threshold is the mean of. By default 1."`
	Tau      float64  `group:"model" placeholder:"TAU" help:"Of patmat: part of the negative examples that may pass. By default .05."`
	All      bool     `group:"model" help:"Of patmat: tau is a part of all examples, not of the negative ones."`
	Cost     float64  `group:"model" short:"c" default:"1" help:"Cost of the losses."`
	Loss     string   `group:"model" enum:"quadratic,hinge" default:"quadratic" help:"max(0, 1 + theta s)^2 or max(0, 1 + theta s)."`
	Theta1   float64  `group:"model" name:"theta1" default:"1" help:"theta in the losses of positive examples."`
	Theta2   float64  `group:"model" name:"theta2" default:"1" help:"Of patmat: theta in the threshold."`

	WithinQueries bool `group:"model" help:"Of toppush: only examples of one query compare, and each query has a threshold of its own. Queries are the groups of the data: qid:, --group-column or --group-file."`

	GridC  []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .01, .1, 1, 10, 100."`
	Recall float64   `group:"choose" default:"0.2" help:"Cross-validation measures the precision among the highest scores that hold such a part of the positive examples; within queries the mean average precision."`

	Weight  []string `hidden:"" short:"w" sep:"none"` // of other families
	Weights string   `hidden:""`

	Kernels
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainTopRank) Help() string {
	return `Example: examples of class 1 above examples of class -1.

  dualgap train toprank -c 10 train.svm model.dg

Documents of label 3 or 4 above the others, in each search:

  dualgap train toprank --within-queries --positive 3,4 searches.svm model.dg`
}

// Validate is called by kong.
func (t *TrainTopRank) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	if err := t.validateGrids(g, map[string][]float64{"grid-c": t.GridC}); err != nil {
		return err
	}
	switch {
	case t.Weight != nil || t.Weights != "":
		return usage("toprank has no weights of examples: -c is the cost of all positive ones, and -k or --tau say " +
			"which negative ones count")
	case !(t.Cost > 0):
		return usage("-c %v: want a cost above 0", t.Cost)
	case t.K < 0:
		return usage("-k %d: want 1 at least", t.K)
	case !(t.Recall > 0 && t.Recall <= 1):
		return usage("--recall %v: want a number above 0 and at most 1", t.Recall)
	}
	return first(
		g.above0("k", "tau", "theta1", "theta2"),
		g.apart(rule{"cv", "cost", ownCosts}),
		g.need(t.Method == "patmat", "--method patmat: toppush has -k", "tau", "all", "theta2"),
		g.need(t.Method == "toppush", "--method toppush: patmat has --tau", "k", "within-queries"),
		g.need(t.Folds > 0 || t.CV > 0, "-v or -cv, which measure at it: add -cv 5", "recall"),
		g.apart(rule{"within-queries", "recall", "queries are measured by their mean average precision"}),
		g.need(t.Metric == "" || t.Metric == "precision", "--metric precision: "+t.Metric+" has no recall", "recall"),
		t.Kernels.validate(g),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainTopRank) Run(ctx context.Context, out *output) error {
	return train(ctx, out, &t.Training, prepareTopRank[float32](t), prepareTopRank[float64](t))
}

func prepareTopRank[T vec.Float](t *TrainTopRank) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		notes := map[string]string{predictor.NoteTask: predictor.Top}
		p, c, err := problemTopRank(t, e, notes)
		if err != nil {
			return j, err
		}
		j.metrics = topMetrics(p.Positive, e.Groups, gradesOf(e), t.Recall)
		if t.WithinQueries {
			j.metrics, notes[predictor.NoteTask] = j.metrics[1:], predictor.Queries // without one threshold for all
		}
		j.task = notes[predictor.NoteTask]
		f := runs[T, toprank.Config, toprank.Result[T]]{p, shared.toprank,
			func(_ toprank.Config, r *toprank.Result[T], err error) (*trained[T], error) {
				return &trained[T]{r.Outcome, r.Model.Model, notes, aboutTopRank(t, r)}, err
			}}
		j.fit, j.memory = f.fit(c), f.memory(c)
		j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
			found.parameters = []string{"c"}
			path := toprank.PathConfig{Cs: t.GridC}
			if !grid {
				path.Cs = []float64{t.Cost}
			}
			return walk(found, s, func(s shared) ([]toprank.Point[T], error) {
				path.CrossValidation = s.cv
				return p.Path(ctx, s.toprank(c), path)
			}, func(at toprank.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
				c := c
				c.C = at.C
				return []float64{at.C}, at.Validation, f.fit(c)
			})
		}
		return j, nil
	}
}

// problemTopRank returns the problem that the flags make of the examples, and notes the names of the classes.
func problemTopRank[T vec.Float](t *TrainTopRank, e *data.Examples[T], notes map[string]string) (
	p toprank.Problem[T], c toprank.Config, err error) {
	c = toprank.Config{K: t.K, Tau: t.Tau, All: t.All, C: t.Cost, Theta1: t.Theta1, Theta2: t.Theta2}
	if t.Method == "patmat" {
		c.Method = toprank.PatMat
	}
	if t.Loss == "hinge" {
		c.Loss = toprank.Hinge
	}
	if err = oneClass(&t.Training, e); err != nil {
		return p, c, err
	}
	if p.Positive, err = t.positive(e.Classes, e.Y, notes); err != nil {
		return p, c, err
	}
	if p.X, p.Kernel, _, err = matrix(&t.Kernels, Intercept{-1}, e.Features()); err != nil {
		return p, c, err
	}
	if t.WithinQueries {
		if p.Groups = e.Groups; p.Groups == nil {
			return p, c, usage("--within-queries: the data have no queries: want qid:, --group-column or --group-file")
		}
	}
	return p, c, nil
}

// aboutTopRank tells of a ranker its threshold, or of how many queries it was learned.
func aboutTopRank[T vec.Float](t *TrainTopRank, r *toprank.Result[T]) string {
	about := fmt.Sprintf("threshold %v", float32(r.Threshold))
	if t.WithinQueries {
		about = fmt.Sprintf("%d queries", r.Queries)
	}
	if r.Idle > 0 {
		about += fmt.Sprintf("; %d others have positive or negative examples alone, and count for nothing", r.Idle)
	}
	return about
}

func (s shared) toprank(c toprank.Config) toprank.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}

// positive returns of each example whether it is positive, and notes the names of the classes.
func (t *TrainTopRank) positive(classes []string, y []int, notes map[string]string) ([]bool, error) {
	names := t.Positive
	if names == nil {
		if len(classes) != 2 || !isNumber(classes[1]) { // texts are in the order of their first appearance
			return nil, usage("%d classes: say by --positive which are to be at the top, of %s", len(classes),
				list(classes))
		}
		names = classes[1:]
	}
	is := make([]bool, len(classes))
	of, err := placesOf(names, classes, "no such class in the data, there are")
	if err != nil {
		return nil, err
	}
	for _, c := range of {
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
	notes[predictor.NotePositive] = predictor.FormatNames(top)
	if len(others) == 1 {
		notes[predictor.NoteNegative] = others[0]
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
