package toprank

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Classes is a problem of m classes as m problems of ranking, one against all: the ranker of class c has the examples
// of c for its positive ones and all others for its negative ones. The class of an example is the one whose score is
// highest above its ranker's threshold: see [ClassModel].
//
// It minimises the sum over the classes of the objective (4), which is a problem of its own for each.
type Classes[T vec.Float] struct {
	X      design.Matrix[T]  // n examples by d features, or
	Kernel *kernel.Matrix[T] // n-by-n, their inner products

	Y     []int             // the class of each example, in 0..m-1; each class has an example
	Names []string          // of the m classes; default: none, and m is the largest class + 1
	Start *ClassesResult[T] // of the same examples, whatever its Config was; default: from 0
}

// ClassesResult is what Classes.Fit returns: a model with an output for each class, and the rankers with their
// thresholds, dual variables and certificates.
//
// The Outcome is the sum of the rankers': Certificate, Visits and Passes are sums, Epochs is the largest number, and
// Status is Converged where all have converged, else the status of the first that has not. The sums of primal and of
// dual values certify the sum of the objectives, and where each relative gap is within Tol, so is the sum's.
type ClassesResult[T vec.Float] struct {
	*ClassModel[T]
	solvers.Outcome
	Rankers []*Result[T] // of each class
}

// Fit trains the rankers, one after the other, each as Problem.Fit does and with its seed. Errors name the class.
// When ctx ends it returns the rankers so far, with weights of 0 for the other classes, and the error of ctx.
// Config.Progress is told of each ranker, whose epochs begin afresh; a Config.Checkpoint is an error, as a state is of
// one ranker: train Problems of a class each to have states.
func (p Classes[T]) Fit(ctx context.Context, c Config) (*ClassesResult[T], error) {
	m, err := p.check(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r := &ClassesResult[T]{Rankers: make([]*Result[T], m)}
	var why error
	for k := range r.Rankers {
		if r.Rankers[k], err = p.ranker(k).Fit(ctx, c); r.Rankers[k] == nil {
			return nil, fmt.Errorf("%s: class %d: %w", name, k, err)
		}
		if why == nil {
			why = err
		}
		r.add(r.Rankers[k].Outcome)
	}
	if r.ClassModel, err = p.model(r.Rankers, r.Outcome); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, why
}

// Memory estimates from above what Fit takes besides the examples, or returns its error. O(n).
func (p Classes[T]) Memory(c Config) (solvers.Memory, error) {
	m, err := p.check(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	memory, err := p.ranker(0).Memory(c)
	if err != nil {
		return nil, err
	}
	return append(memory, family.Numbers("dual variables of all rankers", 2, 8, len(p.Y), "examples", m, "classes")),
		nil
}

// check returns the number of classes, or what is wrong beside what is wrong with a ranker.
func (p Classes[T]) check(c Config) (m int, err error) {
	_, n, _, err := family.Begin(c.options(), p.X, p.Kernel, 0)
	if err != nil {
		return 0, err
	}
	labels := family.Labels{One: p.Y}
	if m, err = labels.Named(n, 0, p.Names); err != nil {
		return 0, err
	}
	if c.Checkpoint.Save != nil {
		return 0, fmt.Errorf("a Checkpoint with Classes, of which each ranker has a state: want none")
	}
	if p.Start != nil && len(p.Start.Rankers) != m {
		return 0, fmt.Errorf("Start of %d classes, but there are %d", len(p.Start.Rankers), m)
	}
	return m, nil
}

// ranker is the problem of class k.
func (p Classes[T]) ranker(k int) Problem[T] {
	q := Problem[T]{X: p.X, Kernel: p.Kernel, Positive: make([]bool, len(p.Y))}
	for i, y := range p.Y {
		q.Positive[i] = y == k
	}
	if p.Start != nil {
		q.Start = p.Start.Rankers[k]
	}
	return q
}

// model joins the rankers' models.
func (p Classes[T]) model(rankers []*Result[T], o solvers.Outcome) (*ClassModel[T], error) {
	rows := len(p.Y)
	if p.Kernel == nil {
		_, rows = p.X.Dims()
	}
	m := &ClassModel[T]{Thresholds: make([]float64, len(rankers))}
	count := len(rankers)
	texts, offsets, joined := make([]string, count), make([]T, count), vec.NewMatrix[T](rows, count)
	for k, r := range rankers {
		m.Thresholds[k], offsets[k] = r.Threshold, T(-r.Threshold)
		texts[k] = strconv.FormatFloat(r.Threshold, 'g', -1, 64)
		if p.Kernel == nil {
			w := r.Linear.Weights()
			for j := range rows {
				joined.Row(j)[k] = w.Row(j)[0]
			}
			continue
		}
		coefficients := r.Model.Kernel.Coefficients()
		for s, i := range r.Model.Kernel.Support() {
			joined.Row(i)[k] = coefficients.Row(s)[0]
		}
	}
	notes := rankers[0].Notes()
	delete(notes, note)
	notes["outcome"] = o.String()
	var err error
	if p.Kernel == nil {
		var l *linear.Model[T]
		l, err = linear.New(joined, offsets, p.Names)
		m.Model = (&model.Model[T]{Linear: l}).WithNotes(notes)
		return m, err
	}
	notes[thresholdsNote] = strings.Join(texts, " ")
	m.Model, err = family.ModelOf(p.Kernel, joined, 0, p.Names, notes)
	return m, err
}

// add takes the outcome of one more ranker in.
func (r *ClassesResult[T]) add(o solvers.Outcome) {
	first := r.Status == solvers.Running
	r.Certificate.Primal += o.Certificate.Primal
	r.Certificate.Dual += o.Certificate.Dual
	r.Visits, r.Passes, r.Tol = r.Visits+o.Visits, r.Passes+o.Passes, o.Tol
	r.Epochs = max(r.Epochs, o.Epochs)
	r.ModelEpoch = r.Epochs
	r.ZeroModel = o.ZeroModel && (first || r.ZeroModel)
	if first || r.Status == solvers.Converged {
		r.Status = o.Status
	}
}
