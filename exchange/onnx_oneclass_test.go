package exchange

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
)

// changed is the file of another program after a change.
func changed(t *testing.T, name string, change func(m *onnx.Model)) []byte {
	t.Helper()
	m, err := onnx.Parse(decoded(t, name))
	if err != nil {
		t.Fatal(err)
	}
	change(m)
	return m.Append(nil)
}

// itself makes the operator of a machine of one class compute the sign itself, its score being the graph's output.
func itself(m *onnx.Model) {
	set(&m.Graph.Nodes[0], onnx.Int("one_class", 1))
	m.Graph.Nodes, m.Graph.Outputs = m.Graph.Nodes[:1], m.Graph.Outputs[1:]
}

// TestForeignOneClass: an operator with one_class, which returns 1 or -1, is the machine whose sign a graph computes;
// so is one of a linear kernel without support vectors, and a LinearRegressor with a sign.
func TestForeignOneClass(t *testing.T) {
	want, told, err := ReadONNX(bytes.NewReader(decoded(t, "oneclass")))
	if err != nil || !told.OneClass {
		t.Fatalf("%+v, %v", told, err)
	}
	for _, change := range []func(m *onnx.Model){itself, put(0, onnx.Int("one_class", 1))} {
		m, again, err := ReadONNX(bytes.NewReader(changed(t, "oneclass", change)))
		if err != nil || again != told || !bytes.Equal(bits(t, m), bits(t, want)) {
			t.Errorf("%+v, want %+v: %v", again, told, err)
		}
	}
	linear := func(m *onnx.Model) {
		n := &m.Graph.Nodes[0]
		set(n, onnx.Floats("support_vectors", nil))
		set(n, onnx.Int("n_supports", 0))
		set(n, onnx.Text("kernel_type", "LINEAR"))
	}
	regressor := func(m *onnx.Model) {
		n := &m.Graph.Nodes[0]
		n.Op, n.Attributes = "LinearRegressor", []onnx.Attribute{onnx.Floats("coefficients", []float32{1, .5}),
			onnx.Floats("intercepts", []float32{-.75})}
	}
	for name, change := range map[string]func(m *onnx.Model){
		"sign": linear, "one_class": func(m *onnx.Model) { linear(m); itself(m) }, "regressor": regressor,
	} {
		m, o, err := ReadONNX(bytes.NewReader(changed(t, "oneclass", change)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Linear == nil || !slices.Equal(m.Linear.Bias(), []float32{-.75}) ||
			!slices.Equal(m.Linear.Weights().Data, []float32{1, .5}) {
			t.Errorf("%s: %+v", name, m.Linear)
		}
		if o.Decision != Ranks || !o.OneClass || o.Threshold != math.SmallestNonzeroFloat32 ||
			o.Sides != [2]string{"1", "-1"} {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// TestOneClassErrors: decisions that no machine of one class makes.
func TestOneClassErrors(t *testing.T) {
	binarized := func(behind string) func(m *onnx.Model) {
		return func(m *onnx.Model) {
			m.Graph.Nodes = append(m.Graph.Nodes, onnx.Node{Op: "Binarizer", Domain: onnx.Domain, In: []string{behind},
				Out: []string{"cut"}, Attributes: []onnx.Attribute{onnx.Number("threshold", .5)}})
			m.Graph.Outputs[0].Name = "cut"
		}
	}
	for want, change := range map[string]func(m *onnx.Model){
		"Sign behind SVMRegressor, want it behind scores": binarized("float_prediction"),
		"one_class = 1 beside other decisions": func(m *onnx.Model) {
			set(&m.Graph.Nodes[0], onnx.Int("one_class", 1))
			binarized("scores")(m)
		},
		"Binarizer behind SVMRegressor, want it behind scores, and no Sign": func(m *onnx.Model) {
			binarized("scores")(m)
			m.Graph.Nodes[1].In[0] = "cut"
			m.Graph.Nodes = []onnx.Node{m.Graph.Nodes[0], m.Graph.Nodes[3], m.Graph.Nodes[1], m.Graph.Nodes[2]}
			m.Graph.Outputs[0].Name = "label"
		},
		"one_class is FLOAT, want INT": put(0, onnx.Number("one_class", 1)),
	} {
		_, _, err := ReadONNX(bytes.NewReader(changed(t, "oneclass", change)))
		wants(t, err, want)
	}
	_, _, err := ReadONNX(bytes.NewReader(changed(t, "linearsvc", func(m *onnx.Model) {
		m.Graph.Nodes = append(m.Graph.Nodes, onnx.Node{Op: "Sign", In: []string{m.Graph.Outputs[0].Name},
			Out: []string{"sign"}})
		m.Graph.Outputs[0].Name = "sign"
	})))
	wants(t, err, "Sign behind LinearClassifier")
	err = WriteONNX(new(bytes.Buffer), randomModelOf(t, 2), ONNXOptions{OneClass: true})
	wants(t, err, "classes of one class, want ranks")
	var file bytes.Buffer // an own file whose operator computes the sign, which WriteONNX never says
	if err := WriteONNX(&file, randomModelOf(t, 1), ONNXOptions{Decision: Scores}); err != nil {
		t.Fatal(err)
	}
	own, err := onnx.Parse(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i := range own.Graph.Nodes {
		if n := &own.Graph.Nodes[i]; n.Op == "SVMRegressor" {
			set(n, onnx.Int("one_class", 1))
		}
	}
	_, _, err = ReadONNX(bytes.NewReader(own.Append(nil)))
	wants(t, err, "one_class = 1 beside other decisions")
}
