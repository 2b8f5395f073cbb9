package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// TrainM3L trains multi-label support vector machines, and one against all others.
type TrainM3L struct {
	Cost float64 `group:"model" short:"c" default:"1" help:"Cost of the losses, as svm-train's and liblinear-train's -c. (The C of package m3l counts its hinge twice: it is half of this.)"`
	Loss string  `group:"model" enum:"default,hinge,squared-hinge,logistic" default:"default" help:"max(0, 1 - y s), hinge, as svm-train and liblinear-train -s 3 have it, its square, squared-hinge, as -s 1 and -s 2, or log(1 + exp(-y s)), logistic, as -s 0 and -s 7. By default the square where each example has one class and there is no kernel, as liblinear-train without -s."`

	Prior      string  `group:"model" default:"none" placeholder:"PRIOR" help:"What is known of how labels go together: none, correlations (in the training data), or a CSV or NPY file with the matrix R. The order of labels is the order of a header of names, or else ascending."`
	Shrink     float64 `group:"model" default:"0.1" help:"How far correlations are shrunk towards none, 0 to 1."`
	Attributes string  `group:"model" placeholder:"FILE" help:"Make the prior of this: a CSV or NPY file with a row for each class to come and a column for each label, 1 where the class has it, -1 where not."`
	Priors     string  `group:"model" name:"class-priors" placeholder:"P,..." help:"How probable the classes of --attributes are: numbers, or a CSV or NPY file with one a row. By default all are as probable."`
	Ridge      float64 `group:"model" default:"0.1" help:"How free labels are of each other under --attributes, relative to the diagonal of R."`

	GridC []float64 `group:"choose" name:"grid-c" placeholder:"C,..." help:"Costs to try with -cv. By default .001, .01, .1, 1, 10, 100."`

	Intercept
	Related
	Weights
	Kernels
	Codes
	Training
}

// Help is what the help says besides.
func (*TrainM3L) Help() string {
	return `Examples: labels as "1,3,7" in LIBSVM text, with a prior of their correlations; one class against all others.

  dualgap train m3l --prior correlations train.svm model.dg
  dualgap train m3l -c 1 train.svm model.dg

Where examples have one class each, the answer of predict is the class of the largest score; where they have sets of
labels, all labels whose scores are above 0. With -w the losses of a class's examples are multiplied, of labels the losses
of the label.`
}

// Validate is called by kong.
func (t *TrainM3L) Validate(k *kong.Context) error {
	g := givenIn(k)
	if err := t.Training.Validate(k); err != nil {
		return err
	}
	if err := t.validateGrids(g, map[string][]float64{"grid-c": t.GridC}); err != nil {
		return err
	}
	switch {
	case !(t.Cost > 0):
		return usage("-c %v: want a cost above 0", t.Cost)
	case !(t.Shrink >= 0 && t.Shrink <= 1):
		return usage("--shrink %v: want a number in 0..1", t.Shrink)
	case !(t.Ridge >= 0):
		return usage("--ridge %v: want a number of at least 0", t.Ridge)
	}
	if t.Prior == "correlations" && t.Fitting.any() {
		return usage("--prior correlations with --calibrate or --threshold: the prior knows the labels of the parts " +
			"that are held out; want dualgap calibrate on other examples")
	}
	return first(
		g.apart(rule{"cv", "cost", ownCosts}, rule{"prior", "attributes", "want one of them"}),
		g.need(t.Prior == "correlations", "--prior correlations, which it shrinks", "shrink"),
		g.need(t.Attributes != "", "--attributes: it is of the prior that these make", "ridge", "class-priors"),
		g.apart(rule{"prior-model", "kernel", noWeights}, rule{"prior-model", "scale", notScaled}),
		t.Kernels.validate(g),
		t.Codes.validate(&t.Training),
	)
}

// Run is the command.
func (t *TrainM3L) Run(ctx context.Context, out *output) error {
	if err := t.Related.open(&t.Training); err != nil {
		return err
	}
	return train(ctx, out, &t.Training, prepareM3L[float32](t), prepareM3L[float64](t), t.inputs()...)
}

// inputs are the files that flags of this family name.
func (t *TrainM3L) inputs() []string {
	files := []string{t.Weights.Weights, t.Attributes, t.PriorModel}
	if _, err := numbersOf(t.Priors); err != nil {
		files = append(files, t.Priors)
	}
	if t.Prior == "none" || t.Prior == "correlations" {
		return files
	}
	return append(files, t.Prior)
}

func prepareM3L[T vec.Float](t *TrainM3L) preparing[T] {
	return func(e *data.Examples[T]) (j job[T], err error) {
		p, c, err := problemM3L(t, e, &j.hint)
		if err != nil {
			return j, err
		}
		notes := map[string]string{predictor.NoteTask: predictor.Classes}
		j.metrics = classMetrics(p.Y, len(e.Classes), 1, false)
		if p.Sets != nil {
			j.task, notes[predictor.NoteTask] = predictor.Sets, predictor.Sets
			j.metrics = labelMetrics(p.Sets, len(e.Classes))
		}
		f := runs[T, m3l.Config, m3l.Result[T]]{p, shared.m3l,
			func(_ m3l.Config, r *m3l.Result[T], err error) (*trained[T], error) {
				return &trained[T]{Outcome: r.Outcome, model: r.Model, notes: notes}, err
			}}
		j.fit, j.memory = f.fit(c), f.memory(c)
		if p.Kernel == nil {
			j.wrong = rounding(p.X, c.Bias, t.middle(t.Cost, t.GridC))
		}
		j.search = func(ctx context.Context, s shared, found *search[T], grid bool) error {
			found.parameters = []string{"c"}
			path := m3l.PathConfig{Cs: t.GridC}
			if !grid {
				path.Cs = []float64{t.Cost}
			}
			return walk(found, s, func(s shared) ([]m3l.Point[T], error) {
				path.CrossValidation = s.cv
				return p.Path(ctx, s.m3l(c), path)
			}, func(at m3l.Point[T]) ([]float64, solvers.Validation, fitting[T]) {
				c := c
				c.C = at.C
				return []float64{at.C}, at.Validation, f.fit(c)
			})
		}
		return j, nil
	}
}

// problemM3L returns the problem that the flags make of the examples, and says in hint what looks wrong.
func problemM3L[T vec.Float](t *TrainM3L, e *data.Examples[T], hint *string) (p m3l.Problem[T], c m3l.Config,
	err error) {
	p = m3l.Problem[T]{Y: e.Y, Sets: e.Sets, Names: e.Classes}
	c = m3l.Config{C: t.Cost, Loss: m3l.Hinge}
	switch {
	case t.Loss == "logistic":
		c.Loss = m3l.Logistic
	case t.Loss == "squared-hinge" || t.Loss == "default" && e.Sets == nil && t.Kernel == "none":
		c.Loss = m3l.SquaredHinge
	}
	if e.Sets != nil {
		if c.Costs, err = t.Weights.ofClasses(e.Classes, nil); err != nil {
			return p, c, err
		}
		p.Weights, err = t.Weights.fromFile(&t.Training, e.Len())
	} else {
		p.Weights, err = weightsOf(&t.Weights, &t.Training, e)
	}
	if err != nil {
		return p, c, err
	}
	if p.R, p.P, p.Ridge, err = prior(t, e, hint); err != nil {
		return p, c, err
	}
	if p.X, p.Kernel, c.Bias, err = matrix(&t.Kernels, t.Intercept, e.Features()); err == nil {
		p.Prior, err = weightsFor(&t.Related, &t.Training, e, c.Bias)
	}
	return p, c, err
}

func (s shared) m3l(c m3l.Config) m3l.Config {
	c.Tol, c.Epochs, c.Seed, c.Workers, c.Progress, c.Checkpoint = s.tol, s.epochs, s.seed, s.workers, s.progress,
		s.checkpoint
	return c
}

// classPriors returns the probabilities of classes that a list of numbers or a file has, nil for "".
func classPriors(text string) ([]float64, error) {
	numbers, err := numbersOf(text)
	if err == nil {
		return numbers, nil
	}
	e, err := data.Open[float64](text, data.Options{Format: "auto", Header: "auto", Multiply: 1, Unlabeled: true}, nil)
	if err != nil {
		return nil, err
	}
	x, ok := e.X.(*dataset.Dense[float64])
	if !ok || x.Cols != 1 {
		_, columns := e.X.Dims()
		return nil, fmt.Errorf("%s: %d columns, want one of probabilities in a file .csv or .npy", text, columns)
	}
	return x.Data[:x.Rows], nil
}

// numbersOf returns the numbers of a list such as .5,.25; nil for "".
func numbersOf(list string) (numbers []float64, err error) {
	if list == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, v)
	}
	return numbers, nil
}

// prior returns R, or its factor P and the ridge, as the flags say, and says in hint what looks wrong.
func prior[T vec.Float](t *TrainM3L, e *data.Examples[T], hint *string) (r, p vec.Matrix[float64], ridge float64,
	err error) {
	labels := len(e.Classes)
	switch {
	case t.Attributes != "":
		attributes, _, err := readMatrix(t.Attributes, e.Classes, 0)
		if err != nil {
			return r, p, 0, err
		}
		*hint = zeroOne(t.Attributes, attributes)
		probabilities, err := classPriors(t.Priors)
		if err != nil {
			return r, p, 0, err
		}
		if attributes.Rows < labels/2 {
			p, ridge, err = m3l.PriorFactor(attributes, probabilities, t.Ridge)
		} else {
			r, err = m3l.Prior(attributes, probabilities, t.Ridge)
		}
		return r, p, ridge, inFile(t.Attributes, err)
	case t.Prior == "none":
		return r, p, 0, nil
	case t.Prior == "correlations" && e.Sets == nil:
		return r, p, 0, fmt.Errorf("%s: examples of one class each have no correlations of labels: leave out --prior "+
			"correlations", t.Train)
	case t.Prior == "correlations":
		r, err = m3l.Correlations(e.Sets, labels, t.Shrink)
		return r, p, 0, err
	}
	m, order, err := readMatrix(t.Prior, e.Classes, labels)
	if err != nil {
		return r, p, 0, err
	}
	r = vec.NewMatrix[float64](labels, labels)
	for l, from := range order { // columns are in order, rows as in the file
		copy(r.Row(l), m.Row(from))
	}
	return r, p, 0, nil
}
