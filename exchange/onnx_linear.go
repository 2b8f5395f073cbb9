package exchange

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// integer returns the integer that a name is, in its one form.
func integer(name string) (int64, bool) {
	v, err := strconv.ParseInt(name, 10, 64)
	return v, err == nil && strconv.FormatInt(v, 10) == name
}

// addLinear adds a LinearClassifier or LinearRegressor: coefficients are m-by-d.
func addLinear[T vec.Float](g *graph, m *linear.Model[T]) error {
	w, intercepts := m.Weights(), make([]float32, g.outputs)
	if g.d > mostBytes/4/g.outputs {
		return fmt.Errorf("%d by %d weights, a file has %d bytes at most", g.d, g.outputs, mostBytes)
	}
	coefficients := make([]float32, g.d*g.outputs)
	row := make([]float32, g.outputs)
	for j := range g.d {
		if err := narrow(row, w.Row(j), fmt.Sprintf("the weight of feature %d for output", j)); err != nil {
			return err
		}
		for c, v := range row {
			coefficients[c*g.d+j] = v
		}
	}
	if err := narrow(intercepts, m.Bias(), "offset"); err != nil {
		return err
	}
	if err := constantOf(g.meta, m); err != nil {
		return err
	}
	numbers := []onnx.Attribute{onnx.Floats("coefficients", coefficients), onnx.Floats("intercepts", intercepts),
		onnx.Text("post_transform", g.softmax)}
	if g.decision != Classes {
		g.add("LinearRegressor", []string{"scores"}, append(numbers, onnx.Int("targets", int64(g.outputs)))...)
		g.decide()
		return nil
	}
	labels, elem, err := g.classLabels()
	if err != nil {
		return err
	}
	several := int64(0)
	if g.outputs > 2 {
		several = 1
	}
	g.add("LinearClassifier", []string{"label", "scores"}, append(numbers, labels, onnx.Int("multi_class", several))...)
	g.file.Graph.Outputs = []onnx.Value{g.tensor("label", elem, 0)}
	g.decide()
	return nil
}

// constantOf notes the constant feature of m where it is not 1, which offsets alone tell. Of float64, which becomes
// float32, it notes only that there is none.
func constantOf[T vec.Float](meta metadata, m *linear.Model[T]) error {
	constant := m.Constant()
	if constant == 0 {
		meta[keyConstant] = "0"
	}
	if constant == 0 || constant == 1 || bitsOf[T]() == 64 {
		return nil
	}
	own, err := constantWeights(m)
	if err != nil {
		return err
	}
	texts := make([]string, len(own))
	for c, v := range own {
		texts[c] = numberText(float64(v))
	}
	meta[keyConstant], meta[keyWeights] = numberText(float64(constant)), strings.Join(texts, " ")
	return nil
}

// constantWeights returns the weights of the constant feature.
func constantWeights[T vec.Float](m *linear.Model[T]) ([]T, error) {
	w, err := m.Prior(float64(m.Constant()))
	if err != nil {
		return nil, err
	}
	own := make([]T, w.Cols)
	vec.Convert(own, w.Row(w.Rows-1))
	return own, nil
}

// withOffsets returns the model of the weights w, d-by-m, with these offsets, from a constant feature as the metadata
// have it. They must agree.
func withOffsets[T vec.Float](meta metadata, w vec.Matrix[T], offsets []T, names []string) (*linear.Model[T], error) {
	text, told := meta[keyConstant]
	if !told {
		return linear.New(w, offsets, names)
	}
	constant, err := meta.numbers(keyConstant)
	if err != nil || len(constant) != 1 {
		return nil, fmt.Errorf("%q in the metadata is %q, want a number", keyConstant, text)
	}
	if constant[0] == 0 {
		for c, v := range offsets {
			if v != 0 {
				return nil, fmt.Errorf("offset %v of output %d, and no constant feature in the metadata", v, c)
			}
		}
		return linear.New(w, nil, names)
	}
	weights, err := meta.numbers(keyWeights)
	if err != nil {
		return nil, err
	}
	return withConstant(w, offsets, T(constant[0]), weights, names)
}

// withConstant returns the model whose constant feature has the weights, of which offsets must be the products with it.
func withConstant[T, W vec.Float](w vec.Matrix[T], offsets []T, constant T, weights []W, names []string) (
	*linear.Model[T], error) {
	if len(weights) != w.Cols || len(offsets) != w.Cols {
		return nil, fmt.Errorf("%d weights of the constant feature and %d offsets of %d outputs", len(weights),
			len(offsets), w.Cols)
	}
	own := vec.NewMatrix[T](w.Rows+1, w.Cols)
	for j := range w.Rows {
		copy(own.Row(j), w.Row(j))
	}
	for c, v := range weights {
		own.Row(w.Rows)[c] = T(v)
		if p := constant * T(v); p != offsets[c] {
			return nil, fmt.Errorf("offset %v of output %d, and %v times %v by the constant feature", offsets[c], c,
				constant, v)
		}
	}
	return linear.WithConstant(own, constant, names)
}
