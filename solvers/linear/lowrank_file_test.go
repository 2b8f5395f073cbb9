package linear

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
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
	containertest.Golden(t, map[string]*LowRank[float32]{"lowrank32": narrow}, ReadLowRank[float32], sameLowRank)
	containertest.Golden(t, map[string]*LowRank[float64]{"lowrank64": wide}, ReadLowRank[float64], sameLowRank)
}

// sameLowRank checks that two models have the same bits.
func sameLowRank[T vec.Float](t *testing.T, got, want *LowRank[T]) {
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
		{containertest.Written(t, narrow), false, "float32"},
	} {
		m, err := ReadLowRank[float64](bytes.NewReader(c.file))
		if m != nil || err == nil || !strings.HasPrefix(err.Error(), "linear: ") ||
			!strings.Contains(err.Error(), c.want) || errors.Is(err, ErrCorrupt) != c.corrupt {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := ReadLowRank[float32](bytes.NewReader(containertest.Written(t, wide))); err == nil ||
		errors.Is(err, ErrCorrupt) {
		t.Errorf("a file of float64 for float32: %v", err)
	}
	var zero LowRank[float64]
	if _, err := zero.WriteTo(io.Discard); err != errZeroLowRank {
		t.Error(err)
	}
}

// Gob takes a model and a pointer to one; JSON refuses both.
func TestMarshalLowRank(t *testing.T) {
	_, m := goldenLowRanks(t)
	containertest.Marshals(t, m, sameLowRank)
}

// Whatever is read is written and read as the same.
func FuzzReadLowRank(f *testing.F) {
	narrow, wide := goldenLowRanks(f)
	f.Add(containertest.Written(f, narrow))
	f.Add(containertest.Written(f, wide))
	f.Fuzz(func(t *testing.T, file []byte) {
		file = containertest.Sealed(file) // else the checksum is all that is tried
		containertest.Reread(t, file, ReadLowRank[float32], sameLowRank)
		containertest.Reread(t, file, ReadLowRank[float64], sameLowRank)
	})
}
