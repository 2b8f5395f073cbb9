package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/model"
)

// ReadONNX reads a model, as WriteONNX or scikit-learn's converter wrote it, and what its scores stand for. The graph
// has one input, perhaps Identity, Cast, Scaler and a Normalizer of the Euclidean norm, then a LinearClassifier, a
// LinearRegressor, an SVMClassifier or one or more SVMRegressors. The first output of the graph is the label or the
// score; the others, and what makes them of scores, are left aside, as are probabilities.
//
// The scaling of examples is among the notes of the model: see dataset.ScalingOf. Scores are what the operator computes
// before its post_transform. Of a file that WriteONNX wrote the model is as it was, rounded to float32, and its notes
// too. Of other files:
//
//   - A LinearClassifier of one row of coefficients and two labels becomes a model of two outputs, the first one 0.
//   - An SVMClassifier of two classes becomes a model of one output with its rho, Ranks above 0 and the labels as
//     Sides. One of more classes decides one against one, and is an error unless each of its pairs is a difference of
//     scores.
//   - An SVMRegressor whose sign is the first output of the graph, as OneClassSVM has it, or whose one_class is 1, so
//     that it computes the sign itself, becomes one with Ranks and OneClass, and so does a LinearRegressor with a sign.
//   - A rho elsewhere makes a linear kernel a linear model, and is the offset of another one.
//   - What else the metadata say becomes notes whose keys begin with "onnx.".
//
// Anything else is an error that names the operator and what is wrong with it. Memory is taken as bytes come.
func ReadONNX(r io.Reader) (*model.Model[float32], ONNXOptions, error) {
	m, told, err := readONNX(r)
	if err != nil {
		return nil, ONNXOptions{}, fmt.Errorf("exchange: reading ONNX: %w", err)
	}
	return m, told, nil
}

func readONNX(r io.Reader) (m *model.Model[float32], told ONNXOptions, err error) {
	if r == nil {
		return nil, told, errors.New("the reader is nil")
	}
	var file bytes.Buffer
	if n, err := io.Copy(&file, io.LimitReader(r, mostBytes+1)); err != nil {
		return nil, told, err
	} else if n > mostBytes {
		return nil, told, fmt.Errorf("more than %d bytes, which a file has at most", mostBytes)
	}
	parsed, err := onnx.Parse(file.Bytes())
	if err != nil {
		return nil, told, err
	}
	p := parser{file: parsed, meta: parsed.Metadata, scaling: new(dataset.Scaling), bytes: int64(file.Len())}
	if p.own, err = p.meta.own(); err != nil {
		return nil, told, err
	}
	if err := p.walk(); err != nil {
		return nil, told, err
	}
	if err := p.end(); err != nil {
		return nil, told, err
	}
	if m, err = p.model(); err != nil {
		return nil, told, err
	}
	notes, err := p.notes()
	if err != nil {
		return nil, told, err
	}
	return m.WithNotes(notes), p.told, nil
}

// parser is a file as far as it is understood.
type parser struct {
	file    *onnx.Model
	bytes   int64 // that it has
	meta    metadata
	own     bool
	d       int              // features; 0: unknown yet
	by      string           // what says so
	scaling *dataset.Scaling // as the operators have it
	models  []*onnx.Node
	sign    bool // the graph returns the sign of the score
	told    ONNXOptions
	post    string // transform of the scores that is left aside
}

// walk follows the input of the graph up to the operators that are the model.
func (p *parser) walk() error {
	constant := make(map[string]bool, len(p.file.Graph.Initializers))
	for _, name := range p.file.Graph.Initializers {
		constant[name] = true
	}
	inputs := slices.DeleteFunc(slices.Clone(p.file.Graph.Inputs), func(v onnx.Value) bool { return constant[v.Name] })
	if len(inputs) != 1 {
		return fmt.Errorf("a graph of %d inputs, want one, the examples", len(inputs))
	}
	if dims := inputs[0].Dims; len(dims) > 0 {
		if len(dims) != 2 {
			return fmt.Errorf("an input of %d axes, want examples by features", len(dims))
		}
		if err := p.features(dims[1].Size, "the input"); dims[1].Size != 0 && err != nil {
			return err
		}
	}
	value := inputs[0].Name
	for i := range p.file.Graph.Nodes {
		n := &p.file.Graph.Nodes[i]
		if len(n.In) == 0 || n.In[0] != value || value == "" {
			continue
		}
		next, err := p.step(n)
		switch {
		case err != nil:
			return err
		case next == "":
			p.models = append(p.models, n)
		case len(p.models) > 0:
			return fmt.Errorf("%s and %s both read the examples", p.models[0].Op, n.Op)
		default:
			value = next
		}
	}
	if len(p.models) == 0 {
		return fmt.Errorf("no LinearClassifier, LinearRegressor, SVMClassifier or SVMRegressor reads the examples")
	}
	return nil
}

// features takes the number of features that a part of the file says, which all others must say, too.
func (p *parser) features(d int64, by string) error {
	switch {
	case d < 1:
		return fmt.Errorf("%s is of %d features, want 1 at least", by, d)
	case d > p.bytes: // a model has a number for each
		return fmt.Errorf("%s is of %d features, in a file of %d bytes", by, d, p.bytes)
	case p.d > 0 && int64(p.d) != d:
		return fmt.Errorf("%s is of %d features, and %s of %d", by, d, p.by, p.d)
	}
	p.d, p.by = int(d), by
	return nil
}

// step returns what a node makes of the examples, "" for a model.
func (p *parser) step(n *onnx.Node) (string, error) {
	a := onnx.Attrs{Node: n}
	switch n.Domain + "/" + n.Op {
	case onnx.Domain + "/LinearClassifier", onnx.Domain + "/LinearRegressor", onnx.Domain + "/SVMClassifier",
		onnx.Domain + "/SVMRegressor":
		if len(n.Out) == 0 || n.Out[0] == "" {
			return "", fmt.Errorf("%s without an output", n.Op)
		}
		return "", nil
	case "/Identity", "ai.onnx/Identity":
	case "/Cast", "ai.onnx/Cast":
		if to := a.Int("to", 0); to != onnx.Float && to != 11 && a.Err == nil {
			return "", fmt.Errorf("Cast of the examples to type %d, want 1 or 11, floats", to)
		}
	case onnx.Domain + "/Scaler":
		if err := p.scaler(&a); err != nil {
			return "", err
		}
	case onnx.Domain + "/Normalizer":
		norm := a.String("norm", "MAX")
		if norm != "L2" && a.Err == nil {
			return "", fmt.Errorf("Normalizer by %s: examples are divided by their L2 norm here", norm)
		}
		p.scaling.UnitRows = true
	default:
		return "", fmt.Errorf("the operator %s on the examples has no equivalent here", n.Op)
	}
	if len(n.Out) != 1 || n.Out[0] == "" {
		return "", fmt.Errorf("%s of %d outputs, want one", n.Op, len(n.Out))
	}
	return n.Out[0], a.Err
}

// scaler reads a Scaler: (x - offset) scale, of numbers for all features or one for each.
func (p *parser) scaler(a *onnx.Attrs) error {
	offset, scale := a.Floats("offset"), a.Floats("scale")
	if a.Err != nil {
		return a.Err
	}
	if p.scaling.Shift != nil || p.scaling.Factor != nil || p.scaling.UnitRows {
		return fmt.Errorf("Scaler behind another one, or behind a Normalizer: want one Scaler first")
	}
	d := max(len(offset), len(scale))
	if d > 1 || p.d == 0 {
		if err := p.features(int64(d), "Scaler"); err != nil {
			return err
		}
	}
	var err error
	if p.scaling.Shift, err = widen(offset, p.d, "offset"); err != nil {
		return err
	}
	p.scaling.Factor, err = widen(scale, p.d, "scale")
	return err
}

// widen returns d numbers: all of them, or d times the one that there is, or none.
func widen(all []float32, d int, name string) ([]float64, error) {
	if len(all) != 0 && len(all) != 1 && len(all) != d {
		return nil, fmt.Errorf("Scaler of %d numbers of %s for %d features", len(all), name, d)
	}
	if len(all) == 0 {
		return nil, nil
	}
	wide := make([]float64, d)
	for j := range wide {
		wide[j] = float64(all[min(j, len(all)-1)])
	}
	return wide, nil
}

// notes returns the notes of the model: its own, or the metadata of another program, and the scaling.
func (p *parser) notes() (map[string]string, error) {
	if !p.own {
		notes := map[string]string{}
		for key, value := range p.meta {
			notes["onnx."+key] = value
		}
		if p.post != "NONE" {
			notes["onnx.post_transform"] = p.post
		}
		if p.scaling.Shift == nil && p.scaling.Factor == nil && !p.scaling.UnitRows {
			return notes, nil
		}
		return p.scaling.Note(notes)
	}
	notes := p.meta.notes()
	s, err := dataset.ScalingOf(notes)
	if err != nil {
		return nil, err
	}
	shift, factor, err := scaler(s, p.d)
	if err != nil {
		return nil, err
	}
	if !same(shift, p.scaling.Shift) || !same(factor, p.scaling.Factor) || s.UnitRows != p.scaling.UnitRows {
		return nil, errors.New("the scaling among the notes is not the one of the operators")
	}
	return notes, nil
}

// same reports whether wide has the numbers of narrow.
func same(narrow []float32, wide []float64) bool {
	return (narrow == nil) == (wide == nil) &&
		slices.EqualFunc(narrow, wide, func(a float32, b float64) bool { return float64(a) == b })
}
