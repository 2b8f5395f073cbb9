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
			sum := k.intSum(sums[0])
			if b.vnni() {
				bias := k.intSum(sums[1])
				k.SHLQ(operand.Imm(7), bias)
				if signed && !squares {
					k.NEGQ(bias)
				}
				k.ADDQ(bias, sum)
			}
			k.retInt(sum)
		},
	}
}

// pairs is a loop over two vectors of n elements, step of them at a time, four steps into sums that take turns.
type pairs struct {
	*kernel
	step int // elements
	sums int // that a term adds to
	read func(y bool, m operand.Op, v reg.VecVirtual)
	rest func(x, y, n reg.GPVirtual, v, w reg.VecVirtual) // reads the last n elements, fewer than step
	term func(v, w reg.VecVirtual, sums []reg.VecVirtual)
}

// emit returns the sums, by the order in which a term adds to them.
func (p *pairs) emit() []reg.VecVirtual {
	x, y, n := p.arg("x"), p.arg("y"), p.arg("n")
	sums := make([][]reg.VecVirtual, 4)
	for i := range sums {
		sums[i] = p.vecs(p.sums)
		p.zero(sums[i]...)
	}
	for _, steps := range []int{len(sums), 1} {
		loop := fmt.Sprintf("by%d", steps)
		p.SUBQ(operand.U32(steps*p.step), n)
		p.JB(operand.LabelRef(loop + "end"))
		p.Label(loop)
		for i := range steps {
			v, w := p.vec(), p.vec()
			at := i * p.step * p.size
			p.read(false, operand.Mem{Base: x, Disp: at}, v)
			p.read(true, operand.Mem{Base: y, Disp: at}, w)
			p.term(v, w, sums[i])
		}
		p.forward(steps*p.step*p.size, x, y)
		p.SUBQ(operand.U32(steps*p.step), n)
		p.JAE(operand.LabelRef(loop))
		p.Label(loop + "end")
		p.ADDQ(operand.U32(steps*p.step), n)
	}
	p.JZ(operand.LabelRef("total"))
	v, w := p.vec(), p.vec()
	p.rest(x, y, n, v, w)
	p.term(v, w, sums[0])
	p.Label("total")
	for _, from := range []int{2, 1} {
		for i := range from {
			for s := range p.sums {
				p.VPADDD(sums[i+from][s], sums[i][s], sums[i][s])
			}
		}
	}
	return sums[0]
}

// pair is the loop for inner products of bytes. With VNNI the second sum is the sum that 128 goes with.
func (b *bytesKernel) pair() *pairs {
	p := &pairs{kernel: b.kernel, step: b.step(), sums: 1, read: b.read, rest: b.restOfPair}
	if b.vnni() {
		p.sums = 2
	}
	p.term = func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
		if b.vnni() {
			if b.x {
				b.VPDPBUSD(w, b.ones, sums[1])
			} else {
				b.VPDPBUSD(b.ones, v, sums[1])
			}
		}
		b.multiply(v, w, sums[0])
	}
	return p
}

// restOfPair reads n bytes of each, fewer than a step.
func (b *bytesKernel) restOfPair(x, y, n reg.GPVirtual, v, w reg.VecVirtual) {
	if b.wide {
		m := b.byteMask(n)
		b.readMasked(false, operand.Mem{Base: x}, m, v)
		b.readMasked(true, operand.Mem{Base: y}, m, w)
		return
	}
	few, all, done := b.newLabel("few"), b.arg("n"), b.newLabel("read")
	b.CMPQ(all, operand.Imm(16))
	b.JB(operand.LabelRef(few))
	b.read(false, b.lastBytes(x, n), v)
	b.read(true, b.lastBytes(y, n), w)
	b.JMP(operand.LabelRef(done))
	b.Label(few)
	b.read(false, b.fewBytes(x, n), v)
	b.read(true, b.fewBytes(y, n), w)
	b.Label(done)
}

// square is the term of squared differences. With VNNI e = max - min is the difference without its sign, unsigned, and
// e e = e (e - 128) + 128 e.
func (b *bytesKernel) square(signed bool) func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
	return func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
		if !b.vnni() {
			b.VPSUBW(w, v, v)
			b.VPMADDWD(v, v, v)
			b.VPADDD(v, sums[0], sums[0])
			return
		}
		larger, smaller := b.VPMAXUB, b.VPMINUB
		if signed {
			larger, smaller = b.VPMAXSB, b.VPMINSB
		}
		e := b.vec()
		larger(v, w, e)
		smaller(v, w, v)
		b.VPSUBB(v, e, e)
		b.VPXORD(e, b.flip, w)
		b.VPDPBUSD(w, e, sums[0])
		b.VPDPBUSD(b.ones, e, sums[1])
	}
}
