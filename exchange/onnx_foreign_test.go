package exchange

import (
	"bytes"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// decoded returns the bytes of a file of hexadecimal text with comments.
func decoded(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		for word := range strings.FieldsSeq(line) {
			all.WriteString(word)
		}
	}
	b, err := hex.DecodeString(all.String())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scaledScores are the scores of one example, which is scaled as the notes say.
func scaledScores(t *testing.T, m *model.Model[float32], x []float32) []float32 {
	t.Helper()
	s, err := dataset.ScalingOf(m.Notes())
	if err != nil {
		t.Fatal(err)
	}
	row := slices.Clone(x)
	if err := dataset.ScaleRow(row, s, row, nil); err != nil {
		t.Fatal(err)
	}
	d, outputs := m.Dims()
	dst := vec.NewMatrix[float32](1, outputs)
	if err := m.Scores(dst, &dataset.Dense[float32]{Matrix: vec.MatrixOf(1, d, row)}, nil); err != nil {
		t.Fatal(err)
	}
	return dst.Data
}

// TestForeignOffset: rho of a regressor is the offset of the expansion, of any kernel.
func TestForeignOffset(t *testing.T) {
	file, err := onnx.Parse(decoded(t, "svr"))
	if err != nil {
		t.Fatal(err)
	}
	n := &file.Graph.Nodes[0]
	for i, a := range n.Attributes {
		switch a.Name {
		case "kernel_type":
			n.Attributes[i] = onnx.Text(a.Name, "RBF")
		case "kernel_params":
			n.Attributes[i] = onnx.Floats(a.Name, []float32{.5, 0, 0})
		case "rho":
			n.Attributes[i] = onnx.Floats(a.Name, []float32{.75})
		}
	}
	m, _, err := ReadONNX(bytes.NewReader(file.Append(nil)))
	if err != nil || m.Kernel == nil || !slices.Equal(m.Kernel.Bias(), []float32{.75}) {
		t.Fatal(m, err)
	}
	s := scaledScores(t, m, []float32{1e4, 1e4})
	if s[0] != .75 { // far from all support vectors
		t.Errorf("a score of %v, want .75", s)
	}
}

// Files of scikit-learn's converter have the scores that its operators define, computed here in float64.
func TestForeignONNX(t *testing.T) {
	rbf := func(gamma float64, x, z [2]float64) float64 {
		return math.Exp(-gamma * ((x[0]-z[0])*(x[0]-z[0]) + (x[1]-z[1])*(x[1]-z[1])))
	}
	for _, c := range []struct {
		name  string
		told  ONNXOptions
		names []string
		score func(x [2]float64) []float64
	}{
		{"pipeline", ONNXOptions{}, []string{"no", "yes"}, func(x [2]float64) []float64 {
			v := (x[0]-1)*.5 + 2*(x[1]-2)*4 + .5
			return []float64{-v, v}
		}},
		{"svc", ONNXOptions{Decision: Ranks, Sides: [2]string{"3", "-5"}}, nil,
			func(x [2]float64) []float64 {
				return []float64{rbf(.5, x, [2]float64{0, 1}) + .5*rbf(.5, x, [2]float64{1, 1}) -
					1.5*rbf(.5, x, [2]float64{-1, 0}) + .25}
			}},
		{"svr", ONNXOptions{Decision: Scores}, nil, func(x [2]float64) []float64 {
			return []float64{(2*x[0]+.5)*(2*x[0]+.5) - (2*x[1]+.5)*(2*x[1]+.5) + .75}
		}},
		{"oneclass", ONNXOptions{Decision: Ranks, Threshold: .75, OneClass: true, Sides: [2]string{"1", "-1"}}, nil,
			func(x [2]float64) []float64 {
				return []float64{rbf(.25, x, [2]float64{1, 0}) + .5*rbf(.25, x, [2]float64{0, 1})}
			}},
		{"regression", ONNXOptions{Decision: Scores}, nil, func(x [2]float64) []float64 {
			norm := math.Hypot(x[0], x[1])
			return []float64{(3*x[0]+4*x[1])/norm + 1, (x[0]-x[1])/norm + 2}
		}},
		{"linearsvc", ONNXOptions{}, []string{"0", "1"}, func(x [2]float64) []float64 {
			return []float64{0, x[0] - 2*x[1] + .5}
		}},
	} {
		m, told, err := ReadONNX(bytes.NewReader(decoded(t, c.name)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if told.Decision != c.told.Decision || told.OneClass != c.told.OneClass || told.Sides != c.told.Sides ||
			math.Abs(told.Threshold-c.told.Threshold) > 1e-7 ||
			told.Decision == Ranks && told.Threshold <= c.told.Threshold {
			t.Errorf("%s: %+v, want %+v", c.name, told, c.told)
		}
		if !slices.Equal(m.Names(), c.names) {
			t.Errorf("%s: names %q, want %q", c.name, m.Names(), c.names)
		}
		for _, x := range [][2]float64{{3, 4}, {-1, .5}, {.25, -2}} {
			closeTo(t, c.name, scaledScores(t, m, []float32{float32(x[0]), float32(x[1])}), c.score(x))
		}
		// what was read is written and read again as it is
		var b bytes.Buffer
		told.Softmax = false
		if err := WriteONNX(&b, m, told); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		again, _, err := ReadONNX(&b)
		if err != nil || !bytes.Equal(bits(t, again), bits(t, m)) {
			t.Errorf("%s: another model when it is written again: %v", c.name, err)
		}
	}
	m, _, err := ReadONNX(bytes.NewReader(decoded(t, "pipeline")))
	if err != nil || m.Notes()["onnx.post_transform"] != "LOGISTIC" || m.Notes()[dataset.ScalingNote] !=
		"shift 1 2\nfactor 0.5 4\n" {
		t.Error(m.Notes(), err)
	}
	_, _, err = ReadONNX(bytes.NewReader(decoded(t, "onevsone")))
	wants(t, err, "exchange: reading ONNX: SVMClassifier: 3 classes one against one")
}

// TestForeignLinearSVC: an SVC with the linear kernel and a rho is a linear model whose weights are the sum of its
// support vectors times their coefficients, and whose offset is rho.
func TestForeignLinearSVC(t *testing.T) {
	file, err := onnx.Parse(decoded(t, "svc"))
	if err != nil {
		t.Fatal(err)
	}
	set(&file.Graph.Nodes[0], onnx.Text("kernel_type", "LINEAR"))
	m, told, err := ReadONNX(bytes.NewReader(file.Append(nil)))
	if err != nil || m.Linear == nil || told.Sides != [2]string{"3", "-5"} {
		t.Fatal(m, told, err)
	}
	// 1 (0, 1) + .5 (1, 1) - 1.5 (-1, 0)
	if w, b := m.Linear.Weights(), m.Linear.Bias(); !slices.Equal(w.Data[:2], []float32{2, 1.5}) ||
		!slices.Equal(b, []float32{.25}) {
		t.Errorf("weights %v, offset %v", w, b)
	}
}
