package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The index of an extremum costs three instructions for each block of 8 vectors: each lane keeps where the block begins that
// raised it last, and the comparison is strict, so this is the first that holds the lane's extremum. In the end one block is looked
// into once more. Positions of float32 are unsigned integers of 32 bits: n < 2³².

// spread fills all lanes with an integer.
func (e *extremum) spread(i operand.Op, v reg.VecVirtual) {
	r, ok := i.(reg.GPVirtual)
	if !ok {
		r = e.GP64()
		e.MOVL(i, r.As32())
	}
	if e.f64 {
		e.VMOVQ(r, v.AsX())
		e.VPBROADCASTQ(v.AsX(), v)
	} else {
		e.VMOVD(r.As32(), v.AsX())
		e.VPBROADCASTD(v.AsX(), v)
	}
}

// remember notes the block at hand in the lanes where v is better than all before, and steps to the next block.
func (e *extremum) remember(v reg.VecVirtual) {
	raised := e.compare(e.better, v, e.acc)
	if e.wide {
		pick(e.kernel, e.VMOVAPS, e.VMOVAPD)(e.now, raised.k, e.block)
	} else {
		pick(e.kernel, e.VBLENDVPS, e.VBLENDVPD)(raised.v, e.now, e.block, e.block)
	}
	pick(e.kernel, e.VPADDD, e.VPADDQ)(e.step, e.now, e.now)
}

// find returns the place of the first element equal to the best: of the lanes that hold it, the one whose block comes first says where
// to look.
func (e *extremum) find(here string, vecs int) {
	blocks := e.AllocLocal(e.bytes)
	e.store(e.block, blocks)
	best := e.vec()
	pick(e.kernel, e.VMOVAPS, e.VMOVAPD)(e.acc, best)
	e.across(best)
	holders, lane, b, least := e.bits(e.compare(equal, e.acc, best)), e.GP64(), e.GP64(), e.GP64()
	e.MOVQ(operand.I32(-1), least)
	e.Label(here + "holder")
	e.TZCNTQ(holders, lane)
	from := blocks
	from.Index, from.Scale = lane, uint8(e.size)
	if e.f64 {
		e.MOVQ(from, b)
	} else {
		e.MOVL(from, b.As32())
	}
	e.CMPQ(b, least)
	e.CMOVQCS(b, least)
	e.BLSRQ(holders, holders)
	e.JNZ(operand.LabelRef(here + "holder"))
	p := e.GP64()
	e.LEAQ(operand.Mem{Base: e.x, Index: least, Scale: uint8(e.size)}, p)
	at := e.firstEqual(p, best, vecs)
	e.ADDQ(least, at)
	e.retInt(at)
}

// firstEqual returns the place of the first element equal to best among those of vecs vectors at p, one of which is.
func (e *extremum) firstEqual(p reg.GPVirtual, best reg.VecVirtual, vecs int) reg.GPVirtual {
	perWord := min(vecs, 64/e.lanes())
	place := reg.GPVirtual(nil)
	for from := vecs - perWord; from >= 0; from -= perWord { // from the last word to the first, which has precedence
		word, here := e.equalBits(p, from, perWord, best), e.GP64()
		e.TZCNTQ(word, here)
		if place != nil {
			e.ADDQ(operand.Imm(uint64(perWord*e.lanes())), place)
			e.TESTQ(word, word)
			e.CMOVQEQ(place, here)
		}
		place = here
	}
	return place
}

// equalBits returns a bit for each element of n vectors from number i behind p, set where it is equal to best.
func (e *extremum) equalBits(p reg.GPVirtual, i, n int, best reg.VecVirtual) reg.GPVirtual {
	if n == 1 {
		return e.bits(e.compare(equal, e.vector(p, i), best))
	}
	low, high := e.equalBits(p, i, n/2, best), e.equalBits(p, i+n/2, n/2, best)
	e.SHLQ(operand.U8(n/2*e.lanes()), high)
	e.ORQ(high, low)
	return low
}
