package pq

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// WriteTo writes the quantizer, its rotation included.
func (q *Quantizer) WriteTo(to io.Writer) (n int64, err error) {
	w := &writer{w: to}
	q.write(w)
	return w.n, w.err
}

func (q *Quantizer) write(w *writer) {
	h := header{kind: kindQuantizer, nbits: byte(q.nbits), d: uint32(q.d), m: uint32(q.m)}
	if q.rotation != nil {
		h.option = 1
	}
	w.header(h)
	w.floats(q.centroids)
	w.floats(q.rotation)
	w.checksum()
}

// Read reads what WriteTo wrote, bit by bit the same. It reads no further than that.
func Read(from io.Reader) (*Quantizer, error) { return readQuantizer(&reader{r: from}) }

func readQuantizer(r *reader) (*Quantizer, error) {
	h := r.header(kindQuantizer)
	if r.err != nil {
		return nil, r.err
	}
	d, m := int(h.d), int(h.m)
	switch {
	case h.nbits != 4 && h.nbits != 8, m < 1, d < m, d > math.MaxInt32>>h.nbits, h.option > 1, h.n != 0:
		r.corrupt("d=%d, M=%d, nbits=%d, option %d, n=%d", h.d, h.m, h.nbits, h.option, h.n)
		return nil, r.err
	}
	centroids := r.floats(uint64(d) << h.nbits)
	var rotation []float32
	if h.option == 1 {
		if uint64(d)*uint64(d) > math.MaxInt32/4 {
			r.corrupt("a rotation of %d dimensions", d)
		}
		rotation = r.floats(uint64(d) * uint64(d))
	}
	r.checksum()
	if r.err != nil {
		return nil, r.err
	}
	q, err := build(d, m, int(h.nbits), centroids, rotation)
	if err != nil {
		r.corrupt("%v", err)
		return nil, r.err
	}
	return q, nil
}

// fingerprint tells quantizers apart: the checksum of what WriteTo writes.
func (q *Quantizer) fingerprint() []byte {
	w := &writer{w: io.Discard}
	w.floats(q.centroids)
	w.floats(q.rotation)
	return binary.LittleEndian.AppendUint32(nil, w.crc)
}

// WriteCodes writes codes, as Encode made them, for ReadCodes with the same quantizer.
func (q *Quantizer) WriteCodes(to io.Writer, codes []byte) error {
	w := &writer{w: to}
	if err := q.writeCodes(w, codes); err != nil {
		return err
	}
	return w.err
}

func (q *Quantizer) writeCodes(w *writer, codes []byte) error {
	if len(codes)%q.CodeSize() != 0 {
		return fmt.Errorf("pq: %d bytes of codes are no multiple of %d", len(codes), q.CodeSize())
	}
	w.header(header{kind: kindCodes, nbits: byte(q.nbits), d: uint32(q.d), m: uint32(q.m), n: uint64(len(codes) / q.CodeSize())})
	w.bytes(q.fingerprint())
	w.bytes(codes)
	w.checksum()
	return nil
}

// ReadCodes reads what WriteCodes wrote. Codes of another quantizer are an error. It reads no further than they go.
func (q *Quantizer) ReadCodes(from io.Reader) ([]byte, error) { return q.readCodes(&reader{r: from}) }

func (q *Quantizer) readCodes(r *reader) ([]byte, error) {
	h := r.header(kindCodes)
	if r.err != nil {
		return nil, r.err
	}
	if h.d != uint32(q.d) || h.m != uint32(q.m) || int(h.nbits) != q.nbits || h.option != 0 {
		return nil, fmt.Errorf("pq: codes for d=%d, M=%d, nbits=%d; the quantizer has d=%d, M=%d, nbits=%d", h.d, h.m, h.nbits, q.d, q.m, q.nbits)
	}
	if h.n > uint64(math.MaxInt/q.CodeSize()) {
		r.corrupt("%d codes", h.n)
	}
	r.crc = 0
	var print [4]byte
	r.bytes(print[:])
	if r.err == nil && print != [4]byte(q.fingerprint()) {
		return nil, fmt.Errorf("pq: codes of another quantizer: its checksum is %#x, this one's %#x", print, q.fingerprint())
	}
	codes := r.long(h.n * uint64(q.CodeSize()))
	r.checksum()
	if r.err != nil {
		return nil, r.err
	}
	return codes, nil
}

// WriteTo writes the index with its quantizer.
func (ix *Index) WriteTo(to io.Writer) (n int64, err error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	size := ix.codes.size
	codes := make([]byte, ix.codes.n*size)
	for i := range ix.codes.n {
		ix.codes.code(codes[i*size:], i)
	}
	w := &writer{w: to}
	q := ix.q
	w.header(header{kind: kindIndex, nbits: byte(q.nbits), option: byte(ix.metric), d: uint32(q.d), m: uint32(q.m), n: uint64(ix.codes.n)})
	q.write(w)
	if err := q.writeCodes(w, codes); err != nil {
		return w.n, err
	}
	return w.n, w.err
}

// ReadIndex reads what Index.WriteTo wrote. It reads no further than that.
func ReadIndex(from io.Reader) (*Index, error) {
	r := &reader{r: from}
	h := r.header(kindIndex)
	if r.err != nil {
		return nil, r.err
	}
	q, err := readQuantizer(r)
	if err != nil {
		return nil, err
	}
	codes, err := q.readCodes(r)
	if err != nil {
		return nil, err
	}
	ix, err := NewIndex(q, Metric(h.option))
	if err != nil || h.d != uint32(q.d) || h.m != uint32(q.m) || h.n != uint64(len(codes)/q.CodeSize()) {
		r.corrupt("metric %d, d=%d, M=%d, n=%d beside a quantizer of d=%d, M=%d and %d codes", h.option, h.d, h.m, h.n, q.d, q.m, len(codes)/q.CodeSize())
	}
	if r.err != nil {
		return nil, r.err
	}
	ix.codes.add(codes)
	return ix, nil
}
