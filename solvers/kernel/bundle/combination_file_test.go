package bundle

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// sameMany checks that two models are written alike, which TestGoldenMany and reread tie to their parts.
func sameMany[T vec.Float](t *testing.T, got, want *Combination[T]) {
	t.Helper()
	if !bytes.Equal(containertest.Written(t, got), containertest.Written(t, want)) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// reread reports whether a file gives the same model back, by its parts and by the bits of its scores.
func reread[T vec.Float](t *testing.T, m *Combination[T], x design.Matrix[T]) {
	t.Helper()
	m = m.WithNotes(map[string]string{"a": "b"})
	file := containertest.Written(t, m)
	got, err := ReadCombination[T](bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(containertest.Written(t, got), file) || !maps.Equal(got.Notes(), m.Notes()) ||
		!slices.Equal(got.Names(), m.Names()) ||
		!slices.Equal(got.Support(), m.Support()) || !slices.Equal(got.Weights(), m.Weights()) ||
		!reflect.DeepEqual(got.Coefficients(), m.Coefficients()) {
		t.Errorf("%+v, want %+v", got, m)
	}
	n, _ := x.Dims()
	_, outputs := m.Dims()
	want, have := vec.NewMatrix[T](n, outputs), vec.NewMatrix[T](n, outputs)
	if m.Scores(want, x, nil) != nil || got.Scores(have, x, nil) != nil || !slices.Equal(want.Data, have.Data) {
		t.Error("scores have other bits")
	}
	if _, err := ReadCombination[T](strings.NewReader(string(file[:len(file)-1]))); !errors.Is(err, kernel.ErrCorrupt) {
		t.Errorf("cut: %v", err)
	}
}

// goldenMany is a model of numbers that every architecture computes alike: of dense, sparse and given groups.
func goldenMany[T vec.Float](t testing.TB) *Combination[T] {
	t.Helper()
	dense, sparse := vec.NewMatrix[T](4, 3), &dataset.CSR[T]{Rows: 4, Cols: 40, Ptr: []int{0}}
	square := vec.NewMatrix[T](4, 4)
	for i := range 4 {
		for j := range 3 {
			dense.Row(i)[j] = T((5*i+3*j)%7) / 2
		}
		sparse.Idx, sparse.Val = append(sparse.Idx, int32(9*i)), append(sparse.Val, T(i)-1.5)
		sparse.Ptr = append(sparse.Ptr, len(sparse.Val))
		square.Row(i)[i] = T(i + 1)
	}
	given, err := kernel.Precomputed(square)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(0,
		Group[T]{X: &dataset.Dense[T]{Matrix: dense}, Kernels: []kernel.Kernel{kernel.Linear{},
			kernel.Gaussian{Gamma: .5}}},
		Group[T]{X: design.Matrix[T](sparse), Kernels: []kernel.Kernel{
			kernel.Polynomial{Degree: 2, Scale: .5, Offset: 1}}},
		Group[T]{X: &dataset.Dense[T]{Matrix: dense}, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 2}}},
		Group[T]{Matrix: given})
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewCombination(b, []float64{.5, .25, 2, 0, 1},
		vec.MatrixOf(4, 2, []T{1.5, 0, 0, 0, -0x1p-149, -1, 0, 0x1p127}), []string{"cat", "Kühe"})
	if err != nil {
		t.Fatal(err)
	}
	return m.WithNotes(map[string]string{"certificate": "primal 0.5, dual 0.4999"})
}

// TestGoldenMany: what is committed is written to the byte, read back, and known for damaged where a bit differs.
func TestGoldenMany(t *testing.T) {
	narrow, wide := goldenMany[float32](t), goldenMany[float64](t)
	containertest.Golden(t, map[string]*Combination[float32]{"many32": narrow}, ReadCombination[float32], sameMany)
	containertest.Golden(t, map[string]*Combination[float64]{"many64": wide}, ReadCombination[float64], sameMany)
	containertest.Marshals(t, wide, sameMany)
}

// encoded returns the codes of kernels, or of a given matrix if there are none.
func encoded(kernels ...kernel.Kernel) []int {
	codes, _, _ := kernel.EncodeAll(kernels)
	return codes
}

// TestFileManySizes: files whose checksums are true and whose sizes do not fit are corrupt.
func TestFileManySizes(t *testing.T) {
	type file struct {
		size  []int
		supp  []int
		a     vec.Matrix[float64]
		part  []int
		kern  []int
		para  []float64
		wght  []float64
		x     vec.Matrix[float64]
		dense bool
	}
	sound := func() file {
		return file{[]int{3, 2, 1, 1}, []int{0, 2}, vec.MatrixOf(2, 1, []float64{1, 2}), []int{2, core.FormDense},
			encoded(kernel.Gaussian{Gamma: .5}, kernel.Linear{}),
			[]float64{.5}, []float64{1, 0}, vec.MatrixOf(2, 2, []float64{1, 2, 3, 4}), true}
	}
	read := func(f file) error {
		var b bytes.Buffer
		w := container.NewWriter(&b, kind, version)
		w.Ints("size", f.size...)
		w.Strings("name", nil)
		w.Map("note", nil)
		w.Ints("supp", f.supp...)
		container.WriteMatrix(w, "a", f.a)
		w.Ints("part", f.part...)
		w.Ints("kern", f.kern...)
		container.Floats(w, "para", f.para)
		container.Floats(w, "wght", f.wght)
		if f.dense {
			container.WriteMatrix(w, "x", f.x)
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := ReadCombination[float64](&b)
		return err
	}
	if err := read(sound()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(f *file){
		"no examples":      func(f *file) { f.size[0] = 0 },
		"other supports":   func(f *file) { f.size[1] = 3 },
		"other outputs":    func(f *file) { f.size[2] = 2 },
		"no groups":        func(f *file) { f.size[3] = 0 },
		"more groups":      func(f *file) { f.size[3] = 1 << 30 },
		"support of none":  func(f *file) { f.supp[1] = 3 },
		"supports descend": func(f *file) { f.supp[0] = 2 },
		"no features":      func(f *file) { f.part[0] = 0 },
		"other features":   func(f *file) { f.part[0] = 3 },
		"unknown form":     func(f *file) { f.part[1] = 7 },
		"no vectors":       func(f *file) { f.part[1] = core.FormNone },
		"sparse":           func(f *file) { f.part[1] = core.FormSparse },
		"unknown kernel":   func(f *file) { f.kern[0] = 99 },
		"a sum": func(f *file) {
			f.kern, f.para = encoded(kernel.Sum{{Weight: 1, Kernel: kernel.Linear{}}}), []float64{1}
		},
		"no kernels":          func(f *file) { f.kern, f.para = nil, nil },
		"no parameter":        func(f *file) { f.para = nil },
		"a parameter of none": func(f *file) { f.para = []float64{.5, 1} },
		"gamma below 0":       func(f *file) { f.para[0] = -1 },
		"weight below 0":      func(f *file) { f.wght[0] = -1 },
		"a weight more":       func(f *file) { f.wght = []float64{1, 1, 1} },
		"a given matrix":      func(f *file) { f.kern, f.para, f.wght = encoded(), nil, []float64{1} },
		"a vector more":       func(f *file) { f.x = vec.NewMatrix[float64](3, 2) },
		"all weights 0":       func(f *file) { f.wght[0] = 0 },
	} {
		f := sound()
		if spoil(&f); !errors.Is(read(f), kernel.ErrCorrupt) {
			t.Errorf("%s: %v", name, read(f))
		}
	}
	wide := containertest.Written(t, goldenMany[float64](t))
	if _, err := ReadCombination[float32](bytes.NewReader(wide)); err == nil ||
		errors.Is(err, kernel.ErrCorrupt) {
		t.Errorf("float64 as float32: %v", err)
	}
}

// The zero Combination, and no Combination at all, are errors, no panics.
func TestZeroMany(t *testing.T) {
	var m Combination[float64]
	x := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](1, 1)}
	if err := m.Scores(vec.NewMatrix[float64](1, 0), x, nil); err != errZero {
		t.Error(err)
	}
	if _, err := m.WriteTo(io.Discard); err != errZero {
		t.Error(err)
	}
	if err := (*Combination[float64])(nil).Scores(vec.NewMatrix[float64](1, 0), x, nil); err == nil {
		t.Error("no model is no error")
	}
	zero := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](1, 50)})
	if err := goldenMany[float64](t).ScoresWorkers(vec.NewMatrix[float64](1, 2), zero, nil, -1); err == nil {
		t.Error("-1 workers are no error")
	}
}

// Whatever is read is written and read as the same.
func FuzzReadCombination(f *testing.F) {
	f.Add(containertest.Written(f, goldenMany[float32](f)))
	f.Add(containertest.Written(f, goldenMany[float64](f)))
	b, _ := manyOf[float64](f, rand.New(rand.NewPCG(1, 2)), 6, "csr", false)
	m, err := NewCombination(b, []float64{0, 1, 0, 0, 0, 0}, vec.NewMatrix[float64](6, 1), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(containertest.Written(f, m))
	f.Fuzz(func(t *testing.T, file []byte) {
		file = containertest.Sealed(file) // else the checksum is all that is tried
		containertest.Reread(t, file, ReadCombination[float32], sameMany)
		containertest.Reread(t, file, ReadCombination[float64], sameMany)
	})
}
