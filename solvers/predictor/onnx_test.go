package predictor

import (
	"bytes"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/model"
)

// onnxFile is a file of ONNX as another program writes it.
func onnxFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "exchange", "testdata", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	file, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// foreign is its model.
func foreign(t *testing.T, name string) *Predictor {
	t.Helper()
	p, err := Read(bytes.NewReader(onnxFile(t, name)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

// Files of scikit-learn's converter answer as their operators are defined to, scaling included.
func TestForeignONNX(t *testing.T) {
	for _, c := range []struct {
		name, task string
		row        []float64
		label      string
		score      float64 // the last one
	}{
		{"pipeline", Classes, []float64{1, 2.5}, "yes", 4.5}, {"pipeline", Classes, []float64{1, 1.5}, "no", -3.5},
		{"svc", Classes, []float64{0, 1}, "3", 1.25 + .5*math.Exp(-.5) - 1.5*math.Exp(-1)},
		{"svc", Classes, []float64{-1, 0}, "-5", math.Exp(-1) + .5*math.Exp(-2.5) - 1.25},
		{"oneclass", Top, []float64{1, 0}, "1", 1 + .5*math.Exp(-.5)},
		{"oneclass", Top, []float64{9, 9}, "-1", math.Exp(-.25*145) * 1.5},
		{"svr", Queries, []float64{1, 0}, "", 6.75}, {"regression", Classes, []float64{3, 4}, "0", 1.8},
		{"linearsvc", Classes, []float64{1, 0}, "1", 1.5}, {"linearsvc", Classes, []float64{0, 1}, "0", -1.5},
	} {
		p := foreign(t, c.name)
		q, err := p.Predict(c.row)
		if err != nil {
			t.Fatal(err)
		}
		if last := q.Scores[len(q.Scores)-1]; p.Task() != c.task || q.Label != c.label ||
			math.Abs(last-c.score) > 1e-6*max(1, math.Abs(c.score)) {
			t.Errorf("%s of %v: task %s, label %q, score %v, want %s, %q, %v", c.name, c.row, p.Task(), q.Label, last,
				c.task, c.label, c.score)
		}
	}
}

// TestWriteONNX: a model of each task is the same model with the same task when it is read, and a graph decides as it
// does.
func TestWriteONNX(t *testing.T) {
	for want, p := range map[exchange.Decision]struct {
		notes map[string]string
		names []string
		w     []float32
	}{
		exchange.Classes: {map[string]string{"solver": "tracenorm"}, []string{"a", "b"}, []float32{1, 2, 3, 4}},
		exchange.Labels:  {map[string]string{NoteTask: Sets}, []string{"a", "b"}, []float32{1, 2, 3, 4}},
		exchange.Ranks:   {map[string]string{NoteTask: Top, "threshold": "0.5"}, nil, []float32{1, 2}},
		exchange.Scores:  {map[string]string{"ranks": "within queries"}, nil, []float32{1, 2}},
	} {
		m, err := New(&model.Model[float32]{Linear: model1(t, p.notes, p.names, p.w...)})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := m.WriteONNX(&file); err != nil {
			t.Fatal(err)
		}
		_, told, err := exchange.ReadONNX(bytes.NewReader(file.Bytes()))
		if err != nil || told.Decision != want || told.Softmax != m.HasProbabilities() {
			t.Errorf("%+v, %v, want %v", told, err, want)
		}
		back, err := Read(&file)
		if err != nil || back.Task() != m.Task() || back.Threshold() != m.Threshold() ||
			!slices.Equal(back.Classes(), m.Classes()) || back.HasProbabilities() != m.HasProbabilities() {
			t.Errorf("%v: %+v, want %+v: %v", want, back, m, err)
		}
	}
	for _, head := range []string{"\x08\x07\x12\x01", "\x02\x00\x00\x00\x00\x00\x00\x00{}"} {
		_, err := Read(strings.NewReader(head))
		if err == nil || !strings.HasPrefix(err.Error(), "predictor: exchange: reading ") {
			t.Errorf("%q: %v", head, err)
		}
	}
}

// A model of the library without notes keeps what the graph decides.
func TestNoNotes(t *testing.T) {
	m := &model.Model[float32]{Linear: model1[float32](t, nil, nil, 1, 2, 3, 4)}
	for decision, task := range map[exchange.Decision]string{exchange.Classes: Classes, exchange.Labels: Sets} {
		var file bytes.Buffer
		if err := exchange.WriteONNX(&file, m, exchange.ONNXOptions{Decision: decision}); err != nil {
			t.Fatal(err)
		}
		p, err := Read(&file)
		if err != nil || p.Task() != task {
			t.Errorf("%v: %v, want %s", err, p, task)
		}
	}
}
