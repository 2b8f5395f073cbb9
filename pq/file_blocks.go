package pq

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"runtime"
	"unsafe"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/file"
	"github.com/dualgap/dualgap/vec"
)

// blocksVersion is the version of files that hold blocks as they are in memory, with all that an index may have.
const blocksVersion = 3

const (
	alignment = 64 // of what a program uses where it lies in a file
	headSize  = 48 // of a block: first id, live bits, list, slots in use, whether ids follow
)

// WriteFile writes a file for [OpenIndex], which ReadIndex reads as well: the codec and the vectors that the index
// holds when the call begins. It takes what the index takes in memory without the tables of ids, and 48 bytes for each
// 256 vectors. Searches and changes go on, and no second copy is made in memory.
//
// The file is the old one or the new one, whole, whatever happens: the new one, path with a dot before and .tmp behind
// its name, takes the place of path once it is on disk. A program that is killed may leave that file behind. Path may
// be the file that the index was opened from.
func (ix *Index) WriteFile(path string) error {
	of := ix.held.Load()
	err := file.Write(path, func(to io.Writer) error {
		_, err := ix.writeBlocks(to, of)
		return err
	}, nil)
	runtime.KeepAlive(of)
	if err != nil {
		return fmt.Errorf("pq: %w", err)
	}
	return nil
}

// writeBlocks writes version 3.
func (ix *Index) writeBlocks(to io.Writer, of *contents) (n int64, err error) {
	if of.closed {
		return 0, errClosed
	}
	w := container.NewWriter(to, kindIndex, blocksVersion)
	w.Ints("cdc", ix.codec.number())
	ix.codec.write(w)
	w.Ints("ind", int(ix.c.Metric), of.n, number(ix.c.Bounds), number(ix.c.Vectors))
	container.Floats(w, "ctr", of.centre())
	container.WriteMatrix(w, "cen", ix.c.Lists)
	container.Floats(w, "rad", of.radius)
	w.Bytes("next", binary.LittleEndian.AppendUint64(nil, of.next))
	w.Records("blk", len(of.blocks), headSize, func(i int, record []byte) { of.blocks[i].head(record) })
	own := 0
	for _, b := range of.blocks {
		if b.ids != nil {
			own += b.n
		}
	}
	d, scratch := ix.codec.D(), make([]byte, 4096)
	w.Align(alignment)
	w.Parts("code", len(of.blocks)*ix.codec.room(), func(write func([]byte)) {
		for _, b := range of.blocks {
			write(b.codes)
		}
	})
	w.Align(alignment)
	w.Parts("bnd", len(of.blocks)*4*ix.floats()*kernel.Block, func(write func([]byte)) {
		for _, b := range of.blocks {
			writeFloats(write, scratch, b.floats)
		}
	})
	w.Align(alignment)
	w.Parts("ids", 8*own, func(write func([]byte)) {
		for _, b := range of.blocks {
			if b.ids != nil {
				write(b.appendIDs(scratch[:0]))
			}
		}
	})
	rows := 0
	if ix.c.Vectors {
		rows = of.used
	}
	w.Align(alignment)
	w.Parts("vec", 4*d*rows, func(write func([]byte)) {
		if rows > 0 {
			none := make([]float32, d)
			for _, b := range of.blocks {
				for i := range b.n {
					if row := b.row(i); row != nil {
						writeFloats(write, scratch, numbers(row, d))
					} else {
						writeFloats(write, scratch, none)
					}
				}
			}
		}
	})
	return w.Close()
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

func writeFloats(write func([]byte), scratch []byte, v []float32) {
	for len(v) > 0 {
		n := min(len(v), len(scratch)/4)
		for i, x := range v[:n] {
			putFloat(scratch[4*i:], x)
		}
		write(scratch[:4*n])
		v = v[n:]
	}
}

// head writes what a file knows of a block first.
func (b *block) head(record []byte) {
	clear(record)
	if b.ids == nil {
		binary.LittleEndian.PutUint64(record, b.first)
	} else {
		record[46] = 1
	}
	for k, w := range b.live {
		binary.LittleEndian.PutUint64(record[8+8*k:], w)
	}
	binary.LittleEndian.PutUint32(record[40:], uint32(b.list))
	binary.LittleEndian.PutUint16(record[44:], uint16(b.n))
}

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
		err = fmt.Errorf("%d slots in use, want 1 to %d, of which the last that holds a vector is %d", b.n, kernel.Block,
			last-1)
	case kind > 1 || list > math.MaxInt32:
		err = fmt.Errorf("ids of kind %d, list %d", kind, list)
	case kind == 1 && b.first != 0:
		err = fmt.Errorf("%d as first id, want 0 where ids follow", b.first)
	}
	return b, kind == 1, err
}

func (b *block) appendIDs(to []byte) []byte {
	for _, id := range b.ids[:b.n] {
		to = binary.LittleEndian.AppendUint64(to, id)
	}
	return to
}

// readBlocks reads version 3. Of a file in memory it looks at no more than what tells where the blocks are.
func readBlocks(r *container.Reader) *Index {
	codec := readCodec(r, true)
	own := r.Ints("ind", 4)
	centre := container.ReadFloats[float32](r, "ctr", -1)
	centres := container.ReadMatrix[float32](r, "cen")
	radius := container.ReadFloats[float64](r, "rad", centres.Rows)
	next := r.Bytes("next", 8)
	if r.Err() != nil {
		return nil
	}
	c := IndexConfig{Metric: Metric(own[0]), Bounds: own[2] == 1, Centre: centre, Vectors: own[3] == 1, Lists: centres}
	if own[0] != int(c.Metric) || checkMetric(c.Metric) != nil || own[2]&^1 != 0 || own[3]&^1 != 0 {
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
	r.Parts("code", len(all), func(int) int { return room }, func(i int, part []byte) { all[i].codes = k.bytes(part) })
	r.Align(alignment)
	r.Parts("bnd", len(all), func(int) int { return floats },
		func(i int, part []byte) { all[i].floats = k.floats(part) })
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
			if b.own(floats, i); len(floats) > 0 && !ix.codec.check(floats) {
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
