package onnx

// Types of tensor elements.
const (
	Float  = 1
	Int64  = 7
	String = 8
)

// Domain of the operators for classical models; the operators of neural networks have the domain "".
const Domain = "ai.onnx.ml"

// Model is a ModelProto.
type Model struct {
	IRVersion       int64
	Producer        string
	ProducerVersion string
	Doc             string
	Opsets          map[string]int64 // version by domain, of which "" and "ai.onnx" are the same
	Metadata        map[string]string
	Graph           Graph
}

// Graph is a GraphProto.
type Graph struct {
	Name         string
	Nodes        []Node
	Inputs       []Value
	Outputs      []Value
	Initializers []string // their names
}

// Node is a NodeProto.
type Node struct {
	Op, Domain, Name string
	In, Out          []string
	Attributes       []Attribute
}

// Value is a ValueInfoProto of a tensor.
type Value struct {
	Name string
	Elem int64 // type of the elements, 0 for what is no tensor
	Dims []Dim // nil: unknown
}

// Dim is the size of a tensor along an axis.
type Dim struct {
	Size int64  // 0 where it is not known
	Name string // instead
}

// Kind is the type of an attribute.
type Kind int64

// Kinds of attributes; others are known by their number.
const (
	KindFloat   Kind = 1
	KindInt     Kind = 2
	KindString  Kind = 3
	KindFloats  Kind = 6
	KindInts    Kind = 7
	KindStrings Kind = 8
)

// String returns the name in the format.
func (k Kind) String() string {
	names := map[Kind]string{KindFloat: "FLOAT", KindInt: "INT", KindString: "STRING", KindFloats: "FLOATS",
		KindInts: "INTS", KindStrings: "STRINGS"}
	if name, ok := names[k]; ok {
		return name
	}
	return "of another type"
}

// Attribute is an AttributeProto.
type Attribute struct {
	Name    string
	Kind    Kind
	Float   float32
	Int     int64
	String  string
	Floats  []float32
	Ints    []int64
	Strings []string
}

// Texts is an attribute of strings.
func Texts(name string, v []string) Attribute {
	return Attribute{Name: name, Kind: KindStrings, Strings: v}
}

// Text is an attribute of a string.
func Text(name, v string) Attribute { return Attribute{Name: name, Kind: KindString, String: v} }

// Floats is an attribute of floats.
func Floats(name string, v []float32) Attribute {
	return Attribute{Name: name, Kind: KindFloats, Floats: v}
}

// Number is an attribute of a float.
func Number(name string, v float32) Attribute {
	return Attribute{Name: name, Kind: KindFloat, Float: v}
}

// Int is an attribute of an integer.
func Int(name string, v int64) Attribute { return Attribute{Name: name, Kind: KindInt, Int: v} }

// Ints is an attribute of integers.
func Ints(name string, v []int64) Attribute { return Attribute{Name: name, Kind: KindInts, Ints: v} }
