package exchange

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// matrix has normal numbers, a part of which are 0.
func matrix[T vec.Float](rng *rand.Rand, rows, cols int, zeros float64) vec.Matrix[T] {
	m := vec.NewMatrix[T](rows, cols)
	for i := range m.Data {
		if rng.Float64() >= zeros {
			m.Data[i] = T(rng.NormFloat64())
		}
	}
	return m
}

// randomNames are none, integers or texts.
func randomNames(rng *rand.Rand, m int) []string {
	kind := rng.IntN(3)
	var names []string
	for c := range m {
		switch kind {
		case 1:
			names = append(names, fmt.Sprint(7-3*c))
		case 2:
			names = append(names, fmt.Sprintf("é \"%d\", <%c>", c, 'a'+c))
		}
	}
	return names
}

// randomNotes have a certificate, and perhaps a scaling.
func randomNotes(t *testing.T, rng *rand.Rand, d int) map[string]string {
	t.Helper()
	notes := map[string]string{"outcome": "converged: primal 1.5, dual 1.4999, relative gap 1e-5", "a key": "a\nvalue"}
	s := dataset.Scaling{UnitRows: rng.IntN(3) == 0}
	if rng.IntN(2) == 0 {
		s.Shift, s.Factor = make([]float64, d), make([]float64, d)
		for j := range d {
			s.Shift[j], s.Factor[j] = rng.NormFloat64(), .5+rng.Float64()
		}
	}
	if s.Shift == nil && !s.UnitRows {
		return notes
	}
	notes, err := s.Note(notes)
	if err != nil {
		t.Fatal(err)
	}
	return notes
}

// randomModel is linear, or of a kernel that ONNX has.
func randomModel[T vec.Float](t *testing.T, rng *rand.Rand) *model.Model[T] {
	t.Helper()
	d, m := 1+rng.IntN(40), 1+rng.IntN(5)
	names, notes := randomNames(rng, m), randomNotes(t, rng, d)
	if rng.IntN(2) == 0 {
		constant := []T{0, 1, .3}[rng.IntN(3)]
		rows := d
		if constant != 0 {
			rows++
		}
		own, err := linear.WithConstant(matrix[T](rng, rows, m, .1), constant, names)
		if err != nil {
			t.Fatal(err)
		}
		return &model.Model[T]{Linear: own.WithNotes(notes)}
	}
	n := 1 + rng.IntN(30)
	x := design.Matrix[T](&dataset.Dense[T]{Matrix: matrix[T](rng, n, d, .2)})
	if rng.IntN(3) == 0 {
		x = sparseOf(matrix[T](rng, n, d, .95))
	}
	k := []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: .1 + rng.Float64()},
		kernel.Polynomial{Degree: 1 + rng.IntN(3), Scale: .1, Offset: rng.Float64()}, kernel.Polynomial{Degree: 2},
	}[rng.IntN(4)]
	if rng.IntN(3) == 0 {
		k = kernel.Sum{{Weight: 1, Kernel: k}, {Weight: .5, Kernel: kernel.Constant{Value: rng.Float64()}}}
	}
	gram, err := kernel.New(x, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	a := matrix[T](rng, n, m, .4)
	a.Row(rng.IntN(n))[rng.IntN(m)] = 1 // one support vector at least
	own, err := kernel.NewExpansion(gram, a, names)
	if err == nil && rng.IntN(2) == 0 {
		own, err = own.WithBias(matrix[T](rng, 1, m, .2).Data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &model.Model[T]{Kernel: own.WithNotes(notes)}
}

// randomModelOf is one of a kernel with that many outputs.
func randomModelOf(t *testing.T, outputs int) *model.Model[float32] {
	t.Helper()
	for rng := rand.New(rand.NewPCG(17, 18)); ; {
		m := randomModel[float32](t, rng)
		if _, got := m.Dims(); got == outputs && m.Kernel != nil {
			return m
		}
	}
}

func sparseOf[T vec.Float](m vec.Matrix[T]) design.Matrix[T] {
	x := &dataset.CSR[T]{Rows: m.Rows, Cols: m.Cols, Ptr: []int{0}}
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			if v != 0 {
				x.Idx, x.Val = append(x.Idx, int32(j)), append(x.Val, v)
			}
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x
}

// scores of some random examples, which are the same for all models of d features.
func scores[T vec.Float](t *testing.T, m *model.Model[T]) []T {
	t.Helper()
	d, outputs := m.Dims()
	x := vec.NewMatrix[T](9, d)
	vec.Convert(x.Data, matrix[float32](rand.New(rand.NewPCG(9, uint64(d))), 9, d, .3).Data)
	s := vec.NewMatrix[T](9, outputs)
	if err := m.Scores(s, &dataset.Dense[T]{Matrix: x}, nil); err != nil {
		t.Fatal(err)
	}
	return s.Data
}

// bits is the file of a model of the library: the same bytes, the same model.
func bits[T vec.Float](t *testing.T, m *model.Model[T]) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// close holds scores to 1e-6 of the largest, as float32 has 24 bits.
func closeTo[A, B vec.Float](t *testing.T, what string, got []A, want []B) {
	t.Helper()
	size := 1.
	for _, v := range want {
		size = max(size, math.Abs(float64(v)))
	}
	for i, v := range got {
		if e := math.Abs(float64(v) - float64(want[i])); !(e <= 1e-6*size) {
			t.Errorf("%s: score %d is %v, want %v", what, i, v, want[i])
			return
		}
	}
}

// wants checks that an error says something.
func wants(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%v, want %q", err, part)
	}
}
