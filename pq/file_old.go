package pq

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// The format before internal/container, which is still read. All numbers are little-endian.
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
// Bodies: the quantizer's centroids, then its rotation, as float32; the quantizer's fingerprint (4 bytes), then n
// codes of CodeSize bytes; a whole quantizer file, then a whole codes file.
const (
	oldMagic      = "DGPQ"
	oldVersion    = 1
	oldHeaderSize = 28
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type oldHeader struct {
	nbits, option byte
	d, m          uint32
	n             uint64
}

// oldReader returns empty values after an error.
type oldReader struct {
	r   io.Reader
	crc uint32
	err error
}

func (r *oldReader) corrupt(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("pq: %w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
}

func (r *oldReader) bytes(b []byte) {
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
func (r *oldReader) header(kind byte) (h oldHeader) {
	var b [oldHeaderSize]byte
	r.bytes(b[:])
	le := binary.LittleEndian
	h = oldHeader{nbits: b[6], option: b[7], d: le.Uint32(b[8:]), m: le.Uint32(b[12:]), n: le.Uint64(b[16:])}
	switch got, want := le.Uint32(b[24:]), crc32.Checksum(b[:24], castagnoli); {
	case string(b[:4]) != oldMagic || b[5] != oldVersion:
		r.corrupt("it begins with %q, version %d, want %q, %d", b[:4], b[5], oldMagic, oldVersion)
	case got != want:
		r.corrupt("the checksum of the header is %#x, want %#x", got, want)
	case b[4] != kind && r.err == nil:
		r.err = fmt.Errorf("pq: a file of kind %q, want %q", b[4], kind)
	}
	r.crc = 0
	return h
}

// long reads n bytes, taking memory only as they come: a size that is wrong costs no more than the input is long.
func (r *oldReader) long(n uint64) (b []byte) {
	const step = 1 << 20
	for uint64(len(b)) < n && r.err == nil {
		from := len(b)
		b = append(b, make([]byte, int(min(n-uint64(from), uint64(max(step, from)))))...)
		r.bytes(b[from:])
	}
	return b
}

func (r *oldReader) floats(n uint64) (values []float32) {
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

func (r *oldReader) checksum() {
	want := r.crc
	var b [4]byte
	r.bytes(b[:])
	if got := binary.LittleEndian.Uint32(b[:]); r.err == nil && got != want {
		r.corrupt("its checksum is %#x, want %#x", got, want)
	}
}

func (r *oldReader) quantizer() *Quantizer {
	h := r.header('Q')
	if r.err != nil {
		return nil
	}
	d, m, nbits := int(h.d), int(h.m), int(h.nbits)
	if err := checkSizes(d, m, nbits); err != nil || h.option > 1 || h.n != 0 || h.option == 1 && d > math.MaxInt16 {
		r.corrupt("d=%d, M=%d, nbits=%d, option %d, n=%d", h.d, h.m, h.nbits, h.option, h.n)
		return nil
	}
	centroids := r.floats(uint64(d) << nbits)
	var rotation []float32
	if h.option == 1 {
		rotation = r.floats(uint64(d) * uint64(d))
	}
	r.checksum()
	if r.err != nil {
		return nil
	}
	q, err := build(d, m, nbits, centroids, rotation)
	if err != nil {
		r.corrupt("%v", err)
	}
	return q
}

// codes reads codes of q; other is what to make of those of another quantizer.
func (r *oldReader) codes(q *Quantizer, other func(format string, args ...any)) []byte {
	h := r.header('C')
	if r.err != nil {
		return nil
	}
	if h.d != uint32(q.d) || h.m != uint32(q.m) || int(h.nbits) != q.nbits || h.option != 0 {
		other("codes for d=%d, M=%d, nbits=%d; the quantizer has d=%d, M=%d, nbits=%d",
			h.d, h.m, h.nbits, q.d, q.m, q.nbits)
	}
	if h.n > uint64(math.MaxInt/q.CodeSize()) {
		r.corrupt("%d codes", h.n)
	}
	var print [4]byte
	r.bytes(print[:])
	codes := r.long(h.n * uint64(q.CodeSize()))
	r.checksum()
	if want := q.fingerprint(); print != want {
		other("codes of another quantizer: its fingerprint is % x, this one's % x", print, want)
	}
	if r.err != nil {
		return nil
	}
	return codes
}

// foreign notes that a user took the wrong file.
func (r *oldReader) foreign(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("pq: "+format, args...)
	}
}

func (r *oldReader) index() *Index {
	h := r.header('I')
	q := r.quantizer()
	if r.err != nil {
		return nil
	}
	codes := r.codes(q, r.corrupt)
	if r.err != nil {
		return nil
	}
	ix, err := NewIndex(q, Metric(h.option))
	want := oldHeader{byte(q.nbits), h.option, uint32(q.d), uint32(q.m), uint64(len(codes) / q.CodeSize())}
	if err != nil || h != want {
		r.corrupt("the index says %+v, its parts %+v, error %v", h, want, err)
		return nil
	}
	ix.add(codes)
	return ix
}
