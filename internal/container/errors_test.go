package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/vec"
)

// file writes a file of one kind with the sections of f.
func file(t testing.TB, f func(w *Writer)) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "test", 2)
	f(w)
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestReadErrors(t *testing.T) {
	one := func(w *Writer) { w.Ints("one", 3, 4) }
	for name, c := range map[string]struct {
		write   func(w *Writer)
		read    func(r *Reader)
		want    string
		corrupt bool
	}{
		"other tag":   {one, func(r *Reader) { r.Ints("two", 2) }, `section "one", want "two"`, true},
		"other type":  {one, func(r *Reader) { r.Bytes("one", -1) }, `of type 'l', want 'b'`, true},
		"other count": {one, func(r *Reader) { r.Ints("one", 3) }, "has 2 elements, want 3", true},
		"more than wrote": {one, func(r *Reader) { r.Ints("one", 2); r.Ints("one", 2) }, `section "end", want "one"`,
			true},
		"less than wrote": {one, func(r *Reader) {}, `section "one", want "end "`, true},
		"behind the end": {one, func(r *Reader) { r.Ints("one", 2); r.Close(); r.Ints("x", 1) }, "behind the end",
			false},
		"strings": {func(w *Writer) { w.Strings("s", []string{"a"}) }, func(r *Reader) { r.Strings("s", 2) },
			"has 1 strings, want 2", true},
		"float32": {func(w *Writer) { Floats(w, "f", []float32{1}) },
			func(r *Reader) { ReadFloats[float64](r, "f", 1) },
			`section "f" holds float32, want float64`, false},
		"float64": {func(w *Writer) { WriteMatrix(w, "m", vec.NewMatrix[float64](1, 1)) },
			func(r *Reader) { ReadMatrix[float32](r, "m") },
			`section "m" holds float64, want float32`, false},
		"not float": {one, func(r *Reader) { ReadFloats[float64](r, "one", 2) }, "of type 'l', want 'd'", true},
		"rows": {func(w *Writer) { w.Ints("m", -1, 3) }, func(r *Reader) { ReadMatrix[float32](r, "m") },
			"a matrix of -1 rows and 3 columns", true},
		"product": {func(w *Writer) { w.Ints("m", math.MaxInt/2+1, 2) },
			func(r *Reader) { ReadMatrix[float32](r, "m") },
			"a matrix of", true},
		"elements": {func(w *Writer) { w.Ints("m", 2, 3); Floats(w, "m", make([]float32, 5)) },
			func(r *Reader) { ReadMatrix[float32](r, "m") }, "has 5 elements, want 6", true},
		"length of a string": {func(w *Writer) {
			w.begin("s", typeStrings, 5)
			w.body([]byte("\x02\x00\x00\x00a"))
			w.checksum()
		},
			func(r *Reader) { r.Strings("s", -1) }, "string 0 of section \"s\" has less than its length", true},
		"records": {func(w *Writer) { w.Bytes("b", make([]byte, 5)) }, func(r *Reader) { r.Records("b", 2, 3, nil) },
			"has 5 elements, want 6", true},
		"padding": {func(w *Writer) {
			b := append([]byte("pad b"), 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
			w.write(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
			w.crc = 0
			w.checksum()
		}, func(r *Reader) { r.Bytes("pad", 0) }, "the head of a section begins with", true},
		"kind":    {one, func(r *Reader) { r.Expect("other", 9) }, `kind "test", want "other"`, false},
		"version": {one, func(r *Reader) { r.Expect("test", 1) }, "version 2: known are versions 1 to 1", false},
		"the caller": {one, func(r *Reader) { r.Corrupt("n is %d", 7); r.Corrupt("again") }, "corrupt file: n is 7",
			true},
	} {
		r, err := Open(file(t, c.write))
		if err != nil {
			t.Fatal(err)
		}
		if c.read(r); r.Err() == nil {
			r.Close()
		}
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), c.want) ||
			errors.Is(err, ErrCorrupt) != c.corrupt {
			t.Errorf("%s: error %v, want one with %q, corrupt: %v", name, err, c.want, c.corrupt)
			continue
		}
		// From then on nothing comes and the error stays.
		first := r.Err()
		r.Expect("nothing", 1)
		m := ReadMatrix[float64](r, "m")
		if r.Bytes("a", 1) != nil || r.Ints("a", 1) != nil || r.Int32s("a", 1) != nil || r.Strings("a", 1) != nil ||
			m.Rows != 0 ||
			ReadFloats[float32](r, "a", 1) != nil || r.Close() != first || r.Err() != first {
			t.Errorf("%s: not all is empty behind %v: then %v", name, first, r.Err())
		}
	}
}

func TestOpenErrors(t *testing.T) {
	good := file(t, func(*Writer) {}).Bytes()
	bad := append([]byte("dualgap!"), good[8:]...)
	for _, c := range []struct {
		in      io.Reader
		want    string
		corrupt bool
	}{
		{strings.NewReader(""), "it ends within the header", true},
		{bytes.NewReader(bad), `it begins with "dualgap!"`, true},
		{iotest.ErrReader(errors.New("no such luck")), "reading the header: no such luck", false},
	} {
		if _, err := Open(c.in); err == nil || !strings.Contains(err.Error(), c.want) ||
			errors.Is(err, ErrCorrupt) != c.corrupt {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

type failingWriter struct{ room int }

func (f *failingWriter) Write(b []byte) (int, error) {
	n := min(f.room, len(b))
	f.room -= n
	if n < len(b) {
		return n, errors.New("disk full")
	}
	return n, nil
}

func TestWriteErrors(t *testing.T) {
	for _, c := range []struct {
		kind    string
		version int
		write   func(w *Writer)
		want    string
	}{
		{"", 1, func(*Writer) {}, `the kind ""`},
		{"ninechars", 1, func(*Writer) {}, `the kind "ninechars"`},
		{"blank ", 1, func(*Writer) {}, `the kind "blank "`},
		{"k", -1, func(*Writer) {}, "the version is -1"},
		{"k", 1, func(w *Writer) { w.Bytes("", nil); w.Bytes("fives", nil) }, `the tag ""`},
		{"k", 1, func(w *Writer) { w.Bytes("fives", nil) }, `the tag "fives"`},
		{"k", 1, func(w *Writer) { w.Bytes("ä", nil) }, `the tag "ä"`},
		{"k", 1, func(w *Writer) { w.Records("a", -1, 2, nil) }, "-1 records of 2 bytes"},
		{"k", 1, func(w *Writer) { w.Records("a", 2, 0, nil) }, "2 records of 0 bytes"},
		{"k", 1, func(w *Writer) { w.Records("a", math.MaxInt/3+1, 3, nil) }, "records of 3 bytes"},
		{"k", 1, func(w *Writer) { WriteMatrix(w, "m", vec.Matrix[float32]{Rows: 2, Cols: 2, Stride: 1}) },
			`section "m": vec: stride 1`},
	} {
		w := NewWriter(io.Discard, c.kind, c.version)
		c.write(w)
		if _, err := w.Close(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	size := len(sample(t, 40_000))
	for _, room := range []int{0, 10, size / 2, size - 1} {
		w := NewWriter(&failingWriter{room}, "k", 1)
		for range 4 {
			Floats(w, "f", make([]float64, size/32+8))
		}
		if n, err := w.Close(); n != int64(room) || err == nil || err.Error() != "disk full" {
			t.Errorf("room for %d bytes: wrote %d, error %v", room, n, err)
		}
	}
}

// TestRecordBounds: as many records as int can count, or none, and the least and the largest version are no errors; a
// reader refuses what a writer does.
func TestRecordBounds(t *testing.T) {
	for _, version := range []int{0, math.MaxInt32} {
		w := NewWriter(io.Discard, "k", version)
		w.Records("none", 0, 3, nil)
		if _, err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	w := NewWriter(&failingWriter{0}, "k", 1)
	w.Records("many", math.MaxInt/3, 3, func(int, []byte) {})
	if _, err := w.Close(); err == nil || err.Error() != "disk full" {
		t.Error(err)
	}
	for _, c := range [][2]int{{-1, 2}, {2, 0}, {math.MaxInt/3 + 1, 3}} {
		r, err := Open(bytes.NewReader(sample(t, 3)))
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%d records of %d bytes", c[0], c[1])
		if r.Records("a", c[0], c[1], nil); r.Err() == nil || !strings.Contains(r.Err().Error(), want) {
			t.Errorf("error %v, want one with %q", r.Err(), want)
		}
	}
}

// FuzzReader: no input panics or takes memory that it does not fill, and what is accepted is written again as it was.
// The first byte of script for each section says how it is read.
func FuzzReader(f *testing.F) {
	f.Add(sample(f, 3), "bbillsfdlflddb")
	f.Add(file(f, func(w *Writer) { w.Ints("huge", 1, 2) }).Bytes(), "l")
	f.Fuzz(func(t *testing.T, in []byte, script string) {
		r, err := Open(bytes.NewReader(in))
		if err != nil {
			return
		}
		var b bytes.Buffer
		w := NewWriter(&b, r.Kind(), r.Version())
		for i := range len(script) {
			r.peek()
			tag := r.next.tag
			if r.err != nil || tag == endTag {
				break
			}
			switch script[i] {
			case typeBytes:
				w.Bytes(tag, r.Bytes(tag, -1))
			case typeInt32:
				w.Int32s(tag, r.Int32s(tag, -1))
			case typeInt64:
				w.Ints(tag, r.Ints(tag, -1)...)
			case typeStrings:
				w.Strings(tag, r.Strings(tag, -1))
			case typeFloat32:
				Floats(w, tag, ReadFloats[float32](r, tag, -1))
			case typeFloat64:
				Floats(w, tag, ReadFloats[float64](r, tag, -1))
			}
		}
		if r.Close() != nil {
			return
		}
		if n, err := w.Close(); err != nil || !slices.Equal(b.Bytes(), in[:n]) {
			t.Errorf("read and written again it differs: error %v", err)
		}
	})
}
