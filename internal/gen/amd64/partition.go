package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// partition moves the keys up to the pivot to the front, the others to the end. Of what has been read but not written
// there are always eight vectors or more: the first are taken from both ends and wait on the stack. Further ones are
// read from the side where less has been read than written, so that each side has room for all of them. A vector is
// stored twice: at the low end, its low keys first, and at the high end, its high keys last. The next stores overwrite
// the lanes that do not belong there. The vectors that wait come last.
//
// The side of the next vectors is chosen before those read last are counted, so that their loads wait for no count.
//
// VPCOMPRESS goes to a register: to memory it is microcoded on AMD's CPUs.
var partition = source{
	family: "sort", name: "partition", entry: "Partition", sig: "(x *T, n int, pivot T) int", elems: keyElems,
	emit: func(k *kernel) {
		p := &partitioner{k: k, pivot: k.vec(), low: k.arg("x"), between: k.arg("n"), left: k.GP64(), right: k.GP64(),
			unread: k.GP64(), table: k.GP64(), wait: k.AllocLocal((2*unrolled + 1) * k.bytes)}
		p.emit()
	},
}

const unrolled = 4 // vectors read at a time

type partitioner struct {
	k       *kernel
	pivot   reg.VecVirtual
	low     reg.GPVirtual // where the next low keys go
	between reg.GPVirtual // bytes from there to where the next high keys end
	left    reg.GPVirtual // where reading goes on, upwards
	right   reg.GPVirtual // and downwards
	unread  reg.GPVirtual // bytes from left to right, less what a step takes
	table   reg.GPVirtual
	wait    operand.Mem // vectors on the stack
}

func (p *partitioner) emit() {
	k := p.k
	k.ibcastArg("pivot", p.pivot)
	if k.wide && !k.f64 {
		k.LEAQ(k.rotations(), p.table)
	} else {
		k.LEAQ(k.splits(pick(k, 8, k.lanes()), 8/k.lanes()), p.table)
	}
	k.SHLQ(operand.U8(k.shift), p.between)
	k.LEAQ(operand.Mem{Base: p.low, Disp: (unrolled + unrolled/2) * k.bytes}, p.left)
	k.LEAQ(operand.Mem{Base: p.low, Index: p.between, Scale: 1, Disp: -unrolled / 2 * k.bytes}, p.right)
	k.LEAQ(operand.Mem{Base: p.between, Disp: -2 * unrolled * k.bytes}, p.unread)
	k.Comment("The first vectors of both ends wait on the stack.")
	for i := range unrolled / 2 {
		for side, from := range []operand.Mem{{Base: p.low}, {Base: p.right}} {
			v := k.vec()
			k.iload(from.Offset(i*k.bytes), v)
			k.istore(v, p.waiting(side*unrolled/2+i))
		}
	}
	p.steps()

	k.section("one", "Single vectors.")
	k.SUBQ(operand.U32(k.bytes), p.unread)
	k.JB(operand.LabelRef("rest"))
	p.single(p.choose(k.bytes))
	k.JMP(operand.LabelRef("one"))
	k.section("rest", "What is left, less than a vector.")
	k.ADDQ(operand.U32(k.bytes), p.unread)
	p.last()
	k.SUBQ(k.arg("x"), p.low)
	k.SHRQ(operand.U8(k.shift), p.low)
	k.Store(p.low, k.ReturnIndex(0))
	k.done()
}

// steps reads and stores vectors as long as there are enough for a step. Those read last wait, too.
func (p *partitioner) steps() {
	k := p.k
	now, next := k.vecs(unrolled), k.vecs(unrolled)
	k.Comment("Four vectors ahead.")
	for i, v := range now {
		k.iload(operand.Mem{Base: p.low, Disp: (unrolled/2 + i) * k.bytes}, v)
	}

	k.section("loop", "The next four, from the side with less room; the four before go to both ends.")
	k.SUBQ(operand.U32(unrolled*k.bytes), p.unread)
	k.JB(operand.LabelRef("loopend"))
	src := p.choose(unrolled * k.bytes)
	for i, v := range next {
		k.iload(operand.Mem{Base: src, Disp: i * k.bytes}, v)
	}
	p.prefetch(src)
	for i, v := range now {
		p.split(v, i)
		k.icopy(next[i], v)
	}
	k.ADDQ(operand.U32(unrolled*k.bytes), p.low)
	k.SUBQ(operand.U32(unrolled*k.bytes), p.between)
	k.JMP(operand.LabelRef("loop"))
	k.section("loopend", "The last four wait.")
	for i, v := range now {
		k.istore(v, p.waiting(unrolled+i))
	}
	k.ADDQ(operand.U32(unrolled*k.bytes), p.unread)
}

// last stores what waits, and what is left between both sides, less than a vector: the last two exactly.
func (p *partitioner) last() {
	k := p.k
	k.SHRQ(operand.U8(k.shift), p.unread)
	all, rest := k.maskOf(p.unread), k.vec()
	if k.wide {
		pick(k, k.VMOVDQU32_Z, k.VMOVDQU64_Z)(k.at(p.left, 0), all.k, rest)
	} else {
		pick(k, k.VPMASKMOVD, k.VPMASKMOVQ)(k.at(p.left, 0), all.v, rest)
	}
	k.istore(rest, p.waiting(2*unrolled))

	k.Comment("The vectors that wait.")
	src, count := k.GP64(), k.GP64()
	k.LEAQ(p.waiting(0), src)
	k.MOVL(operand.U32(2*unrolled-1), count.As32())
	k.Label("waiting")
	p.single(src)
	k.ADDQ(operand.U32(k.bytes), src)
	k.DECQ(count)
	k.JNZ(operand.LabelRef("waiting"))
	k.MOVL(operand.U32(k.lanes()), count.As32())
	k.section("last", "The last two, and no more than they hold.")
	p.splitLast(src, count)
	k.ADDQ(operand.U32(k.bytes), src)
	k.MOVQ(p.unread, count)
	k.XORL(p.unread.As32(), p.unread.As32())
	k.TESTQ(count, count)
	k.JNZ(operand.LabelRef("last"))
}

func (p *partitioner) waiting(i int) operand.Mem { return p.wait.Offset(i * p.k.bytes) }

// choose returns from where to read that many bytes.
func (p *partitioner) choose(bytes int) reg.GPVirtual {
	k := p.k
	src, room, above, below := k.GP64(), k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(p.left, src)
	k.MOVQ(p.left, room)
	k.SUBQ(p.low, room)
	k.LEAQ(operand.Mem{Base: p.left, Disp: bytes}, above)
	k.LEAQ(operand.Mem{Base: p.right, Disp: -bytes}, below)
	k.CMPQ(room, operand.U32(unrolled*k.bytes))
	k.CMOVQGT(below, src)
	k.CMOVQGT(below, p.right)
	k.CMOVQLE(above, p.left)
	return src
}

// prefetch asks for what comes a few steps later if src's side is chosen again.
func (p *partitioner) prefetch(src reg.GPVirtual) {
	const steps = 3
	k := p.k
	ahead, back := k.GP64(), k.GP64()
	k.LEAQ(operand.Mem{Base: src, Disp: steps * unrolled * k.bytes}, ahead)
	k.LEAQ(operand.Mem{Base: src, Disp: -steps * unrolled * k.bytes}, back)
	k.CMPQ(src, p.right)
	k.CMOVQEQ(back, ahead)
	for at := 0; at < unrolled*k.bytes; at += 64 {
		k.PREFETCHT0(operand.Mem{Base: ahead, Disp: at})
	}
}

// single reads and stores a vector.
func (p *partitioner) single(src reg.GPVirtual) {
	v := p.k.vec()
	p.k.iload(p.k.at(src, 0), v)
	p.split(v, 0)
	p.k.ADDQ(operand.U32(p.k.bytes), p.low)
	p.k.SUBQ(operand.U32(p.k.bytes), p.between)
}

// split stores a full vector at both ends; it is vector i since low and between have been brought up to date.
func (p *partitioner) split(v reg.VecVirtual, i int) {
	k := p.k
	above, lo, hi := k.GP64(), k.vec(), k.vec()
	if k.wide {
		isHigh := k.K()
		pick(k, k.VPCMPD, k.VPCMPQ)(operand.U8(6), p.pivot, v, isHigh) // v > pivot
		pick(k, k.KMOVW, k.KMOVB)(isHigh, above.As32())
		if !k.f64 {
			isLow, order := k.K(), k.vec()
			k.KNOTW(isHigh, isLow)
			k.VPCOMPRESSD_Z(v, isLow, lo)
			k.VPCOMPRESSD_Z(v, isHigh, hi)
			k.POPCNTL(above.As32(), above.As32())
			k.iload(operand.Mem{Base: p.table, Index: above, Scale: 4}, order)
			k.VPERMD(hi, order, hi)
		}
	} else {
		p.above(v, above)
	}
	if !k.wide || k.f64 {
		p.ordered(v, above, lo)
		hi = lo
		k.POPCNTL(above.As32(), above.As32())
	}
	k.istore(lo, operand.Mem{Base: p.low, Disp: i * k.bytes})
	k.istore(hi, operand.Mem{Base: p.low, Index: p.between, Scale: 1, Disp: -k.bytes})
	k.SHLQ(operand.U8(k.shift), above)
	k.SUBQ(above, p.low)
}

// splitLast stores the first n elements of a vector at both ends, and no more.
func (p *partitioner) splitLast(src, n reg.GPVirtual) {
	k := p.k
	above, bytes, v, lo, hi := k.GP64(), k.GP64(), k.vec(), k.vec(), k.vec()
	k.iload(k.at(src, 0), v)
	if k.wide {
		all, isHigh, isLow := k.maskOf(n), k.K(), k.K()
		pick(k, k.VPCMPD, k.VPCMPQ)(operand.U8(6), p.pivot, v, all.k, isHigh)
		k.KNOTW(isHigh, isLow)
		pick(k, k.VPCOMPRESSD_Z, k.VPCOMPRESSQ_Z)(v, isLow, lo)
		pick(k, k.VPCOMPRESSD_Z, k.VPCOMPRESSQ_Z)(v, isHigh, hi)
		k.KMOVW(isHigh, above.As32())
	} else {
		not := k.GP64()
		p.above(v, above)
		k.BZHIQ(n, above, above)
		p.ordered(v, above, lo)
		k.MOVQ(above, not)
		k.XORQ(operand.Imm(uint64(1)<<k.lanes()-1), not)
		p.ordered(v, not, hi)
	}
	k.POPCNTL(above.As32(), above.As32())
	k.MOVQ(above, bytes)
	k.SHLQ(operand.U8(k.shift), bytes)
	k.SUBQ(bytes, p.between)
	k.storeFirst(hi, above, operand.Mem{Base: p.low, Index: p.between, Scale: 1})
	below := k.GP64()
	k.MOVQ(n, below)
	k.SUBQ(above, below)
	k.storeFirst(lo, below, operand.Mem{Base: p.low})
	k.SHLQ(operand.U8(k.shift), below)
	k.ADDQ(below, p.low)
	k.SUBQ(below, p.between)
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

// ordered moves the lanes of the bits of m behind the others.
func (p *partitioner) ordered(v reg.VecVirtual, m reg.GPVirtual, d reg.VecVirtual) {
	k, order := p.k, p.k.vec()
	from := operand.Mem{Base: p.table, Index: m, Scale: 8}
	if k.wide {
		k.VPMOVZXBQ(from, order)
		k.VPERMQ(v, order, d)
	} else {
		k.VPMOVZXBD(from, order)
		k.VPERMD(v, order, d)
	}
}

// splits has for each set of n lanes, of parts words each, the lanes outside of it followed by those in it.
func (k *kernel) splits(n, parts int) operand.Mem {
	return k.global(fmt.Sprintf("split%dx%d", n, parts), func() {
		for m := range 1 << n {
			row, at := uint64(0), 0
			for in := range 2 {
				for lane := range n {
					if m>>lane&1 != in {
						continue
					}
					for p := range parts {
						row |= uint64(lane*parts+p) << at
						at += 8
					}
				}
			}
			k.AppendDatum(operand.U64(row))
		}
	})
}

// rotations has the lanes of a vector twice: from lane n on stands the order that moves the first n lanes to the end.
func (k *kernel) rotations() operand.Mem {
	return k.global("rotations", func() {
		for i := range 32 {
			k.AppendDatum(operand.U32(i % 16))
		}
	})
}
