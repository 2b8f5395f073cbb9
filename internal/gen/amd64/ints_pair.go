package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	intsDot    = pairSource("dot", "Dot", false)
	intsSqDist = pairSource("sqdist", "SqDist", true)
)

// pairSource is a sum over two vectors of bytes: of products, or of squared differences.
func pairSource(name, entry string, squares bool) source {
	return source{
		family: "ints", name: name, entry: entry, sig: "(x, y *T, n int) int", elems: byteElems, forms: byteForms,
		emit: func(k *kernel) {
			signed := k.goType == "int8"
			b := newBytes(k, signed, signed)
			p := b.pair()
			if squares {
				b.x, b.y = false, true // the flips of a product of unsigned and signed: none
				if !b.vnni() {
					b.x, b.y = signed, signed
				}
				p.term = b.square(signed)
			}
			sums := p.emit()
			if b.vnni() {
				k.Comment("128 times the second sum, for the bytes that were changed by 128.")
				k.VPSLLD(operand.Imm(7), sums[1], sums[1])
				if signed && !squares {
					k.VPSUBD(sums[1], sums[0], sums[0])
				} else {
					k.VPADDD(sums[1], sums[0], sums[0])
				}
			}
			k.retInt(k.intSum(sums[0]))
		},
	}
}

// pairs is a loop over two vectors of n elements, step of them at a time, four steps into sums that take turns.
type pairs struct {
	k    *kernel
	step int // elements
	sums int // that a term adds to
	read func(y bool, m operand.Op, v reg.VecVirtual)
	rest func(x, y, n reg.GPVirtual, v, w reg.VecVirtual) // reads the last n elements, fewer than step
	term func(v, w reg.VecVirtual, sums []reg.VecVirtual)
}

// emit returns the sums, by the order in which a term adds to them.
func (p *pairs) emit() []reg.VecVirtual {
	x, y, n := p.k.arg("x"), p.k.arg("y"), p.k.arg("n")
	sums := make([][]reg.VecVirtual, 4)
	for i := range sums {
		sums[i] = p.k.vecs(p.sums)
		p.k.zero(sums[i]...)
	}
	for _, steps := range []int{len(sums), 1} {
		loop := fmt.Sprintf("by%d", steps)
		p.k.SUBQ(operand.U32(steps*p.step), n)
		p.k.JB(operand.LabelRef(loop + "end"))
		p.k.section(loop, counted(steps, "vector")+" at a time.")
		for i := range steps {
			v, w := p.k.vec(), p.k.vec()
			at := i * p.step * p.k.size
			p.read(false, operand.Mem{Base: x, Disp: at}, v)
			p.read(true, operand.Mem{Base: y, Disp: at}, w)
			p.term(v, w, sums[i])
		}
		p.k.forward(steps*p.step*p.k.size, x, y)
		p.k.SUBQ(operand.U32(steps*p.step), n)
		p.k.JAE(operand.LabelRef(loop))
		p.k.Label(loop + "end")
		p.k.ADDQ(operand.U32(steps*p.step), n)
	}
	p.k.JZ(operand.LabelRef("total"))
	p.k.Comment("The rest.")
	v, w := p.k.vec(), p.k.vec()
	p.rest(x, y, n, v, w)
	p.term(v, w, sums[0])
	p.k.section("total", "The sums of the chains.")
	for _, from := range []int{2, 1} {
		for i := range from {
			for s := range p.sums {
				p.k.VPADDD(sums[i+from][s], sums[i][s], sums[i][s])
			}
		}
	}
	return sums[0]
}

// pair is the loop for inner products of bytes. With VNNI the second sum is the sum that 128 goes with.
func (b *bytesKernel) pair() *pairs {
	p := &pairs{k: b.k, step: b.step(), sums: 1, read: b.read, rest: b.restOfPair}
	if b.vnni() {
		p.sums = 2
	}
	p.term = func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
		if b.vnni() {
			if b.x {
				b.k.VPDPBUSD(w, b.ones, sums[1])
			} else {
				b.k.VPDPBUSD(b.ones, v, sums[1])
			}
		}
		b.multiply(v, w, sums[0])
	}
	return p
}

// restOfPair reads n bytes of each, fewer than a step.
func (b *bytesKernel) restOfPair(x, y, n reg.GPVirtual, v, w reg.VecVirtual) {
	if b.k.wide {
		m := b.byteMask(n)
		b.readMasked(false, operand.Mem{Base: x}, m, v)
		b.readMasked(true, operand.Mem{Base: y}, m, w)
		return
	}
	few, all, done := b.k.newLabel("few"), b.k.arg("n"), b.k.newLabel("read")
	b.k.CMPQ(all, operand.Imm(16))
	b.k.JB(operand.LabelRef(few))
	b.read(false, b.k.lastBytes(x, n), v)
	b.read(true, b.k.lastBytes(y, n), w)
	b.k.JMP(operand.LabelRef(done))
	b.k.Label(few)
	b.read(false, b.k.fewBytes(x, n), v)
	b.read(true, b.k.fewBytes(y, n), w)
	b.k.Label(done)
}

// square is the term of squared differences. With VNNI e = max - min is the difference without its sign, unsigned, and
// e e = e (e - 128) + 128 e.
func (b *bytesKernel) square(signed bool) func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
	return func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
		if !b.vnni() {
			b.k.VPSUBW(w, v, v)
			b.k.VPMADDWD(v, v, v)
			b.k.VPADDD(v, sums[0], sums[0])
			return
		}
		larger, smaller := b.k.VPMAXUB, b.k.VPMINUB
		if signed {
			larger, smaller = b.k.VPMAXSB, b.k.VPMINSB
		}
		e := b.k.vec()
		larger(v, w, e)
		smaller(v, w, v)
		b.k.VPSUBB(v, e, e)
		b.k.VPXORD(e, b.flip, w)
		b.k.VPDPBUSD(w, e, sums[0])
		b.k.VPDPBUSD(b.ones, e, sums[1])
	}
}
