package pq

import kernel "github.com/dualgap/dualgap/asm/pq"

// blocks holds n codes in the order in which the quantized scans read them: in blocks of 256 codes, byte by byte.
//
//	byte p of code i is block[i/256][p*256 + i%256]
//
// A value never changes, so that it is read without a lock: add returns another one, which shares the full blocks.
// Only the latest may be added to.
type blocks struct {
	size int    // bytes of a code
	n    int    // codes
	full []byte // the full blocks
	last []byte // the one behind them, filled up with zeros; nil where there is none
}

// add returns the blocks with more codes, which lie one after the other.
func (b blocks) add(codes []byte) blocks {
	bytes := b.size * kernel.Block
	count := len(codes) / b.size
	c := blocks{size: b.size, n: b.n + count, full: b.full}
	if need := c.n / kernel.Block * bytes; need > cap(b.full) {
		c.full = make([]byte, len(b.full), max(need, min(2*cap(b.full), need+need/4)))
		copy(c.full, b.full)
	}
	c.full = c.full[:c.n/kernel.Block*bytes] // what is behind the end of b.full nobody has seen
	if c.n%kernel.Block != 0 {
		c.last = make([]byte, bytes)
	}
	if b.last != nil {
		copy(c.block(b.n/kernel.Block), b.last)
	}
	for k := range count {
		i := b.n + k
		block := c.block(i / kernel.Block)[i%kernel.Block:]
		for p, v := range codes[k*b.size:][:b.size] {
			block[p*kernel.Block] = v
		}
	}
	return c
}

// block returns one block.
func (b *blocks) block(i int) []byte {
	bytes := b.size * kernel.Block
	if i < len(b.full)/bytes {
		return b.full[i*bytes:][:bytes]
	}
	return b.last
}

// code copies code i.
func (b *blocks) code(dst []byte, i int) {
	block := b.block(i / kernel.Block)[i%kernel.Block:]
	for p := range b.size {
		dst[p] = block[p*kernel.Block]
	}
}
