package pq

import kernel "github.com/dualgap/dualgap/asm/pq"

// block holds 256 codes in the order in which its codec scans them. A block that others may see never changes: who
// wants another code in it makes another block.
type block struct {
	codes  []byte
	floats []float32 // with bounds: number f of code i is floats[f*256+i]
}

// blocks holds n codes and, with bounds, some floats for each. A value never changes, so that it is read without a
// lock: add returns another one, which shares the full blocks. Only the latest may be added to.
type blocks struct {
	codec  Codec
	floats int // for each code, 0 without bounds
	n      int
	full   []*block
	last   *block // the one behind them, filled up with zeros; nil where there is none
}

// add returns the blocks with more codes and their floats, which lie one after the other.
func (b blocks) add(codes []byte, floats []float32) blocks {
	size := b.codec.CodeSize()
	count := len(codes) / size
	c := b
	c.n += count
	var room []block
	if b.last != nil && count > 0 {
		c.last = b.last.clone()
	}
	for k := range count {
		i := (b.n + k) % kernel.Block
		if i == 0 {
			if len(room) == 0 {
				room = newBlocks(min(slab, (count-k+kernel.Block-1)/kernel.Block), b.codec.room(), b.floats)
			}
			c.last, room = &room[0], room[1:]
		}
		b.codec.put(c.last.codes, i, codes[k*size:][:size])
		for f, v := range floats[k*b.floats:][:b.floats] {
			c.last.floats[f*kernel.Block+i] = v
		}
		if i == kernel.Block-1 { // what is behind the end of b.full nobody has seen
			c.full, c.last = append(c.full, c.last), nil
		}
	}
	return c
}

// slab is the number of blocks that share one piece of memory, so that scans find most of them in a row.
const slab = 16

// newBlocks makes n blocks, each with room for codes and floats.
func newBlocks(n, room, floats int) []block {
	all, codes, own := make([]block, n), make([]byte, n*room), make([]float32, n*floats*kernel.Block)
	for i := range all {
		all[i] = block{cut(codes, i, room), cut(own, i, floats*kernel.Block)}
	}
	return all
}

// cut returns piece i of pieces of some length.
func cut[T any](all []T, i, length int) []T { return all[i*length : (i+1)*length : (i+1)*length] }

func (b *block) clone() *block {
	return &block{codes: append([]byte{}, b.codes...), floats: append([]float32{}, b.floats...)}
}

// count is the number of blocks.
func (b *blocks) count() int { return (b.n + kernel.Block - 1) / kernel.Block }

// block returns one block.
func (b *blocks) block(i int) *block {
	if i < len(b.full) {
		return b.full[i]
	}
	return b.last
}

// take copies the pointers of the blocks [from, to) to dst.
func (b *blocks) take(dst []*block, from, to int) []*block {
	dst = dst[:0]
	for i := from; i < to; i++ {
		dst = append(dst, b.block(i))
	}
	return dst
}

// code copies code i.
func (b *blocks) code(dst []byte, i int) {
	b.codec.get(dst, b.block(i/kernel.Block).codes, i%kernel.Block)
}

// own copies the floats of code i.
func (b *blocks) own(dst []float32, i int) {
	for f := range b.floats {
		dst[f] = b.block(i / kernel.Block).floats[f*kernel.Block+i%kernel.Block]
	}
}

// putByBytes is Codec.put where the codes of a block lie byte by byte:
//
//	byte p of code i is block[p*256 + i]
func putByBytes(block []byte, i int, code []byte) {
	for p, v := range code {
		block[p*kernel.Block+i] = v
	}
}

// getByBytes is Codec.get for the same.
func getByBytes(code, block []byte, i int) {
	for p := range code {
		code[p] = block[p*kernel.Block+i]
	}
}
