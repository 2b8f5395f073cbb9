package predictor_test

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// echo returns a model whose scores are the m numbers of an example.
func echo(t *testing.T, m int, notes map[string]string) (*model.Model[float32], *predictor.Predictor, error) {
	t.Helper()
	w := vec.NewMatrix[float32](m, m)
	for l := range m {
		w.Row(l)[l] = 1
	}
	linear, err := linear.New(w, nil, []string{"a", "b", "c", "d"}[:m])
	if err != nil {
		t.Fatal(err)
	}
	own := &model.Model[float32]{Linear: linear.WithNotes(notes)}
	p, err := predictor.New(own)
	return own, p, err
}

// TestFitted: calibrations and thresholds of a file's notes are applied, after a round trip through every format that
// keeps notes.
func TestFitted(t *testing.T) {
	sets, top := map[string]string{predictor.NoteTask: predictor.Sets}, map[string]string{"threshold": "1"}
	for name, c := range map[string]struct {
		notes         map[string]string
		calibration   string
		thresholds    []float64
		x             []float64
		labels        string
		probabilities []float64
	}{
		"temperature": {nil, "softmax slope 0.5", nil, []float64{0, 2 * math.Log(3), 0}, "b", []float64{.2, .6, .2}},
		"of softmax": {map[string]string{"solver": "tracenorm"}, "softmax slope 0", nil, []float64{0, 2}, "b",
			[]float64{.5, .5}},
		"platt": {nil, "normalized slope 0 0 0 offset 0 0 0", nil, []float64{3, 2, 1}, "a",
			[]float64{1. / 3, 1. / 3, 1. / 3}},
		"two": {nil, "softmax slope 1 offset 0 1", []float64{2}, []float64{1, 3}, "b",
			[]float64{1 / (1 + math.Exp(3)), 1 / (1 + math.Exp(-3))}},
		"two, below": {nil, "", []float64{2.5}, []float64{1, 3}, "a", nil},
		"two, any":   {nil, "", []float64{-2}, []float64{3, 1}, "b", nil},
		"sets": {sets, "sigmoid slope 1 0 1 offset 0 0 1", nil, []float64{0, 5, 1}, "b,c", []float64{.5, .5,
			1 / (1 + math.Exp(-2))}},
		"sets at others": {sets, "", []float64{0, 6, 1}, []float64{0, 5, 1}, "a,c", nil},
		"sets at 0":      {sets, "", nil, []float64{0, 5e-324, -1}, "", nil}, // float32
		"ranker":         {top, "sigmoid slope 1 offset -1", nil, []float64{1}, "1", []float64{.5}},
	} {
		notes := map[string]string{}
		for key, note := range c.notes {
			notes[key] = note
		}
		if c.calibration != "" {
			notes[solvers.CalibrationNote] = c.calibration
		}
		if c.thresholds != nil {
			notes[predictor.NoteThresholds] = predictor.FormatThresholds(c.thresholds)
		}
		own, p, err := echo(t, len(c.x), notes)
		if err != nil {
			t.Fatal(name, err)
		}
		all := []*predictor.Predictor{p}
		var file, onnx bytes.Buffer
		if _, err := own.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteONNX(&onnx); err != nil {
			t.Fatal(err)
		}
		for _, b := range []*bytes.Buffer{&file, &onnx} {
			p, err := predictor.Read(b)
			if err != nil {
				t.Fatal(name, err)
			}
			all = append(all, p)
		}
		for k, p := range all {
			q, err := p.Predict(c.x)
			if err != nil {
				t.Fatal(name, err)
			}
			if got := strings.Join(q.Labels, ","); got != c.labels ||
				(q.Class >= 0) != (p.Task() == predictor.Classes) ||
				q.Class >= 0 && p.Classes()[q.Class] != c.labels {
				t.Errorf("%s, %d: %q, class %d, want %q", name, k, got, q.Class, c.labels)
			}
			if p.HasProbabilities() != (c.probabilities != nil) || len(q.Probabilities) != len(c.probabilities) ||
				!reflect.DeepEqual(p.Thresholds(), c.thresholds) {
				t.Fatalf("%s, %d: probabilities %v, want %v; thresholds %v", name, k, q.Probabilities, c.probabilities,
					p.Thresholds())
			}
			for l, v := range q.Probabilities {
				if math.Abs(v-c.probabilities[l]) > 1e-6 { // scores are float32
					t.Errorf("%s, %d: probabilities %v, want %v", name, k, q.Probabilities, c.probabilities)
				}
			}
			if best, err := p.TopK(q, 1); len(c.x) == 2 && (err != nil || best[0] != c.labels) {
				t.Errorf("%s: the best is %v, %v", name, best, err)
			}
			if best, err := p.TopK(q, 2); len(c.x) == 2 && (err != nil || best[0] != c.labels || best[1] == c.labels) {
				t.Errorf("%s: the best are %v, %v", name, best, err)
			}
		}
	}
}

// TestFittedErrors: notes that do not fit the model are an error that names the note.
func TestFittedErrors(t *testing.T) {
	for want, c := range map[string]struct {
		outputs     int
		task        string
		calibration string
		thresholds  string
	}{
		`want softmax, sigmoid or normalized`: {2, predictor.Classes, "soft", ""},
		`2 slopes for 3 outputs`: {3, predictor.Classes, "softmax slope 1 2",
			""},
		`"calibration": sigmoid for 2 outputs of the task "classes"`:     {2, predictor.Classes, "sigmoid slope 1", ""},
		`"calibration": softmax for 2 outputs of the task "sets"`:        {2, predictor.Sets, "softmax slope 1", ""},
		`"calibration": sigmoid for 1 outputs of the task "queries"`:     {1, predictor.Queries, "sigmoid slope 1", ""},
		`"thresholds": 2 thresholds for 2 outputs of the task "classes"`: {2, predictor.Classes, "", "1 2"},
		`"thresholds": 1 thresholds for 3 outputs of the task "classes"`: {3, predictor.Classes, "", "1"},
		`"thresholds": 1 thresholds for 2 outputs of the task "sets"`:    {2, predictor.Sets, "", "1"},
		`"thresholds": 1 thresholds for 1 outputs of the task "top"`:     {1, predictor.Top, "", "1"},
		`"thresholds": "x", want finite numbers`:                         {2, predictor.Sets, "", "1 x"},
		`"thresholds": "Inf", want finite`:                               {2, predictor.Sets, "", "1 Inf"},
	} {
		notes := map[string]string{predictor.NoteTask: c.task}
		switch c.task {
		case predictor.Queries:
			notes["ranks"] = "within queries"
		case predictor.Top:
			notes["threshold"] = "0"
		}
		if c.calibration != "" {
			notes[solvers.CalibrationNote] = c.calibration
		}
		if c.thresholds != "" {
			notes[predictor.NoteThresholds] = c.thresholds
		}
		if _, _, err := echo(t, c.outputs, notes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
