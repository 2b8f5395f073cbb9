package pq

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/vec"
)

// The files in testdata are of these quantizers and codes.

// goldenQuantizer has 4 bits, subspaces of two widths and a rotation that float32 holds exactly; or 8 bits and no
// rotation.
func goldenQuantizer(t testing.TB, nbits int) *Quantizer {
	t.Helper()
	d, m := 5, 3
	rotation := []float32{
		0, 1, 0, 0, 0,
		-1, 0, 0, 0, 0,
		0, 0, 0, 0, 1,
		0, 0, 1, 0, 0,
		0, 0, 0, -1, 0,
	}
	if nbits == 8 {
		d, m, rotation = 2, 2, nil
	}
	centroids := make([]float32, d<<nbits)
	for i := range centroids {
		centroids[i] = float32(i*i%97)/8 - 5
	}
	q, err := New(d, m, nbits, centroids, rotation)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// goldenCodes are n codes for it; the unused half of a byte is zero.
func goldenCodes(q *Quantizer, n int) []byte {
	codes, parts := make([]byte, n*q.CodeSize()), make([]byte, q.m+q.m%2)
	for i := range n {
		for j := range q.m {
			parts[j] = byte((7*i + 5*j + i*j) % q.ksub)
		}
		q.pack(codes[i*q.CodeSize():(i+1)*q.CodeSize()], parts)
	}
	return codes
}

func goldenIndex(t testing.TB, nbits int) *Index {
	t.Helper()
	q := goldenQuantizer(t, nbits)
	ix, err := NewIndex(q, Metric(nbits/8))
	if err == nil {
		err = ix.AddCodes(goldenCodes(q, 300))
	}
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// goldenBounds is an index with bounds. Its vectors are whole numbers, one of them too far out for bounds.
func goldenBounds(t testing.TB, nbits int) *Index {
	t.Helper()
	q := goldenQuantizer(t, nbits)
	ix, err := NewIndexOf(q, IndexConfig{Metric: Metric(nbits / 8), Bounds: true})
	x := goldenVectors(q.d)
	for _, part := range []vec.Matrix[float32]{x.Slice(0, 200, 0, q.d), x.Slice(200, 300, 0, q.d)} {
		if err == nil {
			err = ix.Add(part, 1)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// goldenBlocks is an index that only version 3 holds: with 4 bits and bounds, three lists; with 8 bits the vectors;
// with ids of its own, of which some are gone.
func goldenBlocks(t testing.TB, nbits int) *Index {
	t.Helper()
	q := goldenQuantizer(t, nbits)
	c := IndexConfig{Metric: Metric(nbits / 8), Vectors: nbits == 8}
	if nbits == 4 {
		c.Bounds = true
		c.Lists = vec.MatrixOf(3, 5, []float32{0, 1, 2, 3, 4, 9, 9, 9, 9, 9, -9, 5, -9, 5, -9})
	}
	ix, err := NewIndexOf(q, c)
	x := goldenVectors(q.d)
	own := make([]uint64, 100)
	for i := range own {
		own[i] = uint64(i*i) << 40
	}
	if err == nil {
		err = errors.Join(ix.Add(x.Slice(0, 200, 0, q.d), 1), ix.AddIDs(own[20:], x.Slice(220, 300, 0, q.d), 1))
	}
	ix.Remove(3, 7, 99, own[50])
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// goldenScalar keeps two of five axes, which are axes of the space, with 4 bits and two tails; or it is a random
// rotation of six dimensions and has 1 bit.
func goldenScalar(t testing.TB, nbits int) *Scalar {
	t.Helper()
	if nbits == 8 {
		return trainScalar(t, goldenVectors(6).Slice(0, 200, 0, 6), ScalarConfig{Turn: Hadamard, Bits: 1, Seed: 3})
	}
	s := &Scalar{d: 5, dims: 2, bits: 4, ends: tailEnds(5, 2, 2), mean: []float32{1, 2, 3, -4, 5}, typical: 12,
		rows: []float32{
			0, 0, 0, -1, 0,
			1, 0, 0, 0, 0,
			0, 0, 0, 0, 1,
			0, 1, 0, 0, 0,
		}, low: []float32{-21, -18.5}, step: []float32{2.75, 2.5}}
	if err := s.complete(); err != nil {
		t.Fatal(err)
	}
	return s
}

// goldenScalars is an index of it.
func goldenScalars(t testing.TB, nbits int) *Index {
	t.Helper()
	s := goldenScalar(t, nbits)
	return boundsOf(t, s, Metric(nbits/8), goldenVectors(s.d), nil)
}

func goldenVectors(d int) vec.Matrix[float32] {
	x := vec.NewMatrix[float32](300, d)
	for i := range x.Data {
		x.Data[i] = float32(i*i%53) - 20
	}
	x.Row(207)[1] = 1.5e18
	return x
}

// goldenKinds are the kinds of files: how their contents are made, written and read.
var goldenKinds = []struct {
	name string
	make func(t testing.TB, nbits int) io.WriterTo
	read func(t testing.TB, nbits int, from io.Reader) (io.WriterTo, error)
}{
	{"quantizer", func(t testing.TB, nbits int) io.WriterTo { return goldenQuantizer(t, nbits) },
		func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) { return ReadQuantizer(from) }},
	{"codes", func(t testing.TB, nbits int) io.WriterTo {
		q := goldenQuantizer(t, nbits)
		return codesFile{q, goldenCodes(q, 300)}
	}, func(t testing.TB, nbits int, from io.Reader) (io.WriterTo, error) {
		q := goldenQuantizer(t, nbits)
		codes, err := q.ReadCodes(from)
		return codesFile{q, codes}, err
	}},
	{"index", func(t testing.TB, nbits int) io.WriterTo { return goldenIndex(t, nbits) },
		func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) { return ReadIndex(from) }},
	{"matrix", func(t testing.TB, nbits int) io.WriterTo {
		q := goldenQuantizer(t, nbits)
		x, err := NewMatrix(q, 300, goldenCodes(q, 300), MatrixOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}, func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) {
		return ReadMatrix(from, MatrixOptions{Tables: Int16, Workers: 3})
	}},
	{"bounds", func(t testing.TB, nbits int) io.WriterTo { return goldenBounds(t, nbits) },
		func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) { return ReadIndex(from) }},
	{"scalar", func(t testing.TB, nbits int) io.WriterTo { return goldenScalar(t, nbits) },
		func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) { return ReadScalar(from) }},
	{"scalars", func(t testing.TB, nbits int) io.WriterTo { return goldenScalars(t, nbits) },
		func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) { return ReadIndex(from) }},
	{"blocks", func(t testing.TB, nbits int) io.WriterTo { return goldenBlocks(t, nbits) },
		func(_ testing.TB, _ int, from io.Reader) (io.WriterTo, error) { return ReadIndex(from) }},
}

// codesFile makes an io.WriterTo of WriteCodes.
type codesFile struct {
	q     *Quantizer
	codes []byte
}

func (c codesFile) WriteTo(to io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := c.q.WriteCodes(&b, c.codes); err != nil {
		return 0, err
	}
	return b.WriteTo(to)
}

// sameContents compares what files were read as, all of it.
func sameContents(a, b io.WriterTo) bool {
	same := func(p, q *Quantizer) bool {
		return p.d == q.d && p.m == q.m && p.nbits == q.nbits && slices.Equal(p.centroids, q.centroids) &&
			slices.Equal(p.columns, q.columns) && slices.Equal(p.rotation, q.rotation) &&
			slices.Equal(p.offset, q.offset)
	}
	sameCodec := func(p, q Codec) bool {
		if p, ok := p.(*Quantizer); ok {
			return same(p, q.(*Quantizer))
		}
		return reflect.DeepEqual(p, q)
	}
	switch a := a.(type) {
	case *Quantizer:
		return same(a, b.(*Quantizer))
	case *Scalar:
		return sameCodec(a, b.(*Scalar))
	case codesFile:
		return bytes.Equal(a.codes, b.(codesFile).codes)
	case *Index:
		b := b.(*Index)
		p, q := a.held.Load(), b.held.Load()
		if !sameCodec(a.codec, b.codec) || !reflect.DeepEqual(a.c, b.c) ||
			p.n != q.n || len(p.blocks) != len(q.blocks) || (p.frame == nil) != (q.frame == nil) {
			return false
		}
		for i, v := range p.blocks {
			w := q.blocks[i]
			if !bytes.Equal(v.codes, w.codes) || !slices.EqualFunc(v.floats, w.floats, sameBits) || v.n != w.n ||
				v.live != w.live || v.list != w.list {
				return false
			}
			for k := range v.n {
				if v.holds(k) && (v.id(k) != w.id(k) || (v.row(k) == nil) != (w.row(k) == nil) ||
					v.row(k) != nil && !slices.Equal(numbers(v.row(k), a.codec.D()), numbers(w.row(k), a.codec.D()))) {
					return false
				}
			}
		}
		if p.used != q.used || p.next != q.next || !slices.Equal(p.radius, q.radius) ||
			!reflect.DeepEqual(p.lists, q.lists) {
			return false
		}
		return p.frame == nil || reflect.DeepEqual(p.frame, q.frame)
	case *Matrix:
		b := b.(*Matrix)
		return same(a.q, b.q) && a.n == b.n && bytes.Equal(a.blocks, b.blocks) && slices.Equal(a.norms, b.norms)
	}
	return false
}

func sameBits(v, w float32) bool { return math.Float32bits(v) == math.Float32bits(w) }

// eachGolden calls f with every file in testdata, its kind's number and its bits.
func eachGolden(t testing.TB, f func(name string, kind, nbits int, file []byte)) {
	t.Helper()
	for kind, k := range goldenKinds {
		for _, nbits := range []int{4, 8} {
			name := fmt.Sprintf("testdata/%s-%d.bin", k.name, nbits)
			if *containertest.Update {
				if err := os.WriteFile(name, written(t, k.make(t, nbits)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f(name, kind, nbits, file)
		}
	}
}

// TestGolden: files of every kind hold what they were made of, and are written today as they were.
func TestGolden(t *testing.T) {
	eachGolden(t, func(name string, kind, nbits int, file []byte) {
		k := goldenKinds[kind]
		in := bytes.NewBuffer(append(slices.Clone(file), "behind"...))
		got, err := k.read(t, nbits, in)
		if err != nil || !sameContents(got, k.make(t, nbits)) {
			t.Fatalf("%s: read with error %v, or other contents", name, err)
		}
		if in.String() != "behind" {
			t.Errorf("%s: left %q", name, in)
		}
		if !bytes.Equal(written(t, got), file) {
			t.Errorf("%s: written again it differs", name)
		}
	})
}

// TestGoldenDamage: no flipped bit and no missing byte goes unseen.
func TestGoldenDamage(t *testing.T) {
	eachGolden(t, func(name string, kind, nbits int, file []byte) {
		step := 1
		if testing.Short() {
			step = 4
		} else if len(file) > 8000 {
			step = 2
		}
		containertest.Damage(t, name, file, step, func(in io.Reader) error {
			_, err := goldenKinds[kind].read(t, nbits, in)
			return err
		})
	})
}

// TestGoldenHostile: damage of all kinds, with checksums that are right and with such as are not, is an error or
// something that is written and, an index, opened, verified and used; nothing panics, and reading takes no more than
// containertest.Memory: blocks hold 256 vectors, whether they have come or not, and a search has tables.
func TestGoldenHostile(t *testing.T) {
	eachGolden(t, func(name string, kind, nbits int, file []byte) {
		hostile := containertest.Hostile(name, file, func(t testing.TB, in io.Reader) error {
			v, err := goldenKinds[kind].read(t, nbits, in)
			if err == nil {
				written(t, v)
			}
			return err
		})
		hostile.PerByte = 256
		hostile.Run(t)
		if kind != 7 {
			return
		}
		hostile.Name, hostile.N, hostile.Base = "opened "+name, 100, 16<<20 // use changes the index again and again
		hostile.Unheld = true
		hostile.Read = func(t testing.TB, file []byte) error {
			ix, err := openMemory(file)
			if err == nil {
				err = ix.Verify()
				use(t, ix)
			}
			return err
		}
		hostile.Run(t)
	})
}
