package exchange

import (
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/exchange/internal/onnx"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// Decision is what a graph makes of scores.
type Decision int

const (
	Classes Decision = iota // "label", the class with the largest score, beside "scores"
	Labels                  // "labels", 1 for each output whose score is above 0, behind "scores"
	Ranks                   // "positive", 1 where the one score is at least the threshold, behind "scores"
	Scores                  // "scores" alone
)

// String returns the decision in a word.
func (d Decision) String() string {
	if names := [...]string{"classes", "labels", "ranks", "scores"}; d >= 0 && int(d) < len(names) {
		return names[d]
	}
	return fmt.Sprintf("Decision(%d)", int(d))
}

// ONNXOptions says what the scores of a model stand for.
type ONNXOptions struct {
	Decision  Decision // default: Classes
	Threshold float64  // of Ranks
	Softmax   bool     // of Classes of a linear model: the softmax of the scores is computed in their place

	// OneClass says that Ranks are of a model of one class: "label", as scikit-learn's converter names it, stands
	// behind "positive". It is 1 at the threshold and above, and -1 below.
	OneClass bool

	// Sides are the classes at the threshold and above, and below it, of what ReadONNX read as Ranks; "" where the file
	// names none. WriteONNX has no use for them.
	Sides [2]string
}

// The operator sets that the graphs need, and the version of the format that has them.
const (
	irVersion      = 7
	opsetVersion   = 13
	opsetMLVersion = 1
)

// mostBytes is what a message of Protocol Buffers may have.
const mostBytes = math.MaxInt32

// WriteONNX writes a model as an ONNX file. Its input "X" are examples as they were before scaling, n-by-d float32:
// the scaling among the notes of m becomes a Scaler and a Normalizer. A linear model becomes a LinearClassifier where
// the decision is Classes, else a LinearRegressor; a model of one kernel, Linear, Polynomial or Gaussian, beside a
// Constant or not, an SVMClassifier or an SVMRegressor for each output.
//
// Numbers are rounded to float32, the type that these operators have. Of more than two classes an SVMClassifier has
// each support vector once for every class with a coefficient, and its scores are differences of two classes' scores;
// its label is the class with the largest score. Weights of low rank are multiplied out.
//
// It is an error where m has no equivalent: a precomputed kernel, many kernels, a number beyond float32, a file of 2
// GiB or more; Classes or a Softmax of fewer than two outputs; Ranks of several. O(d m), or O(s m (d + m)) for s
// support vectors.
func WriteONNX[T vec.Float](w io.Writer, m *model.Model[T], o ONNXOptions) error {
	g, err := newGraph(m, o)
	if err == nil {
		err = g.fill(m)
	}
	if err != nil {
		return fmt.Errorf("exchange: a model as ONNX: %w", err)
	}
	file := g.file.Append(nil)
	if len(file) > mostBytes {
		return fmt.Errorf("exchange: a model as ONNX: %d bytes, the format has %d at most", len(file), mostBytes)
	}
	_, err = w.Write(file)
	return err
}

// graph is a file that is being written.
type graph struct {
	file     onnx.Model
	meta     metadata
	o        ONNXOptions
	d        int
	outputs  int
	names    []string
	value    string // what the next node reads
	scaling  *dataset.Scaling
	softmax  string
	decision Decision
}

func newGraph[T vec.Float](m *model.Model[T], o ONNXOptions) (*graph, error) {
	d, outputs := m.Dims()
	g := &graph{o: o, d: d, outputs: outputs, names: m.Names(), value: "X", softmax: "NONE",
		decision: o.Decision}
	switch {
	case d < 1 || outputs < 1:
		return nil, fmt.Errorf("%d features and %d outputs, want one of each at least", d, outputs)
	case o.Decision < Classes || o.Decision > Scores:
		return nil, fmt.Errorf("unknown %v", o.Decision)
	case (o.Decision == Classes) && outputs < 2:
		return nil, fmt.Errorf("%v of one output, want two at least, or the decision scores", o.Decision)
	case o.Decision == Ranks && outputs != 1:
		return nil, fmt.Errorf("ranks of %d outputs, want one", outputs)
	case o.OneClass && o.Decision != Ranks:
		return nil, fmt.Errorf("%v of one class, want ranks", o.Decision)
	case o.Softmax && (o.Decision != Classes || m.Kernel != nil || m.Kernels != nil):
		return nil, fmt.Errorf("a softmax of %v, want classes of a linear model", o.Decision)
	}
	if o.Softmax {
		g.softmax = "SOFTMAX"
	}
	var err error
	if g.meta, err = about(g.names, m.Notes()); err != nil {
		return nil, err
	}
	g.scaling, err = dataset.ScalingOf(m.Notes())
	return g, err
}

// fill makes the graph.
func (g *graph) fill(m any) error {
	g.file = onnx.Model{IRVersion: irVersion, Producer: "dualgap", Metadata: g.meta,
		Opsets: map[string]int64{"": opsetVersion, onnx.Domain: opsetMLVersion}}
	g.file.Graph.Name = "dualgap"
	g.file.Graph.Inputs = []onnx.Value{g.tensor("X", onnx.Float, g.d)}
	if err := g.scale(); err != nil {
		return err
	}
	var err error
	switch m := m.(type) {
	case *model.Model[float32]:
		err = addModel(g, m)
	case *model.Model[float64]:
		err = addModel(g, m)
	}
	return err
}

func addModel[T vec.Float](g *graph, m *model.Model[T]) error {
	own := m.Linear
	switch {
	case m.Kernels != nil:
		return fmt.Errorf("a model of many kernels, the operators have one")
	case m.Kernel != nil:
		return addKernel(g, m.Kernel)
	case m.LowRank != nil:
		var err error
		if own, err = m.LowRank.Dense(); err != nil {
			return err
		}
	}
	return addLinear(g, own)
}

// tensor is a tensor of n rows, and columns where that is not 0.
func (g *graph) tensor(name string, elem int64, columns int) onnx.Value {
	v := onnx.Value{Name: name, Elem: elem, Dims: []onnx.Dim{{Name: "N"}}}
	if columns > 0 {
		v.Dims = append(v.Dims, onnx.Dim{Size: int64(columns)})
	}
	return v
}

// add appends a node of the given outputs that reads the value at hand.
func (g *graph) add(op string, out []string, attributes ...onnx.Attribute) {
	g.file.Graph.Nodes = append(g.file.Graph.Nodes, onnx.Node{Op: op, Domain: onnx.Domain,
		Name: fmt.Sprintf("%s%d", op, len(g.file.Graph.Nodes)), In: []string{g.value}, Out: out,
		Attributes: attributes})
}

// scale appends the nodes of the scaling.
func (g *graph) scale() error {
	shift, factor, err := scaler(g.scaling, g.d)
	if err != nil {
		return err
	}
	if shift != nil {
		g.add("Scaler", []string{"scaled"}, onnx.Floats("offset", shift), onnx.Floats("scale", factor))
		g.value = "scaled"
	}
	if g.scaling.UnitRows {
		g.add("Normalizer", []string{"unit"}, onnx.Text("norm", "L2"))
		g.value = "unit"
	}
	return nil
}

// scaler returns the numbers of the operator Scaler for s, nil where it has nothing to do.
func scaler(s *dataset.Scaling, d int) (shift, factor []float32, err error) {
	if s.Shift == nil && s.Factor == nil {
		return nil, nil, nil
	}
	for _, of := range [][]float64{s.Shift, s.Factor} {
		if of != nil && len(of) != d {
			return nil, nil, fmt.Errorf("a scaling of %d features, the model has %d", len(of), d)
		}
	}
	shift, factor = make([]float32, d), make([]float32, d)
	for j := range d {
		factor[j] = 1
	}
	if s.Shift != nil {
		if err := narrow(shift, s.Shift, "shift"); err != nil {
			return nil, nil, err
		}
	}
	if s.Factor != nil {
		err = narrow(factor, s.Factor, "factor")
	}
	return shift, factor, err
}

// narrow rounds numbers to float32, in which they must be finite.
func narrow[T vec.Float](dst []float32, src []T, what string) error {
	for i, v := range src {
		dst[i] = float32(v)
		if dst[i]-dst[i] != 0 {
			return fmt.Errorf("%s %d is %v, beyond float32", what, i, v)
		}
	}
	return nil
}

func bitsOf[T vec.Float]() int {
	if _, single := any(T(0)).(float32); single {
		return 32
	}
	return 64
}

// classLabels returns the labels of the outputs: integers where all names are, or where there are none.
func (g *graph) classLabels() (onnx.Attribute, int64, error) {
	ints := make([]int64, g.outputs)
	for c := range ints {
		ints[c] = int64(c)
	}
	for c, name := range g.names {
		v, ok := integer(name)
		if !ok {
			if i := invalid(g.names); i >= 0 {
				return onnx.Attribute{}, 0, fmt.Errorf("the name %q is not UTF-8", g.names[i])
			}
			return onnx.Texts("classlabels_strings", g.names), onnx.String, nil
		}
		ints[c] = v
	}
	return onnx.Ints("classlabels_ints", ints), onnx.Int64, nil
}

// invalid returns the place of the first text that is not UTF-8, or -1.
func invalid(texts []string) int {
	for i, text := range texts {
		if !utf8.ValidString(text) {
			return i
		}
	}
	return -1
}

// below returns the number that a float32 is above exactly where it is at least t.
func below(t float64) float32 {
	v := float32(t)
	if float64(v) >= t {
		v = math.Nextafter32(v, float32(math.Inf(-1)))
	}
	return v
}
