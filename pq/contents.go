package pq

import (
	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/shape"
)

// contents are what an index holds at one time. They never change, so that they are read without a lock.
type contents struct {
	frame  frame // nil without bounds, and before the first vectors where they are to choose the centre
	blocks []*block
	lists  [][]uint32 // of each list its blocks; nil where there are no lists
	radius []float64  // of each list: no vector of it is farther from its centre
	n      int        // vectors
	used   int        // slots that are or were in use
	next   uint64     // the id of the next vector that comes without one
	plain  bool       // the id of each vector is its slot, and there are no lists
	closed bool       // for good: there is nothing
	file   *opened    // that blocks may point into, or nil
}

// centre is what bounds are relative to, nil without bounds or vectors.
func (c *contents) centre() []float32 {
	if c.frame == nil {
		return nil
	}
	return c.frame.centre()
}

// at returns the place of a slot: slot s is slot s%256 of block s/256.
func (c *contents) at(slot uint32) (*block, int) {
	return c.blocks[slot/kernel.Block], int(slot % kernel.Block)
}

// id is the id of the vector in a slot.
func (c *contents) id(slot uint32) uint64 {
	b, i := c.at(slot)
	return b.id(i)
}

// appendList appends the blocks of a list to path.
func (c *contents) appendList(path []*block, list int) []*block {
	for _, i := range c.lists[list] {
		path = append(path, c.blocks[i])
	}
	return path
}

// edit makes new contents from old ones, of which it copies what it changes.
type edit struct {
	contents
	codec  Codec
	floats int     // for each code
	own    []bool  // the blocks that nobody else sees
	room   []block // that are to be used
	more   int     // vectors that are still to come, about
	mine   []bool  // the lists that nobody else sees
}

func (ix *Index) edit(more int) *edit {
	e := &edit{contents: *ix.held.Load(), codec: ix.codec, floats: ix.floats(), more: more}
	e.blocks = append(make([]*block, 0, len(e.blocks)+more/kernel.Block+1), e.blocks...)
	e.own = make([]bool, len(e.blocks), cap(e.blocks))
	e.lists, e.radius = append([][]uint32(nil), e.lists...), append([]float64(nil), e.radius...)
	e.mine = make([]bool, len(e.lists))
	return e
}

// block returns a block that may be changed.
func (e *edit) block(i int) *block {
	if !e.own[i] {
		e.blocks[i], e.own[i] = e.blocks[i].clone(), true
	}
	return e.blocks[i]
}

// put puts a vector into a slot that is in use already.
func (e *edit) put(slot uint32, v entry) {
	e.block(int(slot/kernel.Block)).put(e.codec, int(slot%kernel.Block), v)
	e.plain = e.plain && v.id == uint64(slot)
	e.n++
}

// drop empties a slot.
func (e *edit) drop(slot uint32) {
	e.block(int(slot/kernel.Block)).drop(e.codec, int(slot%kernel.Block))
	e.n--
}

// push puts a vector behind the last of a list.
func (e *edit) push(list int, v entry) uint32 {
	last := len(e.blocks) - 1
	if e.lists != nil {
		last = -1
		if l := e.lists[list]; len(l) > 0 {
			last = int(l[len(l)-1])
		}
	}
	if last < 0 || e.blocks[last].n == kernel.Block {
		last = len(e.blocks)
		e.blocks, e.own = append(e.blocks, e.fresh(list)), append(e.own, true)
		if e.lists != nil {
			if !e.mine[list] {
				e.lists[list], e.mine[list] = append([]uint32{}, e.lists[list]...), true
			}
			e.lists[list] = append(e.lists[list], uint32(last))
		}
	}
	i := e.block(last).n
	slot := uint32(last*kernel.Block + i)
	e.plain = e.plain && v.id == uint64(slot)
	e.blocks[last].put(e.codec, i, v)
	e.n, e.used, e.more = e.n+1, e.used+1, e.more-1
	return slot
}

// fresh returns an empty block of a list.
func (e *edit) fresh(list int) *block {
	if len(e.room) == 0 {
		n := 1
		if e.lists == nil {
			n = max(1, min(slab, shape.Pieces(e.more, kernel.Block)))
		}
		e.room = newBlocks(n, e.codec.room(), e.floats)
	}
	b := &e.room[0]
	b.list, e.room = int32(list), e.room[1:]
	return b
}

// done returns the new contents.
func (e *edit) done() *contents {
	c := e.contents
	return &c
}
