package exchange

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// What a file of safetensors calls the tensors of a model.
const (
	tensorWeight   = "weight"                       // m-by-d
	tensorBias     = "bias"                         // m
	tensorConstant = "constant_weight"              // m, of a constant feature that is not 1
	tensorU        = "u"                            // d-by-r
	tensorV        = "v"                            // m-by-r
	tensorVectors  = "support_vectors"              // s-by-d
	tensorPtr      = "support_vectors.crow_indices" // s+1
	tensorColumns  = "support_vectors.col_indices"
	tensorValues   = "support_vectors.values"
	tensorDual     = "dual_coef" // m-by-s
	tensorSupport  = "support"   // s
)

// Kinds of models in the metadata.
const (
	kindLinear  = "linear"
	kindLowRank = "low rank"
	kindKernel  = "kernel"
)

// WriteSafetensors writes a model as safetensors, in the type of its numbers. A linear model has the tensors "weight",
// m-by-d as PyTorch's Linear has it, and "bias", one of low rank "u", d-by-r, "v", m-by-r, and "bias", and one of a
// kernel "dual_coef", m-by-s, "support_vectors", s-by-d, and "support", their places among the training examples, and
// "bias" where it has offsets; sparse support vectors are "support_vectors.crow_indices", "col_indices" and "values".
// Names, notes and the kernel are in the metadata. [ReadSafetensors] gives the same bits back. A model of many kernels
// is an error, as is a header of more than 100 MB. O(d m), or O(s (d + m)).
func WriteSafetensors[T vec.Float](w io.Writer, m *model.Model[T]) error {
	meta, err := about(m.Names(), m.Notes())
	f := tensors{meta: meta}
	if err == nil {
		err = addTensors(&f, m)
	}
	var header []byte
	if err == nil {
		header, err = f.header()
	}
	if err != nil {
		return fmt.Errorf("exchange: a model as safetensors: %w", err)
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	for _, t := range f.all {
		if _, err := w.Write(t.data); err != nil {
			return err
		}
	}
	return nil
}

func addTensors[T vec.Float](f *tensors, m *model.Model[T]) error {
	features, outputs := m.Dims()
	switch {
	case m.Kernels != nil:
		return fmt.Errorf("a model of many kernels, a file has the support vectors of one")
	case features < 1 || outputs < 1:
		return fmt.Errorf("%d features and %d outputs, want one of each at least", features, outputs)
	case m.Kernel != nil:
		return kernelTensors(f, m.Kernel.Parts())
	case m.LowRank != nil:
		f.meta[keyModel] = kindLowRank
		u, v := m.LowRank.Factors()
		addMatrix(f, tensorU, u)
		addMatrix(f, tensorV, v)
		if bias := m.LowRank.Bias(); bias != nil {
			addFloats(f, tensorBias, bias, len(bias))
		}
		return nil
	}
	return linearTensors(f, m.Linear)
}

func linearTensors[T vec.Float](f *tensors, m *linear.Model[T]) error {
	f.meta[keyModel] = kindLinear
	addMatrix(f, tensorWeight, transposed(m.Weights()))
	constant := m.Constant()
	if constant == 0 {
		return nil
	}
	bias := m.Bias()
	addFloats(f, tensorBias, bias, len(bias))
	if constant == 1 {
		return nil
	}
	own, err := constantWeights(m)
	if err != nil {
		return err
	}
	f.meta[keyConstant] = numberText(float64(constant))
	addFloats(f, tensorConstant, own, len(own))
	return nil
}

func kernelTensors[T vec.Float](f *tensors, p kernel.Parts[T]) error {
	text, err := kernelText(p.Kernel)
	if err != nil {
		return err
	}
	f.meta[keyModel], f.meta[keyKernel] = kindKernel, text
	f.meta[keyFeatures], f.meta[keyExamples] = strconv.Itoa(p.Features), strconv.Itoa(p.Examples)
	addInts(f, tensorSupport, p.Support)
	if p.Bias != nil {
		addFloats(f, tensorBias, p.Bias, len(p.Bias))
	}
	switch {
	case p.Ptr != nil:
		addInts(f, tensorPtr, p.Ptr)
		addInts(f, tensorColumns, p.Columns)
		addFloats(f, tensorValues, p.Values, len(p.Values))
	case p.Kernel != nil:
		addMatrix(f, tensorVectors, p.Dense)
	}
	addMatrix(f, tensorDual, transposed(p.Coefficients))
	return nil
}

// transposed returns the transpose of a.
func transposed[T vec.Float](a vec.Matrix[T]) vec.Matrix[T] {
	t := vec.NewMatrix[T](a.Cols, a.Rows)
	if a.Cols == 0 {
		return t // of however many rows
	}
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			t.Row(j)[i] = v
		}
	}
	return t
}

// tensors are what a file of safetensors holds.
type tensors struct {
	meta metadata
	all  []tensor
}

// tensor is one of them, row by row, its numbers little-endian.
type tensor struct {
	name, dtype string
	shape       []int
	data        []byte
}

func addMatrix[T vec.Float](f *tensors, name string, a vec.Matrix[T]) {
	data := make([]T, 0, a.Rows*a.Cols)
	for i := range a.Rows {
		data = append(data, a.Row(i)...)
	}
	addFloats(f, name, data, a.Rows, a.Cols)
}

func addFloats[T vec.Float](f *tensors, name string, data []T, shape ...int) {
	t := tensor{name: name, dtype: "F64", shape: shape}
	if bitsOf[T]() == 32 {
		t.dtype = "F32"
	}
	for _, v := range data {
		if t.dtype == "F32" {
			t.data = binary.LittleEndian.AppendUint32(t.data, math.Float32bits(float32(v)))
		} else {
			t.data = binary.LittleEndian.AppendUint64(t.data, math.Float64bits(float64(v)))
		}
	}
	f.all = append(f.all, t)
}

func addInts[I int | int32](f *tensors, name string, data []I) {
	t := tensor{name: name, dtype: "I64", shape: []int{len(data)}}
	for _, v := range data {
		t.data = binary.LittleEndian.AppendUint64(t.data, uint64(v))
	}
	f.all = append(f.all, t)
}

// mostHeader is what readers take for a header at most.
const mostHeader = 100_000_000

// header returns the length of the header and the header, padded by blanks so that data are aligned.
func (f *tensors) header() ([]byte, error) {
	var b strings.Builder
	b.WriteString(`{"__metadata__":`)
	b.WriteString(jsonText(f.meta))
	at := 0
	for _, t := range f.all {
		shape := strings.ReplaceAll(intsText(t.shape), " ", ",")
		fmt.Fprintf(&b, `,%s:{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}`, jsonText(t.name), t.dtype, shape, at,
			at+len(t.data))
		at += len(t.data)
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	if b.Len() > mostHeader {
		return nil, fmt.Errorf("a header of %d bytes, readers take %d at most", b.Len(), mostHeader)
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(b.Len())), b.String()...), nil
}
