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
		g := &gerKernel{kernel: k, m: k.arg("m"), n: k.arg("n"), x: k.arg("x"), y: k.arg("y"), a: k.arg("a"), lda: k.bytesArg("lda")}
		g.emit()
	},
}

type gerKernel struct {
	*kernel
	m, n, x, y, a, lda reg.GPVirtual
	alpha              reg.VecVirtual
	rest               reg.GPVirtual // columns behind the last full vector
}

func (g *gerKernel) emit() {
	if g.wide {
		g.packed()
	}
	g.TESTQ(g.m, g.m)
	g.JZ(operand.LabelRef("done"))
	g.alpha = g.vec()
	g.bcast(g.scalarArg("alpha"), g.alpha)
	g.rest = g.GP64()
	g.MOVQ(g.n, g.rest)
	g.ANDQ(operand.U32(g.lanes()-1), g.rest)
	g.SHRQ(operand.U8(5-g.shift), g.n) // from here on n counts full vectors

	short := g.regs - 3 // as many vectors of y as leave room for a factor, a row and the rest
	for p := range short {
		g.CMPQ(g.n, operand.Imm(uint64(p)))
		g.JE(operand.LabelRef(fmt.Sprintf("short%d", p)))
	}
	g.long()
	for p := range short {
		g.short(p)
	}
	g.Label("done")
	g.done()
}

// packed treats what it can of a packed matrix, in vectors of 512 bits: they follow each other, so that no store waits for
// another.
func (g *gerKernel) packed() {
	k := *g.kernel
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

// factor leaves alpha * x[i] of the row at hand in all lanes of a fresh register.
func (g *gerKernel) factor() reg.VecVirtual {
	t := g.vec()
	g.bcast(g.at(g.x, 0), t)
	g.mul(g.alpha, t, t)
	return t
}

// nextRow steps to the row below, or leaves after the last.
func (g *gerKernel) nextRow(loop string) {
	g.ADDQ(g.lda, g.a)
	g.ADDQ(operand.Imm(uint64(g.size)), g.x)
	g.DECQ(g.m)
	g.JNZ(operand.LabelRef(loop))
	g.JMP(operand.LabelRef("done"))
}

// short treats rows of p full vectors and the rest.
func (g *gerKernel) short(p int) {
	here := fmt.Sprintf("short%d", p)
	g.Label(here)
	y := g.vecs(p)
	for j, v := range y {
		g.load(g.at(g.y, j*g.lanes()), v)
	}
	g.forward(p*g.bytes, g.y)
	g.Label(here + "row")
	t := g.factor()
	for j, v := range y {
		a := g.vec()
		g.load(g.at(g.a, j*g.lanes()), a)
		g.fma(v, t, a)
		g.store(a, g.at(g.a, j*g.lanes()))
	}
	g.rowEnd(here, t, g.at(g.a, p*g.lanes()), g.y)
	g.nextRow(here + "row")
}

// long treats rows of any length.
func (g *gerKernel) long() {
	a, y, n := g.GP64(), g.GP64(), g.GP64()
	g.Label("long")
	t := g.factor()
	g.MOVQ(g.a, a)
	g.MOVQ(g.y, y)
	g.MOVQ(g.n, n)
	for _, vecs := range []int{4, 1} {
		loop := fmt.Sprintf("longby%d", vecs)
		g.SUBQ(operand.Imm(uint64(vecs)), n)
		g.JB(operand.LabelRef(loop + "end"))
		g.Label(loop)
		for j := range vecs {
			v, w := g.vec(), g.vec()
			g.load(g.at(a, j*g.lanes()), v)
			g.load(g.at(y, j*g.lanes()), w)
			g.fma(w, t, v)
			g.store(v, g.at(a, j*g.lanes()))
		}
		g.forward(vecs*g.bytes, a, y)
		g.SUBQ(operand.Imm(uint64(vecs)), n)
		g.JAE(operand.LabelRef(loop))
		g.Label(loop + "end")
		g.ADDQ(operand.Imm(uint64(vecs)), n)
	}
	g.rowEnd("long", t, g.at(a, 0), y)
	g.nextRow("long")
}

// rowEnd treats the columns behind the last full vector, from a and y on.
func (g *gerKernel) rowEnd(here string, t reg.VecVirtual, a operand.Mem, y reg.GPVirtual) {
	g.TESTQ(g.rest, g.rest)
	g.JZ(operand.LabelRef(here + "full"))
	pa, py := g.GP64(), g.GP64()
	g.LEAQ(a, pa)
	g.MOVQ(y, py)
	for bytes := 16; bytes >= g.size; bytes /= 2 {
		skip := fmt.Sprintf("%srest%d", here, bytes)
		g.TESTQ(operand.U32(bytes/g.size), g.rest)
		g.JZ(operand.LabelRef(skip))
		v, w := g.XMM(), g.XMM()
		g.loadPart(g.at(pa, 0), v, bytes)
		g.loadPart(g.at(py, 0), w, bytes)
		g.fma(w, t.AsX(), v)
		g.storePart(v, g.at(pa, 0), bytes)
		g.forward(bytes, pa, py)
		g.Label(skip)
	}
	g.Label(here + "full")
}
