package onnx

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/protobuf"
)

func example() *Model {
	return &Model{
		IRVersion: 7, Producer: "p", ProducerVersion: "1", Doc: "d", Opsets: map[string]int64{"": 13, Domain: 1},
		Metadata: map[string]string{"a": "b", "": ""},
		Graph: Graph{
			Name: "g", Inputs: []Value{{"X", Float, []Dim{{0, "N"}, {3, ""}}}},
			Outputs: []Value{{"y", Int64, []Dim{{}}}},
			Nodes: []Node{{Op: "Op", Domain: Domain, Name: "n", In: []string{"X", ""}, Out: []string{"y"},
				Attributes: []Attribute{Text("s", "t"), Texts("ss", []string{"", "é"}), Int("i", -1),
					Ints("is", []int64{1, -2}),
					Number("f", .5), Floats("fs", []float32{1, 2})}}},
		},
	}
}

// What is written is read.
func TestModel(t *testing.T) {
	want := example()
	got, err := Parse(want.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	a := Attrs{Node: &got.Graph.Nodes[0]}
	if a.String("s", "") != "t" || a.Int("i", 0) != -1 || len(a.Strings("ss")) != 2 || a.Int("absent", 5) != 5 ||
		a.String("absent", "x") != "x" || len(a.Floats("fs")) != 2 || len(a.Ints("is")) != 2 || a.Err != nil {
		t.Error(a.Err)
	}
	a.Int("s", 0)
	a.Int("fs", 0)
	if a.Err == nil || !strings.Contains(a.Err.Error(), "Op: the attribute s is STRING, want INT") {
		t.Error(a.Err)
	}
}

// TestInitializers: of an initializer the name is read, and nothing else.
func TestInitializers(t *testing.T) {
	tensor := protobuf.AppendText(protobuf.AppendInt(nil, 2, 1), 8, "w")
	m, err := Parse(protobuf.AppendBytes(protobuf.AppendInt(nil, 1, 7), 7, protobuf.AppendBytes(nil, 5, tensor)))
	if err != nil || !slices.Equal(m.Graph.Initializers, []string{"w"}) {
		t.Error(m, err)
	}
}

// TestParseErrors: bytes that are no model.
func TestParseErrors(t *testing.T) {
	twice := example()
	twice.Graph.Nodes[0].Attributes = []Attribute{Int("i", 1), Text("i", "")}
	many := example()
	for i := range mostAttributes + 1 {
		many.Graph.Nodes[0].Attributes = append(many.Graph.Nodes[0].Attributes, Int(strings.Repeat("a", i), 1))
	}
	sound := example().Append(nil)
	entry := protobuf.AppendText(nil, 1, "a")
	for want, in := range map[string][]byte{
		"IR version 0 and 0 graphs":   nil,
		"IR version 0 and 1 graphs":   protobuf.AppendBytes(nil, 7, nil),
		"IR version 7 and 0 graphs":   protobuf.AppendInt(nil, 1, 7),
		"a second graph":              protobuf.AppendBytes(sound, 7, nil),
		"the attribute i twice":       twice.Append(nil),
		"more than 64 attributes":     many.Append(nil),
		`the key "a" twice`:           protobuf.AppendBytes(sound[:len(sound):len(sound)], 14, entry),
		"field 1 is bytes, want":      protobuf.AppendText(nil, 1, "x"),
		"the graph: protobuf: byte 0": protobuf.AppendBytes(nil, 7, []byte("\x0a\x05")),
		"node 0: protobuf":            protobuf.AppendBytes(nil, 7, protobuf.AppendInt(nil, 1, 5)),
		"an operator set: protobuf":   protobuf.AppendBytes(nil, 8, []byte("\x10")),
		"an input: a type: a tensor's t": protobuf.AppendBytes(nil, 7, protobuf.AppendBytes(nil, 11,
			protobuf.AppendBytes(nil, 2, protobuf.AppendBytes(nil, 1, protobuf.AppendText(nil, 1, "x"))))),
	} {
		if _, err := Parse(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
