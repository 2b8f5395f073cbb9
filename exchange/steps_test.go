package exchange

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/internal/prove"
)

// TestSteps: what is read of ONNX models, foreign ones and our own, with one thing of the graph changed at a time, has
// the committed bytes, and refusals have the committed words. What is written has them too.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		for _, name := range []string{"linearsvc", "oneclass", "onevsone", "pipeline", "regression", "svc", "svr"} {
			edited(t, name, decoded(t, name), add)
		}
		rng := rand.New(rand.NewPCG(3, 1))
		for k := range 12 {
			m := randomModel[float32](t, rng)
			_, outputs := m.Dims()
			var file bytes.Buffer
			if err := WriteONNX(&file, m, optionsFor(rng, outputs, m.Linear != nil)); err != nil {
				t.Fatal(err)
			}
			edited(t, fmt.Sprint("own ", k), file.Bytes(), add)
			h := sha256.New()
			h.Write(file.Bytes())
			if err := WriteSafetensors(h, m); err != nil {
				t.Fatal(err)
			}
			add(fmt.Sprint("written ", k), h)
		}
	})
}

// edited notes what is read of a file as it is, and with each of the changes.
func edited(t *testing.T, name string, file []byte, add func(name string, h hash.Hash)) {
	h := sha256.New()
	parse := func() *onnx.Model {
		m, err := onnx.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	edit := func(what string, change func(m *onnx.Model)) {
		m := parse()
		change(m)
		read, options, err := ReadONNX(bytes.NewReader(m.Append(nil)))
		if fmt.Fprintf(h, "%s: %+v %v\n", what, options, err); err == nil {
			h.Write(bits(t, read))
		}
	}
	whole := parse()
	edit("as it is", func(*onnx.Model) {})
	graphEdits(whole, edit)
	for i, n := range whole.Graph.Nodes {
		nodeEdits(whole, n, func(what string, change func(n *onnx.Node)) {
			edit(fmt.Sprintf("node %d: %s", i, what), func(m *onnx.Model) { change(&m.Graph.Nodes[i]) })
		})
	}
	add(name, h)
}

// graphEdits change what nodes there are, what goes in and out, and the metadata.
func graphEdits(whole *onnx.Model, edit func(what string, change func(m *onnx.Model))) {
	for i := range whole.Graph.Nodes {
		edit(fmt.Sprint("without node ", i), func(m *onnx.Model) {
			m.Graph.Nodes = slices.Delete(m.Graph.Nodes, i, i+1)
		})
		edit(fmt.Sprint("twice node ", i), func(m *onnx.Model) {
			m.Graph.Nodes = slices.Insert(m.Graph.Nodes, i, m.Graph.Nodes[i])
		})
		edit(fmt.Sprint("again node, with another output, ", i), func(m *onnx.Model) {
			again := m.Graph.Nodes[i]
			again.Out = []string{"another"}
			m.Graph.Nodes = append(m.Graph.Nodes, again)
		})
	}
	for _, size := range []int64{-1, 0, 1, 2, 3, 99} {
		edit(fmt.Sprint("features ", size), func(m *onnx.Model) {
			dims := m.Graph.Inputs[0].Dims
			dims[len(dims)-1] = onnx.Dim{Size: size}
		})
		edit(fmt.Sprint("type of the input ", size), func(m *onnx.Model) { m.Graph.Inputs[0].Elem = size })
	}
	edit("another input", func(m *onnx.Model) { m.Graph.Inputs = append(m.Graph.Inputs, onnx.Value{Name: "Y"}) })
	edit("an initializer", func(m *onnx.Model) { m.Graph.Initializers = append(m.Graph.Initializers, "X") })
	edit("outputs in another order", func(m *onnx.Model) { slices.Reverse(m.Graph.Outputs) })
	edit("the first output alone", func(m *onnx.Model) { m.Graph.Outputs = m.Graph.Outputs[:1] })
	for _, key := range slices.Sorted(maps.Keys(whole.Opsets)) {
		edit("an older "+key, func(m *onnx.Model) { m.Opsets[key] = 1 })
		edit("a newer "+key, func(m *onnx.Model) { m.Opsets[key] = 99 })
		edit("without "+key, func(m *onnx.Model) { delete(m.Opsets, key) })
	}
	for _, key := range slices.Sorted(maps.Keys(whole.Metadata)) {
		edit("without "+key, func(m *onnx.Model) { delete(m.Metadata, key) })
		for _, value := range []string{"", "0", "1", "2", "-1", "x", "0 1", "NaN", "1 1 1", `["a"]`, "linear",
			"gaussian 1"} {
			edit(fmt.Sprintf("%s %q", key, value), func(m *onnx.Model) { m.Metadata[key] = value })
		}
	}
}

// nodeEdits change an operator, what goes in and out of it, and its attributes.
func nodeEdits(whole *onnx.Model, n onnx.Node, edit func(what string, change func(n *onnx.Node))) {
	for _, op := range []string{"LinearClassifier", "LinearRegressor", "SVMClassifier", "SVMRegressor", "Scaler",
		"Normalizer", "Cast", "Identity", "Binarizer", "Concat", "Neg", "ArrayFeatureExtractor", "ZipMap", "Sign"} {
		edit("op "+op, func(n *onnx.Node) { n.Op = op })
	}
	for _, domain := range []string{"", "ai.onnx", onnx.Domain, "com.example"} {
		edit("domain "+domain, func(n *onnx.Node) { n.Domain = domain })
	}
	names := []string{"", "another"}
	for _, v := range whole.Graph.Inputs {
		names = append(names, v.Name)
	}
	for _, other := range whole.Graph.Nodes {
		names = append(names, other.Out...)
	}
	for _, name := range names {
		for k := range n.In {
			edit(fmt.Sprintf("input %d %q", k, name), func(n *onnx.Node) { n.In[k] = name })
		}
		for k := range n.Out {
			edit(fmt.Sprintf("output %d %q", k, name), func(n *onnx.Node) { n.Out[k] = name })
		}
		edit(fmt.Sprintf("one more input %q", name), func(n *onnx.Node) { n.In = append(n.In, name) })
	}
	for k := range n.In {
		edit(fmt.Sprint("without input ", k), func(n *onnx.Node) { n.In = slices.Delete(n.In, k, k+1) })
	}
	for k, a := range n.Attributes {
		edit("without "+a.Name, func(n *onnx.Node) { n.Attributes = slices.Delete(n.Attributes, k, k+1) })
		for _, other := range otherAttributes(a) {
			edit(fmt.Sprintf("%+v", other), func(n *onnx.Node) { n.Attributes[k] = other })
		}
	}
}

// otherAttributes are attributes of the same name.
func otherAttributes(a onnx.Attribute) (all []onnx.Attribute) {
	put := func(change func(a *onnx.Attribute)) {
		other := a
		other.Floats, other.Ints = slices.Clone(a.Floats), slices.Clone(a.Ints)
		other.Strings = slices.Clone(a.Strings)
		change(&other)
		all = append(all, other)
	}
	for _, v := range []int64{-1, 0, 1, 2, 3, 1 << 40} {
		put(func(a *onnx.Attribute) { a.Int = v })
		if len(a.Ints) > 0 {
			put(func(a *onnx.Attribute) { a.Ints[0] = v })
			put(func(a *onnx.Attribute) { a.Ints[len(a.Ints)-1] = v })
		}
	}
	for _, v := range []float32{-1, 0, .5, 1, 2, float32(math.NaN()), float32(math.Inf(1)), 1e30} {
		put(func(a *onnx.Attribute) { a.Float = v })
		if len(a.Floats) > 0 {
			put(func(a *onnx.Attribute) { a.Floats[0] = v })
			put(func(a *onnx.Attribute) { a.Floats[len(a.Floats)-1] = v })
		}
	}
	for _, v := range []string{"", "LINEAR", "RBF", "POLY", "SIGMOID", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO",
		"PROBIT", "MAX", "L1", "L2", "\xff"} {
		put(func(a *onnx.Attribute) { a.String = v })
		if len(a.Strings) > 0 {
			put(func(a *onnx.Attribute) { a.Strings[0] = v })
		}
	}
	put(func(a *onnx.Attribute) {
		a.Floats, a.Ints, a.Strings = shorter(a.Floats), shorter(a.Ints), shorter(a.Strings)
	})
	put(func(a *onnx.Attribute) {
		a.Floats, a.Ints, a.Strings = longer(a.Floats), longer(a.Ints), longer(a.Strings)
	})
	for kind := range onnx.Kind(12) {
		put(func(a *onnx.Attribute) { a.Kind = kind })
	}
	return all
}

func shorter[E any](x []E) []E { return x[:max(0, len(x)-1)] }

func longer[E any](x []E) []E {
	if len(x) == 0 {
		return x
	}
	return append(x, x[0])
}
