package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ger adds alpha x yᵀ to A. Rows of any stride are misaligned, and a 512-bit store to a misaligned row crosses a cache
// line each time: all vectors here have 256 bits. Two shapes by the length n of a row:
//
//	short  all of y stays in registers while the rows of A stream by; one loop for each number of vectors
//	long   two rows at a time, so that y is read once for both
//
// The columns behind the last full vector come last in each row, in halves and so on of a vector: a masked store would
// reach into the next row and hold up its first load.
var ger = source{
	family: "blas", name: "ger", entry: "Ger", sig: "(m, n int, alpha T, x, y, a *T, lda int)",
	emit: func(k *kernel) {
		if k.wide {
			k = k.halved()
		}
		g := &gerKernel{k: k, m: k.arg("m"), n: k.arg("n"), x: k.arg("x"), y: k.arg("y"), a: k.arg("a"),
			lda: k.bytesArg("lda")}
		g.emit()
	},
}

type gerKernel struct {
	k                  *kernel
	m, n, x, y, a, lda reg.GPVirtual
	alpha              reg.VecVirtual
	rest               reg.GPVirtual // columns behind the last full vector
	idx, base          reg.GPVirtual // of a sparse x, the rows that its elements belong to, and row 0 of A
}

func (g *gerKernel) emit() {
	if g.k.wide && g.idx == nil {
		g.packed()
	}
	g.k.TESTQ(g.m, g.m)
	g.k.JZ(operand.LabelRef("done"))
	g.alpha = g.k.vec()
	g.k.bcast(g.k.scalarArg("alpha"), g.alpha)
	g.rest = g.k.GP64()
	g.k.MOVQ(g.n, g.rest)
	g.k.ANDQ(operand.U32(g.k.lanes()-1), g.rest)
	g.k.SHRQ(operand.U8(5-g.k.shift), g.n) // from here on n counts full vectors

	short := g.k.regs - 3 // as many vectors of y as leave room for a factor, a row and the rest
	for p := range short {
		g.k.CMPQ(g.n, operand.Imm(uint64(p)))
		g.k.JE(operand.LabelRef(fmt.Sprintf("short%d", p)))
	}
	g.long()
	for p := range short {
		g.short(p)
	}
	g.k.Label("done")
	g.k.done()
}

// packed treats what it can of a packed matrix, in vectors of 512 bits: they follow each other, so that no store waits
// for another.
func (g *gerKernel) packed() {
	k := *g.k
	k.bytes = 64
	k.CMPQ(g.n, operand.Imm(16))
	k.JA(operand.LabelRef("packedunpacked"))
	k.ifPacked("packed", g.m, g.n, g.lda, true, func(p *packed, here string) {
		alpha, y := k.vec(), p.columns(g.y, g.n)
		k.bcast(k.scalarArg("alpha"), alpha)
		p.each(here, g.m, g.a, g.x, func(x reg.VecVirtual) {
			k.mul(alpha, x, x)
			for v, y := range y {
				t, a := k.vec(), k.vec()
				k.permute(x, p.row[v], t)
				k.load(k.at(g.a, v*k.lanes()), a)
				k.fma(y, t, a)
				k.store(a, k.at(g.a, v*k.lanes()))
			}
		})
	})
}

// enterRow has a point to the row that x[i] belongs to.
func (g *gerKernel) enterRow() {
	if g.idx != nil {
		g.k.rowAt(operand.Mem{Base: g.idx}, g.lda, g.a)
		g.k.ADDQ(g.base, g.a)
	}
}

// factor leaves alpha * x[i] of the row at hand in all lanes of a fresh register.
func (g *gerKernel) factor() reg.VecVirtual {
	t := g.k.vec()
	g.k.bcast(g.k.at(g.x, 0), t)
	g.k.mul(g.alpha, t, t)
	return t
}

// nextRow steps to the row below, or leaves after the last.
func (g *gerKernel) nextRow(loop string) {
	if g.idx != nil {
		g.k.ADDQ(operand.Imm(4), g.idx)
	} else {
		g.k.ADDQ(g.lda, g.a)
	}
	g.k.ADDQ(operand.Imm(uint64(g.k.size)), g.x)
	g.k.DECQ(g.m)
	g.k.JNZ(operand.LabelRef(loop))
	g.k.JMP(operand.LabelRef("done"))
}

// short treats rows of p full vectors and the rest.
func (g *gerKernel) short(p int) {
	here := fmt.Sprintf("short%d", p)
	g.k.Label(here)
	y := g.k.vecs(p)
	for j, v := range y {
		g.k.load(g.k.at(g.y, j*g.k.lanes()), v)
	}
	g.k.forward(p*g.k.bytes, g.y)
	g.k.Label(here + "row")
	g.enterRow()
	t := g.factor()
	for j, v := range y {
		a := g.k.vec()
		g.k.load(g.k.at(g.a, j*g.k.lanes()), a)
		g.k.fma(v, t, a)
		g.k.store(a, g.k.at(g.a, j*g.k.lanes()))
	}
	g.rowEnd(here, t, g.k.at(g.a, p*g.k.lanes()), g.y)
	g.nextRow(here + "row")
}

// long treats rows of any length.
func (g *gerKernel) long() {
	a, y, n := g.k.GP64(), g.k.GP64(), g.k.GP64()
	g.k.Label("long")
	g.enterRow()
	t := g.factor()
	g.k.MOVQ(g.a, a)
	g.k.MOVQ(g.y, y)
	g.k.MOVQ(g.n, n)
	for _, vecs := range []int{4, 1} {
		loop := fmt.Sprintf("longby%d", vecs)
		g.k.SUBQ(operand.Imm(uint64(vecs)), n)
		g.k.JB(operand.LabelRef(loop + "end"))
		g.k.Label(loop)
		for j := range vecs {
			v, w := g.k.vec(), g.k.vec()
			g.k.load(g.k.at(a, j*g.k.lanes()), v)
			g.k.load(g.k.at(y, j*g.k.lanes()), w)
			g.k.fma(w, t, v)
			g.k.store(v, g.k.at(a, j*g.k.lanes()))
		}
		g.k.forward(vecs*g.k.bytes, a, y)
		g.k.SUBQ(operand.Imm(uint64(vecs)), n)
		g.k.JAE(operand.LabelRef(loop))
		g.k.Label(loop + "end")
		g.k.ADDQ(operand.Imm(uint64(vecs)), n)
	}
	g.rowEnd("long", t, g.k.at(a, 0), y)
	g.nextRow("long")
}

// rowEnd treats the columns behind the last full vector, from a and y on.
func (g *gerKernel) rowEnd(here string, t reg.VecVirtual, a operand.Mem, y reg.GPVirtual) {
	g.k.TESTQ(g.rest, g.rest)
	g.k.JZ(operand.LabelRef(here + "full"))
	pa, py := g.k.GP64(), g.k.GP64()
	g.k.LEAQ(a, pa)
	g.k.MOVQ(y, py)
	for bytes := 16; bytes >= g.k.size; bytes /= 2 {
		skip := fmt.Sprintf("%srest%d", here, bytes)
		g.k.TESTQ(operand.U32(bytes/g.k.size), g.rest)
		g.k.JZ(operand.LabelRef(skip))
		v, w := g.k.XMM(), g.k.XMM()
		g.k.loadPart(g.k.at(pa, 0), v, bytes)
		g.k.loadPart(g.k.at(py, 0), w, bytes)
		g.k.fma(w, t.AsX(), v)
		g.k.storePart(v, g.k.at(pa, 0), bytes)
		g.k.forward(bytes, pa, py)
		g.k.Label(skip)
	}
	g.k.Label(here + "full")
}
