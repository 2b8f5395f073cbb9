package container

import (
	"encoding/binary"
	"math"
)

// Indices writes a section of int32: places among fewer than 2^31, such as examples in some order.
func (w *Writer) Indices(tag string, v []int) {
	for k, i := range v {
		if i < 0 || i > math.MaxInt32 {
			w.fail("index %d of section %q is %d, which is not in 0..%d", k, tag, i, math.MaxInt32)
		}
	}
	w.begin(tag, typeInt32, len(v))
	inPieces(w, v, 4, func(b []byte, i int) { binary.LittleEndian.PutUint32(b, uint32(i)) })
	w.checksum()
}

// Indices reads count numbers in 0..n-1, none of them twice, as Indices wrote them. Others are an error that wraps
// ErrCorrupt.
func (r *Reader) Indices(tag string, count, n int) []int {
	size := r.begin(tag, typeInt32, count, 4)
	if r.err == nil && size > uint64(n) {
		r.Corrupt("section %q has %d different numbers in 0..%d", tag, size, n-1)
		return nil
	}
	v := finish(r, fromPieces(r, size, 4, func(b []byte) int { return int(int32(binary.LittleEndian.Uint32(b))) }))
	seen := make([]bool, n)
	for k, i := range v {
		if i < 0 || i >= n {
			r.Corrupt("index %d of section %q is %d, want one in 0..%d", k, tag, i, n-1)
			return nil
		}
		if seen[i] {
			r.Corrupt("section %q has the index %d twice", tag, i)
			return nil
		}
		seen[i] = true
	}
	return v
}
