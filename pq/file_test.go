package pq

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

	"github.com/dualgap/dualgap/internal/container"
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
		got, err := ReadQuantizer(iotest.OneByteReader(in))
		if err != nil || !sameContents(got, q) {
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

		for _, n := range []int{0, 1, 256, 257, 400} {
			m, err := NewMatrix(q, n, codes[:n*q.CodeSize()], MatrixOptions{})
			if err != nil {
				t.Fatal(err)
			}
			same, err := ReadMatrix(bytes.NewReader(written(t, m)), MatrixOptions{})
			if err != nil || !sameContents(same, m) {
				t.Errorf("%s: matrix of %d rows read with error %v, or another", name, n, err)
			}
		}

		for _, metric := range []Metric{L2, InnerProduct} {
			ix, err := NewIndex(q, metric)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{0, 1, 256, 257, 400} {
				if err := ix.AddCodes(codes[ix.Len()*q.CodeSize() : n*q.CodeSize()]); err != nil {
					t.Fatal(err)
				}
				file := written(t, ix)
				same, err := ReadIndex(bytes.NewReader(file))
				if err != nil || !sameContents(same, ix) || !bytes.Equal(written(t, same), file) {
					t.Fatalf("%s: index of %d read with error %v, or another", name, n, err)
				}
				want, _ := ix.Search(nil, x.Row(3), Search{K: 7})
				if found, err := same.Search(nil, x.Row(3), Search{K: 7}); err != nil || !slices.Equal(found, want) {
					t.Errorf("%s: found %v (error %v), before %v", name, found, err, want)
				}
			}
		}
	}
}

// TestBoundsFiles: an index with bounds comes back bit by bit, an empty one too, and certifies as before.
func TestBoundsFiles(t *testing.T) {
	x := clustered(400, 20, 17)
	for name, q := range shapes(t) {
		for _, metric := range []Metric{L2, InnerProduct} {
			for _, centre := range [][]float32{nil, x.Row(7)} {
				ix := boundsOf(t, q, metric, x.Slice(0, 0, 0, 20), centre)
				for _, n := range []int{0, 1, 256, 257, 400} {
					if err := ix.Add(x.Slice(ix.Len(), n, 0, 20), 1); err != nil {
						t.Fatal(err)
					}
					file := written(t, ix)
					in := strings.NewReader(string(file) + "behind")
					same, err := ReadIndex(iotest.HalfReader(in))
					if err != nil || !sameContents(same, ix) || !bytes.Equal(written(t, same), file) || in.Len() != 6 {
						t.Fatalf("%s: index of %d read with error %v, or another", name, n, err)
					}
					s := Search{K: 7, Vector: Rows(x)}
					want, proof, _ := ix.Certify(nil, x.Row(3), s)
					found, again, err := same.Certify(nil, x.Row(3), s)
					if err != nil || !slices.Equal(found, want) || proof != again {
						t.Errorf("%s: found %v, %+v (error %v), before %v, %+v", name, found, again, err, want, proof)
					}
				}
			}
		}
	}
}

// TestScalarFiles: scalar codes and their indices come back bit by bit, and certify as before.
func TestScalarFiles(t *testing.T) {
	x := clustered(400, 20, 18)
	for name, c := range scalars {
		s := trainScalar(t, x, c)
		in := strings.NewReader(string(written(t, s)) + "behind")
		same, err := ReadScalar(iotest.OneByteReader(in))
		if err != nil || !sameContents(same, s) || in.Len() != 6 {
			t.Fatalf("%s: read with error %v, or another", name, err)
		}
		for _, n := range []int{0, 1, 257, 400} {
			ix := boundsOf(t, s, L2, x.Slice(0, n, 0, 20), nil)
			file := written(t, ix)
			same, err := ReadIndex(iotest.HalfReader(bytes.NewReader(file)))
			if err != nil || !sameContents(same, ix) || !bytes.Equal(written(t, same), file) {
				t.Fatalf("%s: index of %d read with error %v, or another", name, n, err)
			}
			want, proof, _ := ix.Certify(nil, x.Row(3), Search{K: 7, Vector: Rows(x)})
			found, again, err := same.Certify(nil, x.Row(3), Search{K: 7, Vector: Rows(x)})
			if err != nil || !slices.Equal(found, want) || proof != again {
				t.Errorf("%s: found %v, %+v (error %v), before %v, %+v", name, found, again, err, want, proof)
			}
		}
	}
}

// sectioned is a file whose sections need not fit together.
func sectioned(kind string, f func(w *container.Writer)) []byte { return sectionedAs(kind, version, f) }

func sectionedAs(kind string, version int, f func(w *container.Writer)) []byte {
	var b bytes.Buffer
	w := container.NewWriter(&b, kind, version)
	f(w)
	if _, err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestWrongFiles: files whose checksums are right and whose contents are not.
func TestWrongFiles(t *testing.T) {
	q := goldenQuantizer(t, 4)
	book := func(w *container.Writer) { q.write(w) }
	quantizer := func(d, m, nbits, centroids, rotation int) []byte {
		return sectioned(kindQuantizer, func(w *container.Writer) {
			w.Ints("size", d, m, nbits)
			container.Floats(w, "cent", make([]float32, centroids))
			container.Floats(w, "rot", make([]float32, rotation))
		})
	}
	index := func(metric, n, bytes int) []byte {
		return sectioned(kindIndex, func(w *container.Writer) {
			book(w)
			w.Ints("ind", metric, n)
			w.Bytes("code", make([]byte, bytes))
		})
	}
	nan32 := float32(math.NaN())
	bounds := func(codec, metric, n int, centre []float32, kept ...float32) []byte {
		return sectionedAs(kindIndex, boundsVersion, func(w *container.Writer) {
			w.Ints("cdc", codec)
			book(w)
			w.Ints("ind", metric, n)
			container.Floats(w, "ctr", centre)
			var all []byte
			for i := range len(kept) / 3 {
				all = append(all, 0, 0)
				for _, v := range append(kept[3*i:][:3:3], 0.5) {
					all = binary.LittleEndian.AppendUint32(all, math.Float32bits(v))
				}
			}
			w.Bytes("code", all)
		})
	}
	c := make([]float32, 5)
	matrix := func(n, bytes int) []byte {
		return sectioned(kindMatrix, func(w *container.Writer) {
			book(w)
			w.Ints("rows", n)
			w.Bytes("code", make([]byte, bytes))
		})
	}
	codes := func(n, bytes int) []byte {
		return sectioned(kindCodes, func(w *container.Writer) {
			w.Ints("size", q.d, q.m, q.nbits, n)
			print := q.fingerprint()
			w.Bytes("book", print[:])
			w.Bytes("code", make([]byte, bytes))
		})
	}
	scalar := func(d, dims, bits, turn, tails int, change func(s *Scalar)) []byte {
		s := *goldenScalar(t, 4)
		if turn == int(Hadamard) {
			s = *goldenScalar(t, 8)
		}
		change(&s)
		return sectioned(kindScalar, func(w *container.Writer) {
			w.Ints("size", d, dims, bits, turn, tails)
			writeScalar(w, &s)
		})
	}
	as := func(*Scalar) {}
	nan := sectioned(kindQuantizer, func(w *container.Writer) {
		w.Ints("size", 1, 1, 4)
		container.Floats(w, "cent", slices.Repeat([]float32{float32(math.NaN())}, 16))
		container.Floats(w, "rot", []float32(nil))
	})
	double := sectioned(kindQuantizer, func(w *container.Writer) {
		w.Ints("size", 1, 1, 4)
		container.Floats(w, "cent", make([]float64, 16))
	})
	newer := slices.Clone(written(t, q))
	newer[16]++
	binary.LittleEndian.PutUint32(newer[20:], crc32.Checksum(newer[:20], castagnoli))
	for i, c := range []struct {
		kind    int // of goldenKinds
		file    []byte
		want    string
		corrupt bool
	}{
		{0, quantizer(4, 5, 8, 4, 0), "M=5 subspaces of d=4", true},
		{0, quantizer(4, 2, 7, 4, 0), "nbits is 7", true},
		{0, quantizer(0, 0, 4, 0, 0), "M=0 subspaces", true},
		{0, quantizer(math.MaxInt32, 1, 8, 4, 0), "want at most", true},
		{0, quantizer(math.MaxInt32>>8, 1, 8, 4, 0), "has 4 elements", true},
		{0, quantizer(2, 1, 4, 32, 3), "a rotation of 3 numbers", true},
		{0, nan, "has the coordinate NaN", true},
		{0, double, "holds float64, want float32", false},
		{0, newer, "version 2: known are versions 1 to 1", false},
		{0, codes(1, 2), `kind "pq codes", want "codebook"`, false},
		{1, codes(3, 5), "5 bytes for 3 codes", true},
		{1, codes(2, 6), "6 bytes for 2 codes", true},
		{1, codes(-1, 0), "0 bytes for -1 codes", true},
		{2, index(2, 3, 6), "no metric 2", true},
		{2, index(256, 3, 6), "no metric 256", true},
		{2, index(0, -1, 6), "-1 records", true},
		{2, index(0, 4, 6), "has 6 elements, want 8", true},
		{2, index(0, math.MaxInt, 6), "records", true},
		{2, bounds(2, 0, 1, c, 1, 1, 1), "no codec 2", true},
		{2, bounds(0, 7, 1, c, 1, 1, 1), "no metric 7", true},
		{2, bounds(0, 0, 1, nil, 1, 1, 1), "1 vectors with bounds and no centre", true},
		{2, bounds(0, 0, 1, c[:4], 1, 1, 1), "Centre has 4 numbers, want d=5", true},
		{2, bounds(0, 0, 1, []float32{1, nan32, 1, 1, 1}, 1, 1, 1), "Centre holds NaN at 1", true},
		{2, bounds(0, 0, 2, c, 1, 1, 1), "has 18 elements, want 36", true},
		{2, bounds(0, 0, 2, c, 1, 1, 1, 2, -1, 1), "bounds [2 -1 1 0.5] of vector 1", true},
		{2, bounds(0, 0, 1, c, nan32, nan32, 1), "bounds [NaN NaN 1 0.5] of vector 0", true},
		{2, bounds(0, 0, 1, c, 1, 1, float32(math.Inf(1))), "bounds [1 1 +Inf 0.5] of vector 0", true},
		{2, bounds(0, 0, 1, c, -1, 1, 1), "bounds [-1 1 1 0.5] of vector 0", true},
		{2, bounds(0, 0, 1, c, math.Float32frombits(0x7fc00007), 1, 1), "bounds [NaN 1 1 0.5] of vector 0", true},
		{3, matrix(-1, 6), "-1 records", true},
		{3, matrix(2, 6), "has 6 elements, want 4", true},
		{3, matrix(math.MaxInt, 6), "records", true},
		{3, written(t, q), `kind "codebook", want "pqmatrix"`, false},
		{3, []byte("dual"), "it ends", true},
		{5, scalar(5, 2, 3, 0, 2, as), "Bits is 3, want 1, 2, 4 or 8", true},
		{5, scalar(5, 6, 4, 0, 2, as), "Dims is 6, want 1 to d=5", true},
		{5, scalar(0, 0, 4, 0, 2, as), "d=0, want 1 to 65536", true},
		{5, scalar(math.MaxInt, 2, 4, 0, 2, as), "want 1 to 65536", true},
		{5, scalar(5, 2, 4, 2, 2, as), "there is no Turn(2)", true},
		{5, scalar(5, 2, 4, 256, 2, as), "there is no turn 256", true},
		{5, scalar(5, 2, 4, 0, 0, as), "Tails is 0, want 1 to 8", true},
		{5, scalar(5, 2, 4, 0, 3, as), "3 tails of 2 dimensions of 5", true},
		{5, scalar(5, 2, 4, 0, 9, as), "Tails is 9, want 1 to 8", true},
		{5, scalar(6, 5, 1, 1, 0, as), "want all", true},
		{5, scalar(6, 6, 1, 1, 0, func(s *Scalar) { s.mix = newMixer(3, make([]byte, 2)) }), "want 3", true},
		{5, scalar(5, 2, 4, 0, 2, func(s *Scalar) { s.step = []float32{1, -1} }), "step 1 of a Scalar is -1", true},
		{5, scalar(5, 2, 4, 0, 2, func(s *Scalar) { s.step = []float32{1, nan32} }), "number 1 is NaN", true},
		{5, scalar(5, 2, 4, 0, 2, func(s *Scalar) { s.typical = 0 }), "typical length of a Scalar is 0", true},
		{5, scalar(5, 2, 4, 0, 2, func(s *Scalar) { s.rows = make([]float32, 20) }), "orthonormal", true},
		{5, scalar(5, 2, 4, 0, 2, func(s *Scalar) { s.rows = s.rows[:19] }), "has 19 elements, want 20", true},
	} {
		_, err := goldenKinds[c.kind].read(t, 4, bytes.NewReader(c.file))
		if !says(err, c.want) || errors.Is(err, ErrCorrupt) != c.corrupt {
			t.Errorf("%d: error %v, want one with %q, corrupt: %v", i, err, c.want, c.corrupt)
		}
	}
}

// TestFileMemory: sizes that are not true cost no memory.
func TestFileMemory(t *testing.T) {
	q := goldenQuantizer(t, 4)
	cut := func(file []byte) []byte { return file[:len(file)-1000] } // within the codes
	const n = 1 << 26
	claim := func(kind string, f func(w *container.Writer)) []byte {
		b := sectioned(kind, f)
		b = b[:len(b)-48] // without the last section, which is empty, and the end
		head := binary.LittleEndian.AppendUint64([]byte("codeb\x00\x00\x00"), n*2)
		b = binary.LittleEndian.AppendUint32(append(b, head...), crc32.Checksum(head, castagnoli))
		return append(b, make([]byte, 1000)...)
	}
	for i, c := range []struct {
		kind int
		file []byte
	}{
		{1, claim(kindCodes, func(w *container.Writer) {
			w.Ints("size", q.d, q.m, q.nbits, n)
			print := q.fingerprint()
			w.Bytes("book", print[:])
			w.Bytes("code", nil)
		})},
		{2, claim(kindIndex, func(w *container.Writer) { q.write(w); w.Ints("ind", 0, n); w.Bytes("code", nil) })},
		{3, claim(kindMatrix, func(w *container.Writer) { q.write(w); w.Ints("rows", n); w.Bytes("code", nil) })},
		{2, cut(written(t, goldenIndexOf(t, q, 5000)))},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := goldenKinds[c.kind].read(t, 4, bytes.NewReader(c.file))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, ErrCorrupt) || took > 3<<20 {
			t.Errorf("%d: error %v, took %d bytes", i, err, took)
		}
	}
}

func goldenIndexOf(t testing.TB, q *Quantizer, n int) *Index {
	t.Helper()
	ix, err := NewIndex(q, L2)
	if err == nil {
		err = ix.AddCodes(goldenCodes(q, n))
	}
	if err != nil {
		t.Fatal(err)
	}
	return ix
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
	_, failing := ReadQuantizer(iotest.ErrReader(errors.New("no such luck")))
	broken := iotest.ErrReader(errors.New("no such luck"))
	_, later := ReadQuantizer(io.MultiReader(bytes.NewReader(written(t, q)[:50]), broken))
	_, full := q.WriteTo(failingWriter{})
	_, indexFull := goldenIndex(t, 4).WriteTo(failingWriter{})
	_, options := ReadMatrix(nil, MatrixOptions{Tables: 7})
	wide := train(t, clustered(40, 6, 19), Config{M: 6, NBits: 4})
	for _, c := range []struct {
		err  error
		want string
	}{
		{another, "codes of another quantizer"},
		{shape, "codes for d=4, M=2, nbits=4; the quantizer has d=4, M=1, nbits=4"},
		{failing, "no such luck"},
		{later, "no such luck"},
		{full, "disk full"},
		{indexFull, "disk full"},
		{q.WriteCodes(failingWriter{}, nil), "disk full"},
		{wide.WriteCodes(io.Discard, make([]byte, 4)), "4 bytes of codes are no multiple of 3"},
		{options, "Tables is 7"},
	} {
		if !says(c.err, c.want) || errors.Is(c.err, ErrCorrupt) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}

// says reports whether err is one of this package with the words wanted.
func says(err error, want string) bool {
	return err != nil && strings.HasPrefix(err.Error(), "pq: ") && strings.Contains(err.Error(), want)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }
