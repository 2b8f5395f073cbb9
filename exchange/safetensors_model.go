package exchange

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// ReadSafetensors reads a model, to the end of the file: one of float64 where its numbers are F64, else one of float32,
// and the other result is nil. What WriteSafetensors wrote comes back bit for bit. Of other files it takes the weights
// of one linear layer: a tensor "weight" of two axes, outputs by features, whatever stands before its name, and with
// the same before it a "bias" or none, as PyTorch writes them, in F64, F32, F16 or BF16. What their metadata say
// becomes notes whose keys begin with "safetensors.".
//
// It is an error if the header is no header, if a tensor has other bytes than its shape, if tensors overlap or leave
// gaps, if bytes are missing or too many, or if they make no sound model. Memory is taken as bytes come.
func ReadSafetensors(r io.Reader) (single *model.Model[float32], double *model.Model[float64], err error) {
	f, err := readTensors(r)
	wide := false
	if err == nil {
		wide = slices.ContainsFunc(f.all, func(t tensor) bool { return t.dtype == "F64" })
		if wide {
			double, err = modelOf[float64](f)
		} else {
			single, err = modelOf[float32](f)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("exchange: reading safetensors: %w", err)
	}
	return single, double, nil
}

// modelOf makes the model of the tensors.
func modelOf[T vec.Float](f *tensors) (*model.Model[T], error) {
	own, err := f.meta.own()
	if err != nil {
		return nil, err
	}
	if !own {
		return foreign[T](f)
	}
	names, err := f.meta.names()
	if err != nil {
		return nil, err
	}
	t := taker[T]{f: f}
	m := new(model.Model[T])
	switch kind := f.meta[keyModel]; kind {
	case kindLinear:
		m.Linear, err = t.linear(names)
	case kindLowRank:
		u, v, bias := t.matrix(tensorU), t.matrix(tensorV), t.floats(tensorBias, false)
		if err = t.done(); err == nil {
			m.LowRank, err = linear.NewLowRank(u, v, bias, names)
		}
	case kindKernel:
		m.Kernel, err = t.kernel(names)
	default:
		err = fmt.Errorf("a model of the kind %q, want %s, %s or %s", kind, kindLinear, kindLowRank, kindKernel)
	}
	if err != nil {
		return nil, err
	}
	return m.WithNotes(f.meta.notes()), nil
}

// foreign reads a linear layer.
func foreign[T vec.Float](f *tensors) (*model.Model[T], error) {
	var found []string
	for _, t := range f.all {
		if t.name == tensorWeight || strings.HasSuffix(t.name, "."+tensorWeight) {
			found = append(found, t.name)
		}
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d tensors named weight among %d, want one: models here are one layer", len(found),
			len(f.all))
	}
	t := taker[T]{f: f}
	w := t.matrix(found[0])
	bias := t.floats(strings.TrimSuffix(found[0], tensorWeight)+tensorBias, false)
	if err := t.done(); err != nil {
		return nil, err
	}
	m, err := linear.New(transposed(w), bias, nil)
	if err != nil {
		return nil, err
	}
	var notes map[string]string
	for key, value := range f.meta {
		if notes == nil {
			notes = map[string]string{}
		}
		notes["safetensors."+key] = value
	}
	return &model.Model[T]{Linear: m.WithNotes(notes)}, nil
}

// taker takes tensors of a file, each once. The first error stays.
type taker[T vec.Float] struct {
	f     *tensors
	taken map[string]bool
	err   error
}

// take returns a tensor of a number of axes, nil where there is none, which is an error where it must be.
func (t *taker[T]) take(name string, axes int, must bool) *tensor {
	i := slices.IndexFunc(t.f.all, func(x tensor) bool { return x.name == name })
	switch {
	case t.err != nil:
	case i < 0 && must:
		t.err = fmt.Errorf("no tensor %q", name)
	case i >= 0 && len(t.f.all[i].shape) != axes:
		t.err = fmt.Errorf("the tensor %q of shape %v, want %d axes", name, t.f.all[i].shape, axes)
	}
	if i < 0 || t.err != nil {
		return nil
	}
	if t.taken == nil {
		t.taken = map[string]bool{}
	}
	t.taken[name] = true
	return &t.f.all[i]
}

// done returns the first error, or one that names a tensor that nothing has taken.
func (t *taker[T]) done() error {
	for _, x := range t.f.all {
		if t.err == nil && !t.taken[x.name] {
			t.err = fmt.Errorf("the tensor %q has no place in a model here, which has %q", x.name,
				slices.Sorted(maps.Keys(t.taken)))
		}
	}
	return t.err
}

// numbers returns the floats of a tensor.
func (t *taker[T]) numbers(x *tensor) []T {
	if x == nil {
		return nil
	}
	width := dtypes[x.dtype]
	all := make([]T, len(x.data)/width)
	for i := range all {
		b := x.data[i*width:]
		switch x.dtype {
		case "F64":
			all[i] = T(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		case "F32":
			all[i] = T(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		case "BF16":
			all[i] = T(math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16))
		case "F16":
			all[i] = T(half(binary.LittleEndian.Uint16(b)))
		default:
			t.err = fmt.Errorf("the tensor %q of %s, want floats", x.name, x.dtype)
			return nil
		}
	}
	return all
}

// half is the number of a float16.
func half(b uint16) float64 {
	exponent, fraction, sign := int(b>>10&31), float64(b&1023), 1-2*float64(b>>15)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		return math.NaN() // or infinite: models have neither
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

func (t *taker[T]) matrix(name string) (m vec.Matrix[T]) {
	x := t.take(name, 2, true)
	data := t.numbers(x)
	if t.err != nil {
		return m
	}
	if x.shape[0] < 1 || x.shape[1] < 1 {
		if name != tensorVectors && name != tensorDual || x.shape[0]*x.shape[1] != 0 {
			t.err = fmt.Errorf("the tensor %q of shape %v", name, x.shape)
			return m
		}
		if max(x.shape[0], x.shape[1]) > math.MaxInt32 {
			t.err = fmt.Errorf("the tensor %q of shape %v, want at most %d", name, x.shape, math.MaxInt32)
			return m
		}
		return vec.NewMatrix[T](x.shape[0], x.shape[1])
	}
	return vec.MatrixOf(x.shape[0], x.shape[1], data)
}

func (t *taker[T]) floats(name string, must bool) []T { return t.numbers(t.take(name, 1, must)) }

// ints returns integers from 0 to 2^31-1.
func (t *taker[T]) ints(name string) []int {
	x := t.take(name, 1, true)
	if x == nil {
		return nil
	}
	if x.dtype != "I64" {
		t.err = fmt.Errorf("the tensor %q of %s, want I64", name, x.dtype)
		return nil
	}
	all := make([]int, len(x.data)/8)
	for i := range all {
		v := binary.LittleEndian.Uint64(x.data[8*i:])
		if v > math.MaxInt32 {
			t.err = fmt.Errorf("number %d of the tensor %q is %d, want one from 0 to %d", i, name, int64(v),
				math.MaxInt32)
			return nil
		}
		all[i] = int(v)
	}
	return all
}

func (t *taker[T]) linear(names []string) (*linear.Model[T], error) {
	w, bias, own := t.matrix(tensorWeight), t.floats(tensorBias, false), t.floats(tensorConstant, false)
	if err := t.done(); err != nil {
		return nil, err
	}
	text, told := t.f.meta[keyConstant]
	if told != (own != nil) {
		return nil, fmt.Errorf("%d weights of a constant feature, which is %q in the metadata", len(own), text)
	}
	if !told {
		return linear.New(transposed(w), bias, names)
	}
	constant, err := t.f.meta.numbers(keyConstant)
	if err != nil || len(constant) != 1 {
		return nil, fmt.Errorf("%q in the metadata is %q, want a number", keyConstant, text)
	}
	return withConstant(transposed(w), bias, T(constant[0]), own, names)
}

func (t *taker[T]) kernel(names []string) (*kernel.Expansion[T], error) {
	k, err := parseKernel(t.f.meta[keyKernel])
	if err != nil {
		return nil, err
	}
	p := kernel.Parts[T]{Kernel: k, Names: names}
	if p.Features, err = t.f.meta.int(keyFeatures); err != nil {
		return nil, err
	}
	if p.Examples, err = t.f.meta.int(keyExamples); err != nil {
		return nil, err
	}
	p.Support = t.ints(tensorSupport)
	sparse := slices.ContainsFunc(t.f.all, func(x tensor) bool { return x.name == tensorPtr })
	switch {
	case k != nil && sparse:
		p.Ptr = t.ints(tensorPtr)
		columns := t.ints(tensorColumns)
		p.Values = t.floats(tensorValues, true)
		for _, j := range columns {
			p.Columns = append(p.Columns, int32(j))
		}
	case k != nil:
		p.Dense = t.matrix(tensorVectors)
	}
	p.Coefficients, p.Bias = transposed(t.matrix(tensorDual)), t.floats(tensorBias, false)
	if err := t.done(); err != nil {
		return nil, err
	}
	return kernel.FromParts(p)
}
