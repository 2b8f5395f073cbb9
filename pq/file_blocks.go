package pq

import (
	"encoding/binary"
	"io"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/container"
)

// blocksVersion is the version of files that hold blocks as they are in memory, with all that an index may have.
const blocksVersion = 3

const (
	alignment = 64 // of what a program uses where it lies in a file
	headSize  = 48 // of a block: first id, live bits, list, slots in use, whether ids follow
)

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
	ix.writeBodies(w, of)
	return w.Close()
}

// writeBodies writes what a program uses where it lies.
func (ix *Index) writeBodies(w *container.Writer, of *contents) {
	scratch := make([]byte, 4096)
	part := func(tag string, size int, each func(write func([]byte), b *block)) {
		w.Align(alignment)
		w.Parts(tag, size, func(write func([]byte)) {
			for _, b := range of.blocks {
				each(write, b)
			}
		})
	}
	part("code", len(of.blocks)*ix.codec.room(), func(write func([]byte), b *block) { write(b.codes) })
	part("bnd", len(of.blocks)*4*ix.floats()*kernel.Block, func(write func([]byte), b *block) {
		writeFloats(write, scratch, b.floats)
	})
	own, rows, none := 0, 0, make([]float32, ix.codec.D())
	for _, b := range of.blocks {
		if b.ids != nil {
			own += b.n
		}
		if ix.c.Vectors {
			rows += b.n
		}
	}
	part("ids", 8*own, func(write func([]byte), b *block) {
		if b.ids != nil {
			write(b.appendIDs(scratch[:0]))
		}
	})
	part("vec", 4*len(none)*rows, func(write func([]byte), b *block) {
		for i := 0; i < b.n && rows > 0; i++ {
			row := b.row(i)
			if row == nil {
				row = &none[0]
			}
			writeFloats(write, scratch, numbers(row, len(none)))
		}
	})
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

func (b *block) appendIDs(to []byte) []byte {
	for _, id := range b.ids[:b.n] {
		to = binary.LittleEndian.AppendUint64(to, id)
	}
	return to
}
