package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// counted is a reader that counts its calls.
type counted struct {
	*bytes.Reader
	calls int
}

func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	c.calls++
	return c.Reader.ReadAt(b, off)
}

func TestNPYRows(t *testing.T) { prove.Both(t, testNPYRows[float32], testNPYRows[float64]) }

// Any rows of files of every type are as ReadNPY reads them; a matrix is used again, and each read is one call.
func testNPYRows[T vec.Float](t *testing.T) {
	files := map[string][]byte{}
	for name := range npyGolden {
		files[name] = testdata(t, name+".npy")
	}
	for _, e := range []string{"i1", "u1", "i2", "u2", "i4", "u4", "f2", "f4", "f8"} {
		var file bytes.Buffer
		x := &Dense[float64]{vec.MatrixOf(3, 2, []float64{0, 1, 2, 3, 4, 5})}
		if err := WriteNPY(&file, x, NPYOptions{Type: e}); err != nil {
			t.Fatal(err)
		}
		files[e] = file.Bytes()
	}
	files["i8"] = npyBytes("{'shape': (2, 1), 'descr': '>i8', 'fortran_order': True}", slices.Concat(make([]byte, 8),
		[]byte{255, 255, 255, 255, 255, 255, 255, 254}))
	delete(files, "f8-fortran")
	for name, file := range files {
		for _, o := range []NPYOptions{{}, {Scale: 1. / 3, Offset: -1}, {MaxRows: 2}} {
			want, err := ReadNPY[T](bytes.NewReader(file), name, o)
			if err != nil {
				t.Fatal(name, err)
			}
			in := &counted{Reader: bytes.NewReader(file)}
			rows, err := NewNPYRows[T](in, int64(len(file)), name, o)
			if err != nil {
				t.Fatal(name, err)
			}
			if n, d := rows.Dims(); n != want.Rows || d != want.Cols || in.calls != 1 {
				t.Fatalf("%s: %d by %d in %d calls, want %d by %d in one", name, n, d, in.calls, want.Rows, want.Cols)
			}
			var x Dense[T]
			for from := range want.Rows + 1 {
				for to := from; to <= want.Rows; to++ {
					in.calls = 0
					if err := rows.Read(&x, from, to); err != nil || in.calls > 1 || x.Validate() != nil {
						t.Fatalf("%s, %d to %d: %v in %d calls", name, from, to, err, in.calls)
					}
					if part := want.Window(from, to); !sameDense(&x, part) {
						t.Errorf("%s, %+v, %d to %d: %v, want %v", name, o, from, to, x.Data, part.Data)
					}
				}
			}
			at := &x.Data[:1][0]
			if n := prove.Allocs(10, func() { rows.Read(&x, 0, want.Rows) }); n > 0 || &x.Data[0] != at {
				t.Errorf("%s: %v allocations where there is room", name, n)
			}
		}
	}
}

// TestNPYRowsAtOnce: several goroutines read rows of one file.
func TestNPYRowsAtOnce(t *testing.T) {
	const n = 200
	whole := &Dense[float64]{vec.NewMatrix[float64](n, 3)}
	for k := range whole.Data {
		whole.Data[k] = float64(k % 251)
	}
	var file bytes.Buffer
	if err := WriteNPY(&file, whole, NPYOptions{Type: "u1"}); err != nil {
		t.Fatal(err)
	}
	rows, err := NewNPYRows[float64](bytes.NewReader(file.Bytes()), int64(file.Len()), "f", NPYOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			var x Dense[float64]
			for from := g; from+7 <= n; from += 3 {
				if err := rows.Read(&x, from, from+7); err != nil || !sameDense(&x, whole.Window(from, from+7)) {
					t.Errorf("rows from %d: %v, %v", from, x.Data, err)
				}
			}
		}()
	}
	all.Wait()
}

// failing is a file whose bytes from some place on cannot be read.
type failing struct {
	in   []byte
	from int64
	err  error
}

func (f failing) ReadAt(b []byte, off int64) (n int, err error) {
	if n = copy(b, f.in[min(off, f.from):f.from]); n < len(b) {
		err = f.err
	}
	return n, err
}

func TestNPYRowsErrors(t *testing.T) {
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }"
	numbers := []float64{1, 2, 3, math.Inf(-1), 5, 6}
	file := npyBytes(header, bytesOf(numbers))
	if nativeBig {
		t.Skip("the file is made of this machine's numbers")
	}
	open := func(in io.ReaderAt, size int, o NPYOptions) error {
		_, err := NewNPYRows[float64](in, int64(size), "f", o)
		return err
	}
	of := func(b []byte) io.ReaderAt { return bytes.NewReader(b) }
	checkPlace(t, open(nil, 0, NPYOptions{}), "f: byte 0", "the reader is nil")
	checkPlace(t, open(of(nil), 0, NPYOptions{}), "f: byte 0", "the end of the file")
	checkPlace(t, open(of(file), len(file)-1, NPYOptions{}), "f: byte 116", "a file of 116 bytes", "want 117")
	checkPlace(t, open(of(file), len(file)+1, NPYOptions{}), "f: byte 0", "want 118: unexpected EOF")
	checkPlace(t, open(of(append(file, 0)), len(file)+1, NPYOptions{}), "f: byte 117", "a file of 118 bytes")
	gz := packed(file)
	checkPlace(t, open(of(gz), len(gz), NPYOptions{}), fmt.Sprintf("f: byte %d", min(len(gz), 117)), "compressed")
	checkMessage(t, open(of(file), -1, NPYOptions{}), []string{"f has a size of -1 bytes"})
	checkMessage(t, open(of(file), len(file), NPYOptions{MaxRows: -1}), []string{"MaxRows is -1"})
	checkMessage(t, open(of(file), len(file), NPYOptions{Scale: math.NaN()}), []string{"Scale and Offset are NaN"})
	columns := testdata(t, "f8-fortran.npy")
	checkPlace(t, open(of(columns), len(columns), NPYOptions{}), "f: byte 59", "3 by 4 in Fortran's order")
	huge := npyBytes("{'descr': '<f8', 'fortran_order': False, 'shape': (10000, 2000), }", nil)
	checkPlace(t, open(of(huge), len(huge), NPYOptions{}), "f: byte 76", "a file of 76 bytes", "want 160000076")

	rows, err := NewNPYRows[float64](of(file), int64(len(file)), "f", NPYOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x := Dense[float64]{vec.NewMatrix[float64](1, 4)}
	for _, r := range [][2]int{{-1, 1}, {2, 1}, {0, 4}, {4, 4}} {
		checkMessage(t, rows.Read(&x, r[0], r[1]), []string{"of 3 examples, want 0 <= from <= to <= 3"})
	}
	checkPlace(t, rows.Read(&x, 1, 3), "f: byte 93", "found -Inf in row 1, column 1", "want a number that is finite")
	if x.Rows != 0 || x.Validate() != nil || cap(x.Data) < 4 {
		t.Errorf("after an error %+v", x)
	}
	if err := rows.Read(&x, 2, 3); err != nil || !slices.Equal(x.Data, numbers[4:]) {
		t.Errorf("%v, %v", x.Data, err)
	}
	broken := errors.New("broken")
	for _, e := range []error{broken, io.EOF} {
		in := failing{slices.Concat(file, make([]byte, longestNPYHead)), int64(len(file)) - 8, e}
		if rows.in = in; rows.Read(&x, 0, 1) != nil {
			t.Error("bytes that are there are not read")
		}
		err := rows.Read(&x, 2, 3)
		if checkPlace(t, err, "f: byte 101", "cannot read on"); e != io.EOF && !errors.Is(err, broken) ||
			e == io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	}
}

// FuzzNPYRows: any rows of a file are as MapNPY has them, or the error is a *ParseError.
func FuzzNPYRows(f *testing.F) {
	for name := range npyGolden {
		file, err := os.ReadFile("testdata/" + name + ".npy")
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range damage.Seeds(file, damage.Binary, 8) {
			f.Add(file, 1, 3, 0)
		}
		f.Add(packed(file), 0, 1, 2)
	}
	f.Add(npyBytes("{'shape': (2L,), 'descr': '>i8', \"fortran_order\": True}", make([]byte, 16)), 0, 2, 1)
	f.Add(npyBytes("{'shape': (2,1099511627776), 'descr': '<f2', 'fortran_order': False}", make([]byte, 16)), 0, 2, 1)
	f.Fuzz(func(t *testing.T, in []byte, from, to, most int) {
		fuzzNPYRows[float32](t, in, from, to, most)
		fuzzNPYRows[float64](t, in, from, to, most)
	})
}

func fuzzNPYRows[T vec.Float](t *testing.T, in []byte, from, to, most int) {
	o := NPYOptions{MaxRows: max(0, most)}
	m, mapErr := newMapped[T](&mapping{file: "f", bytes: in}, o)
	rows, err := NewNPYRows[T](bytes.NewReader(in), int64(len(in)), "f", o)
	if err != nil {
		if checkPlaced(t, err, nil); mapErr == nil {
			t.Fatalf("mapped, but %v", err)
		}
		return
	}
	if mapErr != nil {
		t.Fatal(mapErr)
	}
	n, d := rows.Dims()
	var x Dense[T]
	err = rows.Read(&x, from, to)
	if 0 > from || from > to || to > n {
		if err == nil {
			t.Fatalf("rows %d to %d of %d", from, to, n)
		}
		return
	}
	want := Dense[T]{vec.NewMatrix[T](to-from, d)}
	some := make([]int, to-from)
	for p := range some {
		some[p] = from + p
	}
	m.Gather(want.Matrix, some)
	if want.Validate() != nil {
		checkPlaced(t, err, nil)
	} else if err != nil || !sameDense(&x, &want) {
		t.Fatalf("read %v (%v), mapped %v", x, err, want)
	}
}
