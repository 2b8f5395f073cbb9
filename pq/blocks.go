package pq

import kernel "github.com/dualgap/dualgap/asm/pq"

// blocks holds n codes in the order in which the quantized scans read them: in blocks of 256 codes, byte by byte.
//
//	byte p of code i is data[(i/256*size + p)*256 + i%256]
//
// The last block is filled up with zeros.
type blocks struct {
	size int // bytes of a code
	n    int
	data []byte
}

// add appends codes that lie one after the other.
func (b *blocks) add(codes []byte) {
	count := len(codes) / b.size
	need := (b.n + count + kernel.Block - 1) / kernel.Block * b.size * kernel.Block
	if need > cap(b.data) {
		data := make([]byte, len(b.data), max(need, min(2*cap(b.data), need+need/4)))
		copy(data, b.data)
		b.data = data
	}
	b.data = b.data[:need]
	for i := range count {
		at := b.place(b.n + i)
		for p, v := range codes[i*b.size:][:b.size] {
			b.data[at+p*kernel.Block] = v
		}
	}
	b.n += count
}

// place is the index of byte 0 of code i; each next byte is 256 further.
func (b *blocks) place(i int) int {
	return i/kernel.Block*b.size*kernel.Block + i%kernel.Block
}

// code copies code i.
func (b *blocks) code(dst []byte, i int) {
	at := b.place(i)
	for p := range b.size {
		dst[p] = b.data[at+p*kernel.Block]
	}
}
