package predictor

import (
	"fmt"
	"io"
	"maps"
	"strconv"

	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/model"
)

// noteTransform is the note of an ONNX file of another program with what it makes of the scores.
const noteTransform = "onnx.post_transform"

// WriteONNX writes the model as ONNX: see [exchange.WriteONNX]. Its graph decides as p does: by the largest score, by
// the sign of each, or by the threshold; probabilities are computed where p has some and the model is linear. A
// calibration and thresholds of labels or of two classes are not for the graph: they are in the metadata, as all notes
// are. With the former the graph has no probabilities, with the latter scores alone, as for numbers and for two classes
// by one score. A model with an Offset, which graphs have not, is an error, and so is what WriteONNX refuses.
func (p *Predictor) WriteONNX(w io.Writer) error {
	if p.single != nil {
		return writeONNX(w, p, p.single)
	}
	return writeONNX(w, p, p.double)
}

func writeONNX[T float32 | float64](w io.Writer, p *Predictor, m *model.Model[T]) error {
	if p.offset != 0 {
		return fmt.Errorf("predictor: the model adds %v to its score, which a graph of its kernel does not", p.offset)
	}
	_, outputs := m.Dims()
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
	}
	return exchange.WriteONNX(w, m, o)
}

// readONNX makes a model whose notes say what the graph decides, unless they do already. A model of one score that
// decides nothing is of the task Queries.
func readONNX(r io.Reader) (*Predictor, error) {
	m, told, err := exchange.ReadONNX(r)
	if err != nil {
		return nil, err
	}
	notes := maps.Clone(m.Notes())
	for _, key := range []string{NoteTask, "threshold", "ranks", "solver"} {
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
	case told.Decision == exchange.Ranks:
		notes[NoteTask], notes["threshold"] = Top, strconv.FormatFloat(told.Threshold, 'g', -1, 64)
		if told.Sides != [2]string{} {
			notes[NotePositive], notes[NoteNegative] = FormatNames(told.Sides[:1]), told.Sides[1]
		}
	case told.Decision == exchange.Scores && outputs == 1:
		notes[NoteTask], notes["ranks"] = Queries, "within queries"
	}
	p, err := newPredictor(m.WithNotes(notes))
	if err != nil {
		return nil, fmt.Errorf("an ONNX model: %w", err)
	}
	return p, nil
}
