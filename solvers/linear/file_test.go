package linear

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

var update = flag.Bool("update", false, "write testdata anew")

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

func path(name string) string { return "testdata/" + name + ".bin" }

func TestGolden(t *testing.T) {
	narrow, wide := goldens(t)
	for name, m := range narrow {
		testGolden(t, name, m)
	}
	for name, m := range wide {
		testGolden(t, name, m)
	}
}

func testGolden[T vec.Float](t *testing.T, name string, m *Model[T]) {
	file := written(t, m)
	if *update {
		if err := os.WriteFile(path(name), file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path(name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, want) {
		t.Errorf("%s: writes %q, want %q", name, file, want)
	}
	in := strings.NewReader(string(want) + "behind")
	got, err := Read[T](in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sameModel(t, got, m)
	if rest, _ := io.ReadAll(in); string(rest) != "behind" {
		t.Errorf("%s: left %q", name, rest)
	}
	for i := range want {
		if _, err := Read[T](bytes.NewReader(want[:i])); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%s cut to %d bytes: %v", name, i, err)
		}
		for bit := range 8 {
			bad := slices.Clone(want)
			bad[i] ^= 1 << bit
			if _, err := Read[T](bytes.NewReader(bad)); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s, bit %d of byte %d flipped: %v", name, bit, i, err)
			}
		}
	}
}

func written[T vec.Float](t testing.TB, m *Model[T]) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := m.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.Bytes()
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
	m := models["noted64"]
	type holder struct {
		Before int
		Model  *Model[float64]
		Value  Model[float64]
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(holder{7, m, *m}); err != nil {
		t.Fatal(err)
	}
	var got holder
	if err := gob.NewDecoder(&b).Decode(&got); err != nil || got.Before != 7 {
		t.Fatal(got, err)
	}
	sameModel(t, got.Model, m)
	sameModel(t, &got.Value, m)
	if p := got.Model.Predict([]float64{1, 1}); p != m.Predict([]float64{1, 1}) {
		t.Errorf("class %d", p)
	}
	for _, v := range []any{m, *m, holder{Model: m}, &holder{Value: *m}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "write them with WriteTo") {
			t.Errorf("%s, %v", text, err)
		}
	}
	if err := json.Unmarshal([]byte("{}"), m); err == nil || !strings.Contains(err.Error(), "write them with WriteTo") {
		t.Error(err)
	}
	file := written(t, m)
	if err := new(Model[float64]).UnmarshalBinary(append(file, 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte more: %v", err)
	}
	if _, err := new(Model[float64]).MarshalBinary(); err == nil {
		t.Error("the zero Model is written")
	}
}

// The error of the writer comes back.
func TestWriteError(t *testing.T) {
	m := golden[float32](t, 0, nil, nil)
	if _, err := m.WriteTo(full{}); !errors.Is(err, io.ErrShortWrite) || !strings.HasPrefix(err.Error(), "linear: ") {
		t.Error(err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Whatever is read is written and read as the same.
func FuzzRead(f *testing.F) {
	narrow, wide := goldens(f)
	for _, m := range narrow {
		f.Add(written(f, m))
	}
	for _, m := range wide {
		f.Add(written(f, m))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		fuzzRead[float32](t, file)
		fuzzRead[float64](t, file)
	})
}

func fuzzRead[T vec.Float](t *testing.T, file []byte) {
	m, err := Read[T](bytes.NewReader(file))
	if err != nil {
		return
	}
	again, err := Read[T](bytes.NewReader(written(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	sameModel(t, again, m)
}
