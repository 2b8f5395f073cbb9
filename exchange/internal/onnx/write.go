package onnx

import (
	"maps"
	"slices"

	"github.com/dualgap/dualgap/internal/protobuf"
)

// Append appends the file of m.
func (m *Model) Append(b []byte) []byte {
	b = protobuf.AppendInt(b, 1, m.IRVersion)
	b = protobuf.AppendText(b, 2, m.Producer)
	b = protobuf.AppendText(b, 3, m.ProducerVersion)
	if m.Doc != "" {
		b = protobuf.AppendText(b, 6, m.Doc)
	}
	b = protobuf.AppendBytes(b, 7, m.Graph.append(nil))
	for _, domain := range slices.Sorted(maps.Keys(m.Opsets)) {
		set := protobuf.AppendText(nil, 1, domain)
		b = protobuf.AppendBytes(b, 8, protobuf.AppendInt(set, 2, m.Opsets[domain]))
	}
	for _, key := range slices.Sorted(maps.Keys(m.Metadata)) {
		entry := protobuf.AppendText(nil, 1, key)
		b = protobuf.AppendBytes(b, 14, protobuf.AppendText(entry, 2, m.Metadata[key]))
	}
	return b
}

func (g *Graph) append(b []byte) []byte {
	for i := range g.Nodes {
		b = protobuf.AppendBytes(b, 1, g.Nodes[i].append(nil))
	}
	b = protobuf.AppendText(b, 2, g.Name)
	for _, v := range g.Inputs {
		b = protobuf.AppendBytes(b, 11, v.append(nil))
	}
	for _, v := range g.Outputs {
		b = protobuf.AppendBytes(b, 12, v.append(nil))
	}
	return b
}

func (n *Node) append(b []byte) []byte {
	for _, name := range n.In {
		b = protobuf.AppendText(b, 1, name)
	}
	for _, name := range n.Out {
		b = protobuf.AppendText(b, 2, name)
	}
	b = protobuf.AppendText(b, 3, n.Name)
	b = protobuf.AppendText(b, 4, n.Op)
	for i := range n.Attributes {
		b = protobuf.AppendBytes(b, 5, n.Attributes[i].append(nil))
	}
	return protobuf.AppendText(b, 7, n.Domain)
}

func (a *Attribute) append(b []byte) []byte {
	b = protobuf.AppendText(b, 1, a.Name)
	switch a.Kind {
	case KindFloat:
		b = protobuf.AppendFloat(b, 2, a.Float)
	case KindInt:
		b = protobuf.AppendInt(b, 3, a.Int)
	case KindString:
		b = protobuf.AppendText(b, 4, a.String)
	case KindFloats:
		b = protobuf.AppendFloats(b, 7, a.Floats)
	case KindInts:
		b = protobuf.AppendInts(b, 8, a.Ints)
	case KindStrings:
		for _, s := range a.Strings {
			b = protobuf.AppendText(b, 9, s)
		}
	}
	return protobuf.AppendInt(b, 20, int64(a.Kind))
}

// append writes TypeProto.tensor_type with its shape.
func (v *Value) append(b []byte) []byte {
	var shape []byte
	for _, d := range v.Dims {
		if d.Name != "" {
			shape = protobuf.AppendBytes(shape, 1, protobuf.AppendText(nil, 2, d.Name))
		} else {
			shape = protobuf.AppendBytes(shape, 1, protobuf.AppendInt(nil, 1, d.Size))
		}
	}
	tensor := protobuf.AppendBytes(protobuf.AppendInt(nil, 1, v.Elem), 2, shape)
	return protobuf.AppendBytes(protobuf.AppendText(b, 1, v.Name), 2, protobuf.AppendBytes(nil, 1, tensor))
}
