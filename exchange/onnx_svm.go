package exchange

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// kernelOf reads the kernel of an operator.
func kernelOf(a *onnx.Attrs) (kernel.Kernel, error) {
	name, params := a.String("kernel_type", "LINEAR"), a.Floats("kernel_params")
	switch {
	case a.Err != nil:
		return nil, a.Err
	case name == "LINEAR":
		return kernel.Linear{}, nil
	case len(params) != 3:
		return nil, fmt.Errorf("%d kernel_params, want 3: gamma, coef0, degree", len(params))
	}
	gamma, offset, degree := float64(params[0]), float64(params[1]), float64(params[2])
	switch name {
	case "RBF":
		k := kernel.Gaussian{Gamma: gamma}
		return k, k.Validate()
	case "POLY":
		if !(math.Abs(degree) <= 1<<24) || degree != math.Trunc(degree) || gamma == 0 {
			return nil, fmt.Errorf("a polynomial of degree %v and gamma %v, want an integer from 1 to 2^24, and a "+
				"number above 0", degree, gamma)
		}
		k := kernel.Polynomial{Degree: int(degree), Scale: gamma, Offset: offset}
		return k, k.Validate()
	case "SIGMOID":
		return nil, fmt.Errorf("the kernel SIGMOID, which is no Mercer kernel")
	}
	return nil, fmt.Errorf("the kernel %q, want LINEAR, POLY or RBF", name)
}

// block is the support vectors of an output: their coefficients, and their numbers next to each other.
type block struct{ coefficients, vectors []float32 }

// sizes returns the number of features of n support vectors with the given number of numbers.
func (p *parser) sizes(numbers int, n int64) error {
	if n < 1 || int64(numbers)%n != 0 || numbers == 0 {
		return fmt.Errorf("%d numbers of %d support vectors", numbers, n)
	}
	return p.features(int64(numbers)/n, "a support vector")
}

func (p *parser) svmClassifier(a *onnx.Attrs) (*model.Model[float32], error) {
	labels, err := labels(a)
	if err != nil {
		return nil, err
	}
	k, err := kernelOf(a)
	if err != nil {
		return nil, err
	}
	coefficients, rho, vectors := a.Floats("coefficients"), a.Floats("rho"), a.Floats("support_vectors")
	counts, m := a.Ints("vectors_per_class"), len(labels)
	if a.Err != nil {
		return nil, a.Err
	}
	if len(counts) == 0 {
		return p.svmLinear(coefficients, rho, labels)
	}
	total := int64(0)
	for _, n := range counts {
		if n < 0 || n > int64(len(vectors)) || total > int64(len(vectors)) {
			return nil, fmt.Errorf("vectors_per_class %d with %d numbers of support vectors", n, len(vectors))
		}
		total += n
	}
	if err := p.sizes(len(vectors), total); err != nil {
		return nil, err
	}
	if m < 2 || len(counts) != m || len(rho) != m*(m-1)/2 || int64(len(coefficients)) != int64(m-1)*total {
		return nil, fmt.Errorf("%d classes, %d vectors_per_class, %d rho and %d coefficients of %d support vectors", m,
			len(counts), len(rho), len(coefficients), total)
	}
	if m == 2 && !p.own { // the first class where the score, with rho, is above 0
		p.told.Decision, p.told.Sides = Ranks, [2]string{labels[0], labels[1]}
		p.told.Threshold = math.SmallestNonzeroFloat32
		return p.expansion(k, []block{{coefficients, vectors}}, rho, nil)
	}
	all, err := differ(coefficients, vectors, counts, p.d)
	if err != nil {
		return nil, err
	}
	names, err := p.named(labels)
	if err != nil {
		return nil, err
	}
	return p.expansion(k, all, rho, names)
}

// svmLinear reads an SVMClassifier without support vectors, whose coefficients are m-by-d.
func (p *parser) svmLinear(coefficients, rho []float32, labels []string) (*model.Model[float32], error) {
	if len(labels) < 3 || len(rho) == 0 {
		return nil, fmt.Errorf("%d classes without support vectors and %d rho, want three classes at least and a rho: "+
			"runtimes differ", len(labels), len(rho))
	}
	names, err := p.named(labels)
	if err != nil {
		return nil, err
	}
	return p.linear(coefficients, slices.Repeat(rho[:1], len(labels)), len(labels), names)
}

// differ returns the coefficients of each class, where all pairs of an SVMClassifier are differences of their scores.
func differ(coefficients, vectors []float32, counts []int64, d int) ([]block, error) {
	all, from, total := make([]block, len(counts)), 0, len(vectors)/d
	for i, n := range counts {
		to := from + int(n)
		first := coefficients[from:to]
		own := slices.Clone(first)
		for r := range len(counts) - 1 {
			for q, v := range coefficients[r*total+from : r*total+to] {
				if r < i {
					v = -v
				}
				if r == 0 {
					own[q] = v
				} else if v != own[q] {
					return nil, fmt.Errorf("%d classes one against one: class %d has other coefficients against each "+
						"of the others, a model here has one score for each class", len(counts), i)
				}
			}
		}
		all[i] = block{own, vectors[from*d : to*d]}
		from = to
	}
	return all, nil
}

func (p *parser) svmRegressors() (*model.Model[float32], error) {
	var k kernel.Kernel
	var all []block
	var rho []float32
	for i, n := range p.models {
		a := &onnx.Attrs{Node: n}
		own, err := kernelOf(a)
		if err != nil {
			return nil, err
		}
		if i > 0 && own != k {
			return nil, fmt.Errorf("the kernels %v and %v, want one", k, own)
		}
		k = own
		b, offset, err := p.regressor(a)
		if err != nil {
			return nil, err
		}
		if b.vectors == nil {
			return p.linear(b.coefficients, []float32{offset}, 1, nil)
		}
		all, rho = append(all, b), append(rho, offset)
	}
	names, err := p.named(nil)
	if err != nil {
		return nil, err
	}
	if p.sign && len(all) == 1 && !p.own {
		p.ranksOfSign(-rho[0])
		return p.expansion(k, all, nil, nil)
	}
	return p.expansion(k, all, rho, names)
}

// regressor reads an SVMRegressor: of one alone without support vectors the coefficients are the features'.
func (p *parser) regressor(a *onnx.Attrs) (b block, rho float32, err error) {
	b, offset := block{a.Floats("coefficients"), a.Floats("support_vectors")}, a.Floats("rho")
	supports, one := a.Int("n_supports", 0), a.Int("one_class", 0)
	switch {
	case a.Err != nil:
		return b, 0, a.Err
	case len(offset) != 1:
		return b, 0, fmt.Errorf("%d rho, want one", len(offset))
	case one != 0 && (len(p.models) > 1 || p.told.Decision != Scores || p.own):
		return b, 0, fmt.Errorf("one_class = %d beside other decisions, want the one score of another program", one)
	}
	p.sign = p.sign || one != 0
	switch {
	case supports == 0 && len(b.vectors) == 0 && len(p.models) == 1:
		return block{coefficients: b.coefficients}, offset[0], nil
	case int64(len(b.coefficients)) != supports:
		return b, 0, fmt.Errorf("%d coefficients of %d support vectors", len(b.coefficients), supports)
	}
	return b, offset[0], p.sizes(len(b.vectors), supports)
}

// expansion makes a model of the support vectors of each output and of the offsets of pairs or of outputs; nil: none.
func (p *parser) expansion(k kernel.Kernel, all []block, rho []float32, names []string) (*model.Model[float32],
	error) {
	s := 0
	for _, b := range all {
		s += len(b.coefficients)
	}
	if room := max(1<<24, 64*(int64(s)*int64(p.d+1))); int64(s) > room/int64(len(all)) {
		return nil, fmt.Errorf("%d support vectors, of %d outputs in all: too many for a file of their size", s,
			len(all))
	}
	if p.own {
		m, err := p.restored(k, all, rho, names)
		return &model.Model[float32]{Kernel: m}, err
	}
	if slices.ContainsFunc(rho, func(v float32) bool { return v != 0 }) {
		if len(all) > 1 && p.models[0].Op != "SVMRegressor" {
			return nil, fmt.Errorf("rho %v of the pairs of %d classes, want 0: their scores have no offsets to tell",
				rho, len(all))
		}
		if _, linear := k.(kernel.Linear); linear && len(rho) == len(all) {
			return p.collapsed(all, rho)
		}
	} else {
		rho = nil
	}
	parts := p.stacked(k, all, names)
	parts.Bias = rho
	m, err := kernel.FromParts(parts)
	return &model.Model[float32]{Kernel: m}, err
}

// collapsed is the linear model of a linear kernel: the weights of an output are the sum of its support vectors times
// their coefficients.
func (p *parser) collapsed(all []block, rho []float32) (*model.Model[float32], error) {
	var coefficients []float32
	for _, b := range all {
		w := make([]float64, p.d)
		for i, a := range b.coefficients {
			for j, v := range b.vectors[i*p.d : (i+1)*p.d] {
				w[j] += float64(float64(a) * float64(v))
			}
		}
		at := len(coefficients)
		coefficients = append(coefficients, make([]float32, p.d)...)
		if err := narrow(coefficients[at:], w, "the weight of feature"); err != nil {
			return nil, err
		}
	}
	return p.linear(coefficients, rho, len(all), nil)
}

// stacked are the support vectors of all outputs, one block after the other.
func (p *parser) stacked(k kernel.Kernel, all []block, names []string) kernel.Parts[float32] {
	parts := kernel.Parts[float32]{Kernel: k, Features: p.d, Names: names}
	for _, b := range all {
		for range b.coefficients {
			parts.Support = append(parts.Support, len(parts.Support))
		}
		parts.Dense.Data = append(parts.Dense.Data, b.vectors...)
	}
	s := len(parts.Support)
	parts.Examples, parts.Coefficients = s, vec.NewMatrix[float32](s, len(all))
	parts.Dense = vec.MatrixOf(s, p.d, parts.Dense.Data)
	at := 0
	for c, b := range all {
		for i, v := range b.coefficients {
			parts.Coefficients.Row(at + i)[c] = v
		}
		at += len(b.coefficients)
	}
	return parts
}
