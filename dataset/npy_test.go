package dataset

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// npyBytes makes a file of version 1 with a header that is as long as it is.
func npyBytes(header string, data []byte) []byte {
	return slices.Concat([]byte("\x93NUMPY\x01\x00"), []byte{byte(len(header)), byte(len(header) >> 8)}, []byte(header),
		data)
}

// npyGolden are the files of testdata: 3 by 4 numbers f(a) with a = 0, ..., 11.
var npyGolden = map[string]func(a float64) float64{
	"u1":          func(a float64) float64 { return 20 * a },
	"f4":          func(a float64) float64 { return a/4 - 1 },
	"f4-version2": func(a float64) float64 { return a/4 - 1 },
	"f4-version3": func(a float64) float64 { return a/4 - 1 },
	"f8":          func(a float64) float64 { return a/3 - 1 },
	"f8-fortran":  func(a float64) float64 { return a/3 - 1 },
	"i2-big":      func(a float64) float64 { return 1000*a - 6000 },
	"b1":          func(a float64) float64 { return max(0, 1-math.Mod(a, 3)) },
	"u1-images":   func(a float64) float64 { return 20 * a },
}

func testdata(t *testing.T, name string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadNPY(t *testing.T) { prove.Both(t, testReadNPY[float32], testReadNPY[float64]) }

func testReadNPY[T vec.Float](t *testing.T) {
	for name, f := range npyGolden {
		file := testdata(t, name+".npy")
		for _, in := range []io.Reader{bytes.NewReader(file), bytes.NewReader(packed(file)), slowly(string(file))} {
			for _, o := range []NPYOptions{{}, {Scale: 1. / 3, Offset: -1}, {MaxRows: 2}, {MaxRows: 9}} {
				if s, ok := in.(io.Seeker); ok {
					s.Seek(0, io.SeekStart)
				} else {
					in = slowly(string(file))
				}
				x, err := ReadNPY[T](in, "f", o)
				if err != nil || x.Rows != atMost(3, o.MaxRows) || x.Cols != 4 || x.Validate() != nil {
					t.Fatalf("%s, %+v: %v, %v", name, o, x, err)
				}
				for i, v := range x.Data {
					want := f(float64(i))
					if o.Scale != 0 {
						want = float64(want*o.Scale) + o.Offset
					}
					if v != T(want) {
						t.Errorf("%s, %+v: number %d is %v, want %v", name, o, i, v, want)
					}
				}
			}
		}
	}
}

func TestReadNPYLabels(t *testing.T) {
	file := testdata(t, "i8-labels.npy")
	l, err := ReadNPYLabels(bytes.NewReader(file), "f", NPYOptions{Scale: 9, Offset: 1})
	if err != nil || !slices.Equal(l.Y, []int{1, 0, 1}) || !slices.Equal(l.Classes, []string{"-2", "7"}) ||
		!slices.Equal(l.Values, []float64{7, -2, 7}) {
		t.Errorf("%v, %v", l, err)
	}
	if l, err = ReadNPYLabels(bytes.NewReader(file), "f", NPYOptions{MaxRows: 1}); err != nil ||
		!slices.Equal(l.Y, []int{0}) {
		t.Errorf("%v, %v", l, err)
	}
	// Longer than one block.
	long := npyBytes("{'descr':'|u1','fortran_order':True,'shape':(5000,1)}", bytes.Repeat([]byte{3, 1, 2, 1, 1}, 1000))
	if l, err = ReadNPYLabels(bytes.NewReader(long), "f", NPYOptions{}); err != nil || len(l.Y) != 5000 ||
		l.Y[4997] != 1 || l.Y[4995] != 2 {
		t.Errorf("%d labels, %v", len(l.Y), err)
	}
	for _, c := range []struct {
		file  []byte
		o     NPYOptions
		place string
		parts []string
	}{
		{testdata(t, "u1.npy"), NPYOptions{}, "f: byte 60", []string{"shape [3 4]", "one label"}},
		{file, NPYOptions{Classes: []string{"7", "1"}}, "f: byte 136", []string{"found -2", `["7" "1"]`}},
		{npyBytes("{'descr':'<i8','fortran_order':False,'shape':(1,)}", []byte{0, 0, 0, 0, 0, 0, 0x20, 0}),
			NPYOptions{}, "f: byte 60", []string{"9.007", "2^53"}},
		{npyBytes("{'descr':'<f4','fortran_order':False,'shape':(1,)}", []byte{0, 0, 0xc0, 0x7f}), NPYOptions{},
			"f: byte 60", []string{"NaN", "finite"}},
		{append(slices.Clone(file), 1), NPYOptions{}, "f: byte 152", []string{"another byte"}},
	} {
		_, err := ReadNPYLabels(bytes.NewReader(c.file), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	_, err = ReadNPYLabels(bytes.NewReader(file), "f", NPYOptions{Classes: []string{"x"}})
	checkMessage(t, err, []string{`"x"`})
}

// What other programs write: Julia's NPZ and the headers of Python 2, and what numpy reads besides.
func TestNPYHeaders(t *testing.T) {
	for _, header := range []string{
		"{'descr': '|u1', 'fortran_order': False, 'shape': (2,3), }                              \n",
		"{'descr': '<u1', 'fortran_order': False, 'shape': (2L, 3L)}\n",
		"{\"shape\": (2, 3,), \"descr\": \">u1\", \"fortran_order\": False}",
		" { 'fortran_order' :False,\t'shape'\n: ( 2 , 3 ) , 'descr': '|u1' } ",
	} {
		x, err := ReadNPY[float64](bytes.NewReader(npyBytes(header, []byte{1, 2, 3, 4, 5, 6})), "f", NPYOptions{})
		if err != nil || x.Rows != 2 || !slices.Equal(x.Data, []float64{1, 2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v, %v", header, x, err)
		}
	}
	// where the order makes no difference
	for shape, rows := range map[string]int{"(6,)": 6, "(6, 1)": 6, "(1, 6)": 1} {
		x, err := ReadNPY[float64](bytes.NewReader(npyBytes("{'descr': '|u1', 'fortran_order': True, 'shape': "+
			shape+"}", []byte{1, 2, 3, 4, 5, 6})), "f", NPYOptions{})
		if err != nil || x.Rows != rows || !slices.Equal(x.Data, []float64{1, 2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v, %v", shape, x, err)
		}
	}
	// A matrix of Fortran's order that is more than a tile, read in part.
	const n, d = 37, 35
	data := make([]byte, n*d)
	for j := range d {
		for i := range n {
			data[j*n+i] = byte(7*i + j)
		}
	}
	x, err := ReadNPY[float32](bytes.NewReader(npyBytes("{'descr':'|u1','fortran_order':True,'shape':(37,35)}", data)),
		"f", NPYOptions{MaxRows: 36})
	if err != nil || x.Rows != 36 || x.Cols != d {
		t.Fatal(x, err)
	}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != float32(byte(7*i+j)) {
				t.Fatalf("row %d, column %d: %v", i, j, v)
			}
		}
	}
}

func TestReadNPYNamesThePlace(t *testing.T) {
	good := testdata(t, "f4.npy")
	header := func(h string) []byte { return npyBytes(h, make([]byte, 64)) }
	for _, c := range []struct {
		file  []byte
		o     NPYOptions
		place string
		parts []string
	}{
		{nil, NPYOptions{}, "f: byte 0", []string{"end of the file", "8 bytes"}},
		{good[:7], NPYOptions{}, "f: byte 7", []string{"end of the file", "8 bytes"}},
		{good[:9], NPYOptions{}, "f: byte 9", []string{"end of the file", "length of the header"}},
		{good[:50], NPYOptions{}, "f: byte 50", []string{"end of the file", "header of 118 bytes"}},
		{good[:150], NPYOptions{}, "f: byte 150",
			[]string{"end of the file", "12 elements of 4 bytes for shape [3 4]"}},
		{append(slices.Clone(good), 0), NPYOptions{}, "f: byte 176", []string{"another byte", "[3 4]"}},
		{[]byte("1 1:1 2:2\n"), NPYOptions{}, "f: byte 0", []string{`"1 1:1 "`, `"\x93NUMPY"`}},
		{[]byte("\x93NUMPY\x04\x01\x00\x00"), NPYOptions{}, "f: byte 6", []string{"version 4.1", "1, 2 or 3"}},
		{[]byte("\x93NUMPY\x02\x00\x00\x00\x00\x01"), NPYOptions{}, "f: byte 8", []string{"a header of 16777216 bytes",
			"65536"}},
		{header("[1]"), NPYOptions{}, "f: byte 10", []string{`"[1]"`, `'{'`}},
		{header("{'descr': '<f4', 'shape': (3, 4)}"), NPYOptions{}, "f: byte 43",
			[]string{"the end of the header", "'fortran_order'"}},
		{header("{'descr': '<f4', 'descr': '<f4'}"), NPYOptions{}, "f: byte 27", []string{"another", "each key once"}},
		{header("{'extra': 3}"), NPYOptions{}, "f: byte 11", []string{`"extra"`, "'shape'"}},
		{header("{'descr': [('a', '<f4')]}"), NPYOptions{}, "f: byte 20", []string{"structure", "f8"}},
		{header("{'descr': '<f1'}"), NPYOptions{}, "f: byte 20", []string{`"<f1"`, "f4"}},
		{header("{'descr': '|f4'}"), NPYOptions{}, "f: byte 20", []string{`"|f4"`}},
		{header("{'descr': '<1 '}"), NPYOptions{}, "f: byte 20", []string{`"<1 "`}},
		{header("{'descr': '<\\f4'}"), NPYOptions{}, "f: byte 20", []string{"backslash"}},
		{header("{'descr': '<f4"), NPYOptions{}, "f: byte 20", []string{"ends with the quote"}},
		{header("{'descr': '<f4'; "), NPYOptions{}, "f: byte 25", []string{`"; "`, `','`}},
		{header("{descr: '<f4'}"), NPYOptions{}, "f: byte 11", []string{"a quoted text"}},
		{header("{'fortran_order': 0}"), NPYOptions{}, "f: byte 28", []string{`"0}"`, "True or False"}},
		{header("{'shape': (3, -4)}"), NPYOptions{}, "f: byte 24", []string{`"-4)}"`, "a size in 1.."}},
		{header("{'shape': (3, 0)}"), NPYOptions{}, "f: byte 24", []string{`"0)}"`, "a size in 1.."}},
		{header("{'shape': (3 4)}"), NPYOptions{}, "f: byte 23", []string{`"4)}"`, `','`}},
		{header("{'shape': 3}"), NPYOptions{}, "f: byte 20", []string{`"3}"`, `'('`}},
		{header("{'shape': ()}"), NPYOptions{}, "f: byte 20", []string{"shape ()"}},
		{header("{'shape': (99999999, 99999999, 99999999)}"), NPYOptions{}, "f: byte 20",
			[]string{"[99999999 99999999 99999999]", "at most"}},
		{header("{'descr':'<f4','fortran_order':False,'shape':(1,)}x"), NPYOptions{}, "f: byte 60",
			[]string{`"x"`, "blanks"}},
		{npyBytes("{'descr':'>f4','fortran_order':False,'shape':(1,2)}", []byte{0, 0, 0, 0, 0x7f, 0x80, 0, 0}),
			NPYOptions{}, "f: byte 65", []string{"+Inf", "finite"}},
		{npyBytes("{'descr':'<f8','fortran_order':False,'shape':(1,1)}", binary.LittleEndian.AppendUint64(
			nil, math.Float64bits(1e39))), NPYOptions{}, "f: byte 61", []string{"1e+39", "finite"}},
		{npyBytes("{'descr':'|u1','fortran_order':False,'shape':(1,2)}", []byte{0, 2}), NPYOptions{Scale: 3e38},
			"f: byte 62", []string{"found 2", "scaled"}},
		{good, NPYOptions{MaxBytes: 175}, "f: byte 175", []string{"MaxBytes", "175"}},
	} {
		_, err := ReadNPY[float32](bytes.NewReader(c.file), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
		_, err = ReadNPY[float32](bytes.NewReader(packed(c.file)), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	for want, o := range map[string]NPYOptions{
		"dataset: option MaxRows is -1, want 0 at least":                        {MaxRows: -1},
		"dataset: options Scale and Offset are NaN and 0, want finite numbers":  {Scale: math.NaN()},
		"dataset: options Scale and Offset are 0 and +Inf, want finite numbers": {Offset: math.Inf(1)},
	} {
		if _, err := ReadNPY[float32](bytes.NewReader(good), "f", o); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Every type of elements is read as the number that it is, of every length of a block.
func TestElements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range strings.Fields(npyTypes) {
		for _, order := range "<>" {
			e, ok := npyElement(string(order) + kind)
			if !ok {
				t.Fatal(kind)
			}
			src := make([]byte, 600*e.size+1)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			for n := range 600 {
				one := src[n*e.size:][:e.size]
				var u uint64
				for k, b := range one {
					if order == '<' {
						u |= uint64(b) << (8 * k)
					} else {
						u = u<<8 | uint64(b)
					}
				}
				want := float64(u)
				switch {
				case e.kind == 'b':
					want = float64(min(u, 1))
				case e.kind == 'i':
					want = float64(int64(u<<(64-8*e.size)) >> (64 - 8*e.size))
				case kind == "f2":
					want = halfTo64(uint16(u))
				case kind == "f4":
					want = float64(math.Float32frombits(uint32(u)))
				case kind == "f8":
					want = math.Float64frombits(u)
				}
				var got [1]float64
				if e.read(got[:], one); !prove.Same(got[0], want) {
					t.Errorf("%c%s: %x is %v, want %v", order, kind, one, got[0], want)
				}
			}
			testDecoder[float32](t, e, src)
			testDecoder[float64](t, e, src)
			testDecoder[float32](t, e, src[1:]) // across the words of memory
			testDecoder[float64](t, e, src[1:])
		}
	}
}

func testDecoder[T vec.Float](t *testing.T, e element, src []byte) {
	t.Helper()
	want := make([]float64, 600)
	e.read(want, src)
	for _, by := range [][2]float64{{0, 0}, {1, 0}, {1. / 255, 0}, {-2, 3}} {
		c := newDecoder[T](e, by[0], by[1])
		if by[0] == 0 {
			by[0] = 1
		}
		for _, n := range []int{0, 1, 7, 8, 9, 255, 256, 257, 600} {
			got := make([]T, n)
			c.decode(got, src)
			for i, v := range got {
				if w := T(float64(want[i]*by[0]) + by[1]); !prove.Same(v, w) && v != w { // 0 and -0
					t.Errorf("%+v by %v: %v, want %v", e, by, v, w)
				}
			}
			if allocs := prove.Allocs(2, func() { c.decode(got, src) }); allocs != 0 {
				t.Errorf("%+v: %v allocations", e, allocs)
			}
		}
	}
}

// Files are longer than a piece; a header is believed only as far as bytes follow it, or as r says that they do.
func TestReadNPYMemory(t *testing.T) {
	x, err := NewDense(vec.NewMatrix[float32](300, 1000))
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Data {
		x.Data[i] = float32(i % 251)
	}
	for _, kind := range []string{"", "u1", "f8"} {
		var file bytes.Buffer
		if err := WriteNPY(&file, x, NPYOptions{Type: kind}); err != nil {
			t.Fatal(err)
		}
		for _, in := range []io.Reader{bytes.NewReader(file.Bytes()),
			struct{ io.Reader }{bytes.NewReader(file.Bytes())}} {
			got, err := ReadNPY[float32](in, "f", NPYOptions{})
			if err != nil || !sameDense(x, got) || cap(got.Data) > 300000 {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
	for _, shape := range []string{"(1073741824, 1024)", "(268435456, 1)", "(1, 268435455)"} {
		for _, fortran := range []string{"False", "True"} {
			file := npyBytes("{'descr': '|u1', 'fortran_order': "+fortran+", 'shape': "+shape+"}", make([]byte, 1000))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ReadNPY[float64](bytes.NewReader(file), "f", NPYOptions{})
			_, err2 := ReadNPYLabels(bytes.NewReader(file), "f", NPYOptions{})
			runtime.ReadMemStats(&after)
			if err == nil || err2 == nil {
				t.Errorf("%s: read from 1000 bytes", shape)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
				t.Errorf("%s: took %d bytes for an input of 1000", shape, used)
			}
		}
	}
}

func TestOpenNPY(t *testing.T) {
	d, err := OpenNPY[float64]("testdata/f8.npy", "testdata/i8-labels.npy", NPYOptions{})
	if err != nil || d.X.Rows != 3 || !slices.Equal(d.Y, []int{1, 0, 1}) {
		t.Errorf("%v, %v", d, err)
	}
	two := filepath.Join(t.TempDir(), "two.npy")
	if err := os.WriteFile(two, npyBytes("{'descr':'|u1','fortran_order':False,'shape':(2,)}", []byte{1, 2}),
		0o600); err != nil {
		t.Fatal(err)
	}
	_, err = OpenNPY[float64]("testdata/f8.npy", two, NPYOptions{})
	checkMessage(t, err, []string{"3 examples", "2 labels", "f8.npy", two})
}
