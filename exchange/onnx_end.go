package exchange

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
)

// end follows the first output of the graph back to the model, and finds what is decided of its scores.
func (p *parser) end() error {
	g := &p.file.Graph
	if len(g.Outputs) == 0 {
		return fmt.Errorf("a graph without outputs")
	}
	p.told.Decision = Scores
	if op := p.models[0].Op; op == "LinearClassifier" || op == "SVMClassifier" {
		p.told.Decision = Classes
	}
	made := make(map[string]int, len(g.Nodes)) // the node that makes a value
	for i := range g.Nodes {
		for _, name := range g.Nodes[i].Out {
			if _, twice := made[name]; twice && name != "" {
				return fmt.Errorf("two nodes make %q", name)
			}
			made[name] = i
		}
	}
	value, before := g.Outputs[0].Name, len(g.Nodes)
	for {
		i, ok := made[value]
		if !ok || i >= before {
			return fmt.Errorf("the first output of the graph does not come from the model: nothing makes %q", value)
		}
		n := &g.Nodes[i]
		if n == p.models[0] {
			return p.alone(n, value)
		}
		if n.Op == "Concat" && p.models[0].Op == "SVMRegressor" {
			if err := p.joined(n); err != nil {
				return err
			}
			break
		}
		if err := p.decision(n); err != nil {
			return err
		}
		value, before = n.In[0], i
	}
	p.signs()
	return nil
}

// signs reads what is decided of scores that are the first output: a Binarizer makes the second.
func (p *parser) signs() {
	if len(p.file.Graph.Outputs) < 2 || p.told.Decision != Scores {
		return
	}
	for i := range p.file.Graph.Nodes {
		n := &p.file.Graph.Nodes[i]
		if n.Op == "Binarizer" && len(n.In) == 1 && len(n.Out) == 1 && n.In[0] == p.file.Graph.Outputs[0].Name &&
			n.Out[0] == p.file.Graph.Outputs[1].Name {
			_ = p.decision(n) // the scores are there in any case
			p.told.OneClass = p.told.Decision == Ranks && p.oneClass()
		}
	}
}

// alone checks that one operator makes the value: its label, or its scores.
func (p *parser) alone(n *onnx.Node, value string) error {
	if len(p.models) > 1 {
		return fmt.Errorf("%d operators read the examples, and the first output of the graph is from one of them",
			len(p.models))
	}
	if value != n.Out[0] {
		return fmt.Errorf("the first output of the graph is %q, want %q, the first of %s", value, n.Out[0], n.Op)
	}
	p.signs()
	return nil
}

// joined puts the regressors into the order in which Concat joins their scores.
func (p *parser) joined(n *onnx.Node) error {
	by := make(map[string]*onnx.Node, len(p.models)) // its score
	for _, m := range p.models {
		by[m.Out[0]] = m
	}
	var order []*onnx.Node
	for _, name := range n.In {
		if by[name] == nil {
			return fmt.Errorf("Concat of %q, want the scores of every SVMRegressor, once", name)
		}
		order = append(order, by[name])
		delete(by, name)
	}
	if len(order) != len(p.models) {
		return fmt.Errorf("Concat of %d of %d SVMRegressors", len(order), len(p.models))
	}
	p.models = order
	return nil
}

// decision reads an operator between the model and the first output of the graph.
func (p *parser) decision(n *onnx.Node) error {
	if len(n.In) != 1 {
		return fmt.Errorf("the first output of the graph is by %s of %d inputs, which has no equivalent here", n.Op,
			len(n.In))
	}
	switch n.Op {
	case "Identity", "Cast":
		return nil
	case "Sign":
		p.sign = true
		if p.told.Decision != Scores {
			return fmt.Errorf("Sign behind %s, want it behind scores", p.models[0].Op)
		}
		return nil
	case "Binarizer":
		a := onnx.Attrs{Node: n}
		found, err := a.Find("threshold", onnx.KindFloat)
		if t := found.Float; err != nil || t-t != 0 {
			return fmt.Errorf("Binarizer with the threshold %v: %v, want a finite number", t, err)
		}
		if p.told.Decision != Scores || p.sign {
			return fmt.Errorf("Binarizer behind %s, want it behind scores, and no Sign", p.models[0].Op)
		}
		p.told.Decision = Ranks
		p.told.Threshold = float64(math.Nextafter32(found.Float, float32(math.Inf(1))))
		return nil
	}
	return fmt.Errorf("the first output of the graph is by %s, which has no equivalent here", n.Op)
}

// settle makes ranks of several outputs labels, whose threshold is 0, and ranks of the sign of a score that has its
// offset.
func (p *parser) settle(outputs int) error {
	if p.sign && p.told.Decision == Scores {
		if outputs != 1 || p.own {
			return fmt.Errorf("the sign of %d outputs, want one score of another program", outputs)
		}
		p.ranksOfSign(0)
	}
	if p.told.Decision != Ranks || outputs == 1 {
		return nil
	}
	if t := float32(p.told.Threshold); t != math.SmallestNonzeroFloat32 {
		return fmt.Errorf("Binarizer of %d outputs with the threshold %v, want 0", outputs,
			math.Nextafter32(t, float32(math.Inf(-1))))
	}
	p.told.Decision, p.told.Threshold = Labels, 0
	return nil
}

// ranksOfSign makes the decision the one of a machine of one class, whose score above t is inside.
func (p *parser) ranksOfSign(t float32) {
	p.told.Decision, p.told.OneClass, p.told.Sides = Ranks, true, [2]string{"1", "-1"}
	p.told.Threshold = float64(math.Nextafter32(t, float32(math.Inf(1))))
}
