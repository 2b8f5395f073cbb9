package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemvt sets y = alpha Aᵀ x + beta y. Two shapes by the number n of columns:
//
//	narrow  the sums of all columns stay in registers while the rows of A stream by; one loop for each number of vectors,
//	        over as many rows at a time as keep eight sums in flight
//	wide    y = beta y, then eight rows at a time are added to y, then four, then one by one
var gemvt = source{
	family: "blas", name: "gemvt", entry: "GemvT", sig: "(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)",
	emit: func(k *kernel) {
		g := &gemvtKernel{gemvKernel: gemvKernel{kernel: k, m: k.arg("m"), n: k.arg("n"), a: k.arg("a"), lda: k.bytesArg("lda"), x: k.arg("x"), y: k.arg("y")}}
		g.emit()
	},
}

type gemvtKernel struct {
	gemvKernel
	buffer operand.Mem // on the stack: the sums of a period
}

func (g *gemvtKernel) emit() {
	g.TESTQ(g.n, g.n)
	g.JZ(operand.LabelRef("done"))
	g.hasBeta = g.nonZero(g.scalarArg("beta"))
	g.lda3 = g.GP64()
	g.LEAQ(operand.Mem{Base: g.lda, Index: g.lda, Scale: 2}, g.lda3)

	if g.wide {
		g.buffer = g.AllocLocal(packedMax * g.bytes)
	}
	narrow := 8 // vectors
	if !g.wide {
		narrow = 12
	}
	r, vecs := g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: g.n, Disp: -1}, r)
	g.MOVQ(r, vecs)
	g.ANDQ(operand.U32(g.lanes()-1), r)
	g.INCQ(r)
	g.rest = g.maskOf(r) // of the last vector, 1 to all lanes
	for bits, l := 0, g.lanes(); l > 1; l /= 2 {
		if bits++; l == 2 {
			g.SHRQ(operand.U8(bits), vecs) // full vectors before the last
		}
	}
	for p := range narrow {
		g.CMPQ(vecs, operand.Imm(uint64(p)))
		g.JE(operand.LabelRef(fmt.Sprintf("narrow%d", p+1)))
	}
	g.scaleY()
	alpha := g.vec()
	g.bcast(g.scalarArg("alpha"), alpha)
	g.wideRows(8, alpha, vecs)
	g.wideRows(1, alpha, vecs)
	g.JMP(operand.LabelRef("done"))
	for p := range narrow {
		g.narrow(p + 1)
	}
	g.Label("done")
	g.done()
}

// narrow treats rows of p vectors, the last of them masked.
func (g *gemvtKernel) narrow(p int) {
	here := fmt.Sprintf("narrow%d", p)
	g.Label(here)
	rows := (7 + p) / p
	if p*rows > g.regs-3 {
		rows = 1
	}
	acc := g.vecs(p * rows)
	g.zero(acc...)
	if g.wide && p*g.lanes() <= 16 {
		g.packed(here, acc[:p])
	}
	for _, r := range unique(rows, 1) {
		loop := fmt.Sprintf("%sby%d", here, r)
		g.SUBQ(operand.Imm(uint64(r)), g.m)
		g.JB(operand.LabelRef(loop + "end"))
		g.Label(loop)
		for i := range r {
			t := g.vec()
			g.bcast(g.at(g.x, i), t)
			for j := range p - 1 {
				g.fma(g.at(g.a, j*g.lanes()), t, acc[i*p+j])
			}
			v := g.vec()
			g.loadMasked(g.at(g.a, (p-1)*g.lanes()), g.rest, v)
			g.fma(v, t, acc[i*p+p-1])
			g.ADDQ(g.lda, g.a)
		}
		g.ADDQ(operand.Imm(uint64(r*g.size)), g.x)
		g.SUBQ(operand.Imm(uint64(r)), g.m)
		g.JAE(operand.LabelRef(loop))
		g.Label(loop + "end")
		g.ADDQ(operand.Imm(uint64(r)), g.m)
	}
	for r := rows; r > 1; r -= r / 2 { // row r-1 joins row r-1-r/2
		for i := range r / 2 * p {
			g.add(acc[(r-r/2)*p+i], acc[i], acc[i])
		}
	}
	t := g.vec()
	g.bcast(g.scalarArg("alpha"), t)
	for _, v := range acc[:p] {
		g.mul(t, v, v)
	}
	g.TESTQ(g.hasBeta, g.hasBeta)
	g.JZ(operand.LabelRef(here + "write"))
	g.bcast(g.scalarArg("beta"), t)
	for j, v := range acc[:p-1] {
		g.fma(g.at(g.y, j*g.lanes()), t, v)
	}
	v := g.vec()
	g.loadMasked(g.at(g.y, (p-1)*g.lanes()), g.rest, v)
	g.fma(v, t, acc[p-1])
	g.Label(here + "write")
	for j, v := range acc[:p-1] {
		g.store(v, g.at(g.y, j*g.lanes()))
	}
	g.storeMasked(acc[p-1], g.rest, g.at(g.y, (p-1)*g.lanes()))
	g.JMP(operand.LabelRef("done"))
}

// packed adds what it can of a packed matrix to acc: the sums by position go to memory, from where those of each row of the
// period are added up.
func (g *gemvtKernel) packed(here string, acc []reg.VecVirtual) {
	g.ifPacked(here, g.m, g.n, g.lda, false, func(p *packed, here string) {
		sums := g.vecs(len(p.row))
		g.zero(sums...)
		p.each(here, g.m, g.a, g.x, func(x reg.VecVirtual) {
			for v, sum := range sums {
				t := g.vec()
				g.permute(x, p.row[v], t)
				g.fma(g.at(g.a, v*g.lanes()), t, sum)
			}
		})
		for v, sum := range sums {
			g.store(sum, g.buffer.Offset(v*g.bytes))
		}
		from := g.GP64()
		g.LEAQ(g.buffer, from)
		g.Label(here + "fold")
		last := len(acc) - 1
		for j, v := range acc[:last] {
			g.add(g.at(from, j*g.lanes()), v, v)
		}
		v := g.vec()
		g.loadMasked(g.at(from, last*g.lanes()), g.rest, v)
		g.add(v, acc[last], acc[last])
		g.ADDQ(g.lda, from)
		g.DECQ(p.rows)
		g.JNZ(operand.LabelRef(here + "fold"))
	})
}

// scaleY sets y = beta y, or zero without reading it where beta is zero.
func (g *gemvtKernel) scaleY() {
	y, n, beta := g.GP64(), g.GP64(), g.vec()
	g.MOVQ(g.y, y)
	g.MOVQ(g.n, n)
	g.bcast(g.scalarArg("beta"), beta)
	g.Label("scale")
	v := g.vec()
	g.zero(v)
	g.TESTQ(g.hasBeta, g.hasBeta)
	g.JZ(operand.LabelRef("scaled"))
	g.mul(g.at(y, 0), beta, v)
	g.Label("scaled")
	g.store(v, g.at(y, 0))
	g.forward(g.bytes, y)
	g.SUBQ(operand.Imm(uint64(g.lanes())), n)
	g.CMPQ(n, operand.Imm(uint64(g.lanes())))
	g.JA(operand.LabelRef("scale"))
	w := g.vec()
	g.zero(w)
	g.TESTQ(g.hasBeta, g.hasBeta)
	g.JZ(operand.LabelRef("scaledlast"))
	g.loadMasked(g.at(y, 0), g.rest, w)
	g.mul(beta, w, w)
	g.Label("scaledlast")
	g.storeMasked(w, g.rest, g.at(y, 0))
}

// wideRows adds groups of that many rows to y while as many are left. full counts the full vectors before the last one.
func (g *gemvtKernel) wideRows(rows int, alpha reg.VecVirtual, full reg.GPVirtual) {
	here := fmt.Sprintf("wide%d", rows)
	g.Label(here)
	g.SUBQ(operand.Imm(uint64(rows)), g.m)
	g.JB(operand.LabelRef(here + "end"))
	t := g.vecs(rows)
	for i, t := range t {
		g.bcast(g.at(g.x, i), t)
		g.mul(alpha, t, t)
	}
	p, y, n := []reg.GPVirtual{g.GP64()}, g.GP64(), g.GP64()
	g.MOVQ(g.a, p[0])
	if rows > 4 {
		p = append(p, g.GP64())
		g.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 4}, p[1])
	}
	g.MOVQ(g.y, y)
	g.MOVQ(full, n)
	g.Label(here + "vec")
	v := g.vec()
	g.load(g.at(y, 0), v)
	for i, t := range t {
		g.fma(g.rowOf(p, i), t, v)
	}
	g.store(v, g.at(y, 0))
	g.forward(g.bytes, append(p, y)...)
	g.DECQ(n)
	g.JNZ(operand.LabelRef(here + "vec"))
	last := g.vec()
	g.loadMasked(g.at(y, 0), g.rest, last)
	for i, t := range t {
		w := g.vec()
		g.loadMasked(g.rowOf(p, i), g.rest, w)
		g.fma(w, t, last)
	}
	g.storeMasked(last, g.rest, g.at(y, 0))
	g.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: uint8(rows)}, g.a)
	g.ADDQ(operand.Imm(uint64(rows*g.size)), g.x)
	g.JMP(operand.LabelRef(here))
	g.Label(here + "end")
	g.ADDQ(operand.Imm(uint64(rows)), g.m)
}
