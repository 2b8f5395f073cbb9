package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/internal/damage"
)

// set puts an attribute in the place of the one of its name, or adds it.
func set(n *onnx.Node, a onnx.Attribute) {
	for i := range n.Attributes {
		if n.Attributes[i].Name == a.Name {
			n.Attributes[i] = a
			return
		}
	}
	n.Attributes = append(n.Attributes, a)
}

// put changes an attribute of a node.
func put(node int, a onnx.Attribute) func(m *onnx.Model) {
	return func(m *onnx.Model) { set(&m.Graph.Nodes[node], a) }
}

// TestONNXErrors: what a file must not say is an error that names it.
func TestONNXErrors(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		change func(m *onnx.Model)
		want   string
	}{
		{"svc", func(m *onnx.Model) { m.Graph.Inputs = nil }, "0 inputs"},
		{"svc", func(m *onnx.Model) { m.Graph.Inputs[0].Dims = m.Graph.Inputs[0].Dims[:1] }, "1 axes"},
		{"svc", func(m *onnx.Model) { m.Graph.Inputs[0].Dims[1].Size = 3 },
			"a support vector is of 2 features, and the input of 3"},
		{"svc", func(m *onnx.Model) { m.Graph.Inputs[0].Dims[1].Size = -1 }, "-1 features"},
		{"svc", func(m *onnx.Model) { m.Graph.Nodes = m.Graph.Nodes[1:] }, "no LinearClassifier"},
		{"svc", func(m *onnx.Model) { m.Graph.Outputs = nil }, "without outputs"},
		{"svc", func(m *onnx.Model) { m.Graph.Outputs[0].Name = "z" }, `nothing makes "z"`},
		{"svc", func(m *onnx.Model) { m.Graph.Outputs[0].Name = "output_probability" }, "Neg"},
		{"svc", func(m *onnx.Model) { m.Graph.Nodes[1].In[0] = "output_label" }, "nothing makes"},
		{"svc", func(m *onnx.Model) { m.Graph.Nodes[0].Op = "TreeEnsembleClassifier" },
			"TreeEnsembleClassifier on the exa"},
		{"svc", func(m *onnx.Model) { m.Graph.Nodes[0].Domain = "" }, "SVMClassifier on the examples"},
		{"svc", func(m *onnx.Model) { m.Graph.Nodes[0].Out = nil }, "without an output"},
		{"svc", func(m *onnx.Model) { m.Graph.Nodes[2].Out[0] = "label" }, `two nodes make "label"`},
		{"svc", put(0, onnx.Text("kernel_type", "SIGMOID")), "no Mercer kernel"},
		{"svc", put(0, onnx.Text("kernel_type", "X")), `kernel "X"`},
		{"svc", put(0, onnx.Floats("kernel_params", nil)), "0 kernel_params"},
		{"svc", put(0, onnx.Floats("kernel_params", []float32{-1, 0, 0})), "Gamma -1"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{1, 0, 1.5})), "degree 1.5"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{1, 0, 0})), "Degree 0"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{1, 0, -1})), "Degree -1"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{1, 0, 3 << 23})), "degree 2.5165824e+07"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{1, -1, 1 << 24})), "Offset -1"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{1, 0, nan})), "number 2 of kernel_params is NaN"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{0, 0, 2})), "gamma 0"},
		{"svr", put(0, onnx.Floats("kernel_params", []float32{-1, 0, 2})), "Scale -1"},
		{"svr", put(0, onnx.Int("n_supports", 3)), "2 coefficients of 3"},
		{"svr", func(m *onnx.Model) {
			n := &m.Graph.Nodes[0]
			n.Attributes = slices.DeleteFunc(n.Attributes, func(a onnx.Attribute) bool {
				return a.Name == "n_supports"
			})
		}, "2 coefficients of 0"},
		{"svr", put(0, onnx.Floats("rho", nil)), "0 rho"},
		{"svc", put(0, onnx.Floats("coefficients", []float32{1, nan, 1})), "number 1 of coefficients is NaN"},
		{"svc", put(0, onnx.Floats("coefficients", []float32{1})), "1 coefficients"},
		{"svc", put(0, onnx.Int("coefficients", 1)), "coefficients is INT, want FLOATS"},
		{"svc", func(m *onnx.Model) {
			set(&m.Graph.Nodes[0], onnx.Ints("vectors_per_class", []int64{math.MaxInt64, math.MaxInt64}))
		}, "vectors_per_class"},
		{"svc", put(0, onnx.Ints("vectors_per_class", []int64{-1, 4})), "vectors_per_class -1"},
		{"svc", put(0, onnx.Ints("vectors_per_class", []int64{2, 2})), "6 numbers of 4"},
		{"svc", put(0, onnx.Ints("vectors_per_class", nil)), "runtimes differ"},
		{"svc", put(0, onnx.Ints("classlabels_ints", nil)), "0 texts and 0 integers"},
		{"pipeline", put(1, onnx.Texts("classlabels_strings", []string{"a", "a"})), `same name "a"`},
		{"pipeline", put(1, onnx.Texts("classlabels_strings", []string{"a"})), "2 intercepts for 1 classes"},
		{"pipeline", put(1, onnx.Floats("coefficients", []float32{1, 2, 3})), "3 coefficients for 2"},
		{"pipeline", put(0, onnx.Floats("offset", []float32{1, 2, 3})), "3 features"},
		{"pipeline", put(0, onnx.Floats("scale", []float32{nan})), "number 0 of scale is NaN"},
		{"pipeline", func(m *onnx.Model) { m.Graph.Nodes[0].In[0] = "label" }, "no LinearClassifier"},
		{"pipeline", func(m *onnx.Model) { m.Graph.Nodes[1].In[0] = "X" }, "no LinearClassifier"},
		{"pipeline", func(m *onnx.Model) { m.Graph.Nodes[2].In[0] = "variable" }, "Normalizer by L1"},
		{"regression", put(1, onnx.Text("norm", "MAX")), "Normalizer by MAX"},
		{"regression", put(0, onnx.Int("to", 7)), "Cast of the examples to type 7"},
		{"regression", put(2, onnx.Int("targets", 3)), "3 targets"},
		{"regression", put(2, onnx.Int("targets", -1)), "-1 targets"},
		{"svr", func(m *onnx.Model) { m.Metadata = map[string]string{"dualgap": "2"} }, `version "2"`},
		{"svr", func(m *onnx.Model) { m.Metadata = map[string]string{"dualgap": "1"} }, `kernel "" in the metadata`},
	} {
		m, err := onnx.Parse(decoded(t, c.name))
		if err != nil {
			t.Fatal(err)
		}
		c.change(m)
		_, _, err = ReadONNX(bytes.NewReader(m.Append(nil)))
		wants(t, err, c.want)
	}
	_, _, err := ReadONNX(nil)
	wants(t, err, "nil")
	_, _, err = ReadONNX(bytes.NewReader(nil))
	wants(t, err, "no ONNX model")
	_, _, err = ReadONNX(iotest.ErrReader(errors.New("broken")))
	wants(t, err, "broken")
	for _, name := range []string{"pipeline", "svc", "svr", "oneclass", "regression"} {
		for b := decoded(t, name); len(b) > 0; b = b[:len(b)-1] {
			if m, _, err := ReadONNX(bytes.NewReader(b)); err == nil {
				scores(t, m)
			} else if m != nil {
				t.Fatal("a model beside an error")
			}
		}
	}
}

// TestONNXRoom: a small file of many outputs takes no large matrix of coefficients.
func TestONNXRoom(t *testing.T) {
	m, err := onnx.Parse(decoded(t, "svr"))
	if err != nil {
		t.Fatal(err)
	}
	set(&m.Graph.Nodes[0], onnx.Floats("rho", []float32{0}))
	one := m.Graph.Nodes[0]
	concat := onnx.Node{Op: "Concat", Out: []string{"variable"}}
	m.Graph.Nodes = nil
	for i := range 5000 {
		one.Out = []string{fmt.Sprint(i)}
		m.Graph.Nodes, concat.In = append(m.Graph.Nodes, one), append(concat.In, one.Out[0])
	}
	m.Graph.Nodes = append(m.Graph.Nodes, concat)
	_, _, err = ReadONNX(bytes.NewReader(m.Append(nil)))
	wants(t, err, "10000 support vectors, of 5000 outputs in all: too many")
	m.Graph.Nodes[5000].In[1] = "0"
	_, _, err = ReadONNX(bytes.NewReader(m.Append(nil)))
	wants(t, err, `Concat of "0", want the scores of every SVMRegressor, once`)
	m.Graph.Nodes[5000].In = m.Graph.Nodes[5000].In[2:4]
	_, _, err = ReadONNX(bytes.NewReader(m.Append(nil)))
	wants(t, err, "Concat of 2 of 5000 SVMRegressors")
	m.Graph.Nodes[5000].In = []string{"0", "1"}
	m.Graph.Nodes = append(m.Graph.Nodes[:2], m.Graph.Nodes[5000])
	got, _, err := ReadONNX(bytes.NewReader(m.Append(nil)))
	if err != nil {
		t.Fatal(err)
	}
	if d, outputs := got.Dims(); d != 2 || outputs != 2 || got.Kernel.Len() != 4 {
		t.Errorf("%d features, %d outputs, %d support vectors", d, outputs, got.Kernel.Len())
	}
}

// TestONNXFeatures: one scale for all features, of which the input says that there are a great many, takes no memory.
func TestONNXFeatures(t *testing.T) {
	for _, name := range []string{"pipeline", "regression"} {
		m, err := onnx.Parse(decoded(t, name))
		if err != nil {
			t.Fatal(err)
		}
		m.Graph.Inputs[0].Dims = []onnx.Dim{{}, {Size: 1 << 30}}
		for i := range m.Graph.Nodes {
			if m.Graph.Nodes[i].Op == "Scaler" {
				put(i, onnx.Floats("scale", []float32{2}))(m)
				put(i, onnx.Floats("offset", []float32{1}))(m)
			}
		}
		file := m.Append(nil)
		damage.Defused(t, name, 1<<18, func() error {
			_, _, err := ReadONNX(bytes.NewReader(file))
			if err != nil {
				wants(t, err, "1073741824 features, in a file of")
			}
			return err
		})
	}
}

// TestONNXDisagrees: metadata that say another thing than the operators are an error.
func TestONNXDisagrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for seen := map[string]bool{}; len(seen) < 10; {
		m := randomModel[float32](t, rng)
		_, outputs := m.Dims()
		var b bytes.Buffer
		if err := WriteONNX(&b, m, optionsFor(rng, outputs, m.Linear != nil)); err != nil {
			t.Fatal(err)
		}
		for key, value := range map[string]string{"constant": ".7", "constant weights": "1 2", "kernel": "gaussian 7",
			"examples": "0", "support": "1 1", "blocks": "9 9", "note.scaling": "shift 7\n", "names": `["z"]`,
			"offsets": "77", "dualgap": "7"} {
			file, err := onnx.Parse(b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := file.Metadata[key]; !ok || key == "names" && outputs == 1 { // one name of one output is a name
				continue
			}
			file.Metadata[key] = value
			if _, _, err := ReadONNX(bytes.NewReader(file.Append(nil))); err == nil {
				t.Errorf("%q = %q in a model of %d outputs is no error", key, value, outputs)
			}
			seen[key] = true
		}
	}
}

// FuzzONNX: nothing panics, what is read has scores, and is written and read again as the same model.
func FuzzONNX(f *testing.F) {
	for _, name := range []string{"pipeline", "svc", "svr", "oneclass", "regression", "linearsvc", "onevsone"} {
		for _, file := range damage.Seeds(decoded(f, name), damage.Binary, 8) {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, told, err := ReadONNX(bytes.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteONNX(&b, m, told); err != nil {
			return // one class, a scaling that does not fit
		}
		again, _, err := ReadONNX(&b)
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		if !bytes.Equal(bits(t, again), bits(t, m)) {
			t.Fatal("another model when it is written again")
		}
	})
}
