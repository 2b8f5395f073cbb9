package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemvt sets y = alpha Aᵀ x + beta y. Two shapes by the number n of columns:
//
//	narrow  the sums of all columns stay in registers while the rows of A stream by; one loop for each number of
//	        vectors, over as many rows at a time as keep eight sums in flight
//	wide    y = beta y, then eight rows at a time are added to y, then four, then one by one
var gemvt = source{
	family: "blas", name: "gemvt", entry: "GemvT", sig: "(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)",
	emit: emitGemvT,
}

func emitGemvT(k *kernel) {
	g := &gemvtKernel{gemvKernel: *newGemv(k)}
	g.emit()
}

type gemvtKernel struct {
	gemvKernel
	buffer operand.Mem // on the stack: the sums of a period
}

func (g *gemvtKernel) emit() {
	g.k.TESTQ(g.n, g.n)
	g.k.JZ(operand.LabelRef("done"))
	g.hasBeta = g.k.nonZero(g.k.scalarArg("beta"))
	g.lda3 = g.k.GP64()
	g.k.LEAQ(operand.Mem{Base: g.lda, Index: g.lda, Scale: 2}, g.lda3)

	if g.readsPacked() {
		g.buffer = g.k.AllocLocal(packedMax * g.k.bytes)
	}
	narrow := 8 // vectors
	if !g.k.wide {
		narrow = 12
	}
	r, vecs := g.k.GP64(), g.k.GP64()
	g.k.LEAQ(operand.Mem{Base: g.n, Disp: -1}, r)
	g.k.MOVQ(r, vecs)
	g.k.ANDQ(operand.U32(g.k.lanes()-1), r)
	g.k.INCQ(r)
	g.rest = g.k.maskOf(r) // of the last vector, 1 to all lanes
	for bits, l := 0, g.k.lanes(); l > 1; l /= 2 {
		bits++
		if l == 2 {
			g.k.SHRQ(operand.U8(bits), vecs) // full vectors before the last
		}
	}
	for p := range narrow {
		g.k.CMPQ(vecs, operand.Imm(uint64(p)))
		g.k.JE(operand.LabelRef(fmt.Sprintf("narrow%d", p+1)))
	}
	g.scaleY()
	alpha := g.k.vec()
	g.k.bcast(g.k.scalarArg("alpha"), alpha)
	g.wideRows(8, alpha, vecs)
	g.wideRows(1, alpha, vecs)
	g.k.JMP(operand.LabelRef("done"))
	for p := range narrow {
		g.narrow(p + 1)
	}
	g.k.Label("done")
	g.k.done()
}

// narrow treats rows of p vectors, the last of them masked.
func (g *gemvtKernel) narrow(p int) {
	here := fmt.Sprintf("narrow%d", p)
	g.k.Label(here)
	rows := (7 + p) / p
	if p*rows > g.k.regs-3 {
		rows = 1
	}
	acc := g.k.vecs(p * rows)
	g.k.zero(acc...)
	if g.readsPacked() && p*g.k.lanes() <= 16 {
		g.packed(here, acc[:p])
	}
	for _, r := range unique(rows, 1) {
		loop := fmt.Sprintf("%sby%d", here, r)
		g.k.SUBQ(operand.Imm(uint64(r)), g.m)
		g.k.JB(operand.LabelRef(loop + "end"))
		g.k.Label(loop)
		for i := range r {
			t := g.k.vec()
			g.k.bcast(g.k.at(g.x, i), t)
			for j := range p - 1 {
				g.k.fmaData(g.k.atData(g.a, j*g.k.lanes()), t, acc[i*p+j])
			}
			v := g.k.vec()
			g.k.loadDataMasked(g.k.atData(g.a, (p-1)*g.k.lanes()), g.rest, v)
			g.k.fma(v, t, acc[i*p+p-1])
			g.k.ADDQ(g.lda, g.a)
		}
		g.k.ADDQ(operand.Imm(uint64(r*g.k.size)), g.x)
		g.k.SUBQ(operand.Imm(uint64(r)), g.m)
		g.k.JAE(operand.LabelRef(loop))
		g.k.Label(loop + "end")
		g.k.ADDQ(operand.Imm(uint64(r)), g.m)
	}
	g.writeNarrow(here, acc, p)
	g.k.JMP(operand.LabelRef("done"))
}

// writeNarrow adds up the sums of several rows at a time, p vectors each, and writes y.
func (g *gemvtKernel) writeNarrow(here string, acc []reg.VecVirtual, p int) {
	for r := len(acc) / p; r > 1; r -= r / 2 { // row r-1 joins row r-1-r/2
		for i := range r / 2 * p {
			g.k.add(acc[(r-r/2)*p+i], acc[i], acc[i])
		}
	}
	t := g.k.vec()
	g.k.bcast(g.k.scalarArg("alpha"), t)
	for _, v := range acc[:p] {
		g.k.mul(t, v, v)
	}
	g.k.TESTQ(g.hasBeta, g.hasBeta)
	g.k.JZ(operand.LabelRef(here + "write"))
	g.k.bcast(g.k.scalarArg("beta"), t)
	for j, v := range acc[:p-1] {
		g.k.fma(g.k.at(g.y, j*g.k.lanes()), t, v)
	}
	v := g.k.vec()
	g.k.loadMasked(g.k.at(g.y, (p-1)*g.k.lanes()), g.rest, v)
	g.k.fma(v, t, acc[p-1])
	g.k.Label(here + "write")
	for j, v := range acc[:p-1] {
		g.k.store(v, g.k.at(g.y, j*g.k.lanes()))
	}
	g.k.storeMasked(acc[p-1], g.rest, g.k.at(g.y, (p-1)*g.k.lanes()))
}

// readsPacked reports whether a matrix of few columns without gaps is read as one vector.
func (g *gemvtKernel) readsPacked() bool { return g.k.wide && !g.k.single }

// packed adds what it can of a packed matrix to acc: the sums by position go to memory, from where the sums of each row
// of the period are added up.
func (g *gemvtKernel) packed(here string, acc []reg.VecVirtual) {
	g.k.ifPacked(here, g.m, g.n, g.lda, false, func(p *packed, here string) {
		sums := g.k.vecs(len(p.row))
		g.k.zero(sums...)
		p.each(here, g.m, g.a, g.x, func(x reg.VecVirtual) {
			for v, sum := range sums {
				t := g.k.vec()
				g.k.permute(x, p.row[v], t)
				g.k.fma(g.k.at(g.a, v*g.k.lanes()), t, sum)
			}
		})
		for v, sum := range sums {
			g.k.store(sum, g.buffer.Offset(v*g.k.bytes))
		}
		from := g.k.GP64()
		g.k.LEAQ(g.buffer, from)
		g.k.Label(here + "fold")
		last := len(acc) - 1
		for j, v := range acc[:last] {
			g.k.add(g.k.at(from, j*g.k.lanes()), v, v)
		}
		v := g.k.vec()
		g.k.loadMasked(g.k.at(from, last*g.k.lanes()), g.rest, v)
		g.k.add(v, acc[last], acc[last])
		g.k.ADDQ(g.lda, from)
		g.k.DECQ(p.rows)
		g.k.JNZ(operand.LabelRef(here + "fold"))
	})
}

// scaleY sets y = beta y, or zero without reading it where beta is zero.
func (g *gemvtKernel) scaleY() {
	y, n, beta := g.k.GP64(), g.k.GP64(), g.k.vec()
	g.k.MOVQ(g.y, y)
	g.k.MOVQ(g.n, n)
	g.k.bcast(g.k.scalarArg("beta"), beta)
	g.k.Label("scale")
	v := g.k.vec()
	g.k.zero(v)
	g.k.TESTQ(g.hasBeta, g.hasBeta)
	g.k.JZ(operand.LabelRef("scaled"))
	g.k.mul(g.k.at(y, 0), beta, v)
	g.k.Label("scaled")
	g.k.store(v, g.k.at(y, 0))
	g.k.forward(g.k.bytes, y)
	g.k.SUBQ(operand.Imm(uint64(g.k.lanes())), n)
	g.k.CMPQ(n, operand.Imm(uint64(g.k.lanes())))
	g.k.JA(operand.LabelRef("scale"))
	w := g.k.vec()
	g.k.zero(w)
	g.k.TESTQ(g.hasBeta, g.hasBeta)
	g.k.JZ(operand.LabelRef("scaledlast"))
	g.k.loadMasked(g.k.at(y, 0), g.rest, w)
	g.k.mul(beta, w, w)
	g.k.Label("scaledlast")
	g.k.storeMasked(w, g.rest, g.k.at(y, 0))
}

// wideRows adds groups of that many rows to y while as many are left. full counts the full vectors before the last one.
func (g *gemvtKernel) wideRows(rows int, alpha reg.VecVirtual, full reg.GPVirtual) {
	here := fmt.Sprintf("wide%d", rows)
	g.k.Label(here)
	g.k.SUBQ(operand.Imm(uint64(rows)), g.m)
	g.k.JB(operand.LabelRef(here + "end"))
	t := g.k.vecs(rows)
	for i, t := range t {
		g.k.bcast(g.k.at(g.x, i), t)
		g.k.mul(alpha, t, t)
	}
	p, y, n := []reg.GPVirtual{g.k.GP64()}, g.k.GP64(), g.k.GP64()
	g.k.MOVQ(g.a, p[0])
	if rows > 4 {
		p = append(p, g.k.GP64())
		g.k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 4}, p[1])
	}
	g.k.MOVQ(g.y, y)
	g.k.MOVQ(full, n)
	g.k.Label(here + "vec")
	v := g.k.vec()
	g.k.load(g.k.at(y, 0), v)
	for i, t := range t {
		g.k.fmaData(g.rowOf(p, i), t, v)
	}
	g.k.store(v, g.k.at(y, 0))
	g.k.forward(g.k.dataBytes(g.k.bytes), p...)
	g.k.forward(g.k.bytes, y)
	g.k.DECQ(n)
	g.k.JNZ(operand.LabelRef(here + "vec"))
	last := g.k.vec()
	g.k.loadMasked(g.k.at(y, 0), g.rest, last)
	for i, t := range t {
		w := g.k.vec()
		g.k.loadDataMasked(g.rowOf(p, i), g.rest, w)
		g.k.fma(w, t, last)
	}
	g.k.storeMasked(last, g.rest, g.k.at(y, 0))
	g.k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: uint8(rows)}, g.a)
	g.k.ADDQ(operand.Imm(uint64(rows*g.k.size)), g.x)
	g.k.JMP(operand.LabelRef(here))
	g.k.Label(here + "end")
	g.k.ADDQ(operand.Imm(uint64(rows)), g.m)
}
