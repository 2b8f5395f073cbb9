package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of package asm/box compute in the type of the elements. With AVX-512 up to four vectors of labels stay in
// registers from the gap to the move. More labels, and all with AVX2, are read anew for the move: a loop takes two
// vectors at a time, one more follows, and what is left.

const boxSig = "(a, s, delta *T, m int, p **T, inv T, least float64) (gap, after float64, outcome int)"

var boxHinge = source{
	family: "box", name: "hinge", entry: "Hinge", sig: boxSig,
	emit: func(k *kernel) { emitBox(k, false) },
}

var boxSquared = source{
	family: "box", name: "squared", entry: "Squared", sig: boxSig,
	emit: func(k *kernel) { emitBox(k, true) },
}

func emitBox(k *kernel, squared bool) {
	m := k.arg("m")
	if k.wide {
		for vectors := 1; vectors <= 4; vectors++ {
			more := fmt.Sprintf("more%d", vectors)
			k.CMPQ(m, operand.U32(vectors*k.lanes()))
			k.JA(operand.LabelRef(more))
			k.Comment("At most " + counted(vectors, "vector") + " of labels, which stay in registers.")
			newBox(k, m, vectors, squared).emit()
			k.Label(more)
		}
	}
	k.Comment("Labels in loops of two vectors.")
	newBox(k, m, 0, squared).emit()
}

// box is one form of a kernel.
type box struct {
	k       *kernel
	squared bool
	vectors int // in registers; 0: a loop
	parts   []*boxPart
	m, at   reg.GPVirtual // labels, and in a loop the first of those at hand
	rest    mask          // of the last vector, where that may not be a whole one

	a, s, delta, p, c, lo, hi reg.GPVirtual
	inv, zero                 reg.VecVirtual
	bend                      reg.VecVirtual // of the squared hinge
}

// boxPart is a vector of labels.
type boxPart struct {
	first        int // label, from the loop's place
	masked       bool
	a, c, lo, hi reg.VecVirtual
	q            reg.VecVirtual // c - s
}

// boxSum is two chains of additions, in which the vectors take turns.
type boxSum []reg.VecVirtual

func newBox(k *kernel, m reg.GPVirtual, vectors int, squared bool) *box {
	b := &box{k: k, squared: squared, vectors: vectors, m: m, inv: k.vec(), zero: k.vec(),
		a: k.arg("a"), s: k.arg("s"), delta: k.arg("delta"), p: k.arg("p"), c: k.GP64(), lo: k.GP64(), hi: k.GP64()}
	for i, array := range []reg.GPVirtual{b.c, b.lo, b.hi} {
		k.MOVQ(operand.Mem{Base: b.p, Disp: 8 * i}, array)
	}
	k.bcast(k.scalarArg("inv"), b.inv)
	k.zero(b.zero)
	if squared {
		b.bend = b.parameter(0)
	}
	rest := k.GP64()
	for i := range max(2, vectors) {
		b.parts = append(b.parts, &boxPart{first: i * k.lanes()})
	}
	if vectors > 0 {
		b.parts = b.parts[:vectors]
		last := b.parts[vectors-1]
		last.masked = true
		k.LEAQ(operand.Mem{Base: m, Disp: -last.first}, rest)
	} else {
		b.at = k.GP64()
		k.MOVQ(m, rest)
		k.ANDQ(operand.Imm(uint64(k.lanes()-1)), rest)
	}
	b.rest = k.maskOf(rest)
	return b
}

// parameter is number i of those that follow the pointers of the problem.
func (b *box) parameter(i int) reg.VecVirtual {
	v := b.k.vec()
	b.k.bcast(operand.Mem{Base: b.p, Disp: 24 + i*b.k.size}, v)
	return v
}

func (b *box) emit() {
	k, rests := b.k, fmt.Sprintf("restsOf%d", b.vectors)
	sum, squares := b.newSum(), boxSum{}
	if b.squared {
		squares = b.newSum()
	}
	b.comment("gap = sum of ((hi if q > 0, else lo) - a) q, where q = c - s.",
		"gap = sum of a (w - q) + r (w - bend a)², where q = c - s, w = clip(q).")
	b.each(func(p *boxPart) {
		b.load(p)
		if b.squared {
			b.squaredGap(p, sum, squares)
		} else {
			b.hingeGap(p, sum)
		}
	})
	gap := b.total(sum)
	if b.squared {
		k.fma(b.parameter(1), b.total(squares), gap)
	}
	k.Comment("No step unless the gap is above least.")
	k.VUCOMISD(k.scalarArg("least"), b.result(0, gap))
	k.JBE(operand.LabelRef(rests)) // or NaN

	b.comment("x = clip(a + q inv), delta = x - a; after = sum of c x.",
		"x = clip(a + (q - bend a) inv), delta = x - a; after = sum of (c - bend/2 x) x.")
	after, moved := b.newSum(), b.nothing()
	half := reg.VecVirtual(nil)
	if b.squared {
		half = k.vec()
		k.bcast(b.oneHalf(), half)
		k.mul(b.bend, half, half)
	}
	b.each(func(p *boxPart) {
		if b.vectors == 0 {
			b.load(p)
		}
		b.move(p, moved)
		if b.squared {
			k.fnma(half, p.q, p.c) // c - bend/2 x
		}
		k.fma(p.q, p.c, b.chain(after, p))
	})
	b.result(1, b.total(after))
	k.MOVQ(b.outcome(moved), b.address(2))
	k.done()

	k.section(rests, "No step: after = 0, outcome = 0.")
	none := k.GP64()
	k.XORL(none.As32(), none.As32())
	k.MOVQ(none, b.address(1))
	k.MOVQ(none, b.address(2))
	k.done()
}

// comment says what a part does: with the hinge, or with its square.
func (b *box) comment(hinge, squared string) {
	if b.squared {
		hinge = squared
	}
	b.k.Comment(hinge)
}

// hingeGap adds ((hi if q > 0, else lo) - a) q.
func (b *box) hingeGap(p *boxPart, sum boxSum) {
	k, d := b.k, b.k.vec()
	if k.wide {
		k.sub(p.a, p.lo, d)
		pick(k, k.VSUBPS, k.VSUBPD)(p.a, p.hi, k.compare(0x1e, b.zero, p.q).k, d) // >
	} else {
		pick(k, k.VBLENDVPS, k.VBLENDVPD)(p.q, p.lo, p.hi, d) // by the sign of q: the sign of 0 does not matter
		k.sub(p.a, d, d)
	}
	k.fma(p.q, d, b.chain(sum, p))
}

// squaredGap adds (w - q) a and (w - bend a)².
func (b *box) squaredGap(p *boxPart, sum, squares boxSum) {
	k, w, beyond := b.k, b.k.vec(), b.k.vec()
	b.clip(p.q, p, w)
	k.sub(p.q, w, beyond)
	k.fma(p.a, beyond, b.chain(sum, p))
	k.fnma(b.bend, p.a, w)
	k.fma(w, w, b.chain(squares, p))
}

// move puts x in the place of q, writes it and what it differs by, and notes where that is not 0.
func (b *box) move(p *boxPart, moved mask) {
	k, x := b.k, p.q
	if b.squared {
		k.fnma(b.bend, p.a, x)
	}
	pick(k, k.VFMADD213PS, k.VFMADD213PD)(p.a, b.inv, x)
	b.clip(x, p, x)
	different := k.compare(4, p.a, x) // != or NaN
	if k.wide {
		k.KORW(different.k, moved.k, moved.k)
	} else {
		k.VORPS(different.v, moved.v, moved.v)
	}
	k.sub(p.a, x, p.a)
	b.write(x, b.a, p)
	b.write(p.a, b.delta, p)
}

// clip keeps v within the interval. Of operands that are NaN or equal VMAXPS and VMINPS return the one that comes first
// here.
func (b *box) clip(v reg.VecVirtual, p *boxPart, to reg.VecVirtual) {
	k := b.k
	pick(k, k.VMAXPS, k.VMAXPD)(p.lo, v, to)
	pick(k, k.VMINPS, k.VMINPD)(p.hi, to, to)
}
