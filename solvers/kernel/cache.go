package kernel

import (
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// SlabBytes is the size of a slab, or a little less: large enough for huge pages. Rows are kept in slabs.
const SlabBytes = 32 << 20

// cache keeps rows of n numbers in slabs, pieces of memory for many rows that are taken as rows come. When it is full a
// row that has not been asked for since the hand came by last gives way: the clock algorithm, which is nearly the least
// recently used one. Pinned rows stay.
type cache[T vec.Float] struct {
	mutex  sync.Mutex
	n      int
	place  []int32          // of each row among those kept, or -1
	kept   []kept[T]        // with room for all, so that none moves
	slabs  []vec.Matrix[T]  // with the rows of kept, in their order
	used   int              // rows of the newest one
	spare  [][]T            // memory for slabs to come
	room   int              // most rows kept
	hand   int              // where the clock is
	pinned int              // kept rows that are pinned
	others map[int]*kept[T] // pinned rows beside the budget
	loose  sync.Pool        // of *kept[T], whose memory is for such rows
}

// kept is a row in memory.
type kept[T vec.Float] struct {
	row    int   // -1: none yet
	at     int32 // its place; -1: beside the budget
	values []T
	pins   int32
	asked  bool
}

// newCache returns a cache whose slabs take at most budget bytes.
func newCache[T vec.Float](n int, budget int64) *cache[T] {
	c := &cache[T]{n: n}
	if c.room = int(min(int64(n), roomFor[T](n, budget))); c.room > 0 {
		c.place, c.kept = make([]int32, n), make([]kept[T], 0, c.room)
		for i := range c.place {
			c.place[i] = -1
		}
	}
	return c
}

// givenRows returns a cache that holds all rows of k, where they are.
func givenRows[T vec.Float](k vec.Matrix[T]) *cache[T] {
	n := k.Rows
	c := &cache[T]{n: n, room: n, place: make([]int32, n), kept: make([]kept[T], n)}
	for i := range n {
		c.place[i], c.kept[i] = int32(i), kept[T]{row: i, at: int32(i), values: k.Row(i)}
	}
	return c
}

// roomFor is how many rows of n numbers slabs of some bytes each hold, with 64 bytes lost in each.
func roomFor[T vec.Float](n int, budget int64) int64 {
	row := rowBytes[T](n)
	slab := slabRows[T](n)*row + 64
	return max(0, budget)/slab*slabRows[T](n) + max(0, max(0, budget)%slab-64)/row
}

// rowBytes is the distance of two rows of n numbers in a slab.
func rowBytes[T vec.Float](n int) int64 { return (int64(n)*int64(unsafe.Sizeof(T(0))) + 63) / 64 * 64 }

func slabRows[T vec.Float](n int) int64 { return max(1, SlabBytes/rowBytes[T](n)) }

// find returns row i where it is in memory, else nil.
func (c *cache[T]) find(i int) *kept[T] {
	if c.room > 0 && c.place[i] >= 0 {
		return &c.kept[c.place[i]]
	}
	return c.others[i]
}

// free returns a place whose row gives way, or nil where there is none that is not pinned.
func (c *cache[T]) free() *kept[T] {
	if at := len(c.kept); at < c.room {
		c.kept = append(c.kept, kept[T]{row: -1, at: int32(at), values: c.memory()})
		return &c.kept[at]
	}
	if c.pinned == c.room {
		return nil
	}
	for {
		k := &c.kept[c.hand]
		c.hand = (c.hand + 1) % c.room
		switch {
		case k.pins > 0:
		case k.asked:
			k.asked = false
		default:
			if k.row >= 0 {
				c.place[k.row] = -1
			}
			k.row = -1
			return k
		}
	}
}

// beside returns memory for a row that is not kept.
func (c *cache[T]) beside() *kept[T] {
	if k, ok := c.loose.Get().(*kept[T]); ok {
		return k
	}
	return &kept[T]{row: -1, at: -1, values: core.Aligned[T](1, c.n).Row(0)}
}

// assign makes k row i, which is not in memory yet.
func (c *cache[T]) assign(i int, k *kept[T]) {
	k.row, k.asked = i, false
	if k.at >= 0 {
		c.place[i] = k.at
		return
	}
	if c.others == nil {
		c.others = map[int]*kept[T]{}
	}
	c.others[i] = k
}

// add changes the number of pins of a row. One beside the budget lasts as long as it has any.
func (c *cache[T]) add(k *kept[T], pins int32) {
	before := k.pins > 0
	k.pins += pins
	switch after := k.pins > 0; {
	case before == after:
	case k.at >= 0 && after:
		c.pinned++
	case k.at >= 0:
		c.pinned--
	case before:
		if k.row >= 0 {
			delete(c.others, k.row)
		}
		k.row = -1
		c.loose.Put(k)
	}
}

// memory returns the memory of another row, from a slab.
func (c *cache[T]) memory() []T {
	if last := len(c.slabs) - 1; last < 0 || c.used == c.slabs[last].Rows {
		c.slabs = append(c.slabs, c.another())
		c.used = 0
	}
	c.used++
	return c.slabs[len(c.slabs)-1].Row(c.used - 1)
}

// another returns a slab for rows to come, in memory that is spare if there is any.
func (c *cache[T]) another() vec.Matrix[T] {
	most := c.room - len(c.kept)
	for len(c.spare) > 0 {
		memory := c.spare[len(c.spare)-1]
		c.spare = c.spare[:len(c.spare)-1]
		stride := int(rowBytes[T](c.n) / int64(unsafe.Sizeof(T(0))))
		if rows := min(most, len(memory)/stride); rows > 0 {
			return vec.Matrix[T]{Rows: rows, Cols: c.n, Stride: stride, Data: memory}
		}
	}
	slab := core.Aligned[T](min(most, int(slabRows[T](c.n))), c.n)
	pages.Huge(slab.Data)
	return slab
}
