package pq

import kernel "github.com/dualgap/dualgap/asm/pq"

// writing is what changes need beside the contents, unless these are plain and without holes. It is made when a change
// first needs it.
type writing struct {
	ids  ids
	free [][]uint32 // of each list the slots that hold nothing
}

// open makes ix.writing.
func (ix *Index) open(c *contents) {
	if ix.writing != nil {
		return
	}
	w := &writing{free: make([][]uint32, max(1, len(c.lists)))}
	for k, b := range c.blocks {
		for i := range b.n {
			slot := uint32(k*kernel.Block + i)
			if b.holds(i) {
				w.ids.add(b.id(i), slot, c.id)
			} else {
				w.free[b.list] = append(w.free[b.list], slot)
			}
		}
	}
	ix.writing = w
}

// find returns the slot of an id.
func (ix *Index) find(c *contents, id uint64) (uint32, bool) {
	if ix.writing == nil && c.plain {
		if id >= uint64(c.used) {
			return 0, false
		}
		b, i := c.at(uint32(id))
		return uint32(id), b.holds(i)
	}
	ix.open(c)
	return ix.writing.ids.find(id, c.id)
}
