package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/vec"
)

// sample is a file with every type of section; long ones take several pieces.
func sample(t testing.TB, long int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "sample", 3)
	w.Bytes("b", ramp[byte](long+1))
	w.Bytes("none", nil)
	w.Int32s("i32", []int32{math.MinInt32, -1, 0, math.MaxInt32})
	w.Int32s("long", ramp[int32](long))
	w.Ints("int", math.MinInt32, -1, 0, math.MaxInt32)
	w.Strings("s", []string{"", "Grün", strings.Repeat("x", long), "\xff"})
	Floats(w, "f", append(ramp[float32](long), float32(math.NaN()), float32(math.Inf(-1)), math.SmallestNonzeroFloat32))
	Floats(w, "d", append(ramp[float64](long), math.NaN(), math.Copysign(0, -1), math.MaxFloat64))
	WriteMatrix(w, "m", vec.Matrix[float32]{Rows: 2, Cols: 3, Stride: 4, Data: []float32{1, 2, 3, 99, 4, 5, 6}})
	WriteMatrix(w, "m64", vec.Matrix[float64]{Rows: 3, Stride: 7})
	w.Records("rec", long+1, 3, func(i int, b []byte) { b[0], b[1], b[2] = byte(i), byte(i>>8), 7 })
	n, err := w.Close()
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes, error %v", b.Len(), n, err)
	}
	return b.Bytes()
}

func ramp[T byte | int32 | float32 | float64](n int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = T(i % 251)
	}
	return v
}

// read reads a sample and returns the first error. Values that differ are errors of the test unless t is nil.
func read(t *testing.T, in io.Reader, long int) error {
	r, err := Open(in)
	if err != nil {
		return err
	}
	check := func(what string, same bool) {
		if t != nil && !same {
			t.Errorf("%s does not come back: error %v", what, r.Err())
		}
	}
	check("kind", r.Kind() == "sample" && r.Version() == 3)
	check("b", bytes.Equal(r.Bytes("b", long+1), ramp[byte](long+1)))
	check("none", r.Bytes("none", -1) == nil)
	check("i32", slices.Equal(r.Int32s("i32", 4), []int32{math.MinInt32, -1, 0, math.MaxInt32}))
	check("long", slices.Equal(r.Int32s("long", -1), ramp[int32](long)))
	check("int", slices.Equal(r.Ints("int", 4), []int{math.MinInt32, -1, 0, math.MaxInt32}))
	check("s", slices.Equal(r.Strings("s", 4), []string{"", "Grün", strings.Repeat("x", long), "\xff"}))
	f := ReadFloats[float32](r, "f", long+3)
	check("f", len(f) == long+3 && slices.Equal(f[:long], ramp[float32](long)) && f[long] != f[long] &&
		f[long+1] == float32(math.Inf(-1)) && f[long+2] == math.SmallestNonzeroFloat32)
	d := ReadFloats[float64](r, "d", -1)
	check("d", len(d) == long+3 && slices.Equal(d[:long], ramp[float64](long)) && d[long] != d[long] &&
		math.Signbit(d[long+1]) && d[long+2] == math.MaxFloat64)
	m := ReadMatrix[float32](r, "m")
	check("m", m.Rows == 2 && m.Cols == 3 && m.Stride == 3 && slices.Equal(m.Data, []float32{1, 2, 3, 4, 5, 6}))
	empty := ReadMatrix[float64](r, "m64")
	check("m64", empty.Rows == 3 && empty.Cols == 0)
	seen, wrong := 0, 0
	r.Records("rec", long+1, 3, func(i int, b []byte) {
		if i != seen || len(b) != 3 || b[0] != byte(i) || b[1] != byte(i>>8) || b[2] != 7 {
			wrong++
		}
		seen++
	})
	check("rec", seen == long+1 && wrong == 0)
	err = r.Close()
	check("a second Close", r.Close() == err)
	return err
}

// TestRoundTrip: everything comes back, whatever pieces the input comes in, and nothing behind the end is read.
func TestRoundTrip(t *testing.T) {
	lengths := []int{0, 3, 1023, 1024, 400_000}
	if testing.Short() {
		lengths = []int{0, 3, 1023, 1024, 40_000}
	}
	for _, long := range lengths {
		in := strings.NewReader(string(sample(t, long)) + "behind")
		if err := read(t, iotest.HalfReader(in), long); err != nil {
			t.Fatalf("%d: %v", long, err)
		}
		if rest, _ := io.ReadAll(in); string(rest) != "behind" {
			t.Errorf("%d: left %q", long, rest)
		}
	}
}

// TestLayout: the bytes are as the package's comment lists them.
func TestLayout(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, "k", 258)
	Floats(w, "ab", []float32{1})
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sum := func(s string) string {
		return string(binary.LittleEndian.AppendUint32(
			nil, crc32.Checksum([]byte(s), crc32.MakeTable(crc32.Castagnoli))))
	}
	parts := []string{
		"dualgap\nk\x00\x00\x00\x00\x00\x00\x00\x02\x01\x00\x00",
		"ab  f\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x80\x3f",
		"end e\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "",
	}
	var want string
	for _, p := range parts {
		want += p + sum(p)
	}
	if b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
}

// TestDamage: every bit flipped, every byte missing is seen.
func TestDamage(t *testing.T) {
	file := sample(t, 5)
	for i := range file {
		if err := read(nil, bytes.NewReader(file[:i]), 5); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d bytes: error %v", i, err)
		}
		for bit := range 8 {
			bad := slices.Clone(file)
			bad[i] ^= 1 << bit
			if err := read(nil, bytes.NewReader(bad), 5); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("bit %d of byte %d flipped: error %v", bit, i, err)
			}
		}
	}
}

// head is the head of a section with a checksum that is right.
func head(tag string, kind byte, count uint64) []byte {
	b := binary.LittleEndian.AppendUint64(append([]byte(tag), kind, 0, 0, 0), count)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// readers read one section of any length of each type.
var readers = map[byte]func(r *Reader){
	typeBytes:   func(r *Reader) { r.Bytes("huge", -1) },
	typeInt32:   func(r *Reader) { r.Int32s("huge", -1) },
	typeInt64:   func(r *Reader) { r.Ints("huge", -1) },
	typeStrings: func(r *Reader) { r.Strings("huge", -1) },
	typeFloat32: func(r *Reader) { ReadFloats[float32](r, "huge", -1) },
	typeFloat64: func(r *Reader) { ReadFloats[float64](r, "huge", -1) },
}

// TestHugeSizes: sizes that are not true, under checksums that are, cost no memory.
func TestHugeSizes(t *testing.T) {
	header := sample(t, 0)[:headerSize]
	for kind, call := range readers {
		for i, count := range []uint64{1 << 27, 1 << 27, 1 << 27, 1 << 31, 1 << 32, 1 << 60, 1<<63 - 1, 1 << 63,
			math.MaxUint64} {
			behind := []int{100, 1 << 16, 3 << 20}[i%3]
			file := slices.Concat(header, head("huge", kind, count), make([]byte, behind))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := Open(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			call(r)
			runtime.ReadMemStats(&after)
			if !errors.Is(r.Err(), ErrCorrupt) {
				t.Errorf("type %q, %d elements: error %v", kind, count, r.Err())
			}
			// The scratch memory, 1 MiB ahead, then as much again each time as has been read: 1 + 2 + 4 MiB for 3.
			if took := int(after.TotalAlloc - before.TotalAlloc); took > 3<<19+2*behind {
				t.Errorf("type %q, %d elements, %d bytes of them: took %d bytes", kind, count, behind, took)
			}
		}
	}
}

// TestHugeElements: elements that are said to be large, as records and as parts, cost no memory before they come, and
// come back where they do.
func TestHugeElements(t *testing.T) {
	const huge = 1 << 30
	header := sample(t, 0)[:headerSize]
	for name, read := range map[string]func(r *Reader){
		"records": func(r *Reader) { r.Records("huge", 1, huge, func(int, []byte) { t.Error("a record") }) },
		"parts": func(r *Reader) {
			r.Parts("huge", 1, func(int) int { return huge }, func(int, []byte) { t.Error("a part") })
		},
	} {
		for _, behind := range []int{0, 100, 3 << 20} {
			file := slices.Concat(header, head("huge", typeBytes, huge), make([]byte, behind))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := Open(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			read(r)
			runtime.ReadMemStats(&after)
			took := int(after.TotalAlloc - before.TotalAlloc)
			if !errors.Is(r.Err(), ErrCorrupt) || took > 3<<19+3*behind {
				t.Errorf("%s, %d bytes of them: took %d bytes, error %v", name, behind, took, r.Err())
			}
		}
	}
	large := ramp[byte](5<<20 + 3)
	var b bytes.Buffer
	w := NewWriter(&b, "large", 1)
	w.Bytes("a", large[:7])
	w.Bytes("b", large)
	w.Bytes("c", large[:7])
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	r.Records("a", 1, 7, func(_ int, b []byte) { same += bytes.Count(large[:7], b) })
	r.Records("b", 1, len(large), func(_ int, b []byte) {
		if bytes.Equal(b, large) {
			same++
		}
	})
	r.Records("c", 7, 1, func(i int, b []byte) {
		if b[0] == large[i] {
			same++
		}
	})
	if r.Close() != nil || same != 9 {
		t.Errorf("%d of 9 come back, %v", same, r.Err())
	}
}

// TestMemory: what is read takes at most twice its size and then as much again while it grows.
func TestMemory(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, "memory", 1)
	Floats(w, "f", make([]float32, 5<<20))
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	v := ReadFloats[float32](r, "f", 5<<20)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; len(v) != cap(v) || len(v) != 5<<20 || took > 3*20<<20 {
		t.Errorf("%d numbers, room for %d, took %d bytes, error %v", len(v), cap(v), took, r.Err())
	}
}
