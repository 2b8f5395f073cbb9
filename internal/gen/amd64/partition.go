package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// partition copies the keys up to the pivot to one place and those above to another. Each vector is stored to both, its
// wanted lanes first; the next store overwrites the others. A store ends no later than the elements read so far, so
// that either place may be the source, and none needs room beyond n.
//
// VPCOMPRESS goes to a register: to memory it is microcoded on AMD's CPUs.
var partition = source{
	family: "sort", name: "partition", entry: "Partition", sig: "(low, high, src *T, n int, pivot T) int",
	elems: keyElems,
	emit: func(k *kernel) {
		low, high, src, n := k.arg("low"), k.arg("high"), k.arg("src"), k.arg("n")
		p := &partitioner{k: k, low: low, high: high, nLow: k.GP64(), nHigh: k.GP64(), pivot: k.vec()}
		k.ibcastArg("pivot", p.pivot)
		k.XORL(p.nLow.As32(), p.nLow.As32())
		k.XORL(p.nHigh.As32(), p.nHigh.As32())
		if !k.wide {
			p.table = k.GP64()
			k.LEAQ(k.permutations("compress"+pick(k, "8", "4x2"), k.lanes(), k.size/4), p.table)
		}
		const unroll = 4
		k.SUBQ(operand.U32(unroll*k.lanes()), n)
		k.JB(operand.LabelRef("ones"))
		k.Label("loop")
		v := k.vecs(unroll)
		for i := range v {
			k.iload(k.at(src, i*k.lanes()), v[i])
		}
		for i := range v {
			p.split(v[i])
		}
		k.ADDQ(operand.U32(unroll*k.bytes), src)
		k.SUBQ(operand.U32(unroll*k.lanes()), n)
		k.JAE(operand.LabelRef("loop"))
		k.Label("ones")
		k.ADDQ(operand.U32((unroll-1)*k.lanes()), n)
		k.JNC(operand.LabelRef("last"))
		k.Label("one")
		w := k.vec()
		k.iload(k.at(src, 0), w)
		p.split(w)
		k.ADDQ(operand.U32(k.bytes), src)
		k.SUBQ(operand.U32(k.lanes()), n)
		k.JAE(operand.LabelRef("one"))
		k.Label("last")
		k.ADDQ(operand.U32(k.lanes()), n)
		k.JZ(operand.LabelRef("done"))
		p.splitLast(src, n)
		k.Label("done")
		k.Store(p.nLow, k.ReturnIndex(0))
		k.done()
	},
}

type partitioner struct {
	k           *kernel
	low, high   reg.GPVirtual
	nLow, nHigh reg.GPVirtual
	pivot       reg.VecVirtual
	table       reg.GPVirtual
}

func (p *partitioner) toLow() operand.Mem {
	return operand.Mem{Base: p.low, Index: p.nLow, Scale: uint8(p.k.size)}
}

func (p *partitioner) toHigh() operand.Mem {
	return operand.Mem{Base: p.high, Index: p.nHigh, Scale: uint8(p.k.size)}
}

// split stores both parts of a full vector.
func (p *partitioner) split(v reg.VecVirtual) {
	above := p.k.GP64()
	lo, hi := p.k.vec(), p.k.vec()
	if p.k.wide {
		isHigh, isLow := p.k.K(), p.k.K()
		pick(p.k, p.k.VPCMPD, p.k.VPCMPQ)(operand.U8(6), p.pivot, v, isHigh) // v > pivot
		pick(p.k, p.k.KNOTW, p.k.KNOTB)(isHigh, isLow)
		pick(p.k, p.k.VPCOMPRESSD_Z, p.k.VPCOMPRESSQ_Z)(v, isLow, lo)
		pick(p.k, p.k.VPCOMPRESSD_Z, p.k.VPCOMPRESSQ_Z)(v, isHigh, hi)
		pick(p.k, p.k.KMOVW, p.k.KMOVB)(isHigh, above.As32())
	} else {
		p.above(v, above)
		p.compress(v, above, hi)
		not := p.k.GP64()
		p.k.MOVQ(above, not)
		p.k.XORQ(operand.Imm(uint64(1)<<p.k.lanes()-1), not)
		p.compress(v, not, lo)
	}
	p.k.istore(lo, p.toLow())
	p.k.istore(hi, p.toHigh())
	p.k.POPCNTL(above.As32(), above.As32())
	p.k.ADDQ(above, p.nHigh)
	p.k.SUBQ(above, p.nLow)
	p.k.ADDQ(operand.Imm(uint64(p.k.lanes())), p.nLow)
}

// splitLast stores both parts of n elements, fewer than a vector, and no more.
func (p *partitioner) splitLast(src, n reg.GPVirtual) {
	above, v, lo, hi := p.k.GP64(), p.k.vec(), p.k.vec(), p.k.vec()
	all := p.k.maskOf(n)
	if p.k.wide {
		isHigh, isLow, notHigh := p.k.K(), p.k.K(), p.k.K()
		pick(p.k, p.k.VMOVDQU32_Z, p.k.VMOVDQU64_Z)(p.k.at(src, 0), all.k, v)
		pick(p.k, p.k.VPCMPD, p.k.VPCMPQ)(operand.U8(6), p.pivot, v, all.k, isHigh)
		p.k.KNOTW(isHigh, notHigh)
		p.k.KANDW(all.k, notHigh, isLow)
		pick(p.k, p.k.VPCOMPRESSD_Z, p.k.VPCOMPRESSQ_Z)(v, isLow, lo)
		pick(p.k, p.k.VPCOMPRESSD_Z, p.k.VPCOMPRESSQ_Z)(v, isHigh, hi)
		p.k.KMOVW(isHigh, above.As32())
	} else {
		pick(p.k, p.k.VPMASKMOVD, p.k.VPMASKMOVQ)(p.k.at(src, 0), all.v, v)
		p.above(v, above)
		p.k.BZHIQ(n, above, above)
		p.compress(v, above, hi)
		not := p.k.GP64()
		p.k.MOVQ(above, not)
		p.k.NOTQ(not)
		p.k.BZHIQ(n, not, not)
		p.compress(v, not, lo)
	}
	p.k.POPCNTL(above.As32(), above.As32())
	p.k.SUBQ(above, n)
	p.k.storeFirst(lo, n, p.toLow())
	p.k.storeFirst(hi, above, p.toHigh())
	p.k.ADDQ(n, p.nLow)
}

// storeFirst writes the first n lanes.
func (k *kernel) storeFirst(v reg.VecVirtual, n reg.GPVirtual, m operand.Mem) {
	by := k.maskOf(n)
	if k.wide {
		pick(k, k.VMOVDQU32, k.VMOVDQU64)(v, by.k, m)
	} else {
		pick(k, k.VPMASKMOVD, k.VPMASKMOVQ)(v, by.v, m)
	}
}

// above sets bit i of m if lane i of v is greater than the pivot.
func (p *partitioner) above(v reg.VecVirtual, m reg.GPVirtual) {
	c := p.k.vec()
	pick(p.k, p.k.VPCMPGTD, p.k.VPCMPGTQ)(p.pivot, v, c)
	pick(p.k, p.k.VMOVMSKPS, p.k.VMOVMSKPD)(c, m.As32())
}

// compress moves the lanes of the bits of m to the front.
func (p *partitioner) compress(v reg.VecVirtual, m reg.GPVirtual, d reg.VecVirtual) {
	order := p.k.vec()
	p.k.VPMOVZXBD(operand.Mem{Base: p.table, Index: m, Scale: 8}, order)
	p.k.VPERMD(v, order, d)
}
