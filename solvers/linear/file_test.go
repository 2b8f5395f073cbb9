package linear

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/vec"
)

// golden is the model of a file in testdata: weights of all kinds, exact in float32.
func golden[T vec.Float](t testing.TB, constant T, names []string, notes map[string]string) *Model[T] {
	t.Helper()
	w := vec.MatrixOf(3, 2, []T{0, T(math.Copysign(0, -1)), 1.5, -0x1p-149, 0x1p127, 3})
	m, err := WithConstant(w, constant, names)
	if err != nil {
		t.Fatal(err)
	}
	return m.WithNotes(notes)
}

// goldens are what is in testdata.
func goldens(t testing.TB) (narrow map[string]*Model[float32], wide map[string]*Model[float64]) {
	notes := map[string]string{"certificate": "primal 0.5, dual 0.4999", "lambda": "0.01"}
	return map[string]*Model[float32]{
			"float32": golden[float32](t, 0, nil, nil),
			"named32": golden[float32](t, -.5, []string{"cat", "Kühe"}, notes),
		}, map[string]*Model[float64]{
			"float64": golden[float64](t, 0, []string{"", "b"}, nil),
			"noted64": golden[float64](t, 1, nil, notes),
		}
}

func TestGolden(t *testing.T) {
	narrow, wide := goldens(t)
	containertest.Golden(t, narrow, Read[float32], sameModel)
	containertest.Golden(t, wide, Read[float64], sameModel)
}

// sameModel checks that two models have the same bits.
func sameModel[T vec.Float](t *testing.T, got, want *Model[T]) {
	t.Helper()
	var a, b bytes.Buffer
	for _, c := range []struct {
		to *bytes.Buffer
		m  *Model[T]
	}{{&a, got}, {&b, want}} {
		if err := binary.Write(c.to, binary.LittleEndian, append(slices.Clone(c.m.w.Data), c.m.constant)); err != nil {
			t.Fatal(err)
		}
	}
	if got.w.Rows != want.w.Rows || got.w.Cols != want.w.Cols || got.w.Stride != want.w.Cols || got.d != want.d ||
		!bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("%+v, constant %v; want %+v, %v", got.w, got.constant, want.w, want.constant)
	}
	if !slices.Equal(got.Names(), want.Names()) || !maps.Equal(got.Notes(), want.Notes()) {
		t.Errorf("names %q, notes %q; want %q, %q", got.Names(), got.Notes(), want.Names(), want.Notes())
	}
}

// Files whose bytes are whole, but no model.
func TestReadErrors(t *testing.T) {
	file := func(kind string, version int, d, m int, names []string, constant float64, w vec.Matrix[float64]) []byte {
		var b bytes.Buffer
		c := container.NewWriter(&b, kind, version)
		c.Ints("size", d, m)
		c.Strings("name", names)
		c.Map("note", nil)
		container.Floats(c, "cons", []float64{constant})
		container.WriteMatrix(c, "w", w)
		if _, err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	w := vec.NewMatrix[float64](2, 3)
	nan := vec.MatrixOf(2, 1, []float64{0, math.NaN()})
	for _, c := range []struct {
		file    []byte
		corrupt bool
		want    string
	}{
		{nil, true, "ends within the header"},
		{file("kernel", 1, 2, 3, nil, 0, w), false, `a file of kind "kernel", want "linear"`},
		{file("linear", 2, 2, 3, nil, 0, w), false, "version 2: known are versions 1 to 1"},
		{file("linear", 1, 2, 2, nil, 0, w), true, "weights of 2 features for 3 outputs, but sizes 2 and 2"},
		{file("linear", 1, 2, 3, nil, 1, w), true, "weights of 1 features for 3 outputs, but sizes 2 and 3"},
		{file("linear", 1, 2, 3, []string{"a"}, 0, w), true, "1 names for 3 outputs"},
		{file("linear", 1, 2, 1, nil, 0, nan), true, "weight NaN of feature 1 for output 0"},
		{file("linear", 1, 2, 3, nil, math.Inf(1), w), true, "constant feature +Inf"},
		{file("linear", 1, 0, 3, nil, 0, vec.NewMatrix[float64](0, 3)), true, "a 0-by-3 matrix"},
	} {
		_, err := Read[float64](bytes.NewReader(c.file))
		if err == nil || errors.Is(err, ErrCorrupt) != c.corrupt || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "linear: reading a model: ") {
			t.Errorf("%v, want %q, corrupt: %v", err, c.want, c.corrupt)
		}
	}
	_, err := Read[float32](bytes.NewReader(file("linear", 1, 2, 3, nil, 0, w)))
	if err == nil || errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "holds float64, want float32") {
		t.Errorf("%v", err)
	}
}

// A size that is not true takes no memory.
func TestReadHuge(t *testing.T) {
	var b bytes.Buffer
	c := container.NewWriter(&b, kind, version)
	c.Ints("size", math.MaxInt32, math.MaxInt32)
	c.Strings("name", nil)
	c.Map("note", nil)
	container.Floats(c, "cons", []float32{0})
	c.Ints("w", 1<<13, 1<<14)
	container.Floats(c, "w", make([]float32, 100))
	if _, err := c.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read[float32](&b)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrCorrupt) || took > 2<<20 {
		t.Errorf("took %d bytes, %v", took, err)
	}
}

func TestGobAndJSON(t *testing.T) {
	_, models := goldens(t)
	containertest.Marshals(t, models["noted64"], sameModel)
}

// Whatever is read is written and read as the same.
func FuzzReadModel(f *testing.F) {
	narrow, wide := goldens(f)
	for _, m := range narrow {
		f.Add(containertest.Written(f, m))
	}
	for _, m := range wide {
		f.Add(containertest.Written(f, m))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		file = containertest.Sealed(file) // else the checksum is all that is tried
		containertest.Reread(t, file, Read[float32], sameModel)
		containertest.Reread(t, file, Read[float64], sameModel)
	})
}
