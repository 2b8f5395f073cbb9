package container

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// Any stands for any number of elements of a section.
const Any = -1

// Reader reads one file, section by section in the order in which they were written. It remembers the first error: from
// then on everything that it returns is empty. In files that are not damaged a section has the elements that its writer
// gave it, so a count that follows from earlier sections should be asked for; [Any] stands for any.
type Reader struct {
	r       io.Reader
	kind    string
	version int
	err     error

	next  section // whose head has been read, if its tag is not ""
	ended bool
	at    int64  // bytes read
	crc   uint32 // of the body so far
	chunk []byte // scratch

	memory    []byte // of OpenBytes
	unchecked []Unchecked
}

// section is the head of one.
type section struct {
	tag   string
	kind  byte
	count uint64
}

// Open reads the header. Where r is a file, wrap it with bufio, unless something else follows.
func Open(r io.Reader) (*Reader, error) {
	if r == nil {
		return nil, errors.New("the reader is nil")
	}
	c := &Reader{r: r}
	var b [headerSize]byte
	c.read(b[:], "the header")
	if c.err != nil {
		return nil, c.err
	}
	want, got := crc32.Checksum(b[:headerSize-4], castagnoli), binary.LittleEndian.Uint32(b[headerSize-4:])
	version := binary.LittleEndian.Uint32(b[16:])
	kind := strings.TrimRight(string(b[8:16]), "\x00")
	switch {
	case string(b[:8]) != magic:
		c.Corrupt("it begins with %q, want %q", b[:8], magic)
	case got != want:
		c.Corrupt("the checksum of the header is %#x, want %#x", got, want)
	case !printable(kind, kindSize) || kind[len(kind)-1] == ' ' || version > math.MaxInt32:
		c.Corrupt("a file of kind %q, version %d", kind, version)
	}
	if c.err != nil {
		return nil, c.err
	}
	c.kind, c.version = kind, int(version)
	return c, nil
}

// Kind is what the file holds.
func (r *Reader) Kind() string { return r.kind }

// Version is the version of the kind.
func (r *Reader) Version() int { return r.version }

// Expect notes an error, which does not wrap ErrCorrupt, unless the file is of the given kind and of version 1 to
// newest.
func (r *Reader) Expect(kind string, newest int) {
	switch {
	case r.err != nil:
	case r.kind != kind:
		r.err = fmt.Errorf("a file of kind %q, want %q", r.kind, kind)
	case r.version < 1 || r.version > newest:
		r.err = fmt.Errorf("a file of kind %q, version %d: known are versions 1 to %d", kind, r.version, newest)
	}
}

// Bytes reads a section of bytes. Here and below, count [Any] stands for any number of elements; another number than
// count is an error that wraps ErrCorrupt. Where there are none the slice is nil.
func (r *Reader) Bytes(tag string, count int) (v []byte) {
	n := r.begin(tag, typeBytes, count, 1)
	r.pieces(n, 1, func(b []byte) { v = append(grow(v, len(b), n), b...) })
	return finish(r, v)
}

// Records is Bytes for n records of size bytes each, which are used as they are read: use sees record i, in order,
// before the checksum has been compared.
func (r *Reader) Records(tag string, n, size int, use func(i int, record []byte)) {
	if n < 0 || size < 1 || n > math.MaxInt/size {
		r.Corrupt("section %q of %d records of %d bytes", tag, n, size)
		return
	}
	i := 0
	r.begin(tag, typeBytes, n*size, 1)
	r.pieces(uint64(n), size, func(b []byte) {
		for ; len(b) > 0; b = b[size:] {
			use(i, b[:size:size])
			i++
		}
	})
	r.checksum()
}

// Int32s reads a section of int32.
func (r *Reader) Int32s(tag string, count int) []int32 {
	n := r.begin(tag, typeInt32, count, 4)
	return finish(r, fromPieces(r, n, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) }))
}

// Ints reads a section of int64. What does not fit int is an error that wraps ErrCorrupt.
func (r *Reader) Ints(tag string, count int) []int {
	n := r.begin(tag, typeInt64, count, 8)
	return finish(r, fromPieces(r, n, 8, func(b []byte) int {
		v := int64(binary.LittleEndian.Uint64(b))
		if int64(int(v)) != v {
			r.Corrupt("section %q holds %d, more than int holds here", tag, v)
		}
		return int(v)
	}))
}

// Strings reads a section of count strings.
func (r *Reader) Strings(tag string, count int) (v []string) {
	n := r.begin(tag, typeStrings, Any, 1)
	var b []byte
	r.pieces(n, 1, func(piece []byte) { b = append(grow(b, len(piece), n), piece...) })
	r.checksum()
	for len(b) > 0 && r.err == nil {
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			r.Corrupt("string %d of section %q has less than its length", len(v), tag)
			return nil
		}
		size := int(binary.LittleEndian.Uint32(b))
		v, b = append(v, string(b[4:4+size])), b[4+size:]
	}
	if r.err == nil && count >= 0 && len(v) != count {
		r.Corrupt("section %q has %d strings, want %d", tag, len(v), count)
		return nil
	}
	return v
}

// ReadFloats reads a section of T. Numbers of the other type are an error that says so: it wraps ErrPrecision and not
// ErrCorrupt.
func ReadFloats[T vec.Float](r *Reader, tag string, count int) []T {
	r.peek()
	want, got := typeOf[T](), r.next.kind
	if r.err == nil && got != want && (got == typeFloat32 || got == typeFloat64) {
		r.err = precisionError(fmt.Sprintf("section %q holds float%d, want float%d", tag, 96-8*size[T](), 8*size[T]()))
	}
	return finish(r, getFloats[T](r, r.begin(tag, want, count, size[T]())))
}

type precisionError string

func (e precisionError) Error() string        { return string(e) }
func (e precisionError) Is(target error) bool { return target == ErrPrecision }

// ReadMatrix reads what WriteMatrix wrote, sizes that do not fit int or the number of elements being errors that wrap
// ErrCorrupt.
func ReadMatrix[T vec.Float](r *Reader, tag string) (m vec.Matrix[T]) {
	sizes := r.Ints(tag, 2)
	if r.err != nil {
		return m
	}
	rows, cols := sizes[0], sizes[1]
	if rows < 0 || cols < 0 || cols > 0 && rows > math.MaxInt/cols {
		r.Corrupt("section %q: a matrix of %d rows and %d columns", tag, rows, cols)
		return m
	}
	data := ReadFloats[T](r, tag, rows*cols)
	if r.err != nil {
		return m
	}
	return vec.MatrixOf(rows, cols, data)
}

// Corrupt notes an error that wraps ErrCorrupt, unless there is one already.
func (r *Reader) Corrupt(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

// Err returns the first error.
func (r *Reader) Err() error { return r.err }

// Close reads the end and returns the first error. It does not close the reader beneath.
func (r *Reader) Close() error {
	if r.err == nil && !r.ended {
		r.begin(endTag, typeEnd, 0, 1)
		r.checksum()
		r.ended = true
	}
	return r.err
}

// read fills b.
func (r *Reader) read(b []byte, what string) {
	if r.err != nil {
		return
	}
	n, err := io.ReadFull(r.r, b)
	r.at += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		r.Corrupt("it ends within %s, %d bytes too early or more", what, len(b)-n)
	} else if err != nil {
		r.err = fmt.Errorf("reading %s: %w", what, err)
	}
}
