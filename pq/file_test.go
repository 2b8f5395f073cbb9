package pq

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/vec"
)

func written(t testing.TB, w io.WriterTo) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := w.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes, error %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// TestFiles: everything comes back bit by bit, whatever pieces the input comes in, and nothing behind it is read.
func TestFiles(t *testing.T) {
	x := clustered(400, 20, 16)
	for name, q := range shapes(t) {
		file := written(t, q)
		in := strings.NewReader(string(file) + "behind")
		got, err := Read(iotest.OneByteReader(in))
		if err != nil || !slices.Equal(got.centroids, q.centroids) || !slices.Equal(got.columns, q.columns) || !slices.Equal(got.rotation, q.rotation) {
			t.Fatalf("%s: read with error %v", name, err)
		}
		if rest, _ := io.ReadAll(in); string(rest) != "behind" {
			t.Errorf("%s: left %q", name, rest)
		}
		if again := written(t, got); !bytes.Equal(again, file) {
			t.Errorf("%s: written again it differs", name)
		}

		codes := encode(t, q, x)
		if q.rotation == nil && !bytes.Equal(codes, encode(t, got, x)) {
			t.Errorf("%s: other codes after reading", name)
		}
		var b bytes.Buffer
		if err := q.WriteCodes(&b, codes); err != nil {
			t.Fatal(err)
		}
		back, err := got.ReadCodes(iotest.HalfReader(&b))
		if err != nil || !bytes.Equal(back, codes) || b.Len() != 0 {
			t.Errorf("%s: codes read with error %v, %d bytes left", name, err, b.Len())
		}

		for _, metric := range []Metric{L2, InnerProduct} {
			ix, err := NewIndex(q, metric)
			if err != nil {
				t.Fatal(err)
			}
			if err := ix.AddCodes(codes); err != nil {
				t.Fatal(err)
			}
			file := written(t, ix)
			same, err := ReadIndex(bytes.NewReader(file))
			if err != nil || same.Metric() != metric || same.Len() != 400 || !bytes.Equal(written(t, same), file) {
				t.Fatalf("%s: index read with error %v", name, err)
			}
			want, _ := ix.Search(nil, x.Row(3), Search{K: 7})
			if found, err := same.Search(nil, x.Row(3), Search{K: 7}); err != nil || !slices.Equal(found, want) {
				t.Errorf("%s: found %v (error %v), before %v", name, found, err, want)
			}
		}
	}
}

// TestCorruptFiles: no flipped bit and no missing byte goes unseen, and none takes memory that the input does not fill.
func TestCorruptFiles(t *testing.T) {
	x := clustered(40, 4, 17)
	q := train(t, x, Config{M: 2, NBits: 4, Rotations: 1})
	ix, err := NewIndex(q, InnerProduct)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Add(x, 0); err != nil {
		t.Fatal(err)
	}
	file := written(t, ix)
	for i := range file {
		if _, err := ReadIndex(bytes.NewReader(file[:i])); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d bytes: error %v", i, err)
		}
		for bit := range 8 {
			bad := slices.Clone(file)
			bad[i] ^= 1 << bit
			if _, err := ReadIndex(bytes.NewReader(bad)); err == nil || !strings.HasPrefix(err.Error(), "pq: ") {
				t.Fatalf("bit %d of byte %d flipped: error %v", bit, i, err)
			}
		}
	}
	// Headers that ask for much, with checksums that are right.
	huge := func(kind byte, nbits, option byte, d, m uint32, n uint64) []byte {
		b := append([]byte(magic), kind, version, nbits, option)
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, d), m), n)
		return append(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), make([]byte, 64)...)
	}
	for _, h := range [][]byte{
		huge(kindQuantizer, 8, 0, 1<<23-1, 1, 0), huge(kindQuantizer, 8, 1, 1<<23-1, 1, 0), huge(kindQuantizer, 8, 0, 1<<31, 2, 0),
		huge(kindQuantizer, 8, 0, 4, 5, 0), huge(kindQuantizer, 7, 0, 4, 2, 0), huge(kindQuantizer, 8, 2, 4, 2, 0), huge(kindQuantizer, 8, 0, 0, 0, 0),
		huge(kindQuantizer, 8, 0, 4, 2, 1),
	} {
		if _, err := Read(bytes.NewReader(h)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("header % x: error %v", h[:headerSize], err)
		}
	}
	for _, n := range []uint64{1 << 40, 1<<63 + 7, 1<<64 - 1} {
		h := huge(kindCodes, 4, 0, 4, 2, n)
		copy(h[headerSize:], q.fingerprint())
		if _, err := q.ReadCodes(bytes.NewReader(h)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d codes: error %v", n, err)
		}
	}
}

func TestFileErrors(t *testing.T) {
	x := clustered(40, 4, 18)
	q, other := train(t, x, Config{M: 2, NBits: 4}), train(t, x, Config{M: 2, NBits: 4, Seed: 3})
	var b bytes.Buffer
	if err := q.WriteCodes(&b, make([]byte, 9)); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	_, another := other.ReadCodes(bytes.NewReader(file))
	_, shape := train(t, x, Config{M: 1, NBits: 4}).ReadCodes(bytes.NewReader(file))
	_, kind := Read(bytes.NewReader(file))
	_, failing := Read(iotest.ErrReader(errors.New("no such luck")))
	_, full := q.WriteTo(failingWriter{})
	wide := train(t, clustered(40, 6, 19), Config{M: 6, NBits: 4})
	for _, c := range []struct {
		err  error
		want string
	}{
		{another, "codes of another quantizer"},
		{shape, "codes for d=4, M=2, nbits=4; the quantizer has d=4, M=1, nbits=4"},
		{kind, `its kind is 'C', want 'Q'`},
		{failing, "no such luck"},
		{full, "disk full"},
		{q.WriteCodes(failingWriter{}, nil), "disk full"},
		{wide.WriteCodes(io.Discard, make([]byte, 4)), "4 bytes of codes are no multiple of 3"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// FuzzRead: readers return errors and never panic; what they accept they write again as it was, and it can be used.
func FuzzRead(f *testing.F) {
	x := clustered(40, 4, 20)
	for _, c := range []Config{{M: 2, NBits: 4}, {M: 3, NBits: 4, Uneven: true, Rotations: 1}} {
		q := train(f, x, c)
		ix, err := NewIndex(q, L2)
		if err != nil {
			f.Fatal(err)
		}
		if err := ix.Add(x, 0); err != nil {
			f.Fatal(err)
		}
		f.Add(written(f, q))
		f.Add(written(f, ix))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if q, err := Read(bytes.NewReader(file)); err == nil {
			if again := written(t, q); !bytes.HasPrefix(file, again) {
				t.Error("a quantizer was read and written again as another")
			}
			if err := q.Encode(make([]byte, 3*q.CodeSize()), vec.NewMatrix[float32](3, q.D()), 1); err != nil {
				t.Log(err)
			}
		}
		if ix, err := ReadIndex(bytes.NewReader(file)); err == nil {
			if again := written(t, ix); !bytes.HasPrefix(file, again) {
				t.Error("an index was read and written again as another")
			}
			if _, err := ix.Search(nil, make([]float32, ix.Quantizer().D()), Search{K: 3}); err != nil {
				t.Log(err)
			}
		}
	})
}
