package pq

import (
	"math/bits"
	"unsafe"

	kernel "github.com/dualgap/dualgap/asm/pq"
)

// block holds up to 256 codes in the order in which their codec scans them, and what belongs to them. A block that
// others may see never changes: who wants another code in it makes another block.
type block struct {
	codes  []byte
	floats []float32                 // with bounds: number f of slot i is floats[f*256+i]
	n      int                       // slots from n on were never used
	live   [kernel.Block / 64]uint64 // bit i%64 of live[i/64]: slot i holds a vector
	first  uint64                    // the id of slot 0
	ids    []uint64                  // the ids of slots where these are not first, first+1, ...
	list   int32                     // to which all of them belong, of an index with lists

	// The vectors themselves, of an index that keeps them: row by row, as files have them, or each where it is.
	stride  int32
	vectors []float32
	rows    []*float32
}

// newBlocks makes n blocks, each with room for codes and floats. The floats of a block lie behind its codes, so that a
// scan with bounds reads memory from front to back.
func newBlocks(n, room, floats int) []block {
	own := floats * kernel.Block
	all, memory := make([]block, n), make([]float32, n*(room/4+own))
	for i := range all {
		part := cut(memory, i, room/4+own)
		all[i].codes, all[i].floats = unsafe.Slice((*byte)(unsafe.Pointer(&part[0])), room), part[room/4:]
	}
	return all
}

// slab is the number of blocks that share one piece of memory, so that scans find most of them in a row.
const slab = 16

// cut returns piece i of pieces of some length.
func cut[T any](all []T, i, length int) []T { return all[i*length : (i+1)*length : (i+1)*length] }

func (b *block) clone() *block {
	c := *b
	room := &newBlocks(1, len(b.codes), len(b.floats)/kernel.Block)[0]
	c.moveTo(room.codes, room.floats)
	if b.ids != nil {
		c.ids = make([]uint64, kernel.Block) // a file has n of them
		copy(c.ids, b.ids)
	}
	if b.rows != nil || b.vectors != nil {
		c.rows, c.vectors = make([]*float32, kernel.Block), nil
		for i := range b.n {
			if b.holds(i) {
				c.rows[i] = b.row(i)
			}
		}
	}
	return &c
}

// moveTo copies codes and floats into other memory, which is the block's from then on.
func (b *block) moveTo(codes []byte, floats []float32) {
	copy(codes, b.codes)
	copy(floats, b.floats)
	b.codes, b.floats = codes, floats
}

// holds reports whether slot i holds a vector.
func (b *block) holds(i int) bool { return b.live[i/64]>>(i%64)&1 != 0 }

// whole reports whether all slots in use hold vectors.
func (b *block) whole() bool { return b.count() == b.n }

// count is the number of vectors.
func (b *block) count() (n int) {
	for _, w := range b.live {
		n += bits.OnesCount64(w)
	}
	return n
}

// id is the id of slot i.
func (b *block) id(i int) uint64 {
	if b.ids != nil {
		return b.ids[i]
	}
	return b.first + uint64(i)
}

// row is the vector of slot i, or nil where the index keeps none.
func (b *block) row(i int) *float32 {
	switch {
	case b.rows != nil:
		return b.rows[i]
	case b.vectors != nil:
		return &b.vectors[i*int(b.stride)]
	}
	return nil
}

// own copies the floats of slot i.
func (b *block) own(dst []float32, i int) {
	for f := range dst {
		dst[f] = b.floats[f*kernel.Block+i]
	}
}

// entry is a vector on its way into a block.
type entry struct {
	id     uint64
	code   []byte
	floats []float32
	row    *float32
}

// put makes slot i hold a vector. Nobody else sees the block yet.
func (b *block) put(codec Codec, i int, e entry) {
	codec.put(b.codes, i, e.code)
	for f, v := range e.floats {
		b.floats[f*kernel.Block+i] = v
	}
	if b.n == 0 {
		b.first = e.id - uint64(i)
	}
	if b.ids == nil && e.id != b.first+uint64(i) {
		b.ids = make([]uint64, kernel.Block)
		for k := range b.n {
			b.ids[k] = b.first + uint64(k)
		}
	}
	if b.ids != nil {
		b.ids[i] = e.id
	}
	if e.row != nil {
		if b.rows == nil {
			b.rows = make([]*float32, kernel.Block)
		}
		b.rows[i] = e.row
	}
	b.live[i/64] |= 1 << (i % 64)
	b.n = max(b.n, i+1)
}

// drop makes slot i empty, and its code zero. Nobody else sees the block yet.
func (b *block) drop(codec Codec, i int) {
	codec.put(b.codes, i, make([]byte, codec.CodeSize()))
	for f := i; f < len(b.floats); f += kernel.Block {
		b.floats[f] = 0
	}
	b.live[i/64] &^= 1 << (i % 64)
	if b.rows != nil {
		b.rows[i] = nil
	}
}

// numbers are the d numbers at row.
func numbers(row *float32, d int) []float32 { return unsafe.Slice(row, d) }

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
