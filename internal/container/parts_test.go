package container

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"
)

// partsOf is a file of sections of parts, the second of them aligned.
func partsOf(t testing.TB, lead int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "parts", 1)
	w.Bytes("lead", make([]byte, lead))
	w.Align(64)
	w.Parts("part", 6+70000, func(write func([]byte)) {
		write([]byte("one"))
		write(nil)
		write([]byte("two"))
		write(bytes.Repeat([]byte{7}, 70000))
	})
	w.Align(64)
	w.Parts("none", 0, func(func([]byte)) {})
	if n, err := w.Close(); err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes, error %v", b.Len(), n, err)
	}
	return b.Bytes()
}

var partSizes = []int{3, 0, 3, 70000}

// partsIn reads partsOf and returns the parts.
func partsIn(r *Reader, lead int) (parts [4][]byte) {
	r.Bytes("lead", lead)
	r.Align(64)
	r.Parts("part", 4, func(i int) int { return partSizes[i] }, func(i int, part []byte) {
		if parts[i] = part; !r.InMemory() {
			parts[i] = slices.Clone(part)
		}
	})
	r.Align(64)
	r.Parts("none", 2, func(int) int { return 0 }, func(int, []byte) { panic("a part without bytes") })
	r.Close()
	return parts
}

// TestParts: parts come back from a stream and where they lie in memory, aligned, whatever comes before.
func TestParts(t *testing.T) {
	want := [4][]byte{[]byte("one"), nil, []byte("two"), bytes.Repeat([]byte{7}, 70000)}
	for lead := range 130 {
		file := partsOf(t, lead)
		if at := bytes.Index(file, []byte("onetwo")); at%64 != 0 {
			t.Errorf("%d bytes before: the body is at %d", lead, at)
		}
		in := strings.NewReader(string(file) + "behind")
		stream, err := Open(iotest.HalfReader(in))
		if err != nil {
			t.Fatal(err)
		}
		memory, err := OpenBytes(append(slices.Clone(file), "behind"...))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*Reader{stream, memory} {
			got := partsIn(r, lead)
			if r.Err() != nil || !slices.EqualFunc(got[:], want[:], bytes.Equal) {
				t.Fatalf("%d bytes before: parts differ, error %v", lead, r.Err())
			}
			if r.InMemory() && unsafe.SliceData(got[3]) != &r.memory[bytes.Index(file, want[3])] {
				t.Error("a part was copied")
			}
			for _, u := range r.Unchecked() {
				if err := u.Check(); err != nil {
					t.Error(err)
				}
			}
		}
		if in.Len() != 6 || memory.Left() != 6 || len(memory.Unchecked()) != 2 || stream.Unchecked() != nil {
			t.Errorf("%d and %d bytes left, %d sections unchecked", in.Len(), memory.Left(), len(memory.Unchecked()))
		}
	}
}

// TestPartsDamage: cut or with a bit flipped, a file is an error, in memory perhaps by Check alone.
func TestPartsDamage(t *testing.T) {
	file := partsOf(t, 5)
	check := func(bad []byte, late bool) {
		t.Helper()
		for _, open := range []func() (*Reader, error){
			func() (*Reader, error) { return Open(bytes.NewReader(bad)) },
			func() (*Reader, error) { return OpenBytes(bad) },
		} {
			r, err := open()
			if err == nil {
				partsIn(r, 5)
				err = r.Err()
			}
			if err == nil && late {
				for _, u := range r.Unchecked() {
					err = errors.Join(err, u.Check())
				}
			}
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("%d bytes: error %v", len(bad), err)
			}
		}
	}
	for at := 0; at < len(file); at++ {
		if at > 300 && at < len(file)-200 {
			at += 997
		}
		check(file[:at], false)
		bad := slices.Clone(file)
		bad[at] ^= 1 << (at % 8)
		check(bad, true)
	}
}

// TestPartsFail: sizes that do not fit are errors.
func TestPartsFail(t *testing.T) {
	w := NewWriter(io.Discard, "parts", 1)
	w.Parts("part", 3, func(write func([]byte)) { write([]byte("on")) })
	if _, err := w.Close(); err == nil || !strings.Contains(err.Error(), `section "part" has 2 bytes, want 3`) {
		t.Errorf("error %v", err)
	}
	for _, sizes := range [][]int{{3, 0, 4, 70000}, {math.MaxInt, 1}, {math.MaxInt}} {
		for _, open := range []func(b []byte) (*Reader, error){
			func(b []byte) (*Reader, error) { return Open(bytes.NewReader(b)) }, OpenBytes,
		} {
			r, err := open(partsOf(t, 5))
			if err != nil {
				t.Fatal(err)
			}
			r.Bytes("lead", 5)
			r.Align(64)
			r.Parts("part", len(sizes), func(i int) int { return sizes[i] }, func(int, []byte) {
				t.Error("a part")
			})
			if !errors.Is(r.Err(), ErrCorrupt) {
				t.Errorf("%v: error %v", sizes, r.Err())
			}
		}
	}
	var b bytes.Buffer
	w = NewWriter(&b, "parts", 1)
	w.Bytes("pad", append(make([]byte, padding(headerSize, 64)-1), 1))
	w.Close()
	r, err := Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	if r.Align(64); !errors.Is(r.Err(), ErrCorrupt) || !strings.Contains(r.Err().Error(), "holds 1, want 0") {
		t.Errorf("error %v", r.Err())
	}
	if r, _ := OpenBytes(partsOf(t, 5)); r.Count("lead") != 5 || r.Count("part") != 0 || r.Err() != nil {
		t.Errorf("other counts, error %v", r.Err())
	}
}
