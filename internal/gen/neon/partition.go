package main

import (
	"math/bits"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// partition moves the keys up to the pivot to the front, the others to the end. Of what has been read but not written
// there are always eight vectors or more, in registers: the first are taken from both ends. Further ones are read from
// the side where less room is between what has been read and what has been written, so that each side has room for four
// vectors. A vector, its low keys first, is stored at the low end and at the high end; the next stores overwrite the
// lanes that do not belong there. The keys that a whole number of vectors leaves come before the last eight vectors,
// of which the last is stored twice in one place.
//
// The side of a vector is chosen before the eight that were read last are counted, so that no load waits for a count.
var partition = source{"sort", "partition", "Partition", "(x *T, n int, pivot T) int", func(k *kernel) {
	p := &partitioner{k: k, low: k.arg("x"), between: k.arg("n"), pivot: k.x(), odd: k.x(), left: k.x(), right: k.x(),
		unread: k.x(), src: k.x(), toHigh: k.x(), count: k.x(), now: k.vs(2 * atOnce), next: k.vs(atOnce)}
	k.Op(p.move(), k.param("pivot"), p.pivot)
	write := func() {}
	store := p.byPairs()
	if k.size == 4 {
		store, write = p.byTables()
	}
	keys := p.begin()
	p.each(func(now []V) {
		p.choose(len(now))
		k.loads(p.next[:len(now)], p.src, 0)
		store(now)
		for i, v := range now {
			k.Op("VMOV", p.next[i].Bits(), v.Bits())
		}
	})
	k.Comment("The odd keys.")
	p.placeOdd(keys)
	k.Comment("The vectors that were read last.")
	store(p.now[:atOnce])
	store(p.now[atOnce:])
	k.Comment("How many are low.")
	k.Op("MOVD", k.param("x"), p.src)
	k.Op("SUB", p.src, p.low, p.low)
	k.Op("LSR", imm(k.shift()), p.low, p.low)
	k.Op("MOVD", p.low, k.param("ret"))
	k.Op("RET")
	write()
}}

// atOnce is how many vectors are read and stored together.
const atOnce = 4

type partitioner struct {
	k             *kernel
	pivot         X
	odd           X // how many keys a whole number of vectors leaves
	low           X // where the next low keys go
	between       X // bytes from there to where the next high keys end
	left, right   X // where reading goes on, upwards and downwards
	unread        X // bytes from left to right
	src           X
	toHigh, count X
	now, next     []V
}

// move loads or stores a key in a general register.
func (p *partitioner) move() string { return pickOp(p.k, "MOVW", "MOVD") }

// begin loads the odd keys, as many as there may be, and the first vectors.
func (p *partitioner) begin() (keys []X) {
	k := p.k
	k.Comment("The odd keys, fewer than a vector has, and the first four vectors of both ends.")
	k.Op("AND", imm(k.lanes()-1), p.between, p.odd)
	for i := range k.lanes() - 1 {
		keys = append(keys, k.x())
		k.Op(p.move(), a64.Mem(p.low, k.size*i), keys[i])
	}
	k.Op("LSL", imm(k.shift()), p.between, p.between)
	k.Op("ADD", a64.Shifted(p.odd, k.shift()), p.low, p.left)
	k.Op("ADD", p.between, p.low, p.right)
	k.Op("SUB", imm(vectorBytes*atOnce), p.right, p.right)
	k.loads(p.now[:atOnce], p.left, 0)
	k.loads(p.now[atOnce:], p.right, 0)
	k.Op("ADD", imm(vectorBytes*atOnce), p.left, p.left)
	k.Op("SUB", p.left, p.right, p.unread)
	return keys
}

// placeOdd stores the odd keys.
func (p *partitioner) placeOdd(keys []X) {
	k, done := p.k, p.k.NewLabel("placed")
	for i, key := range keys {
		k.Op("CMP", imm(i), p.odd)
		k.Op("BLE", done)
		k.Op("ADD", p.between, p.low, p.toHigh)
		k.Op(p.move(), key, a64.Mem(p.low, 0))
		k.Op(p.move(), key, a64.Mem(p.toHigh, -k.size))
		k.Op("CMP", p.pivot, key)
		k.Op("CSET", a64.Cond("LE"), p.count)
		k.Op("ADD", a64.Shifted(p.count, k.shift()), p.low, p.low)
		k.Op("SUB", imm(k.size), p.between, p.between)
	}
	k.Bind(done)
}

// choose takes vectors from the side that has less room, and sets src to them.
func (p *partitioner) choose(vectors int) {
	k := p.k
	above, below := p.toHigh, p.count
	k.Op("SUB", p.low, p.left, p.src)
	k.Op("CMP", imm(vectorBytes*atOnce), p.src)
	k.Op("ADD", imm(vectorBytes*vectors), p.left, above)
	k.Op("SUB", imm(vectorBytes*vectors), p.right, below)
	k.Op("CSEL", a64.Cond("GT"), below, p.left, p.src)
	k.Op("CSEL", a64.Cond("GT"), below, p.right, p.right)
	k.Op("CSEL", a64.Cond("GT"), p.left, above, p.left)
}

// each runs body for what is unread, with the registers of the vectors that are to be stored for it.
func (p *partitioner) each(body func(now []V)) {
	k, loop, end := p.k, p.k.NewLabel("loop"), p.k.NewLabel("end")
	step := imm(vectorBytes * len(p.now))
	k.Op("SUBS", step, p.unread, p.unread)
	k.Op("BLT", end)
	k.Op("PCALIGN", imm(16))
	k.section(loop, "Twice four vectors from the side with less room; those read before go to both ends.")
	body(p.now[:atOnce])
	body(p.now[atOnce:])
	k.Op("SUBS", step, p.unread, p.unread)
	k.Op("BGE", loop)
	k.Bind(end)
	k.Comment("What is unread by its bits: four vectors, two, one.")
	for vectors := atOnce; vectors > 0; vectors /= 2 {
		skip := k.NewLabel("skip")
		k.Op("TBZ", imm(bits.TrailingZeros(uint(vectorBytes*vectors))), p.unread, skip)
		body(p.now[:vectors])
		k.Bind(skip)
	}
}

// put stores v to both ends: vector i since between has been brought up to date, count of whose keys stay low.
func (p *partitioner) put(i int, store string, v a64.Operand) {
	k := p.k
	k.Op("ADD", p.between, p.low, p.toHigh)
	k.Op(store, v, a64.Mem(p.low, 0))
	k.Op(store, v, a64.Mem(p.toHigh, -vectorBytes*(i+1)))
	k.Op("ADD", a64.Shifted(p.count, k.shift()), p.low, p.low)
}

// byPairs stores two keys of 64 bits at a time, from general registers, exchanged where the first one is above the
// pivot.
func (p *partitioner) byPairs() (store func(v []V)) {
	k := p.k
	a, b, x, y := k.x(), k.x(), k.x(), k.x()
	return func(v []V) {
		for i, v := range v {
			k.Op("VMOV", v.Double(0), a)
			k.Op("VMOV", v.Double(1), b)
			k.Op("CMP", p.pivot, a)
			k.Op("CSEL", a64.Cond("GT"), b, a, x)
			k.Op("CSEL", a64.Cond("GT"), a, b, y)
			k.Op("CSET", a64.Cond("LE"), p.count)
			k.Op("CMP", p.pivot, b)
			k.Op("CINC", a64.Cond("LE"), p.count, p.count)
			p.put(i, "STP", a64.PairX(x, y))
		}
		k.Op("SUB", imm(vectorBytes*len(v)), p.between, p.between)
	}
}
