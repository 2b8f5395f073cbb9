package pq

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Files. All numbers are little-endian.
//
//	offset  bytes
//	0       4     "DGPQ"
//	4       1     kind: 'Q' quantizer, 'C' codes, 'I' index
//	5       1     version, 1
//	6       1     nbits
//	7       1     quantizer: 1 with a rotation; index: the metric; codes: 0
//	8       4     d
//	12      4     M
//	16      8     n, the number of codes; quantizer: 0
//	24      4     CRC32C of the bytes before
//	28            the body
//	              4 bytes: CRC32C of the body; index: none
//
// Bodies: the quantizer's centroids, then its rotation, as float32; the CRC32C of the quantizer's body (4 bytes), then n codes of
// CodeSize bytes; a whole quantizer file, then a whole codes file.
const (
	magic      = "DGPQ"
	version    = 1
	headerSize = 28
)

const (
	kindQuantizer = 'Q'
	kindCodes     = 'C'
	kindIndex     = 'I'
)

// ErrCorrupt is wrapped by the errors of readers that meet something other than what was written.
var ErrCorrupt = errors.New("corrupt file")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type header struct {
	kind, nbits, option byte
	d, m                uint32
	n                   uint64
}

// writer counts and sums up what it writes, and remembers the first error.
type writer struct {
	w   io.Writer
	n   int64
	crc uint32
	err error
}

func (w *writer) bytes(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.w.Write(b)
	w.n += int64(n)
	w.crc = crc32.Update(w.crc, castagnoli, b[:n])
	w.err = err
}

func (w *writer) header(h header) {
	b := append(make([]byte, 0, headerSize), magic...)
	b = append(b, h.kind, version, h.nbits, h.option)
	b = binary.LittleEndian.AppendUint32(b, h.d)
	b = binary.LittleEndian.AppendUint32(b, h.m)
	b = binary.LittleEndian.AppendUint64(b, h.n)
	w.bytes(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)))
	w.crc = 0
}

func (w *writer) floats(values []float32) {
	var b [4096]byte
	for len(values) > 0 && w.err == nil {
		n := min(len(values), len(b)/4)
		for i, v := range values[:n] {
			putFloat(b[4*i:], v)
		}
		w.bytes(b[:4*n])
		values = values[n:]
	}
}

func (w *writer) checksum() { w.bytes(binary.LittleEndian.AppendUint32(nil, w.crc)) }

// reader is the counterpart. After an error everything it returns is empty.
type reader struct {
	r   io.Reader
	crc uint32
	err error
}

func (r *reader) corrupt(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("pq: %w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

func (r *reader) bytes(b []byte) {
	if r.err != nil {
		return
	}
	n, err := io.ReadFull(r.r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		r.corrupt("it ends %d bytes too early, or more", len(b)-n)
	} else if err != nil {
		r.err = fmt.Errorf("pq: reading: %w", err)
	}
	r.crc = crc32.Update(r.crc, castagnoli, b)
}

// header reads a header and checks all that does not depend on other files.
func (r *reader) header(kind byte) (h header) {
	var b [headerSize]byte
	r.bytes(b[:])
	if r.err != nil {
		return h
	}
	h = header{kind: b[4], nbits: b[6], option: b[7], d: binary.LittleEndian.Uint32(b[8:]), m: binary.LittleEndian.Uint32(b[12:]), n: binary.LittleEndian.Uint64(b[16:])}
	switch {
	case string(b[:4]) != magic:
		r.corrupt("it begins with %q, want %q", b[:4], magic)
	case h.kind != kind:
		r.corrupt("its kind is %q, want %q", h.kind, kind)
	case b[5] != version:
		r.corrupt("its version is %d, want %d", b[5], version)
	case binary.LittleEndian.Uint32(b[24:]) != crc32.Checksum(b[:24], castagnoli):
		r.corrupt("the checksum of the header is %#x, want %#x", binary.LittleEndian.Uint32(b[24:]), crc32.Checksum(b[:24], castagnoli))
	}
	r.crc = 0
	return h
}

// long reads n bytes, taking memory only as they come: a size that is wrong costs no more than the input is long.
func (r *reader) long(n uint64) (b []byte) {
	const step = 1 << 20
	for uint64(len(b)) < n && r.err == nil {
		from := len(b)
		more := int(min(n-uint64(from), uint64(max(step, from))))
		b = append(b, make([]byte, more)...)
		r.bytes(b[from:])
	}
	return b
}

func (r *reader) floats(n uint64) (values []float32) {
	b := r.long(4 * n)
	if r.err != nil {
		return nil
	}
	values = make([]float32, n)
	for i := range values {
		values[i] = getFloat(b[4*i:])
	}
	return values
}

func (r *reader) checksum() {
	want := r.crc
	var b [4]byte
	r.bytes(b[:])
	if got := binary.LittleEndian.Uint32(b[:]); r.err == nil && got != want {
		r.corrupt("its checksum is %#x, want %#x", got, want)
	}
}
