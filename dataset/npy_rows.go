package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/dualgap/dualgap/vec"
)

// NPYRows reads some rows at a time of an NPY file that is anywhere: on a disk, in memory, or an object in a store.
// Where [MapNPY] needs a file on this machine, it needs an [io.ReaderAt] alone. [NewNPYRows] returns one. Several
// goroutines may call it if they may call the reader, as with files.
type NPYRows[T vec.Float] struct {
	in      io.ReaderAt
	header  *npyInput
	n, d    int
	numbers *decoder[T]
	scratch sync.Pool // *[]byte
}

// NewNPYRows reads the header of the NPY file of size bytes that in holds; name is the file's name in errors. [ReadNPY]
// tells what a file may hold. It is an error if the file is compressed, if it holds a matrix column by column, in
// Fortran's order, or if the header asks for more or fewer bytes than size. So no header has Read take memory for what
// is not there. The options Classes, MaxBytes and Type do not count.
func NewNPYRows[T vec.Float](in io.ReaderAt, size int64, name string, o NPYOptions) (*NPYRows[T], error) {
	o.MaxBytes = 0
	if in == nil {
		return nil, &ParseError{File: name, Err: errors.New("the reader is nil")}
	}
	if size < 0 {
		return nil, fmt.Errorf("dataset: %s has a size of %d bytes, want 0 at least", name, size)
	}
	// The first bytes are read once: what is behind the header is not read.
	begin := make([]byte, min(size, int64(longestNPYHead)))
	if err := readAt(in, begin, 0); err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	p, err := openNPY(bytes.NewReader(begin), name, o)
	if err == nil {
		err = p.byRows(size, begin)
	}
	if err != nil {
		return nil, err
	}
	_, d := p.dims()
	return &NPYRows[T]{in: in, header: p, n: p.rows(o), d: d, numbers: newDecoder[T](p.element, o.Scale, o.Offset)}, nil
}

// Dims returns the numbers of examples, at most the option MaxRows, and of features.
func (f *NPYRows[T]) Dims() (n, d int) { return f.n, f.d }

// Read sets dst to the examples from, ..., to-1, by one call of ReadAt. It uses the memory of dst.Data as far as its
// capacity goes, so that a caller who reads block after block into the same matrix takes memory once: dst.Data may not
// share it with anything else. It is an error unless 0 <= from <= to <= n. Missing bytes, an error of the reader and a
// number that is not finite, scaled too, whose row and column are told, are a [*ParseError]; then dst has no rows.
//
// O((to - from) d). Where the file does not have numbers of type T in the order of this machine's bytes, the bytes of
// the rows take memory too, which further calls use again.
func (f *NPYRows[T]) Read(dst *Dense[T], from, to int) error {
	room := dst.Data[:0]
	dst.Matrix = vec.MatrixOf(0, f.d, room)
	if from < 0 || to < from || to > f.n {
		return fmt.Errorf("dataset: %s: rows from %d to %d of %d examples, want 0 <= from <= to <= %d", f.header.file,
			from, to, f.n, f.n)
	}
	all := (to - from) * f.d
	if cap(room) < all {
		room = make([]T, all)
	}
	x := room[:all]
	start := f.header.off + int64(from)*int64(f.d)*int64(f.numbers.size)
	if err := f.read(x, start); err != nil {
		return &ParseError{File: f.header.file, Offset: start, Err: err}
	}
	if k := firstNotFinite(x); k >= 0 {
		return f.header.expected(start+int64(k)*int64(f.numbers.size),
			fmt.Sprintf("%v in row %d, column %d", x[k], from+k/f.d, k%f.d), "a number that is finite, scaled too")
	}
	dst.Matrix = vec.MatrixOf(to-from, f.d, x)
	return nil
}

// read sets x to the numbers that begin at byte start.
func (f *NPYRows[T]) read(x []T, start int64) error {
	if f.numbers.same {
		return readAt(f.in, bytesOf(x), start)
	}
	b, _ := f.scratch.Get().(*[]byte)
	if b == nil {
		b = new([]byte)
	}
	defer f.scratch.Put(b)
	size := len(x) * f.numbers.size
	if cap(*b) < size {
		*b = make([]byte, size)
	}
	err := readAt(f.in, (*b)[:size], start)
	if err == nil {
		f.numbers.decode(x, (*b)[:size])
	}
	return err
}

// readAt fills b with the bytes of r from off on.
func readAt(r io.ReaderAt, b []byte, off int64) error {
	if len(b) == 0 {
		return nil
	}
	n, err := r.ReadAt(b, off)
	switch {
	case n == len(b): // perhaps with io.EOF
		return nil
	case err == io.EOF:
		return fmt.Errorf("%d bytes at byte %d, want %d: %w", n, off, len(b), io.ErrUnexpectedEOF)
	}
	return err
}
