package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The index of an extremum costs three instructions for each block of 8 vectors: each lane keeps where the block begins
// that raised it last, and the comparison is strict, so this is the first that holds the lane's extremum. In the end
// one block is looked into once more. Positions of float32 are unsigned integers of 32 bits: n < 2³².

// spread fills all lanes with an integer.
func (e *extremum) spread(i operand.Op, v reg.VecVirtual) {
	r, ok := i.(reg.GPVirtual)
	if !ok {
		r = e.k.GP64()
		e.k.MOVL(i, r.As32())
	}
	if e.k.f64 {
		e.k.VMOVQ(r, v.AsX())
		e.k.VPBROADCASTQ(v.AsX(), v)
	} else {
		e.k.VMOVD(r.As32(), v.AsX())
		e.k.VPBROADCASTD(v.AsX(), v)
	}
}

// remember notes the block at hand in the lanes where v is better than all before, and steps to the next block.
func (e *extremum) remember(v reg.VecVirtual) {
	raised := e.k.compare(e.better, v, e.acc)
	if e.k.wide {
		pick(e.k, e.k.VMOVAPS, e.k.VMOVAPD)(e.now, raised.k, e.block)
	} else {
		pick(e.k, e.k.VBLENDVPS, e.k.VBLENDVPD)(raised.v, e.now, e.block, e.block)
	}
	pick(e.k, e.k.VPADDD, e.k.VPADDQ)(e.step, e.now, e.now)
}

// find returns the place of the first element equal to the best: of the lanes that hold it, mostly a single one, that
// whose block comes first says where to look.
func (e *extremum) find() {
	e.k.Comment("The best of all lanes, and the lanes that hold it.")
	best := e.k.vec()
	pick(e.k, e.k.VMOVAPS, e.k.VMOVAPD)(e.acc, best)
	e.k.across(best, e.best)
	holds := e.k.compare(equal, e.acc, best)
	lanes, others, least := e.k.bits(holds), e.k.GP64(), e.k.GP64()
	e.k.BLSRQ(lanes, others)
	e.k.JNZ(operand.LabelRef("several"))
	e.lowest(holds, lanes, least)
	e.inLane(lanes, least, best)
	e.k.section("inblock", "Where the lane does not tell: the first element of the block that equals the best.")
	p := e.k.GP64()
	e.k.LEAQ(operand.Mem{Base: e.x, Index: least, Scale: uint8(e.k.size)}, p)
	at := e.firstEqual(p, best)
	e.k.ADDQ(least, at)
	e.k.retInt(at)

	e.k.section("several", "Several lanes hold it: the least of their blocks.")
	e.least(holds, least)
	e.k.JMP(operand.LabelRef("inblock"))
}

// inLane returns the place of the first element equal to best, if only one lane holds it: there is one element of each
// vector to look at, and by its bits. The bits of zero are not unique.
func (e *extremum) inLane(lanes, block reg.GPVirtual, best reg.VecVirtual) {
	e.k.Comment("One lane holds it: its element of each vector of its block. The bits of 0 are not unique.")
	place, at := e.k.GP64(), e.k.GP64()
	e.k.TZCNTQ(lanes, place)
	e.k.ADDQ(block, place)
	bits, twice := e.k.GP64(), e.k.GP64()
	e.integer(best, bits)
	if e.k.f64 {
		e.k.LEAQ(operand.Mem{Base: bits, Index: bits, Scale: 1}, twice)
		e.k.TESTQ(twice, twice)
	} else {
		e.k.LEAL(operand.Mem{Base: bits, Index: bits, Scale: 1}, twice.As32())
		e.k.TESTL(twice.As32(), twice.As32())
	}
	e.k.JZ(operand.LabelRef("inblock"))
	p := e.k.GP64()
	e.k.LEAQ(operand.Mem{Base: e.x, Index: place, Scale: uint8(e.k.size)}, p)
	e.k.MOVQ(operand.U32((blockVecs-1)*e.k.lanes()), at)
	for i := blockVecs - 2; i >= 0; i-- { // the first has precedence
		t := e.k.GP64()
		e.k.MOVQ(operand.U32(i*e.k.lanes()), t)
		if e.k.f64 {
			e.k.CMPQ(bits, e.vector(p, i))
		} else {
			e.k.CMPL(bits.As32(), e.vector(p, i))
		}
		e.k.CMOVQEQ(t, at)
	}
	e.k.ADDQ(place, at)
	e.k.retInt(at)
}

// lowest returns the place in the lowest lane of block that is selected.
func (e *extremum) lowest(of mask, lanes, place reg.GPVirtual) {
	if e.k.wide {
		v := e.k.vec()
		pick(e.k, e.k.VPCOMPRESSD_Z, e.k.VPCOMPRESSQ_Z)(e.block, of.k, v)
		e.integer(v, place)
		return
	}
	blocks := e.k.AllocLocal(e.k.bytes)
	e.k.store(e.block, blocks)
	lane := e.k.GP64()
	e.k.TZCNTQ(lanes, lane)
	blocks.Index, blocks.Scale = lane, uint8(e.k.size)
	if e.k.f64 {
		e.k.MOVQ(blocks, place)
	} else {
		e.k.MOVL(blocks, place.As32())
	}
}

// integer moves an integer from the lowest lane.
func (e *extremum) integer(v reg.VecVirtual, to reg.GPVirtual) {
	if e.k.f64 {
		e.k.VMOVQ(v.AsX(), to)
	} else {
		e.k.VMOVD(v.AsX(), to.As32())
	}
}

// least returns the least of the places in those lanes of block that are selected. AVX2 has no minimum of integers of
// 64 bits; but integers that are not negative have the order of the float64 of the same bits.
func (e *extremum) least(of mask, least reg.GPVirtual) {
	v := e.k.vec()
	minimum := e.k.VPMINUD
	if e.k.f64 {
		minimum = e.k.VMINPD
		e.k.bcast(e.k.infinity(), v)
	} else {
		e.k.ones(v)
	}
	if e.k.wide {
		pick(e.k, e.k.VMOVAPS, e.k.VMOVAPD)(e.block, of.k, v)
	} else {
		pick(e.k, e.k.VBLENDVPS, e.k.VBLENDVPD)(of.v, e.block, v, v)
	}
	e.k.across(v, minimum)
	e.integer(v, least)
}

// firstEqual returns the place of the first element equal to best in the block at p, where one is.
func (e *extremum) firstEqual(p reg.GPVirtual, best reg.VecVirtual) reg.GPVirtual {
	const vecs = blockVecs
	perWord := min(vecs, 64/e.k.lanes())
	place := reg.GPVirtual(nil)
	for from := vecs - perWord; from >= 0; from -= perWord { // from the last word to the first, which has precedence
		word, here := e.equalBits(p, from, perWord, best), e.k.GP64()
		e.k.TZCNTQ(word, here)
		if place != nil {
			e.k.ADDQ(operand.Imm(uint64(perWord*e.k.lanes())), place)
			e.k.TESTQ(word, word)
			e.k.CMOVQEQ(place, here)
		}
		place = here
	}
	return place
}

// equalBits returns a bit for each element of n vectors from number i behind p, set where it is equal to best.
func (e *extremum) equalBits(p reg.GPVirtual, i, n int, best reg.VecVirtual) reg.GPVirtual {
	if n == 1 {
		return e.k.bits(e.k.compare(equal, e.vector(p, i), best))
	}
	low, high := e.equalBits(p, i, n/2, best), e.equalBits(p, i+n/2, n/2, best)
	e.k.SHLQ(operand.U8(n/2*e.k.lanes()), high)
	e.k.ORQ(high, low)
	return low
}
