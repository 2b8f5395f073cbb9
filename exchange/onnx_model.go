package exchange

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// model makes the model of its operators.
func (p *parser) model() (*model.Model[float32], error) {
	for _, n := range p.models {
		if n.Op != p.models[0].Op || len(p.models) > 1 && n.Op != "SVMRegressor" {
			return nil, fmt.Errorf("%s and %s both read the examples", p.models[0].Op, n.Op)
		}
	}
	a := &onnx.Attrs{Node: p.models[0]}
	p.post = a.String("post_transform", "NONE")
	p.told.Softmax = p.post == "SOFTMAX" && a.Op == "LinearClassifier"
	var m *model.Model[float32]
	err := a.Err
	if err == nil {
		switch a.Op {
		case "LinearClassifier":
			m, err = p.linearClassifier(a)
		case "LinearRegressor":
			m, err = p.linearRegressor(a)
		case "SVMClassifier":
			m, err = p.svmClassifier(a)
		case "SVMRegressor":
			m, err = p.svmRegressors()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Op, err)
	}
	_, outputs := m.Dims()
	return m, p.settle(outputs)
}

// labels returns the labels of classes, of which there are some.
func labels(a *onnx.Attrs) ([]string, error) {
	texts, ints := slices.Clone(a.Strings("classlabels_strings")), a.Ints("classlabels_ints")
	switch {
	case a.Err != nil:
		return nil, a.Err
	case (len(texts) > 0) == (len(ints) > 0):
		return nil, fmt.Errorf("%d texts and %d integers as labels, want one of both", len(texts), len(ints))
	}
	for _, v := range ints {
		texts = append(texts, strconv.FormatInt(v, 10))
	}
	return texts, nil
}

// named returns the names of the outputs: the metadata of an own file have them, and agree with the labels.
func (p *parser) named(labels []string) ([]string, error) {
	if !p.own {
		return labels, nil
	}
	names, err := p.meta.names()
	if err != nil {
		return nil, err
	}
	for c, label := range labels {
		want := strconv.Itoa(c)
		if c < len(names) {
			want = names[c]
		}
		if label != want {
			return nil, fmt.Errorf("label %d is %q, and the metadata name it %q", c, label, want)
		}
	}
	return names, nil
}

func (p *parser) linearClassifier(a *onnx.Attrs) (*model.Model[float32], error) {
	labels, err := labels(a)
	if err != nil {
		return nil, err
	}
	coefficients, intercepts := a.Floats("coefficients"), a.Floats("intercepts")
	if a.Err != nil {
		return nil, a.Err
	}
	rows := len(intercepts)
	if rows == 0 {
		rows = len(labels)
	}
	names, err := p.named(labels)
	if err != nil {
		return nil, err
	}
	if rows == 1 && len(labels) == 2 { // the score of the second class, where the score of the first is 0
		both := append(make([]float32, len(coefficients)), coefficients...)
		if len(intercepts) > 0 {
			intercepts = []float32{0, intercepts[0]}
		}
		return p.linear(both, intercepts, 2, names)
	}
	if rows != len(labels) {
		return nil, fmt.Errorf("%d intercepts for %d classes", rows, len(labels))
	}
	return p.linear(coefficients, intercepts, rows, names)
}

func (p *parser) linearRegressor(a *onnx.Attrs) (*model.Model[float32], error) {
	coefficients, intercepts, targets := a.Floats("coefficients"), a.Floats("intercepts"), a.Int("targets", 1)
	if a.Err != nil {
		return nil, a.Err
	}
	if targets < 1 || targets > int64(len(coefficients)) ||
		len(intercepts) != 0 && int64(len(intercepts)) != targets {
		return nil, fmt.Errorf("%d targets, %d coefficients and %d intercepts", targets, len(coefficients),
			len(intercepts))
	}
	names, err := p.named(nil)
	if err != nil {
		return nil, err
	}
	return p.linear(coefficients, intercepts, int(targets), names)
}

// linear makes a model of coefficients m-by-d.
func (p *parser) linear(coefficients, intercepts []float32, m int, names []string) (*model.Model[float32], error) {
	if len(coefficients) == 0 || len(coefficients)%m != 0 {
		return nil, fmt.Errorf("%d coefficients for %d outputs", len(coefficients), m)
	}
	if err := p.features(int64(len(coefficients)/m), "the model"); err != nil {
		return nil, err
	}
	w := vec.NewMatrix[float32](p.d, m)
	for c := range m {
		for j, v := range coefficients[c*p.d : (c+1)*p.d] {
			w.Row(j)[c] = v
		}
	}
	meta := p.meta
	if !p.own {
		meta = nil
	}
	if len(intercepts) == 0 {
		intercepts = nil
	}
	own, err := withOffsets(meta, w, intercepts, names)
	if err != nil {
		return nil, err
	}
	return &model.Model[float32]{Linear: own}, nil
}
