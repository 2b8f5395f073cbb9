package container

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Writer writes one file. It remembers the first error, which Close returns.
type Writer struct {
	w     *bufio.Writer
	out   counter
	crc   uint32 // of the body so far
	err   error
	chunk [4096]byte // scratch
}

// counter counts the bytes that reach w.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// NewWriter writes the header. A kind has 1 to 8 ASCII characters.
func NewWriter(w io.Writer, kind string, version int) *Writer {
	c := newWriter(w)
	if !printable(kind, kindSize) || kind[len(kind)-1] == ' ' {
		c.fail("the kind %q is not 1 to %d ASCII characters", kind, kindSize)
	}
	if version < 0 || version > math.MaxInt32 {
		c.fail("the version is %d", version)
	}
	b := append(make([]byte, 0, headerSize), magic...)
	b = append(b, kind...)
	for len(b) < len(magic)+kindSize {
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(version))
	c.write(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
	return c
}

// newWriter is NewWriter without a header.
func newWriter(w io.Writer) *Writer {
	c := &Writer{out: counter{w: w}}
	c.w = bufio.NewWriterSize(&c.out, 1<<15)
	return c
}

// Bytes writes a section of bytes. Here and below a tag has 1 to 4 ASCII characters.
func (w *Writer) Bytes(tag string, b []byte) {
	w.begin(tag, typeBytes, len(b))
	w.body(b)
	w.checksum()
}

// Records is Bytes for n records of size bytes each, which are made as they are written: fill sets record i, in order.
func (w *Writer) Records(tag string, n, size int, fill func(i int, record []byte)) {
	if n < 0 || size < 1 || n > math.MaxInt/size {
		w.fail("section %q of %d records of %d bytes", tag, n, size)
		return
	}
	w.begin(tag, typeBytes, n*size)
	record := make([]byte, size)
	for i := 0; i < n && w.err == nil; i++ {
		fill(i, record)
		w.body(record)
	}
	w.checksum()
}

// Int32s writes a section of int32.
func (w *Writer) Int32s(tag string, v []int32) {
	w.begin(tag, typeInt32, len(v))
	inPieces(w, v, 4, func(b []byte, v int32) { binary.LittleEndian.PutUint32(b, uint32(v)) })
	w.checksum()
}

// Ints writes a section of int64.
func (w *Writer) Ints(tag string, v ...int) {
	w.begin(tag, typeInt64, len(v))
	inPieces(w, v, 8, func(b []byte, v int) { binary.LittleEndian.PutUint64(b, uint64(int64(v))) })
	w.checksum()
}

// Strings writes a section of strings, as they are: UTF-8 is the custom and not checked.
func (w *Writer) Strings(tag string, v []string) {
	var size uint64
	for i, s := range v {
		if uint64(len(s)) > math.MaxUint32 {
			w.fail("string %d of section %q has %d bytes", i, tag, len(s))
		}
		size += 4 + uint64(len(s))
	}
	if size > math.MaxInt {
		w.fail("the strings of section %q have %d bytes", tag, size)
	}
	w.begin(tag, typeStrings, int(size))
	for _, s := range v {
		w.body(binary.LittleEndian.AppendUint32(w.chunk[:0], uint32(len(s))))
		for len(s) > 0 && w.err == nil {
			n := copy(w.chunk[:], s)
			w.body(w.chunk[:n])
			s = s[n:]
		}
	}
	w.checksum()
}

// Floats writes a section of float32 or float64.
func Floats[T vec.Float](w *Writer, tag string, v []T) {
	w.begin(tag, typeOf[T](), len(v))
	putFloats(w, v)
	w.checksum()
}

// WriteMatrix writes two sections of the same tag: the numbers of rows and columns, as Ints does, then the elements
// row by row, as Floats does. What lies between the rows of m is not written.
func WriteMatrix[T vec.Float](w *Writer, tag string, m vec.Matrix[T]) {
	if err := m.Validate(); err != nil {
		w.fail("section %q: %w", tag, err)
		return
	}
	w.Ints(tag, m.Rows, m.Cols)
	if m.Cols == 0 {
		m.Rows = 0
	}
	w.begin(tag, typeOf[T](), m.Rows*m.Cols)
	for i := range m.Rows {
		putFloats(w, m.Row(i))
	}
	w.checksum()
}

// Close writes the end. It returns the number of bytes written in all, and the first error.
func (w *Writer) Close() (n int64, err error) {
	w.begin(endTag, typeEnd, 0)
	w.checksum()
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return w.out.n, w.err
}

func (w *Writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

// begin writes the head of a section.
func (w *Writer) begin(tag string, kind byte, count int) {
	if !printable(tag, tagSize) {
		w.fail("the tag %q is not 1 to %d ASCII characters", tag, tagSize)
	}
	b := append(make([]byte, 0, sectionSize), padded(tag)...)
	b = append(b, kind, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(count))
	w.write(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
	w.crc = 0
}

func (w *Writer) body(b []byte) {
	w.crc = crc32.Update(w.crc, castagnoli, b)
	w.write(b)
}

func (w *Writer) checksum() { w.write(binary.LittleEndian.AppendUint32(nil, w.crc)) }

// padded is a tag with as many spaces as it takes.
func padded(tag string) string { return fmt.Sprintf("%-*s", tagSize, tag) }

// inPieces writes numbers of size bytes each, by way of the scratch memory.
func inPieces[T any](w *Writer, v []T, size int, put func(b []byte, v T)) {
	for len(v) > 0 && w.err == nil {
		n := min(len(v), len(w.chunk)/size)
		for i, x := range v[:n] {
			put(w.chunk[i*size:], x)
		}
		w.body(w.chunk[:n*size])
		v = v[n:]
	}
}
