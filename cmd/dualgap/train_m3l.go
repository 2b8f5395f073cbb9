package main

import (
	"context"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// TrainM3L trains multi-label support vector machines, and one against all others.
type TrainM3L struct {
	Cost float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as svm-train's and liblinear-train's -c. (The C of package m3l counts its hinge twice: it is half of this.)"`
	Loss string  `group:"model" enum:"hinge,squared-hinge" default:"hinge" help:"max(0, 1 - y s), as liblinear-train -s 3 has it, or its square, as -s 1 and -s 2."`
	Bias float64 `group:"model" short:"B" default:"-1" help:"Value of a constant feature that is added to every example; below 0: none."`

	Prior      string  `group:"model" default:"none" placeholder:"PRIOR" help:"What is known of how labels go together: none, correlations (those in the training data), or a CSV or NPY file with the matrix R. The order of labels is that of a header of names, or else ascending."`
	Shrink     float64 `group:"model" default:"0.1" help:"How far correlations are shrunk towards none, 0 to 1."`
	Attributes string  `group:"model" placeholder:"FILE" help:"Make the prior of this: a CSV or NPY file with a row for each class to come and a column for each label, 1 where the class has it, -1 where not."`
	Ridge      float64 `group:"model" default:"0.1" help:"How free labels are of each other under --attributes, relative to the diagonal of R."`

	GridC []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .001, .01, .1, 1, 10, 100."`

	ClassWeights
	Kernels
	Training
}

// Help is what the help says besides.
func (*TrainM3L) Help() string {
	return `Examples: labels as "1,3,7" in LIBSVM text, with a prior of their correlations; one class against all others.

  dualgap train m3l --prior correlations train.svm model.dg
  dualgap train m3l -c 1 -B 1 train.svm model.dg

Where examples have one class each, the answer of predict is the class of the largest score; where they have sets of
labels, all labels whose scores are above 0. With -w the losses of a class's examples are multiplied, of labels the losses
of the label.`
}

// Validate is called by kong.
func (t *TrainM3L) Validate() error {
	if err := t.Training.Validate(); err != nil {
		return err
	}
	if err := t.validateGrids(map[string][]float64{"grid-c": t.GridC}); err != nil {
		return err
	}
	switch {
	case !(t.Cost > 0):
		return usage("-c %v: need a cost above 0", t.Cost)
	case t.Prior != "none" && t.Attributes != "":
		return usage("--prior %s and --attributes: need one of them", t.Prior)
	case !(t.Shrink >= 0 && t.Shrink <= 1):
		return usage("--shrink %v: need a number in 0..1", t.Shrink)
	case !(t.Ridge >= 0):
		return usage("--ridge %v: need a number of at least 0", t.Ridge)
	}
	return t.Kernels.check()
}

// Run is the command.
func (t *TrainM3L) Run(ctx context.Context, out *output) error {
	if t.Float64 {
		return train(ctx, out, &t.Training, prepareM3L[float64](t))
	}
	return train(ctx, out, &t.Training, prepareM3L[float32](t))
}

func prepareM3L[T vec.Float](t *TrainM3L) func(*data.Examples[T]) (job[T], error) {
	return func(e *data.Examples[T]) (j job[T], err error) {
		p := m3l.Problem[T]{Y: e.Y, Sets: e.Sets, Names: e.Classes}
		c := m3l.Config{C: t.Cost, Loss: m3l.Hinge, Bias: max(0, t.Bias)}
		if t.Loss == "squared-hinge" {
			c.Loss = m3l.SquaredHinge
		}
		notes := map[string]string{models.NoteTask: models.Classes}
		if e.Sets != nil {
			notes[models.NoteTask] = models.Sets
			c.Costs, err = t.ClassWeights.of(e.Classes)
		} else {
			p.Weights, err = t.ClassWeights.ofExamples(e.Classes, e.Y)
		}
		if err != nil {
			return j, err
		}
		if p.R, p.P, p.Ridge, err = prior(t, e); err != nil {
			return j, err
		}
		if p.X, p.Kernel, err = matrix(&t.Kernels, e.X); err != nil {
			return j, err
		}
		end := func(r *m3l.Result[T], err error) (*trained[T], error) {
			if r == nil {
				return nil, err
			}
			return &trained[T]{Outcome: r.Outcome, model: r.Model, notes: notes}, err
		}
		j.fit = func(ctx context.Context, s shared, state io.Reader) (*trained[T], error) {
			c := s.m3l(c)
			if state != nil {
				return end(p.Resume(ctx, state, c))
			}
			return end(p.Fit(ctx, c))
		}
		j.search = func(ctx context.Context, s shared, folds int, grid bool) (*search[T], error) {
			path := m3l.PathConfig{Cs: t.GridC, Folds: folds}
			if !grid {
				path.Cs = []float64{t.Cost}
			}
			points, err := p.Path(ctx, s.m3l(c), path)
			return searchM3L(points, p.Y == nil, end), err
		}
		return j, nil
	}
}

// searchM3L returns what cross-validation has found: of sets the part of the decisions about labels that are right.
func searchM3L[T vec.Float](points []m3l.Point[T], sets bool, end func(*m3l.Result[T], error) (*trained[T], error)) *search[T] {
	found := &search[T]{measure: "Accuracy", parameters: []string{"c"}}
	if sets {
		found.measure = "Accuracy of Labels"
	}
	for _, at := range points {
		mean, spread := at.Accuracy, at.AccuracySpread
		if sets {
			mean, spread = 1-at.Hamming, at.Spread
		}
		found.add(point[T]{[]float64{at.C}, mean, spread, func() (*trained[T], error) { return end(at.Result, nil) }})
	}
	return found
}

func (s shared) m3l(c m3l.Config) m3l.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress, s.checkpoint
	return c
}

// prior returns R, or its factor P and the ridge, as the flags say.
func prior[T vec.Float](t *TrainM3L, e *data.Examples[T]) (r, p vec.Matrix[float64], ridge float64, err error) {
	labels := len(e.Classes)
	switch {
	case t.Attributes != "":
		attributes, _, err := readMatrix(t.Attributes, e.Classes, 0)
		if err != nil {
			return r, p, 0, err
		}
		if attributes.Rows < labels/2 {
			p, ridge, err = m3l.PriorFactor(attributes, nil, t.Ridge)
		} else {
			r, err = m3l.Prior(attributes, nil, t.Ridge)
		}
		return r, p, ridge, inFile(t.Attributes, err)
	case t.Prior == "none":
		return r, p, 0, nil
	case t.Prior == "correlations" && e.Sets == nil:
		return r, p, 0, fmt.Errorf("%s: examples of one class each have no correlations of labels: leave out --prior correlations", t.Train)
	case t.Prior == "correlations":
		r, err = m3l.Correlations(e.Sets, labels, t.Shrink)
		return r, p, 0, err
	}
	m, order, err := readMatrix(t.Prior, e.Classes, labels)
	if err != nil {
		return r, p, 0, err
	}
	r = vec.NewMatrix[float64](labels, labels)
	for l, from := range order { // columns are in order, rows in that of the file
		copy(r.Row(l), m.Row(from))
	}
	return r, p, 0, nil
}
