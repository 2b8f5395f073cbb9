package dataset

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// What a reader may unpack in a fuzz run.
const fuzzBytes = 1 << 20

// The targets demand of every input: no panic, a *ParseError or a sound data set, and that what was read is written and
// read again as the same.

// The beginnings of real files: of Ionosphere, and of Wine Quality.
const (
	radarText = "1 qid:1 1:1 3:0.99539 4:-0.05889 5:0.85243 6:0.02306 7:0.83398 8:-0.37708\n" +
		"-1 qid:1 1:1 3:1 4:-0.18829 5:0.93035 6:-0.36156 7:-0.10868 8:-0.93597\n" +
		"1 qid:2 1:1 3:1 4:-0.03365 5:1 6:0.00485 7:1 8:-0.12062\n"
	wineText = "fixed acidity;volatile acidity;citric acid;pH;quality\n7.4;0.7;0;3.51;5\n7.8;0.88;0;3.2;5\n" +
		"11.2;0.28;0.56;3.16;6\n"
)

func FuzzLIBSVM(f *testing.F) {
	for _, s := range []string{"1 qid:3 1:1\n2 qid:-4 9:1\n", "1 qid:1\n2 1:1", "3 33554433:1",
		"2 7:1\n1 1:1 2147483648:3\n", "+1 1:0.5 3:-2\n-1 2:1e2 # c\n", "1 qid:3 0:1 2147483646:7", "\ufeff1e3 1:nan",
		"1,2 1:1", " 1:1", "0.1 1:0.30000000000000004 2:1e-46"} {
		f.Add([]byte(s), false, uint16(0))
		f.Add([]byte(s), true, uint16(5))
	}
	f.Add(packed([]byte("1 1:1\n2 2:1\n")), false, uint16(0))
	for _, file := range damage.Seeds([]byte(radarText), damage.Text, 20) {
		f.Add(file, false, uint16(0))
	}
	f.Fuzz(func(t *testing.T, in []byte, zero bool, cols uint16) {
		o := LIBSVMOptions{ZeroBased: zero, Cols: int(cols), MaxBytes: fuzzBytes}
		fuzzLIBSVM[float32](t, in, o)
		fuzzLIBSVM[float64](t, in, o)
		o.Classes, o.DropUnseen = []string{"1", "-1"}, true
		fuzzLIBSVM[float32](t, in, o)
	})
}

func fuzzLIBSVM[T vec.Float](t *testing.T, in []byte, o LIBSVMOptions) {
	d, err := ReadLIBSVM[T](bytes.NewReader(in), "f", o)
	if err != nil {
		checkPlaced(t, err, nil)
		return
	}
	if err := d.X.Validate(); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	o.Cols = d.X.Cols
	if err := WriteLIBSVM(&text, d, o); err != nil {
		t.Fatal(err)
	}
	o.MaxBytes = 0
	again, err := ReadLIBSVM[T](bytes.NewReader(text.Bytes()), "f", o)
	if err != nil || !sameCSR(d.X, again.X) || !sameLabels(d.Labels, again.Labels) ||
		!slices.Equal(d.Groups, again.Groups) {
		t.Fatalf("read %v %v, wrote %q, read that as %v (%v)", d.X, d.Labels, text.Bytes(), again, err)
	}
}

func FuzzCSVLabeled(f *testing.F) {
	for _, s := range []string{"a,b,c\n1,2,x\n3,4,y\n", "1;2;\"a;b\"\n", "1\t2\t3", "1  2 3\n", "\ufeff1,2\n",
		"1,\"a\"\"b\nc\"", "1,2,NaN", "1,a\rb", "two words\n1\n", "\"a b\",\"\",\"\ufeff;\",2\n1,2,3,a\n", "1,1\n2,1.0",
		"0,1,y\n2,3,0\n4,5,1\n", ",u,\xff,y\n3,1,2,a\n1,1,2,b\n", "Unnamed: 0,7,8\n0,1,a\n1,2,b", "a,b,a\n1,2,3",
		"4,5,y\n1,2,a\n1,2,a\n"} {
		f.Add([]byte(s), 0, uint8(0), false)
		f.Add([]byte(s), 1, uint8(1), false)
		f.Add([]byte(s), -2, uint8(2), true)
	}
	f.Add(packed([]byte("1,2\n")), 0, uint8(0), false)
	for _, file := range damage.Seeds([]byte(wineText), damage.Text, 20) {
		f.Add(file, 0, uint8(0), false)
	}
	f.Fuzz(func(t *testing.T, in []byte, label int, header uint8, noLabel bool) {
		o := CSVOptions{Label: label, Header: Header(header % 3), NoLabel: noLabel, MaxBytes: fuzzBytes}
		fuzzCSV[float32](t, in, o)
		fuzzCSV[float64](t, in, o)
		if o.Classes, o.DropUnseen = []string{"a", "1"}, true; !noLabel {
			fuzzCSV[float32](t, in, o)
		}
	})
}

func fuzzCSV[T vec.Float](t *testing.T, in []byte, o CSVOptions) {
	d, err := ReadCSV[T](bytes.NewReader(in), "f", o)
	if err != nil {
		checkPlaced(t, err, nil)
		return
	}
	if _, err := NewDense(d.X.Matrix); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := WriteCSV(&text, d); err != nil {
		if bytes.Contains([]byte(err.Error()), []byte(`\r`)) {
			return // the one text that is read, but said to be not writable
		}
		t.Fatal(err)
	}
	// A name may be a number, the first column's nothing, and a first example like a header.
	o = CSVOptions{NoLabel: o.NoLabel, Classes: o.Classes, Header: HeaderAbsent}
	if d.FeatureNames != nil {
		o.Header, o.Columns = HeaderPresent, d.FeatureNames
	}
	again, err := ReadCSV[T](bytes.NewReader(text.Bytes()), "f", o)
	if err != nil || !sameDense(d.X, again.X) || !sameLabels(d.Labels, again.Labels) ||
		!slices.Equal(d.FeatureNames, again.FeatureNames) {
		t.Fatalf("read %v %v, wrote %q, read that as %v (%v)", d.X, d.Labels, text.Bytes(), again, err)
	}
}

// FuzzCSVColumns gives a reader what a model knows of its features.
func FuzzCSVColumns(f *testing.F) {
	for _, s := range []string{"v,u,y\n1,2,a\n", ",0,1,y\n0,2,3,a\n1,2,3,b\n", "x\n1\n", "1,2\n3,4\n", "1,0\n3,4\n",
		",u,v\n7,1,2\n5,1,2\n", "v,u,u,y\n"} {
		f.Add([]byte(s), "u,v", "y", 0, uint8(1), uint8(2), true, 0)
		f.Add([]byte(s), "0,1", "", 3, uint8(0), uint8(0), true, 1)
		f.Add([]byte(s), "", "", -1, uint8(2), uint8(2), false, -1)
		f.Add([]byte(s), ",u", "y", 1, uint8(0), uint8(2), true, 0)
	}
	f.Fuzz(func(t *testing.T, in []byte, columns, label string, at int, header, cols uint8, optional bool, group int) {
		o := CSVOptions{Label: at, LabelName: label, Header: Header(header % 3), Cols: int(cols),
			LabelOptional: optional, Group: group}
		if columns != "" {
			o.Columns = strings.Split(columns, ",")
		}
		if o.checkColumns() != nil {
			return
		}
		o.MaxBytes = fuzzBytes
		d, err := ReadCSV[float64](bytes.NewReader(in), "f", o)
		if err != nil {
			checkPlaced(t, err, nil)
			return
		}
		n, want := d.X.Cols, max(len(o.Columns), o.Cols)
		if want > 0 && n != want || d.FeatureNames != nil && len(d.FeatureNames) != n ||
			(d.Y == nil) != (d.CSV.Label == 0) {
			t.Fatalf("%d columns of %d, names %q, %+v", n, want, d.FeatureNames, d.CSV)
		}
		if err := d.X.Validate(); err != nil || d.Y != nil && len(d.Y) != d.X.Rows || group != 0 &&
			len(d.Groups) != d.X.Rows {
			t.Fatalf("%v, %d labels and %d groups of %d", err, len(d.Y), len(d.Groups), d.X.Rows)
		}
		if d.FeatureNames != nil && o.Columns != nil && !slices.Equal(d.FeatureNames, o.Columns) {
			t.Fatalf("%q, want %q", d.FeatureNames, o.Columns)
		}
	})
}

func FuzzIDX(f *testing.F) {
	for _, file := range [][]byte{
		idxBytes(0x08, []uint32{2, 1, 2}, []uint8{0, 1, 128, 255}),
		idxBytes(0x09, []uint32{2}, []int8{-1, 1}),
		idxBytes(0x0b, []uint32{2, 1}, []int16{-1, 1}),
		idxBytes(0x0c, []uint32{1, 1}, []int32{-1}),
		idxBytes(0x0d, []uint32{1, 2}, []float32{.5, float32(nan)}),
		idxBytes(0x0e, []uint32{3}, []float64{.5, 1e300, 3}),
		idxBytes(0x08, []uint32{1 << 31, 1 << 31}, []byte{1, 2, 3}),
	} {
		f.Add(packed(file), 1.0/255)
		for _, file := range damage.Seeds(file, damage.Binary, 8) {
			f.Add(file, 0.0)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte, scale float64) {
		o := IDXOptions{Scale: scale, MaxBytes: fuzzBytes}
		fuzzIDX[float32](t, in, o)
		fuzzIDX[float64](t, in, o)
		if l, err := ReadIDXLabels(bytes.NewReader(in), "f", o); err != nil {
			checkPlaced(t, err, nil)
		} else {
			file := idxBytes(0x0e, []uint32{uint32(len(l.Values))}, l.Values)
			again, err := ReadIDXLabels(bytes.NewReader(file), "f", IDXOptions{Classes: l.Classes})
			if err != nil || !sameLabels(l, again) {
				t.Fatalf("labels %v read again as %v (%v)", l, again, err)
			}
		}
	})
}

func fuzzIDX[T vec.Float](t *testing.T, in []byte, o IDXOptions) {
	x, err := ReadIDX[T](bytes.NewReader(in), "f", o)
	if err != nil {
		checkPlaced(t, err, nil)
		return
	}
	if x, err = NewDense(x.Matrix); err != nil {
		t.Fatal(err)
	}
	values := make([]float64, len(x.Data))
	for i, v := range x.Data {
		values[i] = float64(v)
	}
	file := idxBytes(0x0e, []uint32{uint32(x.Rows), uint32(x.Cols)}, values)
	again, err := ReadIDX[T](bytes.NewReader(file), "f", IDXOptions{})
	if err != nil || !sameDense(x, again) {
		t.Fatalf("read %v, read that again as %v (%v)", x, again, err)
	}
}

func FuzzNPYFile(f *testing.F) {
	for name := range npyGolden {
		file, err := os.ReadFile("testdata/" + name + ".npy")
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range damage.Seeds(file, damage.Binary, 8) {
			f.Add(file, 0.0, 0.0, 0)
		}
		f.Add(packed(file), 1.0/255, -1.0, 2)
	}
	f.Add(npyBytes("{'shape': (2L,), 'descr': '>i8', \"fortran_order\": True}", make([]byte, 16)), 0.0, 0.0, 1)
	f.Fuzz(func(t *testing.T, in []byte, scale, offset float64, rows int) {
		o := NPYOptions{Scale: scale, Offset: offset, MaxRows: rows, MaxBytes: fuzzBytes}
		fuzzNPY[float32](t, in, o)
		fuzzNPY[float64](t, in, o)
		if !isFinite(scale) || !isFinite(offset) || rows < 0 {
			return
		}
		l, err := ReadNPYLabels(bytes.NewReader(in), "f", o)
		if err != nil {
			checkPlaced(t, err, nil)
			return
		}
		var file bytes.Buffer
		if err := WriteNPY(&file, &Dense[float64]{vec.MatrixOf(len(l.Values), 1, l.Values)}, NPYOptions{}); err != nil {
			t.Fatal(err)
		}
		again, err := ReadNPYLabels(&file, "f", NPYOptions{Classes: l.Classes})
		if err != nil || !sameLabels(l, again) {
			t.Fatalf("labels %v read again as %v (%v)", l, again, err)
		}
	})
}

func fuzzNPY[T vec.Float](t *testing.T, in []byte, o NPYOptions) {
	m, mapErr := newMapped[T](&mapping{file: "f", bytes: in}, o)
	x, err := ReadNPY[T](bytes.NewReader(in), "f", o)
	if o.check() != nil {
		if err == nil || mapErr == nil {
			t.Fatalf("%+v: %v, %v", o, err, mapErr)
		}
		return
	}
	if err != nil {
		checkPlaced(t, err, nil)
	}
	if mapErr != nil {
		checkPlaced(t, mapErr, nil)
	} else if m.Validate() == nil {
		// A map looks at no option MaxBytes, and at the whole length of a file whose first rows are wanted.
		n, d := m.Dims()
		all := vec.NewMatrix[T](n, d)
		m.Gather(all, nil)
		if len(in) < fuzzBytes && (err != nil || !sameDense(x, &Dense[T]{all})) {
			t.Fatalf("mapped %v, read %v (%v)", all, x, err)
		}
	}
	if err != nil {
		return
	}
	if err := x.Validate(); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := WriteNPY(&file, x, NPYOptions{}); err != nil {
		t.Fatal(err)
	}
	if again, err := ReadNPY[T](&file, "f", NPYOptions{}); err != nil || !sameDense(x, again) {
		t.Fatalf("read %v, read that again as %v (%v)", x, again, err)
	}
}
