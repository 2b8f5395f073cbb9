package dataset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// vecsBytes is a file of vectors, each behind its dimension, by another hand than WriteVecs.
func vecsBytes[E uint8 | int32 | float32](rows ...[]E) []byte {
	var b bytes.Buffer
	for _, row := range rows {
		binary.Write(&b, binary.LittleEndian, int32(len(row)))
		binary.Write(&b, binary.LittleEndian, row)
	}
	return b.Bytes()
}

var nans = float32(math.NaN())

func TestReadVecs(t *testing.T) {
	long := make([]float32, 40000) // several pieces
	for i := range long {
		long[i] = float32(i) / 8
	}
	for _, c := range []struct {
		name string
		file []byte
		o    VecsOptions
		d    int
		want []float64
	}{
		{"a.fvecs", vecsBytes([]float32{1, -.5}, []float32{3e38, 0}), VecsOptions{}, 2,
			[]float64{1, -.5, float64(float32(3e38)), 0}},
		{"a.BVECS.gz", vecsBytes([]uint8{0, 128, 255}, []uint8{1, 2, 3}), VecsOptions{}, 3,
			[]float64{0, 128, 255, 1, 2, 3}},
		{"ivecs", vecsBytes([]int32{math.MinInt32}, []int32{7}), VecsOptions{Scale: .5}, 1, []float64{-1 << 30, 3.5}},
		{"a.fvecs", vecsBytes([]uint8{9}, []uint8{8}, []uint8{7}), VecsOptions{Format: "bvecs", MaxRows: 2}, 1,
			[]float64{9, 8}},
		{"a.fvecs", vecsBytes(long, long), VecsOptions{MaxRows: 1}, 40000, nil},
	} {
		for _, in := range []func() *bytes.Reader{
			func() *bytes.Reader { return bytes.NewReader(c.file) },
			func() *bytes.Reader { return bytes.NewReader(packed(c.file)) },
		} {
			x, err := ReadVecs[float64](in(), c.name, c.o)
			if err != nil || x.Cols != c.d || c.want != nil && !slices.Equal(x.Data, c.want) ||
				c.want == nil && (x.Rows != 1 || x.At(0, 39999) != 39999./8) {
				t.Errorf("%s: %v, %v", c.name, x, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "x.ivecs")
	if err := os.WriteFile(path, vecsBytes([]int32{4, 5}), 0o666); err != nil {
		t.Fatal(err)
	}
	if x, err := OpenVecs[float32](path, VecsOptions{}); err != nil || !slices.Equal(x.Data, []float32{4, 5}) {
		t.Error(x, err)
	}
}

func TestReadVecsNamesThePlace(t *testing.T) {
	good := vecsBytes([]float32{1, 2}, []float32{3, 4})
	for _, c := range []struct {
		file  []byte
		o     VecsOptions
		place string
		parts []string
	}{
		{nil, VecsOptions{}, "f.fvecs: byte 0", []string{"end of the file", "dimension of vector 0"}},
		{good[:3], VecsOptions{}, "f.fvecs: byte 3", []string{"end of the file", "dimension of vector 0"}},
		{good[:14], VecsOptions{}, "f.fvecs: byte 14", []string{"end of the file", "dimension of vector 1"}},
		{good[:21], VecsOptions{}, "f.fvecs: byte 21", []string{"end of the file", "2 numbers of 4 bytes of vector 1"}},
		{vecsBytes([]float32{}), VecsOptions{}, "f.fvecs: byte 0", []string{"dimension 0", "1.."}},
		{[]byte{255, 255, 255, 255}, VecsOptions{}, "f.fvecs: byte 0", []string{"dimension 4294967295", "1.."}},
		{vecsBytes([]float32{1, 2}, []float32{1}), VecsOptions{}, "f.fvecs: byte 12",
			[]string{"vector 1 of dimension 1", "want 2, as vector 0 has"}},
		{vecsBytes([]float32{1, 2}, []float32{1, nans}), VecsOptions{}, "f.fvecs: byte 20",
			[]string{"NaN in vector 1, column 1", "finite"}},
		{vecsBytes([]float32{3}), VecsOptions{Scale: 3e38}, "f.fvecs: byte 4", []string{"3 in vector 0", "scaled"}},
		{good, VecsOptions{MaxBytes: 23}, "f.fvecs: byte 23", []string{"MaxBytes", "23"}},
	} {
		_, err := ReadVecs[float32](bytes.NewReader(c.file), "f.fvecs", c.o)
		checkPlace(t, err, c.place, c.parts...)
		_, err = ReadVecs[float32](bytes.NewReader(packed(c.file)), "f.fvecs", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	if x, err := ReadVecs[float32](bytes.NewReader(good), "f.fvecs", VecsOptions{MaxBytes: 24}); err != nil ||
		x.Rows != 2 {
		t.Errorf("24 bytes with MaxBytes 24: %v, %v", x, err)
	}
	for name, o := range map[string]VecsOptions{"f.npy": {}, "f": {Format: "xvecs"}, "f.fvecs": {Scale: nan},
		"g.fvecs": {MaxRows: -1}} {
		if _, err := ReadVecs[float32](bytes.NewReader(good), name, o); err == nil {
			t.Errorf("%s, %+v: no error", name, o)
		}
	}
}

// A dimension is believed only as far as bytes follow it.
func TestReadVecsTakesNoMemoryForClaims(t *testing.T) {
	for _, d := range []int32{1 << 24, math.MaxInt32} {
		file := append(binary.LittleEndian.AppendUint32(nil, uint32(d)), make([]byte, 1000)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadVecs[float64](bytes.NewReader(file), "f.bvecs", VecsOptions{})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; err == nil || used > 1<<20 {
			t.Errorf("dimension %d: took %d bytes for an input of 1000, %v", d, used, err)
		}
	}
}

func TestWriteVecs(t *testing.T) {
	x := &Dense[float32]{vec.MatrixOf(2, 2, []float32{0, 1, 2, 255})}
	for format, want := range map[string][]byte{
		"fvecs": vecsBytes([]float32{0, 1}, []float32{2, 255}), "bvecs": vecsBytes([]uint8{0, 1}, []uint8{2, 255}),
		"ivecs": vecsBytes([]int32{0, 1}, []int32{2, 255}),
	} {
		var b bytes.Buffer
		if err := WriteVecs(&b, x, VecsOptions{Format: format}); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s: %v, %v", format, b.Bytes(), err)
		}
	}
	x.Row(1)[1] = 256
	checkMessage(t, WriteVecs(&bytes.Buffer{}, x, VecsOptions{Format: "bvecs"}), []string{"row 1, column 1", "256"})
	for _, o := range []VecsOptions{{}, {Format: "f4"}} {
		if err := WriteVecs(&bytes.Buffer{}, x, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if err := WriteVecs(&bytes.Buffer{}, &Dense[float32]{}, VecsOptions{Format: "fvecs"}); err == nil {
		t.Error("no rows: no error")
	}
}

func FuzzVecs(f *testing.F) {
	f.Add(vecsBytes([]float32{1, 2}, []float32{3, nans}), 0.0, 0, uint8(0))
	f.Add(vecsBytes([]uint8{1, 2}, []uint8{3, 4}), 2.0, 1, uint8(1))
	f.Add(packed(vecsBytes([]int32{-1}, []int32{3})), 1.0/255, 0, uint8(2))
	f.Add([]byte{0, 0, 0, 128}, 0.0, 0, uint8(1))
	for _, file := range damage.Seeds(vecsBytes([]float32{1, 2, 3}, []float32{3, 4, 5}), damage.Binary, 20) {
		f.Add(file, 0.0, 0, uint8(0))
	}
	f.Fuzz(func(t *testing.T, in []byte, scale float64, rows int, kind uint8) {
		o := VecsOptions{Format: []string{"fvecs", "bvecs", "ivecs"}[kind%3], Scale: scale, MaxRows: rows,
			MaxBytes: fuzzBytes}
		x, err := ReadVecs[float32](bytes.NewReader(in), "f", o)
		if _, bad := o.element("f"); bad != nil {
			if err == nil {
				t.Fatal(fmt.Errorf("%+v: no error", o))
			}
			return
		}
		if err != nil {
			checkPlaced(t, err, nil)
			return
		}
		if x, err = NewDense(x.Matrix); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := WriteVecs(&file, x, VecsOptions{Format: "fvecs"}); err != nil {
			t.Fatal(err)
		}
		again, err := ReadVecs[float32](&file, "f.fvecs", VecsOptions{})
		if err != nil || !sameDense(x, again) {
			t.Fatalf("read %v, read that again as %v (%v)", x, again, err)
		}
	})
}
