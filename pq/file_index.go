package pq

import (
	"encoding/binary"
	"io"
	"math"
	"runtime"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/container"
)

// boundsVersion is the version of files of indices with bounds, and with nothing else that version 1 does not know.
const boundsVersion = 2

// codebook is the number of a Quantizer in files.
const codebook = 0

// WriteTo writes the codec and the vectors that the index holds when the call begins, for ReadIndex. n is the number
// of bytes written. The index may be changed meanwhile.
func (ix *Index) WriteTo(to io.Writer) (n int64, err error) {
	of := ix.held.Load()
	defer runtime.KeepAlive(of)
	if !ix.simple(of) {
		return named(ix.writeBlocks(to, of))
	}
	size := ix.codec.CodeSize()
	code := func(dst []byte, i int) {
		b, k := of.at(uint32(i))
		ix.codec.get(dst, b.codes, k)
	}
	if !ix.c.Bounds {
		w := container.NewWriter(to, kindIndex, version)
		ix.codec.write(w)
		w.Ints("ind", int(ix.c.Metric), of.n)
		w.Records("code", of.n, size, func(i int, dst []byte) { code(dst, i) })
		return finish(w)
	}
	w := container.NewWriter(to, kindIndex, boundsVersion)
	w.Ints("cdc", ix.codec.number())
	ix.codec.write(w)
	w.Ints("ind", int(ix.c.Metric), of.n)
	container.Floats(w, "ctr", of.centre())
	floats := make([]float32, ix.floats())
	w.Records("code", of.n, size+4*len(floats), func(i int, record []byte) {
		code(record[:size], i)
		b, k := of.at(uint32(i))
		b.own(floats, k)
		for f, v := range floats {
			putFloat(record[size+4*f:], v)
		}
	})
	return finish(w)
}

// simple reports whether versions 1 and 2 say all that an index holds.
func (ix *Index) simple(of *contents) bool {
	return of.plain && of.n == of.used && of.next == uint64(of.n) && !ix.c.Vectors && ix.c.Metric != CosineSimilarity
}

// ReadIndex reads what Index.WriteTo or Index.WriteFile wrote, and no further. Errors are as with ReadQuantizer.
func ReadIndex(from io.Reader) (*Index, error) {
	r, err := container.Open(from)
	if err != nil {
		return nil, prefixed(err)
	}
	r.Expect(kindIndex, blocksVersion)
	ix := readIndex(r)
	if r.Err() == nil && r.Version() == blocksVersion {
		if err := ix.doubt(ix.held.Load()); err != nil {
			r.Corrupt("%s", unprefixed(err))
		}
	}
	return closed(r, ix)
}

func readIndex(r *container.Reader) *Index {
	if r.Version() == blocksVersion {
		return readBlocks(r)
	}
	c := IndexConfig{Bounds: r.Version() == boundsVersion}
	codec := readCodec(r, c.Bounds)
	own := r.Ints("ind", 2)
	if r.Err() != nil {
		return nil
	}
	if c.Metric = Metric(own[0]); own[0] != int(c.Metric) || checkMetric(c.Metric) != nil {
		r.Corrupt("there is no metric %d", own[0])
		return nil
	}
	if c.Bounds {
		c.Centre = container.ReadFloats[float32](r, "ctr", container.Any)
		if r.Err() == nil && c.Centre == nil && own[1] != 0 {
			r.Corrupt("%d vectors with bounds and no centre", own[1])
		}
		if r.Err() != nil {
			return nil
		}
	}
	ix, err := NewIndexOf(codec, c)
	if err != nil {
		r.Corrupt("%s", unprefixed(err))
		return nil
	}
	ix.read(r, own[1])
	return ix
}

// readCodec reads a codec, after its number where there is one.
func readCodec(r *container.Reader, numbered bool) Codec {
	number := []int{codebook}
	if numbered {
		number = r.Ints("cdc", 1)
	}
	switch {
	case r.Err() != nil:
		return nil
	case number[0] == codebook:
		return readQuantizer(r)
	case number[0] == scalarCodec:
		return readScalar(r)
	}
	r.Corrupt("there is no codec %d", number[0])
	return nil
}

// read adds n vectors.
func (ix *Index) read(r *container.Reader, n int) {
	size, kept := ix.codec.CodeSize(), ix.floats()
	codes, floats := make([]byte, 0, kernel.Block*size), make([]float32, 0, kernel.Block*kept)
	r.Records("code", n, size+4*kept, func(i int, record []byte) {
		codes = append(codes, record[:size]...)
		for f := range kept {
			floats = append(floats, math.Float32frombits(binary.LittleEndian.Uint32(record[size+4*f:])))
		}
		if kept > 0 && !ix.codec.check(floats[len(floats)-kept:]) {
			r.Corrupt("bounds %v of vector %d", floats[len(floats)-kept:], i)
		}
		if len(codes) == cap(codes) || i == n-1 {
			if err := ix.add(nil, encoded{n: len(codes) / size, codes: codes, floats: floats}, false); err != nil {
				r.Corrupt("%s", unprefixed(err))
			}
			codes, floats = codes[:0], floats[:0]
		}
	})
}
