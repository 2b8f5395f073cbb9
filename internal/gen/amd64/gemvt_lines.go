package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the distance of rows is 32 bytes more than a multiple of 64 and A begins with a line, every other row begins in
// the middle of its lines. Vectors of such a row are put together from halves of two lines, so that all loads from A
// are of whole lines. The terms of a sum and their order stay as they are.

// linesBytes is the size of A from which that pays: a smaller A is near the first-level cache, where reading two lines
// costs less than putting vectors together.
const linesBytes = 128 << 10

// chooseLines leaves for wideLines where that pays.
func (g *gemvtKernel) chooseLines() {
	k, past, size := g.k, g.k.GP64(), g.k.GP64()
	k.TESTQ(operand.U32(63), g.a)
	k.JNZ(operand.LabelRef("wide8"))
	k.MOVQ(g.m, size)
	k.IMULQ(g.lda, size)
	k.CMPQ(size, operand.U32(linesBytes))
	k.JB(operand.LabelRef("wide8"))
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
	last, next := make([]reg.VecVirtual, 8), make([]reg.VecVirtual, 8) // of odd rows: lines that follow each other
	for i := 1; i < 8; i += 2 {
		last[i], next[i] = k.vec(), k.vec()
		k.load(line(i, 0), last[i])
	}
	add := func(last, next []reg.VecVirtual, at int) { // a vector of y
		v := k.vec()
		k.load(k.at(y, at*k.lanes()), v)
		for i, t := range t {
			if i%2 == 0 {
				m := g.rowOf(p, i)
				m.Disp = at * k.bytes
				k.fma(m, t, v)
				continue
			}
			k.load(line(i, at+1), next[i])
			k.VALIGNQ(operand.U8(4), last[i], next[i], last[i])
			k.fma(last[i], t, v)
		}
		k.store(v, k.at(y, at*k.lanes()))
	}
	forward := func(vecs int) {
		k.forward(vecs*k.bytes, p...)
		k.forward(vecs*k.bytes, y)
	}
	k.SHRQ(operand.U8(1), n)
	k.JCC(operand.LabelRef("linespairs"))
	add(last, next, 0)
	for i := 1; i < 8; i += 2 {
		pick(k, k.VMOVAPS, k.VMOVAPD)(next[i], last[i])
	}
	forward(1)
	k.align()
	k.Label("linespairs")
	add(last, next, 0)
	add(next, last, 1)
	forward(2)
	k.DECQ(n)
	k.JNZ(operand.LabelRef("linespairs"))

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
