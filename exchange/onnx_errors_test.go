package exchange

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// full is a writer that has no room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// kernelModel is a model of m outputs with two support vectors, by k, nil being precomputed.
func kernelModel(t *testing.T, k kernel.Kernel, m int, a float64) *model.Model[float64] {
	t.Helper()
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 2, []float64{1, 0, 0, 1})})
	gram, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float64{1, 0, 0, 1}))
	if k != nil {
		gram, err = kernel.New(x, k, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := vec.NewMatrix[float64](2, m)
	for i := range c.Data {
		c.Data[i] = a
	}
	e, err := kernel.NewExpansion(gram, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &model.Model[float64]{Kernel: e}
}

func linearModel(t *testing.T, w ...float64) *model.Model[float64] {
	t.Helper()
	m, err := linear.New(vec.MatrixOf(1, len(w), w), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &model.Model[float64]{Linear: m}
}

// Models without an equivalent, and options that do not fit, are errors that say why; nothing is written.
func TestWriteErrors(t *testing.T) {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{1, 2})}
	b, err := bundle.New(1<<20, bundle.Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Linear{}}})
	if err != nil {
		t.Fatal(err)
	}
	combination, err := bundle.NewCombination(b, []float64{1}, vec.MatrixOf(2, 1, []float64{1, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	many := &model.Model[float64]{Kernels: combination}
	noted := func(notes map[string]string) *model.Model[float64] { return linearModel(t, 1, 2).WithNotes(notes) }
	for _, c := range []struct {
		m    *model.Model[float64]
		o    ONNXOptions
		want string
	}{
		{new(model.Model[float64]), ONNXOptions{}, "0 features and 0 outputs"},
		{many, ONNXOptions{Decision: Scores}, "many kernels"},
		{linearModel(t, 1), ONNXOptions{}, "classes of one output"},
		{linearModel(t, 1, 2), ONNXOptions{Decision: Ranks}, "ranks of 2 outputs"},
		{linearModel(t, 1, 2), ONNXOptions{Decision: 4}, "unknown Decision(4)"},
		{linearModel(t, 1, 2), ONNXOptions{Decision: Labels, Softmax: true}, "a softmax of labels"},
		{kernelModel(t, kernel.Linear{}, 2, 1), ONNXOptions{Softmax: true}, "a softmax of classes"},
		{linearModel(t, 1, 1e39), ONNXOptions{}, "the weight of feature 0 for output 1 is 1e+39, beyond float32"},
		{kernelModel(t, nil, 2, 1), ONNXOptions{}, "a precomputed kernel"},
		{kernelModel(t, kernel.Linear{}, 2, 1e39), ONNXOptions{}, "1e+39, beyond float32"},
		{kernelModel(t, kernel.Linear{}, 2, 0), ONNXOptions{}, "without support vectors"},
		{kernelModel(t, kernel.Gaussian{Gamma: 1e-60}, 2, 1), ONNXOptions{}, "1e-60, which is 0 in float32"},
		{kernelModel(t, kernel.Constant{Value: 1}, 2, 1), ONNXOptions{}, "the kernel kernel.Constant"},
		{kernelModel(t, kernel.Sum{{Weight: 1, Kernel: kernel.Linear{}}, {Weight: 1, Kernel: kernel.Linear{}}}, 2, 1),
			ONNXOptions{}, "the kernel kernel.Sum"},
		{noted(map[string]string{"scaling": "shift 1 2"}), ONNXOptions{}, "a scaling of 2 features, the model has 1"},
		{noted(map[string]string{"scaling": "factor 1e39"}), ONNXOptions{}, "factor 0 is 1e+39"},
		{noted(map[string]string{"scaling": "x"}), ONNXOptions{}, "scaling"},
		{noted(map[string]string{"a": "\xff"}), ONNXOptions{}, "not UTF-8"},
	} {
		var out strings.Builder
		wants(t, WriteONNX(&out, c.m, c.o), c.want)
		if out.Len() > 0 {
			t.Errorf("%d bytes beside %q", out.Len(), c.want)
		}
	}
	wants(t, WriteSafetensors(io.Discard, many), "many kernels")
	wants(t, WriteSafetensors(io.Discard, new(model.Model[float64])), "0 features")
	wants(t, WriteSafetensors(io.Discard, noted(map[string]string{"a": "\xff"})), "not UTF-8")
	wants(t, WriteSafetensors(full{}, linearModel(t, 1)), "no room")
	wants(t, WriteONNX(full{}, linearModel(t, 1, 2), ONNXOptions{}), "no room")
}

// TestBelow: a float32 is above the threshold of a Binarizer exactly where it is at least t.
func TestBelow(t *testing.T) {
	for _, at := range []float64{0, 1, -1, .1, math.Nextafter(1, 2), math.Nextafter(1, 0), 1e-300, -1e-300, 5e-46} {
		b := below(at)
		for _, v := range []float32{b, math.Nextafter32(b, 9), math.Nextafter32(b, -9), float32(at), 0, 1, -1} {
			if (v > b) != (float64(v) >= at) {
				t.Errorf("threshold %v: %v is above %v: %t", at, v, b, v > b)
			}
		}
	}
}

// TestIs: files are told apart by their first 16 bytes.
func TestIs(t *testing.T) {
	var a, b bytes.Buffer
	if err := WriteONNX(&a, linearModel(t, 1, 2), ONNXOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteSafetensors(&b, linearModel(t, 1, 2)); err != nil {
		t.Fatal(err)
	}
	foreign := decoded(t, "svc")
	for _, c := range []struct {
		head              []byte
		onnx, safetensors bool
	}{
		{a.Bytes()[:16], true, false}, {foreign[:16], true, false}, {b.Bytes()[:16], false, true}, {nil, false, false},
		{[]byte("dualgap\nlinear\x00\x00"), false, false}, {[]byte("1 1:1 2:1\n-1 1:2\n"), false, false},
		{[]byte("\x93NUMPY\x01\x00v\x00{'desc"), false, false}, {[]byte("\x08\x00\x12"), false, false},
		{[]byte("\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x1c\x00\x00\x00\x1c"), false, false},
		{[]byte("\xff\xff\xff\xff\x00\x00\x00\x00{\"a\":1}"), false, false},
	} {
		if IsONNX(c.head) != c.onnx || IsSafetensors(c.head) != c.safetensors {
			t.Errorf("%q: ONNX %t, safetensors %t", c.head, IsONNX(c.head), IsSafetensors(c.head))
		}
	}
}
