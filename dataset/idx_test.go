package dataset

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// idxBytes makes an IDX file of the given type and dimensions around data, which binary.Write knows.
func idxBytes(kind byte, dims []uint32, data any) []byte {
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(dims))})
	for _, part := range []any{dims, data} {
		if err := binary.Write(&b, binary.BigEndian, part); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

func TestReadIDXElementTypes(t *testing.T) {
	for _, c := range []struct {
		kind byte
		data any
		want []float64
	}{
		{0x08, []uint8{0, 1, 128, 255}, []float64{0, 1, 128, 255}},
		{0x09, []int8{0, 1, -128, 127}, []float64{0, 1, -128, 127}},
		{0x0b, []int16{0, 258, -32768, 32767}, []float64{0, 258, -32768, 32767}},
		{0x0c, []int32{0, 16909060, math.MinInt32, math.MaxInt32}, []float64{0, 16909060, math.MinInt32,
			math.MaxInt32}},
		{0x0d, []float32{0, 0.1, -1e-40, math.MaxFloat32}, []float64{0, float64(float32(0.1)), float64(float32(-1e-40)),
			math.MaxFloat32}},
		{0x0e, []float64{0, 0.1, -1e-320, math.MaxFloat64}, []float64{0, 0.1, -1e-320, math.MaxFloat64}},
	} {
		file := idxBytes(c.kind, []uint32{2, 1, 2}, c.data)
		for _, in := range [][]byte{file, packed(file)} {
			x, err := ReadIDX[float64](bytes.NewReader(in), "f", IDXOptions{})
			if err != nil || x.Rows != 2 || x.Cols != 2 || !slices.Equal(x.Data, c.want) {
				t.Errorf("type %#x: %v, %v", c.kind, x, err)
			}
		}
	}
}

func TestReadIDXScaleAndShape(t *testing.T) {
	pixels := make([]byte, 3*4*5)
	for i := range pixels {
		pixels[i] = byte(i * 4)
	}
	x, err := ReadIDX[float32](bytes.NewReader(idxBytes(8, []uint32{3, 4, 5}, pixels)), "f",
		IDXOptions{Scale: 1.0 / 255})
	if err != nil || x.Rows != 3 || x.Cols != 20 || x.Row(2)[7] != float32(float64(pixels[47])*(1.0/255)) {
		t.Errorf("%v, %v", x, err)
	}
	x, err = ReadIDX[float32](bytes.NewReader(idxBytes(8, []uint32{60}, pixels)), "f", IDXOptions{})
	if err != nil || x.Rows != 60 || x.Cols != 1 || x.Row(50)[0] != 200 {
		t.Errorf("one dimension: %v, %v", x, err)
	}
	// Longer than one block, for every element size.
	long := make([]float64, 5000)
	for i := range long {
		long[i] = float64(i)
	}
	y, err := ReadIDX[float64](bytes.NewReader(idxBytes(0x0e, []uint32{2500, 2}, long)), "f", IDXOptions{})
	if err != nil || !slices.Equal(y.Data, long) || cap(y.Data) > 6000 {
		t.Errorf("%d numbers: %v", len(long), err)
	}
}

func TestReadIDXLabels(t *testing.T) {
	file := idxBytes(8, []uint32{4}, []byte{7, 2, 7, 0})
	l, err := ReadIDXLabels(bytes.NewReader(file), "f", IDXOptions{Scale: 9})
	if err != nil || !slices.Equal(l.Y, []int{2, 1, 2, 0}) || !slices.Equal(l.Classes, []string{"0", "2", "7"}) ||
		!slices.Equal(l.Values, []float64{7, 2, 7, 0}) {
		t.Errorf("%v, %v", l, err)
	}
	if l, err = ReadIDXLabels(bytes.NewReader(idxBytes(8, []uint32{2, 1}, []byte{1, 2})), "f",
		IDXOptions{}); err != nil || len(l.Y) != 2 {
		t.Errorf("n x 1: %v, %v", l, err)
	}
	_, err = ReadIDXLabels(bytes.NewReader(file), "f", IDXOptions{Classes: []string{"0", "7"}})
	checkPlace(t, err, "f: byte 9", "found 2", `["0" "7"]`)
	_, err = ReadIDXLabels(bytes.NewReader(idxBytes(8, []uint32{2, 2}, []byte{1, 2, 3, 4})), "f", IDXOptions{})
	checkPlace(t, err, "f: byte 8", "size 2 of dimension 2")
	_, err = ReadIDXLabels(bytes.NewReader(idxBytes(0x0d, []uint32{2}, []float32{1, float32(nan)})), "f", IDXOptions{})
	checkPlace(t, err, "f: byte 12", "NaN", "finite")
	_, err = ReadIDXLabels(bytes.NewReader(nil), "f", IDXOptions{Classes: []string{"x"}})
	checkMessage(t, err, []string{`"x"`})
}

func TestReadIDXNamesThePlace(t *testing.T) {
	good := idxBytes(0x0b, []uint32{2, 3}, []int16{1, 2, 3, 4, 5, 6})
	for _, c := range []struct {
		file  []byte
		o     IDXOptions
		place string
		parts []string
	}{
		{nil, IDXOptions{}, "f: byte 0", []string{"end of the file", "header"}},
		{good[:3], IDXOptions{}, "f: byte 3", []string{"end of the file", "header"}},
		{good[:10], IDXOptions{}, "f: byte 10", []string{"end of the file", "dimension 2 of 2"}},
		{good[:17], IDXOptions{}, "f: byte 17", []string{"end of the file", "6 elements of 2 bytes", "[2 3]"}},
		{append(slices.Clone(good), 0), IDXOptions{}, "f: byte 24", []string{"another byte", "[2 3]"}},
		{[]byte("1 1:1 2:2\n"), IDXOptions{}, "f: byte 0", []string{"0x31 0x20", "zero bytes"}},
		{[]byte{0, 0, 7, 1, 0, 0, 0, 1, 9}, IDXOptions{}, "f: byte 2", []string{"0x07", "0x08"}},
		{[]byte{0, 0, 8, 0, 9}, IDXOptions{}, "f: byte 3", []string{"0 dimensions"}},
		{idxBytes(8, []uint32{2, 0}, []byte{}), IDXOptions{}, "f: byte 8", []string{"size 0 of dimension 2"}},
		{idxBytes(0x0e, []uint32{1, 2}, []float64{1, nan}), IDXOptions{}, "f: byte 20", []string{"NaN", "finite"}},
		{idxBytes(0x0d, []uint32{1, 2}, []float32{float32(math.Inf(-1)), 0}), IDXOptions{}, "f: byte 12",
			[]string{"-Inf"}},
		{idxBytes(0x0e, []uint32{1, 2}, []float64{1, 1e39}), IDXOptions{}, "f: byte 20", []string{"1e+39", "finite"}},
		{idxBytes(8, []uint32{1, 2}, []byte{0, 2}), IDXOptions{Scale: 1e38 * 3}, "f: byte 13",
			[]string{"found 2", "scaled"}},
		{good, IDXOptions{MaxBytes: 23}, "f: byte 23", []string{"MaxBytes", "23"}},
	} {
		_, err := ReadIDX[float32](bytes.NewReader(c.file), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
		_, err = ReadIDX[float32](bytes.NewReader(packed(c.file)), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	if _, err := ReadIDX[float32](bytes.NewReader(good), "f", IDXOptions{MaxBytes: 24}); err != nil {
		t.Errorf("24 bytes with MaxBytes 24: %v", err)
	}
}

// A header is believed only as far as bytes follow it.
func TestReadIDXTakesNoMemoryForClaims(t *testing.T) {
	for _, dims := range [][]uint32{{1 << 30, 1 << 10}, {1 << 20, 1 << 10, 1 << 10}, {1 << 31},
		{math.MaxUint32, math.MaxUint32, math.MaxUint32}, {1, math.MaxUint32}} {
		file := idxBytes(8, dims, make([]byte, 1000))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadIDX[float64](bytes.NewReader(file), "f", IDXOptions{})
		_, err2 := ReadIDXLabels(bytes.NewReader(idxBytes(8, dims[:1], make([]byte, 1000))), "f", IDXOptions{})
		runtime.ReadMemStats(&after)
		if err == nil || dims[0] > 1 && err2 == nil {
			t.Errorf("%v: read from 1000 bytes", dims)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%v: took %d bytes for an input of 1000", dims, used)
		}
	}
}

func TestOpenIDX(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	x := write("x", idxBytes(8, []uint32{3, 2}, []byte{1, 2, 3, 4, 5, 6}))
	y := write("y.gz", packed(idxBytes(8, []uint32{3}, []byte{4, 4, 1})))
	two := write("two", idxBytes(8, []uint32{2}, []byte{4, 1}))
	d, err := OpenIDX[float64](x, y, IDXOptions{})
	if err != nil || d.X.Rows != 3 || !slices.Equal(d.Y, []int{1, 1, 0}) || strings.Join(d.Classes, " ") != "1 4" {
		t.Errorf("%v, %v", d, err)
	}
	_, err = OpenIDX[float64](x, two, IDXOptions{})
	checkMessage(t, err, []string{"3 examples", "2 labels", x, two})
	_, err = OpenIDX[float64](x, x, IDXOptions{})
	checkPlace(t, err, x+": byte 8", "one label")
}
