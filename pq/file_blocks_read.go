package pq

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// headOf is the reverse; explicit says that the block's ids are to come.
func headOf(record []byte) (b block, explicit bool, err error) {
	b.first = binary.LittleEndian.Uint64(record)
	for k := range b.live {
		b.live[k] = binary.LittleEndian.Uint64(record[8+8*k:])
	}
	list, kind := binary.LittleEndian.Uint32(record[40:]), binary.LittleEndian.Uint16(record[46:])
	b.list, b.n = int32(list&math.MaxInt32), int(binary.LittleEndian.Uint16(record[44:]))
	last := 0
	for k, w := range b.live {
		if w != 0 {
			last = 64*k + bits.Len64(w)
		}
	}
	switch {
	case b.n < 1 || b.n > kernel.Block || last > b.n:
		err = fmt.Errorf("%d slots in use, want 1 to %d, of which slot %d is the last with a vector", b.n,
			kernel.Block, last-1)
	case kind > 1 || list > math.MaxInt32:
		err = fmt.Errorf("ids of kind %d, list %d", kind, list)
	case kind == 1 && b.first != 0:
		err = fmt.Errorf("%d as first id, want 0 where ids follow", b.first)
	}
	return b, kind == 1, err
}

// readBlocks reads version 3. Of a file in memory it looks at no more than what tells where the blocks are.
func readBlocks(r *container.Reader) *Index {
	codec := readCodec(r, true)
	own := r.Ints("ind", 4)
	centre := container.ReadFloats[float32](r, "ctr", container.Any)
	centres := container.ReadMatrix[float32](r, "cen")
	radius := container.ReadFloats[float64](r, "rad", centres.Rows)
	next := r.Bytes("next", 8)
	if r.Err() != nil {
		return nil
	}
	c := IndexConfig{Metric: Metric(own[0]), Bounds: own[2] == 1, Centre: centre, Vectors: own[3] == 1}
	c.Lists = centres
	if own[0] != int(c.Metric) || c.Metric > CosineSimilarity || own[2]&^1 != 0 || own[3]&^1 != 0 {
		r.Corrupt("there is no metric %d with bounds %d, vectors %d", own[0], own[2], own[3])
		return nil
	}
	ix, err := NewIndexOf(codec, c)
	if err != nil {
		r.Corrupt("%s", unprefixed(err))
		return nil
	}
	of := *ix.held.Load()
	of.radius, of.next = radius, binary.LittleEndian.Uint64(next)
	for list, v := range radius {
		if !(v >= 0) || math.IsInf(v, 0) {
			r.Corrupt("the radius of list %d is %v", list, v)
		}
	}
	ix.readBodies(r, &of)
	if r.Err() == nil && of.n != own[1] {
		r.Corrupt("%d vectors, want %d", of.n, own[1])
	}
	ix.held.Store(&of)
	return ix
}

// readBodies reads the blocks.
func (ix *Index) readBodies(r *container.Reader, of *contents) {
	all, explicit := ix.readHeads(r, of)
	if r.Err() != nil {
		return
	}
	if of.frame == nil && ix.c.Bounds && len(all) > 0 {
		r.Corrupt("%d blocks with bounds and no centre", len(all))
		return
	}
	k := keeper{r.InMemory()}
	room, floats, d := ix.codec.room(), 4*ix.floats()*kernel.Block, ix.codec.D()
	r.Align(alignment)
	r.Parts("code", len(all), func(int) int { return room },
		func(i int, part []byte) { all[i].codes = k.bytes(part) })
	r.Align(alignment)
	var near []block // the memory of the blocks to come
	r.Parts("bnd", len(all), func(int) int { return floats }, func(i int, part []byte) {
		all[i].floats = k.floats(part)
		if !r.InMemory() && floats > 0 {
			if len(near) == 0 {
				near = newBlocks(min(slab, len(all)-i), room, ix.floats())
			}
			all[i].moveTo(near[0].codes, near[0].floats)
			near = near[1:]
		}
	})
	r.Align(alignment)
	r.Parts("ids", len(all), func(i int) int {
		if explicit[i] {
			return 8 * all[i].n
		}
		return 0
	}, func(i int, part []byte) { all[i].ids = k.ids(part) })
	r.Align(alignment)
	r.Parts("vec", len(all), func(i int) int {
		if ix.c.Vectors {
			return 4 * d * all[i].n
		}
		return 0
	}, func(i int, part []byte) { all[i].vectors, all[i].stride = k.floats(part), int32(d) })
}

// readHeads reads what a file knows of blocks first, and finds their places in lists.
func (ix *Index) readHeads(r *container.Reader, of *contents) (all []block, explicit []bool) {
	n := r.Count("blk") / headSize
	if n > math.MaxUint32/kernel.Block {
		r.Corrupt("%d blocks, want at most %d", n, math.MaxUint32/kernel.Block)
	}
	if r.InMemory() && int64(n) <= r.Left()/headSize {
		all, explicit = make([]block, 0, n), make([]bool, 0, n)
	}
	plain := of.plain
	r.Records("blk", n, headSize, func(i int, record []byte) {
		b, own, err := headOf(record)
		lists, end := max(1, len(of.lists)), b.first+uint64(b.n)
		switch {
		case err != nil:
			r.Corrupt("block %d: %v", i, err)
		case int(b.list) >= lists:
			r.Corrupt("block %d is of list %d, want at most %d", i, b.list, lists-1)
		case !own && (end < b.first || end > of.next):
			r.Corrupt("block %d has ids %d to %d, want all below %d", i, b.first, end-1, of.next)
		}
		plain = plain && !own && b.first == uint64(i)*kernel.Block && (b.n == kernel.Block || i == n-1)
		all, explicit = append(all, b), append(explicit, own)
		of.n, of.used = of.n+b.count(), of.used+b.n
	})
	if r.Err() != nil {
		return nil, nil
	}
	of.plain = plain
	of.blocks = make([]*block, len(all))
	for i := range all {
		of.blocks[i] = &all[i]
		if of.lists != nil {
			list := all[i].list
			of.lists[list] = append(of.lists[list], uint32(i))
		}
	}
	return all, explicit
}

// keeper makes of bytes what a block holds: a copy, or the same memory.
type keeper struct{ where bool }

func (k keeper) bytes(part []byte) []byte {
	if k.where {
		return part
	}
	return append([]byte{}, part...)
}

func (k keeper) floats(part []byte) []float32 {
	if k.where {
		return unsafe.Slice((*float32)(unsafe.Pointer(&part[0])), len(part)/4)
	}
	v := make([]float32, len(part)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(part[4*i:]))
	}
	return v
}

func (k keeper) ids(part []byte) []uint64 {
	if k.where {
		return unsafe.Slice((*uint64)(unsafe.Pointer(&part[0])), len(part)/8)
	}
	v := make([]uint64, len(part)/8)
	for i := range v {
		v[i] = binary.LittleEndian.Uint64(part[8*i:])
	}
	return v
}

// doubt returns an error for what no index holds: bounds that are none, numbers that are not finite, ids that come
// twice.
func (ix *Index) doubt(of *contents) error {
	floats, d := make([]float32, ix.floats()), ix.codec.D()
	var seen ids
	for k, b := range of.blocks {
		for i := range b.n {
			if !b.holds(i) {
				continue
			}
			id := b.id(i)
			b.own(floats, i)
			if len(floats) > 0 && !ix.codec.check(floats) {
				return fmt.Errorf("bounds %v of vector %d", floats, id)
			}
			if row := b.row(i); row != nil {
				if err := checkFinite(vec.MatrixOf(1, d, numbers(row, d)), 0); err != nil {
					return fmt.Errorf("vector %d: %s", id, unprefixed(err))
				}
			}
			if of.plain {
				continue
			}
			if _, there := seen.find(id, of.id); there || id >= of.next {
				return fmt.Errorf("id %d comes twice, or is not below %d", id, of.next)
			}
			seen.add(id, uint32(k*kernel.Block+i), of.id)
		}
	}
	return nil
}
