package exchange

import (
	"fmt"
	"strings"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// kernelAttributes returns the attributes kernel_type and kernel_params of k: gamma, coef0 and degree.
func kernelAttributes(k kernel.Kernel) (name string, params []float32, err error) {
	params = make([]float32, 3)
	var numbers []float64
	switch k := k.(type) {
	case kernel.Linear:
		return "LINEAR", params, nil
	case kernel.Gaussian:
		name, numbers = "RBF", []float64{k.Gamma, 0, 0}
	case kernel.Polynomial:
		scale := k.Scale
		if scale == 0 {
			scale = 1
		}
		if k.Degree > 1<<24 {
			return "", nil, fmt.Errorf("a polynomial of degree %d, the operators have degrees up to 2^24", k.Degree)
		}
		name, numbers = "POLY", []float64{scale, k.Offset, float64(k.Degree)}
	case nil:
		return "", nil, fmt.Errorf("a precomputed kernel, the operators compute theirs from features")
	default:
		return "", nil, fmt.Errorf("the kernel %T, the operators have Linear, Polynomial and Gaussian ones, "+
			"with a Constant or not", k)
	}
	if err := narrow(params, numbers, "kernel parameter"); err != nil {
		return "", nil, err
	}
	if params[0] == 0 {
		return "", nil, fmt.Errorf("the kernel parameter %v, which is 0 in float32", numbers[0])
	}
	return name, params, nil
}

// blocks are the support vectors of each output: the ones with a coefficient that is not 0. A support vector without
// any goes with the first output.
type blocks struct {
	of [][]int
	a  vec.Matrix[float32] // coefficients, a row for each support vector
}

func newBlocks[T vec.Float](p *kernel.Parts[T]) (b blocks, err error) {
	s, m := p.Coefficients.Rows, p.Coefficients.Cols
	b = blocks{make([][]int, m), vec.NewMatrix[float32](s, m)}
	for q := range s {
		if err := narrow(b.a.Row(q), p.Coefficients.Row(q), "the coefficient for output"); err != nil {
			return b, err
		}
		lone := true
		for c, v := range b.a.Row(q) {
			if v != 0 {
				b.of[c], lone = append(b.of[c], q), false
			}
		}
		if lone {
			b.of[0] = append(b.of[0], q)
		}
	}
	return b, nil
}

// total is the number of support vectors of all outputs.
func (b *blocks) total() (n int) {
	for _, of := range b.of {
		n += len(of)
	}
	return n
}

// offsets returns what is added to the score of each output: by a constant in the kernel, and the bias, nil for none.
func (b *blocks) offsets(constant float64, bias []float32) []float64 {
	sums := make([]float64, len(b.of))
	for c, of := range b.of {
		for _, q := range of {
			sums[c] += float64(b.a.Row(q)[c])
		}
		sums[c] *= constant
		if bias != nil {
			sums[c] += float64(bias[c])
		}
	}
	return sums
}

// pairs returns the coefficients of an SVMClassifier: one against one, of the classes i < j the score is f_i - f_j. Row
// r has for a support vector of class i its coefficient against class r+1 where r >= i, else against class r.
func (b *blocks) pairs() []float32 {
	all := make([]float32, 0, (len(b.of)-1)*b.total())
	for r := range len(b.of) - 1 {
		for i, of := range b.of {
			for _, q := range of {
				v := b.a.Row(q)[i]
				if r < i {
					v = -v
				}
				all = append(all, v)
			}
		}
	}
	return all
}

// differences returns rho of each pair i < j.
func differences(offsets []float64) (rho []float32, err error) {
	var all []float64
	for i := range offsets {
		for j := i + 1; j < len(offsets); j++ {
			all = append(all, offsets[i]-offsets[j])
		}
	}
	rho = make([]float32, len(all))
	return rho, narrow(rho, all, "the offset of pair")
}

// addKernel adds an SVMClassifier, or an SVMRegressor for each output.
func addKernel[T vec.Float](g *graph, m *kernel.Expansion[T]) error {
	p := m.Parts()
	k, constant := apart(p.Kernel)
	name, params, err := kernelAttributes(k)
	if err != nil {
		return err
	}
	b, err := newBlocks(&p)
	if err != nil {
		return err
	}
	total := b.total()
	if total == 0 {
		return fmt.Errorf("a model without support vectors, the operators want one at least")
	}
	if size := int64(total) * int64(g.d); size > mostBytes/4-int64(total)*int64(g.outputs-1) {
		return fmt.Errorf("%d support vectors of all outputs, of %d features each: a file has %d bytes at most", total,
			g.d, mostBytes)
	}
	if err := placesOf(g.meta, &p, &b); err != nil {
		return err
	}
	offsets, err := offsetsOf(g.meta, p.Bias, &b, constant)
	if err != nil {
		return err
	}
	common := []onnx.Attribute{onnx.Text("kernel_type", name), onnx.Floats("kernel_params", params),
		onnx.Text("post_transform", "NONE")}
	if g.decision != Classes {
		return addRegressors(g, &p, &b, offsets, common)
	}
	var vectors []float32
	counts := make([]int64, g.outputs)
	for c, of := range b.of {
		counts[c] = int64(len(of))
		if vectors, err = appendVectors(vectors, &p, of); err != nil {
			return err
		}
	}
	rho, err := differences(offsets)
	if err != nil {
		return err
	}
	labels, elem, err := g.classLabels()
	if err != nil {
		return err
	}
	g.add("SVMClassifier", []string{"label", "scores"}, append(common, labels, onnx.Floats("coefficients", b.pairs()),
		onnx.Floats("rho", rho), onnx.Floats("support_vectors", vectors), onnx.Ints("vectors_per_class", counts))...)
	g.file.Graph.Outputs = []onnx.Value{g.tensor("label", elem, 0), g.tensor("scores", onnx.Float, max(2, len(rho)))}
	return nil
}

// addRegressors adds an SVMRegressor for each output, and what joins their scores.
func addRegressors[T vec.Float](g *graph, p *kernel.Parts[T], b *blocks, wide []float64,
	common []onnx.Attribute) error {
	var joined []string
	offsets := make([]float32, g.outputs)
	if err := narrow(offsets, wide, "the offset of output"); err != nil {
		return err
	}
	for c, of := range b.of {
		if len(of) == 0 { // the operators want a support vector
			of = []int{0}
			b.of[c] = of
		}
		vectors, err := appendVectors(nil, p, of)
		if err != nil {
			return err
		}
		coefficients := make([]float32, len(of))
		for i, q := range of {
			coefficients[i] = b.a.Row(q)[c]
		}
		to := "scores"
		if g.outputs > 1 {
			to = fmt.Sprint("score", c)
		}
		joined = append(joined, to)
		g.add("SVMRegressor", []string{to}, append(common[:len(common):len(common)],
			onnx.Floats("coefficients", coefficients), onnx.Floats("rho", offsets[c:c+1]),
			onnx.Floats("support_vectors", vectors), onnx.Int("n_supports", int64(len(of))))...)
	}
	g.meta[keyBlocks] = blocksText(b.of)
	if g.outputs > 1 {
		g.file.Graph.Nodes = append(g.file.Graph.Nodes, onnx.Node{Op: "Concat", Name: "Concat", In: joined,
			Out: []string{"scores"}, Attributes: []onnx.Attribute{onnx.Int("axis", 1)}})
	}
	g.decide()
	return nil
}

// appendVectors appends support vectors as float32.
func appendVectors[T vec.Float](dst []float32, p *kernel.Parts[T], places []int) ([]float32, error) {
	row := make([]T, p.Features)
	for _, q := range places {
		if p.Ptr == nil {
			copy(row, p.Dense.Row(q))
		} else {
			clear(row)
			for i := p.Ptr[q]; i < p.Ptr[q+1]; i++ {
				row[p.Columns[i]] = p.Values[i]
			}
		}
		at := len(dst)
		dst = append(dst, make([]float32, p.Features)...)
		if err := narrow(dst[at:], row, fmt.Sprintf("support vector %d: feature", q)); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// placesOf notes what the operators do not say of a model's support vectors.
func placesOf[T vec.Float](meta metadata, p *kernel.Parts[T], b *blocks) error {
	text, err := kernelText(p.Kernel)
	if err != nil {
		return err
	}
	meta[keyKernel], meta[keyExamples], meta[keySupport] = text, fmt.Sprint(p.Examples), intsText(p.Support)
	meta[keyBlocks], meta[keyForm] = blocksText(b.of), "dense"
	if p.Ptr != nil {
		meta[keyForm] = "sparse"
	}
	return nil
}

// offsetsOf returns what is added to the score of each output, and notes the bias of the model.
func offsetsOf[T vec.Float](meta metadata, bias []T, b *blocks, constant float64) ([]float64, error) {
	if bias == nil {
		return b.offsets(constant, nil), nil
	}
	own, texts := make([]float32, len(bias)), make([]string, len(bias))
	if err := narrow(own, bias, "the offset of output"); err != nil {
		return nil, err
	}
	for c, v := range own {
		texts[c] = numberText(float64(v))
	}
	meta[keyOffsets] = strings.Join(texts, " ")
	return b.offsets(constant, own), nil
}

func blocksText(of [][]int) string {
	texts := make([]string, len(of))
	for c, places := range of {
		texts[c] = intsText(places)
	}
	return strings.Join(texts, ";")
}
