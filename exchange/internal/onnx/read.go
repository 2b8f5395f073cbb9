package onnx

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/protobuf"
)

// Parse reads a file, which the results share no memory with but for floats and integers as they come. Whatever is no
// ModelProto is an error.
func Parse(file []byte) (*Model, error) {
	m := &Model{Opsets: map[string]int64{}, Metadata: map[string]string{}}
	graphs := 0
	err := each(file, func(f protobuf.Field) (err error) {
		switch f.Number {
		case 1:
			m.IRVersion, err = f.Int()
		case 2:
			m.Producer, err = f.Text()
		case 3:
			m.ProducerVersion, err = f.Text()
		case 6:
			m.Doc, err = f.Text()
		case 7:
			if graphs++; graphs > 1 {
				return fmt.Errorf("a second graph")
			}
			err = message(f, "the graph", m.Graph.field)
		case 8:
			err = m.opset(f)
		case 14:
			err = m.metadata(f)
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case m.IRVersion < 1 || graphs == 0:
		return nil, fmt.Errorf("no ONNX model: IR version %d and %d graphs, want a version of at least 1 and a graph",
			m.IRVersion, graphs)
	}
	return m, nil
}

// each calls do with every field of a message.
func each(b []byte, do func(protobuf.Field) error) error {
	for f, err := range protobuf.Fields(b) {
		if err == nil {
			err = do(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// message calls do with every field of a message within another one.
func message(f protobuf.Field, name string, do func(protobuf.Field) error) error {
	b, err := f.Bytes()
	if err == nil {
		err = each(b, do)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// opset reads an OperatorSetIdProto.
func (m *Model) opset(f protobuf.Field) error {
	domain, version := "", int64(0)
	err := message(f, "an operator set", func(f protobuf.Field) (err error) {
		switch f.Number {
		case 1:
			domain, err = f.Text()
		case 2:
			version, err = f.Int()
		}
		return err
	})
	m.Opsets[domain] = version
	return err
}

// metadata reads a StringStringEntryProto.
func (m *Model) metadata(f protobuf.Field) error {
	var key, value string
	err := message(f, "an entry of the metadata", func(f protobuf.Field) (err error) {
		switch f.Number {
		case 1:
			key, err = f.Text()
		case 2:
			value, err = f.Text()
		}
		return err
	})
	if err != nil {
		return err
	}
	if _, twice := m.Metadata[key]; twice {
		return fmt.Errorf("the key %q twice in the metadata", key)
	}
	m.Metadata[key] = value
	return nil
}

func (g *Graph) field(f protobuf.Field) (err error) {
	switch f.Number {
	case 1:
		var n Node
		err = message(f, fmt.Sprintf("node %d", len(g.Nodes)), n.field)
		g.Nodes = append(g.Nodes, n)
	case 2:
		g.Name, err = f.Text()
	case 5:
		name := ""
		err = message(f, "an initializer", func(f protobuf.Field) (err error) {
			if f.Number == 8 {
				name, err = f.Text()
			}
			return err
		})
		g.Initializers = append(g.Initializers, name)
	case 11:
		var v Value
		err = message(f, "an input", v.field)
		g.Inputs = append(g.Inputs, v)
	case 12:
		var v Value
		err = message(f, "an output", v.field)
		g.Outputs = append(g.Outputs, v)
	}
	return err
}

func (n *Node) field(f protobuf.Field) (err error) {
	var text string
	switch f.Number {
	case 1:
		text, err = f.Text()
		n.In = append(n.In, text)
	case 2:
		text, err = f.Text()
		n.Out = append(n.Out, text)
	case 3:
		n.Name, err = f.Text()
	case 4:
		n.Op, err = f.Text()
	case 7:
		n.Domain, err = f.Text()
	case 5:
		var a Attribute
		err = message(f, "an attribute", a.field)
		if err == nil {
			err = n.add(a)
		}
	}
	return err
}

// mostAttributes of a node are more than any operator has.
const mostAttributes = 64

func (n *Node) add(a Attribute) error {
	if len(n.Attributes) == mostAttributes {
		return fmt.Errorf("more than %d attributes", mostAttributes)
	}
	for _, other := range n.Attributes {
		if other.Name == a.Name {
			return fmt.Errorf("the attribute %s twice", a.Name)
		}
	}
	n.Attributes = append(n.Attributes, a)
	return nil
}

func (a *Attribute) field(f protobuf.Field) (err error) {
	switch f.Number {
	case 1:
		a.Name, err = f.Text()
	case 2:
		a.Float, err = f.Float()
	case 3:
		a.Int, err = f.Int()
	case 4:
		a.String, err = f.Text()
	case 7:
		a.Floats, err = f.AppendFloats(a.Floats)
	case 8:
		a.Ints, err = f.AppendInts(a.Ints)
	case 9:
		var text string
		text, err = f.Text()
		a.Strings = append(a.Strings, text)
	case 20:
		var kind int64
		kind, err = f.Int()
		a.Kind = Kind(kind)
	}
	return err
}

// field reads ValueInfoProto down to the sizes of a tensor.
func (v *Value) field(f protobuf.Field) (err error) {
	switch f.Number {
	case 1:
		v.Name, err = f.Text()
	case 2: // TypeProto
		err = message(f, "a type", func(f protobuf.Field) error {
			if f.Number != 1 { // no tensor
				return nil
			}
			return message(f, "a tensor's type", v.tensor)
		})
	}
	return err
}

func (v *Value) tensor(f protobuf.Field) (err error) {
	switch f.Number {
	case 1:
		v.Elem, err = f.Int()
	case 2: // TensorShapeProto
		err = message(f, "a shape", func(f protobuf.Field) error {
			if f.Number != 1 {
				return nil
			}
			var d Dim
			err := message(f, "a dimension", d.field)
			v.Dims = append(v.Dims, d)
			return err
		})
	}
	return err
}

func (d *Dim) field(f protobuf.Field) (err error) {
	switch f.Number {
	case 1:
		d.Size, err = f.Int()
	case 2:
		d.Name, err = f.Text()
	}
	return err
}
