package predictor

import (
	"bytes"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// oneScore is a random model of one score with an offset of its own or none: linear, of low rank or of a kernel.
func oneScore[T vec.Float](t *testing.T, rng *rand.Rand, notes map[string]string) *model.Model[T] {
	t.Helper()
	d, n := 2+rng.IntN(6), 1+rng.IntN(8)
	draw := func(rows, cols int) vec.Matrix[T] {
		m := vec.NewMatrix[T](rows, cols)
		for i := range m.Data {
			m.Data[i] = T(rng.NormFloat64())
		}
		return m
	}
	var bias []T
	if rng.IntN(2) == 0 {
		bias = draw(1, 1).Data
	}
	var own model.Model[T]
	var err error
	switch rng.IntN(4) {
	case 0:
		own.Linear, err = linear.New(draw(d, 1), bias, nil)
	case 1:
		own.LowRank, err = linear.NewLowRank(draw(d, 1), draw(1, 1), bias, nil)
	default:
		var k *kernel.Matrix[T]
		k, err = kernel.New(&dataset.Dense[T]{Matrix: draw(n, d)}, kernel.Gaussian{Gamma: .3}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if own.Kernel, err = kernel.NewExpansion(k, draw(n, 1), nil); err == nil {
			own.Kernel, err = own.Kernel.WithBias(bias)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return own.WithNotes(notes)
}

// TestExchangeOneScore: 100 random models of each kind of one score, of either type of numbers, answer through ONNX and
// safetensors as they do: of one class, with a threshold and without, numbers with an offset of their own and one among
// the notes, two classes.
func TestExchangeOneScore(t *testing.T) {
	for kind, notes := range map[string]map[string]string{
		"one class":           {svm.NotePredicts: inside, "solver": "svm"},
		"one class, cut":      {svm.NotePredicts: inside, "threshold": "0.25"},
		"numbers":             {svm.NotePredicts: Numbers, "solver": "svm"},
		"numbers, and offset": {NoteTask: Numbers, NoteOffset: "-1.5"},
		"classes":             {svm.NoteClasses: `["a","b"]`, "solver": "svm"},
	} {
		t.Run(kind, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(31, uint64(len(kind))))
			for range 100 {
				throughFormats(t, rng, oneScore[float32](t, rng, notes), 1e-6)
				throughFormats(t, rng, oneScore[float64](t, rng, notes), 1e-5)
			}
		})
	}
}

// throughFormats compares answers. Scores of ONNX, and of weights that were multiplied out, are off by rounding.
func throughFormats[T vec.Float](t *testing.T, rng *rand.Rand, m *model.Model[T], rounding float64) {
	t.Helper()
	if m.LowRank != nil && m.Notes()[svm.NotePredicts]+m.Notes()[svm.NoteClasses]+m.Notes()["threshold"] != "" {
		return // svm and toprank have none
	}
	p, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(w io.Writer) error{
		"ONNX": p.WriteONNX, "safetensors": func(w io.Writer) error { return exchange.WriteSafetensors(w, m) },
	} {
		var file bytes.Buffer
		if err := write(&file); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&file)
		if err != nil {
			t.Fatal(name, err)
		}
		if text, ok := again.Notes()[NoteOffset]; ok && name == "ONNX" {
			t.Fatalf("the graph leaves the offset %s to a note", text)
		}
		if again.Task() != p.Task() || again.Threshold() != p.Threshold() {
			t.Fatalf("%s: task %s, threshold %v, want %s, %v", name, again.Task(), again.Threshold(), p.Task(),
				p.Threshold())
		}
		d, _ := p.Dims()
		row := make([]float64, d)
		for j := range row {
			row[j] = float64(float32(rng.NormFloat64()))
		}
		want, err := p.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.Predict(row)
		if err != nil {
			t.Fatal(err)
		}
		own, theirs := want.Scores[len(want.Scores)-1], got.Scores[len(got.Scores)-1]
		off, most := math.Abs(own-theirs), 0.0
		if name == "ONNX" {
			most = rounding * (10 + math.Abs(own))
		}
		if !(off <= most) || got.Label != want.Label && math.Abs(own-p.Threshold()) > most {
			t.Fatalf("%s of %v: score %v, label %q, want %v, %q", name, maps.Clone(p.Notes()), theirs, got.Label, own,
				want.Label)
		}
	}
}
