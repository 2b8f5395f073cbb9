package predictor

import (
	"fmt"
	"io"
	"maps"

	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/svm"
)

// noteTransform is the note of an ONNX file of another program with what it makes of the scores.
const noteTransform = "onnx.post_transform"

// WriteONNX writes the model as ONNX: see [exchange.WriteONNX]. Its graph decides as p does: by the largest score, by
// the sign of each, or by the threshold; probabilities are computed where p has some and the model is linear. A
// calibration and thresholds of labels or of two classes are not for the graph: they are in the metadata, as all notes
// are. With the former the graph has no probabilities, with the latter scores alone, as for numbers and for two classes
// by one score. An Offset becomes one of the model itself, of the numbers that it has. What exchange.WriteONNX refuses
// is an error.
func (p *Predictor) WriteONNX(w io.Writer) error {
	if p.single != nil {
		return writeONNX(w, p, p.single)
	}
	return writeONNX(w, p, p.double)
}

func writeONNX[T float32 | float64](w io.Writer, p *Predictor, m *model.Model[T]) error {
	_, outputs := m.Dims()
	if p.offset != 0 {
		var err error
		if m, err = withOffset(m, p.offset); err != nil {
			return fmt.Errorf("predictor: the model adds %v to its score: %w", p.offset, err)
		}
	}
	o := exchange.ONNXOptions{Decision: exchange.Scores}
	switch {
	case p.thresholds != nil:
	case p.task == Classes && outputs > 1:
		soft := p.probabilities && !p.sigmoids && p.calibration == nil
		o.Decision, o.Softmax = exchange.Classes, soft && m.Kernel == nil && m.Kernels == nil
	case p.task == Sets:
		o.Decision = exchange.Labels
	case p.task == Top:
		o.Decision, o.Threshold = exchange.Ranks, p.threshold
		o.OneClass = p.notes[svm.NotePredicts] == inside
	}
	return exchange.WriteONNX(w, m, o)
}

// withOffset returns a model of one output whose own offset is larger by v, in place of the note.
func withOffset[T float32 | float64](m *model.Model[T], v float64) (*model.Model[T], error) {
	notes, own := maps.Clone(m.Notes()), *m
	delete(notes, NoteOffset)
	bias := []T{T(v)}
	add := func(to []T) {
		if to != nil {
			bias[0] = T(v + float64(to[0]))
		}
	}
	var err error
	switch {
	case m.Kernel != nil:
		add(m.Kernel.Bias())
		own.Kernel, err = m.Kernel.WithBias(bias)
	case m.Linear != nil:
		add(m.Linear.Bias())
		own.Linear, err = linear.New(m.Linear.Weights(), bias, m.Names())
	case m.LowRank != nil:
		add(m.LowRank.Bias())
		u, w := m.LowRank.Factors()
		own.LowRank, err = linear.NewLowRank(u, w, bias, m.Names())
	default:
		return m, nil // many kernels, which WriteONNX refuses
	}
	if err != nil {
		return nil, err
	}
	return own.WithNotes(notes), nil
}

// readONNX makes a model whose notes say what the graph decides, unless they do already. A model of one score that
// decides nothing is of the task Queries.
func readONNX(r io.Reader) (*Predictor, error) {
	m, told, err := exchange.ReadONNX(r)
	if err != nil {
		return nil, err
	}
	notes := maps.Clone(m.Notes())
	for _, key := range []string{NoteTask, "threshold", "ranks", "solver", svm.NotePredicts, svm.NoteClasses} {
		if _, ok := notes[key]; ok {
			return newPredictor(m)
		}
	}
	if notes == nil {
		notes = map[string]string{}
	}
	switch _, outputs := m.Dims(); {
	case told.Decision == exchange.Labels:
		notes[NoteTask] = Sets
	case told.OneClass:
		notes[svm.NotePredicts], notes["threshold"] = inside, formatThreshold(told.Threshold)
	case told.Sides != [2]string{}:
		notes[NoteTask], notes[svm.NoteClasses] = Classes, twoClasses(told.Sides[1], told.Sides[0])
	case told.Decision == exchange.Ranks:
		notes[NoteTask], notes["threshold"] = Top, formatThreshold(told.Threshold)
	case told.Decision == exchange.Scores && outputs == 1:
		notes[NoteTask], notes["ranks"] = Queries, "within queries"
	}
	p, err := newPredictor(m.WithNotes(notes))
	if err != nil {
		return nil, fmt.Errorf("an ONNX model: %w", err)
	}
	return p, nil
}
