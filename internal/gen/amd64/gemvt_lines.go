package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the distance of rows is 32 bytes more than a multiple of 64 and A begins with a line, every other row begins in
// the middle of its lines. Vectors of such a row are put together from halves of two lines, so that all loads from A
// are of whole lines. The terms of a sum and their order stay as they are.

// chooseLines leaves for wideLines where that pays.
func (g *gemvtKernel) chooseLines() {
	k, past := g.k, g.k.GP64()
	k.TESTQ(operand.U32(63), g.a)
	k.JNZ(operand.LabelRef("wide8"))
	k.MOVQ(g.lda, past)
	k.ANDQ(operand.U32(63), past)
	k.CMPQ(past, operand.U32(32))
	k.JE(operand.LabelRef("lines"))
}

// wideLines is wideRows for 8 rows at a time, of which the odd ones begin in the middle of their lines.
func (g *gemvtKernel) wideLines(alpha reg.VecVirtual, full reg.GPVirtual) {
	k := g.k
	k.JMP(operand.LabelRef("wide1"))
	k.section("lines", "As wide8, where odd rows begin in the middle of their lines.")
	rest := k.K() // the elements of the last vector that are in the line after the last but one
	k.KSHIFTRW(operand.U8(k.lanes()/2), g.rest.k, rest)
	k.Label("linesgroup")
	k.SUBQ(operand.Imm(8), g.m)
	k.JB(operand.LabelRef("linesend"))
	t := k.vecs(8)
	for i, t := range t {
		k.bcast(k.at(g.x, i), t)
		k.mul(alpha, t, t)
	}
	p, y, n := []reg.GPVirtual{k.GP64(), k.GP64()}, k.GP64(), k.GP64()
	k.MOVQ(g.a, p[0])
	k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 4}, p[1])
	k.MOVQ(g.y, y)
	k.MOVQ(full, n)
	line := func(i, ahead int) operand.Mem { // of an odd row
		m := g.rowOf(p, i)
		m.Disp = ahead*k.bytes - 32
		return m
	}
	last := make([]reg.VecVirtual, 8) // of odd rows: the line that has the first half of the vector
	for i := 1; i < 8; i += 2 {
		last[i] = k.vec()
		k.load(line(i, 0), last[i])
	}
	k.align()
	k.Label("linesvec")
	v := k.vec()
	k.load(k.at(y, 0), v)
	for i, t := range t {
		if i%2 == 0 {
			k.fma(g.rowOf(p, i), t, v)
			continue
		}
		next := k.vec()
		k.load(line(i, 1), next)
		k.VALIGNQ(operand.U8(4), last[i], next, last[i])
		k.fma(last[i], t, v)
		pick(k, k.VMOVAPS, k.VMOVAPD)(next, last[i])
	}
	k.store(v, k.at(y, 0))
	k.forward(k.bytes, p...)
	k.forward(k.bytes, y)
	k.DECQ(n)
	k.JNZ(operand.LabelRef("linesvec"))

	k.Comment("The last vector.")
	end := k.vec()
	k.loadMasked(k.at(y, 0), g.rest, end)
	for i, t := range t {
		w := k.vec()
		if i%2 == 0 {
			k.loadMasked(g.rowOf(p, i), g.rest, w)
		} else {
			k.loadMasked(line(i, 1), mask{k: rest}, w)
			k.VALIGNQ(operand.U8(4), last[i], w, w)
		}
		k.fma(w, t, end)
	}
	k.storeMasked(end, g.rest, k.at(y, 0))
	k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 8}, g.a)
	k.ADDQ(operand.Imm(uint64(8*k.size)), g.x)
	k.JMP(operand.LabelRef("linesgroup"))
	k.Label("linesend")
	k.ADDQ(operand.Imm(8), g.m)
}
