package linear

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// goldenLowRank is the model of a file in testdata: factors of all kinds, exact in float32.
func goldenLowRank[T vec.Float](t testing.TB, bias []T, names []string, notes map[string]string) *LowRank[T] {
	t.Helper()
	u := vec.MatrixOf(3, 2, []T{0, T(math.Copysign(0, -1)), 1.5, -0x1p-149, 0x1p127, 3})
	v := vec.MatrixOf(2, 2, []T{-2, .5, 0x1p-126, 7})
	m, err := NewLowRank(u, v, bias, names)
	if err != nil {
		t.Fatal(err)
	}
	return m.WithNotes(notes)
}

func goldenLowRanks(t testing.TB) (*LowRank[float32], *LowRank[float64]) {
	return goldenLowRank[float32](t, nil, nil, nil),
		goldenLowRank(t, []float64{1, -.25}, []string{"cat", "Kühe"},
			map[string]string{"certificate": "primal 0.5, dual 0.4999"})
}

func TestGoldenLowRank(t *testing.T) {
	narrow, wide := goldenLowRanks(t)
	testGoldenLowRank(t, "lowrank32", narrow)
	testGoldenLowRank(t, "lowrank64", wide)
}

// testGoldenLowRank: the bytes are those of the file that was written once, nothing behind them is read, and every one
// that is missing or has a flipped bit is an error.
func testGoldenLowRank[T vec.Float](t *testing.T, name string, m *LowRank[T]) {
	file := writtenLowRank(t, m)
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
	got, err := ReadLowRank[T](in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sameLowRank(t, got, m)
	if rest, _ := io.ReadAll(in); string(rest) != "behind" {
		t.Errorf("%s: left %q", name, rest)
	}
	for i := range want {
		if _, err := ReadLowRank[T](bytes.NewReader(want[:i])); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("%s cut to %d bytes: %v", name, i, err)
		}
		for bit := range 8 {
			bad := slices.Clone(want)
			bad[i] ^= 1 << bit
			if _, err := ReadLowRank[T](bytes.NewReader(bad)); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%s, bit %d of byte %d flipped: %v", name, bit, i, err)
			}
		}
	}
}

func writtenLowRank[T vec.Float](t testing.TB, m *LowRank[T]) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := m.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// sameLowRank checks that two models have the same bits.
func sameLowRank[T vec.Float](t testing.TB, got, want *LowRank[T]) {
	t.Helper()
	bits := func(m *LowRank[T]) (all []uint64) {
		for _, part := range [][]T{m.u.Data, m.v.Data, m.bias} {
			all = append(all, uint64(len(part)))
			for _, v := range part {
				all = append(all, math.Float64bits(float64(v)))
			}
		}
		return append(all, uint64(m.u.Rows), uint64(m.u.Cols), uint64(m.v.Rows), uint64(m.v.Cols))
	}
	if !slices.Equal(bits(got), bits(want)) || (got.bias == nil) != (want.bias == nil) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !slices.Equal(got.Names(), want.Names()) || !maps.Equal(got.Notes(), want.Notes()) {
		t.Errorf("names %q, notes %q; want %q, %q", got.Names(), got.Notes(), want.Names(), want.Notes())
	}
}

// Files whose bytes are whole, but no model.
func TestReadLowRankErrors(t *testing.T) {
	file := func(kind string, version int, names []string, bias []float64, u, v vec.Matrix[float64]) []byte {
		var b bytes.Buffer
		c := container.NewWriter(&b, kind, version)
		c.Strings("name", names)
		c.Map("note", nil)
		container.Floats(c, "bias", bias)
		container.WriteMatrix(c, "u", u)
		container.WriteMatrix(c, "v", v)
		if _, err := c.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	u, v := vec.NewMatrix[float64](3, 2), vec.NewMatrix[float64](4, 2)
	nan := vec.MatrixOf(3, 2, []float64{0, 0, math.NaN(), 0, 0, 0})
	narrow, wide := goldenLowRanks(t)
	for _, c := range []struct {
		file    []byte
		corrupt bool
		want    string
	}{
		{nil, true, "ends within the header"},
		{file("linear", 1, nil, nil, u, v), false, `a file of kind "linear", want "lowrank"`},
		{file("lowrank", 2, nil, nil, u, v), false, "version 2: known are versions 1 to 1"},
		{file("lowrank", 1, nil, []float64{1}, u, v), true, "1 offsets for 4 outputs"},
		{file("lowrank", 1, []string{"a"}, nil, u, v), true, "1 names for 4 outputs"},
		{file("lowrank", 1, nil, nil, nan, v), true, "U has NaN in row 1, column 0"},
		{file("lowrank", 1, nil, nil, u, vec.NewMatrix[float64](4, 1)), true, "factors of 3 by 2 and 4 by 1"},
		{file("lowrank", 1, nil, nil, vec.NewMatrix[float64](0, 2), v), true, "factors of 0 by 2 and 4 by 2"},
		{writtenLowRank(t, narrow), false, "float32"},
	} {
		m, err := ReadLowRank[float64](bytes.NewReader(c.file))
		if m != nil || err == nil || !strings.HasPrefix(err.Error(), "linear: ") ||
			!strings.Contains(err.Error(), c.want) || errors.Is(err, ErrCorrupt) != c.corrupt {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := ReadLowRank[float32](bytes.NewReader(writtenLowRank(t, wide))); err == nil ||
		errors.Is(err, ErrCorrupt) {
		t.Errorf("a file of float64 for float32: %v", err)
	}
	if _, err := wide.WriteTo(full{}); !errors.Is(err, io.ErrShortWrite) ||
		!strings.HasPrefix(err.Error(), "linear: ") {
		t.Error(err)
	}
	var zero LowRank[float64]
	if _, err := zero.WriteTo(io.Discard); err != errZeroLowRank {
		t.Error(err)
	}
}

// Gob takes a model and a pointer to one; JSON refuses both.
func TestMarshalLowRank(t *testing.T) {
	type holder struct {
		Before int
		Model  *LowRank[float64]
		Value  LowRank[float64]
	}
	_, m := goldenLowRanks(t)
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(holder{7, m, *m}); err != nil {
		t.Fatal(err)
	}
	var got holder
	if err := gob.NewDecoder(&b).Decode(&got); err != nil || got.Before != 7 {
		t.Fatal(got, err)
	}
	sameLowRank(t, got.Model, m)
	sameLowRank(t, &got.Value, m)
	for _, v := range []any{m, *m, holder{Model: m}, &holder{Value: *m}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "write them with WriteTo") {
			t.Errorf("%s, %v", text, err)
		}
	}
	if err := json.Unmarshal([]byte("{}"), m); err == nil || !strings.Contains(err.Error(), "write them with WriteTo") {
		t.Error(err)
	}
	if err := new(LowRank[float64]).UnmarshalBinary(append(writtenLowRank(t, m), 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte more: %v", err)
	}
	if _, err := new(LowRank[float64]).MarshalBinary(); err == nil {
		t.Error("the zero LowRank is written")
	}
}

// Whatever is read is written and read as the same.
func FuzzReadLowRank(f *testing.F) {
	narrow, wide := goldenLowRanks(f)
	f.Add(writtenLowRank(f, narrow))
	f.Add(writtenLowRank(f, wide))
	f.Fuzz(func(t *testing.T, file []byte) {
		fuzzReadLowRank[float32](t, file)
		fuzzReadLowRank[float64](t, file)
	})
}

func fuzzReadLowRank[T vec.Float](t *testing.T, file []byte) {
	m, err := ReadLowRank[T](bytes.NewReader(file))
	if err != nil {
		return
	}
	again, err := ReadLowRank[T](bytes.NewReader(writtenLowRank(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	sameLowRank(t, again, m)
}
