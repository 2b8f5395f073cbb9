package exchange

import "github.com/dualgap/dualgap/exchange/internal/onnx"

// decide names the outputs of the graph, scores being there already, and adds what follows from them.
func (g *graph) decide() {
	out := &g.file.Graph.Outputs
	*out = append(*out, g.tensor("scores", onnx.Float, g.outputs))
	g.value = "scores"
	switch g.decision {
	case Labels:
		g.add("Binarizer", []string{"labels"}, onnx.Number("threshold", 0))
		*out = append(*out, g.tensor("labels", onnx.Float, g.outputs))
	case Ranks:
		g.add("Binarizer", []string{"positive"}, onnx.Number("threshold", below(g.o.Threshold)))
		*out = append(*out, g.tensor("positive", onnx.Float, 1))
		if g.o.OneClass {
			g.sides()
		}
	}
}

// sides adds the label 1 or -1, by 2 (positive - 1/2).
func (g *graph) sides() {
	g.value = "positive"
	g.add("Scaler", []string{"side"}, onnx.Floats("offset", []float32{.5}), onnx.Floats("scale", []float32{2}))
	g.file.Graph.Nodes = append(g.file.Graph.Nodes, onnx.Node{Op: "Cast", Name: "Cast", In: []string{"side"},
		Out: []string{"label"}, Attributes: []onnx.Attribute{onnx.Int("to", onnx.Int64)}})
	g.file.Graph.Outputs = append(g.file.Graph.Outputs, g.tensor("label", onnx.Int64, 1))
}

// oneClass reports whether the third output is what sides makes of the second.
func (p *parser) oneClass() bool {
	g := &p.file.Graph
	if len(g.Outputs) < 3 {
		return false
	}
	value := g.Outputs[2].Name
	for _, op := range []string{"Cast", "Scaler"} {
		made := false
		for i := range g.Nodes {
			if n := &g.Nodes[i]; n.Op == op && len(n.In) == 1 && len(n.Out) == 1 && n.Out[0] == value {
				value, made = n.In[0], true
				break
			}
		}
		if !made {
			return false
		}
	}
	return value == g.Outputs[1].Name
}
