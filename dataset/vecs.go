package dataset

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// VecsOptions says how to read and write the formats fvecs, bvecs and ivecs.
type VecsOptions struct {
	// Format is "fvecs", float32, "bvecs", bytes without a sign, or "ivecs", 32-bit integers. Default: the ending of
	// the file's name, before .gz.
	Format string

	Scale    float64 // each number is multiplied by it; default: 1. WriteVecs divides by it
	MaxRows  int     // vectors that are read, and no byte behind them; default: all
	MaxBytes int64   // most uncompressed bytes of a file, an error beyond; default: no limit
}

// vecsElements maps a format to its numbers.
var vecsElements = map[string]element{
	"fvecs": {'f', 4, false}, "bvecs": {'u', 1, false}, "ivecs": {'i', 4, false},
}

// ReadVecs reads the vectors of sets for the search of nearest neighbors, as Inria's TEXMEX has them: for each vector
// its dimension d as 32 bits, the low byte first, then d numbers. All vectors have the same dimension, and make the
// rows of the matrix.
//
// A file without vectors, a dimension of 0 or another one than the first vector's, a number that is not finite, and a
// vector that ends early are a [*ParseError] with the offset in the uncompressed data. Memory grows with the bytes that
// come, whatever a dimension says; where r is a file or has a method Len, it is taken at once. O(length).
func ReadVecs[T vec.Float](r io.Reader, name string, o VecsOptions) (*Dense[T], error) {
	e, err := o.element(name)
	if err != nil {
		return nil, err
	}
	in, err := openBinary(r, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	p := &vecsParser[T]{binaryInput: in, numbers: newDecoder[T](e, o.Scale, 0)}
	for p.n == 0 || o.MaxRows == 0 || p.n < o.MaxRows {
		if _, err := p.in.Peek(1); err == io.EOF && p.n > 0 {
			break
		}
		if err := p.row(); err != nil {
			return nil, err
		}
	}
	return &Dense[T]{vec.MatrixOf(p.n, p.d, p.out)}, nil
}

// OpenVecs is [ReadVecs] of a file.
func OpenVecs[T vec.Float](path string, o VecsOptions) (*Dense[T], error) {
	return open(path, o, ReadVecs[T])
}

func (o *VecsOptions) element(name string) (element, error) {
	format := o.Format
	if format == "" {
		plain := strings.TrimSuffix(strings.ToLower(name), ".gz")
		format = plain[strings.LastIndexByte(plain, '.')+1:]
	}
	e, ok := vecsElements[format]
	switch {
	case !ok:
		return e, fmt.Errorf("dataset: %s: format %q, want fvecs, bvecs or ivecs, by the option Format or as the "+
			"name's ending", name, format)
	case !isFinite(o.Scale):
		return e, fmt.Errorf("dataset: option Scale is %v, want a finite number", o.Scale)
	}
	return e, checkMaxRows(o.MaxRows)
}

// vecsParser is the vectors so far, and the bytes behind them.
type vecsParser[T vec.Float] struct {
	*binaryInput
	numbers *decoder[T]
	n, d    int
	out     []T
	buf     []byte
}

// row reads a vector.
func (p *vecsParser[T]) row() error {
	start := p.off
	var head [4]byte
	if err := p.take(head[:], fmt.Sprintf("the dimension of vector %d", p.n)); err != nil {
		return err
	}
	d := binary.LittleEndian.Uint32(head[:])
	switch {
	case p.n > 0 && int(d) != p.d:
		return p.expected(start, fmt.Sprintf("vector %d of dimension %d", p.n, d), fmt.Sprintf("%d, as vector 0 has",
			p.d))
	case d == 0 || d > math.MaxInt32 || int64(d) > int64(maxElements):
		return p.expected(start, fmt.Sprintf("dimension %d", d),
			fmt.Sprintf("one in 1..%d", min(math.MaxInt32, int64(maxElements))))
	}
	p.d = int(d)
	const piece = 1 << 14
	for at := 0; at < p.d; at += piece {
		if err := p.part(min(piece, p.d-at), at); err != nil {
			return err
		}
	}
	p.n++
	return nil
}

// part reads the next count numbers of a vector, of which `at` were read.
func (p *vecsParser[T]) part(count, at int) error {
	start, from := p.off, len(p.out)
	if err := p.grow(count); err != nil {
		return err
	}
	if cap(p.buf) < count*p.numbers.size {
		p.buf = make([]byte, count*p.numbers.size)
	}
	block := p.buf[:count*p.numbers.size]
	if err := p.take(block, fmt.Sprintf("%d numbers of %d bytes of vector %d", p.d, p.numbers.size, p.n)); err != nil {
		return err
	}
	p.out = p.out[:from+count]
	p.numbers.decode(p.out[from:], block)
	if k := firstNotFinite(p.out[from:]); k >= 0 {
		var v [1]float64
		p.numbers.read(v[:], block[k*p.numbers.size:])
		return p.expected(start+int64(k*p.numbers.size), fmt.Sprintf("%v in vector %d, column %d", v[0], p.n, at+k),
			"a number that is finite, scaled too")
	}
	return nil
}

// grow makes room for count numbers more: for all of an input whose length is known, else for twice as many.
func (p *vecsParser[T]) grow(count int) error {
	if len(p.out)+count <= cap(p.out) {
		return nil
	}
	vectors := p.large / (4 + int64(p.d)*int64(p.numbers.size))
	most := max(2*len(p.out), len(p.out)+count, int(min(vectors*int64(p.d), int64(maxElements))))
	if err := p.room(int64(most) * int64(unsafe.Sizeof(T(0)))); err != nil {
		return &ParseError{File: p.file, Offset: p.off, Err: err}
	}
	p.out = append(make([]T, 0, most), p.out...)
	return nil
}

// WriteVecs writes the rows of x for [ReadVecs], in o.Format. Of bytes and integers it is an error where a number,
// divided by Scale and rounded, is beyond their range; so is x without rows or columns. O(n d).
func WriteVecs[T vec.Float](w io.Writer, x *Dense[T], o VecsOptions) error {
	if err := x.CheckSizes(); err != nil {
		return err
	}
	e, err := o.element("the output")
	if err != nil {
		return err
	}
	if x.Rows == 0 || x.Cols == 0 || x.Cols > math.MaxInt32 {
		return fmt.Errorf("dataset: %d vectors of %d numbers, want at least 1 of 1 to %d", x.Rows, x.Cols,
			math.MaxInt32)
	}
	c := newDecoder[T](e, o.Scale, 0)
	var buf []byte
	for i := range x.Rows {
		bad := -1
		buf = binary.LittleEndian.AppendUint32(buf[:0], uint32(x.Cols))
		if buf, bad = c.encode(buf, x.Row(i)); bad >= 0 {
			return fmt.Errorf("dataset: row %d, column %d: value %v, divided by %v, is beyond %s", i, bad,
				x.Row(i)[bad], c.scale, o.Format)
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}
