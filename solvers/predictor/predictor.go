// Package predictor answers with a trained model: it opens the file of any model, and gives the names of classes,
// scores, probabilities and label sets of new examples, raw as they were before training.
//
//	p, err := predictor.Open("model.dg")
//	q, err := p.Predict([]float64{5.1, 3.5, 1.4, .2})
//	fmt.Println(q.Label, q.Probabilities)
//
// What a model was trained with goes with it in its notes: the scaling of the features and their names, thresholds, the
// calibration of probabilities, what its scores stand for. A Predictor applies all of that, for models of float32 and
// of float64 alike, and for the texts of LIBLINEAR and LIBSVM, for ONNX and safetensors. Examples are numbers in the
// order of the features, sparse numbers, or numbers by the name of their feature, one at a time or many: see [Rows].
package predictor

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// A task is what the scores of a model stand for.
const (
	Classes = "classes" // the class of an example is the output with the largest score
	Sets    = "sets"    // an example has the labels whose scores are above 0
	Top     = "top"     // the one output ranks examples, those at the threshold and above are positive
	Queries = "queries" // the one output ranks the examples of a query, and no threshold is for all queries
	Numbers = "numbers" // the one output is the number that is predicted
)

// inside is what a model of one class notes that it predicts. Its task is Top, its threshold 0, and its sides are 1,
// inside, and -1, as LIBSVM names them.
const inside = "inside"

// ErrNoProbabilities says that the scores of a model are none, and which models have some.
var ErrNoProbabilities = errors.New("scores of this model are no probabilities: " +
	"train by tracenorm, by m3l, svm or l1 with the logistic loss, or by topk with its entropy loss and k = 1, or " +
	"calibrate them")

// Predictor is a model with all that its notes say. It is immutable and safe for many goroutines.
type Predictor struct {
	engine engine
	single *model.Model[float32]
	double *model.Model[float64]

	task          string
	notes         map[string]string
	scaling       *dataset.Scaling
	classes       []string // of rankers and of numbers nil
	signed        bool     // the one output tells two classes apart by its sign
	features      []string
	place         map[string]int // of each feature's name
	twice         error          // where two have the same
	positive      []string
	negative      []string
	threshold     float64
	thresholds    []float64            // of labels, or of two classes the one; nil: none
	calibration   *solvers.Calibration // or nil
	offset        float64              // added to the score of the task Numbers
	probabilities bool                 // by it, or since scores are their logarithms
	sigmoids      bool                 // each score has a probability of its own
}

// engine is what depends on the type of the model's numbers.
type engine interface {
	dims() (features, outputs int)
	each(p *Predictor, x Examples, o eachOptions) error
	newRows(features int) numbers
}

// New returns the model with what its notes say. Notes that do not fit the model are an error.
func New[T vec.Float](m *model.Model[T]) (*Predictor, error) {
	p, err := newPredictor(m)
	if err != nil {
		return nil, fmt.Errorf("predictor: %w", err)
	}
	return p, nil
}

func newPredictor[T vec.Float](m *model.Model[T]) (*Predictor, error) {
	features, outputs := m.Dims()
	if features < 1 || outputs < 1 {
		return nil, fmt.Errorf("a model of %d features and %d outputs, want one of each at least", features, outputs)
	}
	p := &Predictor{engine: &typed[T]{m: m}, notes: m.Notes()}
	switch m := any(m).(type) {
	case *model.Model[float32]:
		p.single = m
	case *model.Model[float64]:
		p.double = m
	}
	var err error
	if p.scaling, err = dataset.ScalingOf(p.notes); err != nil {
		return nil, fmt.Errorf("the scaling among the notes: %w", err)
	}
	for _, n := range []int{len(p.scaling.Shift), len(p.scaling.Factor)} {
		if n != 0 && n != features {
			return nil, fmt.Errorf("the scaling among the notes is of %d features, the model has %d", n, features)
		}
	}
	if err := p.nameFeatures(features); err != nil {
		return nil, err
	}
	p.task = taskOf(p.notes)
	p.signed = p.task == Classes && outputs == 1 && p.notes[svm.NoteClasses] != ""
	p.link(outputs)
	if err := p.fitted(outputs); err != nil {
		return nil, err
	}
	return p, taskFor(p, m)
}

// link sets what makes probabilities of the scores of the outputs, by the loss of the training. Of LIBLINEAR's text
// of two classes the scores are 0 and s: their softmax has the 1/(1 + exp(-s)) of liblinear-predict.
func (p *Predictor) link(outputs int) {
	solver, settings := p.notes["solver"], p.notes["settings"]
	text, _ := linear.ParseSolver(p.notes[linear.NoteSolver])
	logistic := strings.Contains(", "+settings, ", loss logistic,")
	switch {
	case p.signed && solver != "svm":
	case (solver == "m3l" || solver == "svm" || solver == "l1") && logistic, text.Logistic() && outputs > 2:
		p.probabilities, p.sigmoids = true, true
	default:
		p.probabilities = solver == "tracenorm" || p.notes[noteTransform] == "SOFTMAX" || text.Logistic() ||
			solver == "topk" && strings.HasPrefix(settings, "K 1, loss top-k entropy,")
	}
}

// taskFor makes p answer as models of its task do.
func taskFor[T vec.Float](p *Predictor, m *model.Model[T]) error {
	_, outputs := m.Dims()
	switch p.task {
	case Top, Queries:
		if p.notes[svm.NotePredicts] == inside && p.notes["threshold"] == "" {
			return p.rank(0, outputs)
		}
		top, err := toprank.Open(m)
		if err != nil {
			return err
		}
		if top.WithinQueries != (p.task == Queries) {
			return fmt.Errorf("the task %q, and a model that ranks within queries: %t", p.task, top.WithinQueries)
		}
		return p.rank(top.Threshold, outputs)
	case Numbers:
		if outputs != 1 {
			return fmt.Errorf("the task %q and %d outputs, expected one", p.task, outputs)
		}
		return p.setOffset()
	case Classes, Sets:
		if p.signed {
			own, err := svm.Open(m)
			if err != nil {
				return err
			}
			p.classes = own.Classes
			return nil
		}
		p.classes = m.Names()
		for c := len(p.classes); c < outputs; c++ {
			p.classes = append(p.classes, fmt.Sprint(c))
		}
		return nil
	}
	return fmt.Errorf("the task %q among the notes, expected %s, %s, %s, %s or %s", p.task, Classes, Sets, Top,
		Queries, Numbers)
}

// taskOf returns the task of a model; one that the library has written says it by what it is.
func taskOf(notes map[string]string) string {
	_, ranks := notes["threshold"]
	switch {
	case notes[NoteTask] != "":
		return notes[NoteTask]
	case ranks:
		return Top
	case notes["ranks"] == "within queries":
		return Queries
	case notes["solver"] == "m3l":
		return Sets
	case notes[svm.NotePredicts] == Numbers:
		return Numbers
	case notes[svm.NotePredicts] == inside:
		return Top
	}
	return Classes
}

// setOffset reads the offset among the notes.
func (p *Predictor) setOffset() (err error) {
	text, ok := p.notes[NoteOffset]
	if !ok {
		return nil
	}
	if p.offset, err = strconv.ParseFloat(text, 64); err != nil || p.offset-p.offset != 0 {
		return fmt.Errorf("the note %q is %q, want a finite number", NoteOffset, text)
	}
	return nil
}

// Offset returns what is added to the score of a model of the task Numbers. It is 0 for others.
func (p *Predictor) Offset() float64 { return p.offset }

// rank makes p a ranker.
func (p *Predictor) rank(threshold float64, outputs int) (err error) {
	if outputs != 1 {
		return fmt.Errorf("a threshold and %d outputs, expected one", outputs)
	}
	p.threshold = threshold
	if p.positive, err = parseNames(p.notes[NotePositive]); err != nil {
		return fmt.Errorf("the note %q: %w", NotePositive, err)
	}
	switch name, known := p.notes[NoteNegative]; {
	case known:
		p.negative = []string{name}
	case p.positive == nil: // nothing has names
		p.positive, p.negative = []string{"1"}, []string{"-1"}
	}
	return nil
}

// nameFeatures reads the names of the features.
func (p *Predictor) nameFeatures(features int) (err error) {
	if p.features, err = parseNames(p.notes[NoteFeatures]); err != nil {
		return fmt.Errorf("the note %q: %w", NoteFeatures, err)
	}
	if p.features == nil {
		return nil
	}
	if len(p.features) != features {
		return fmt.Errorf("the notes name %d features, the model has %d", len(p.features), features)
	}
	p.place = make(map[string]int, features)
	for j, name := range p.features {
		if _, twice := p.place[name]; twice {
			p.twice = fmt.Errorf("an example by the names of features, of which two are %q: give %d numbers in order",
				name, features)
		}
		p.place[name] = j
	}
	return nil
}

// Dims returns the number of features, and of outputs.
func (p *Predictor) Dims() (features, outputs int) { return p.engine.dims() }

// Task returns what the scores stand for: Classes, Sets, Top, Queries or Numbers.
func (p *Predictor) Task() string { return p.task }

// Classes returns the names of the outputs, in the order of the scores: "0", "1", ... where the model has none, and nil
// for rankers and for numbers, whose output is no class. Of a model with one output that tells two classes apart they
// are two: the score of the second is the model's, of the first the same with the other sign. They must not be changed.
func (p *Predictor) Classes() []string { return p.classes }

// Features returns the names of the features, nil if they have none. They must not be changed.
func (p *Predictor) Features() []string { return p.features }

// Scaling returns what is done to examples first: one that changes nothing where there is none. It must not be changed.
func (p *Predictor) Scaling() *dataset.Scaling { return p.scaling }

// Ranks reports whether the model is a ranker: of the task Top or Queries.
func (p *Predictor) Ranks() bool { return p.task == Top || p.task == Queries }

// Threshold returns the score from which a model of the task Top predicts that an example is positive. It is 0 for
// others.
func (p *Predictor) Threshold() float64 { return p.threshold }

// Positive returns the names of the classes that a ranker ranks first. They must not be changed.
func (p *Predictor) Positive() []string { return p.positive }

// Negative returns the name of the class of all others, for rankers. It is "" where these are several classes.
func (p *Predictor) Negative() string {
	if p.negative == nil {
		return ""
	}
	return p.negative[0]
}

// HasProbabilities reports whether predictions have probabilities: where training minimised the softmax loss or the
// logistic loss of each label, be it LIBLINEAR's, or a calibration is among the notes.
func (p *Predictor) HasProbabilities() bool { return p.probabilities }

// Notes returns what the model says of itself. It must not be changed.
func (p *Predictor) Notes() map[string]string { return p.notes }

// Models returns the model: one of the two is nil, by the type of its numbers.
func (p *Predictor) Models() (*model.Model[float32], *model.Model[float64]) {
	return p.single, p.double
}

// Bits returns how many bits a number of the model has, 32 or 64: as many as strconv.FormatFloat needs to write a score
// with no more digits than it has.
func (p *Predictor) Bits() int {
	if p.single != nil {
		return 32
	}
	return 64
}
