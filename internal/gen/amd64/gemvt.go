package main

import (
	"fmt"
	"math/bits"
	"slices"

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
	buffer  operand.Mem      // on the stack: the sums of a period
	sums    []reg.VecVirtual // that all shapes share, 0 where a shape begins as far as zeroed
	zeroed  int
	addRow  func(i int, acc []reg.VecVirtual) // adds x[i] times row i of those at hand, whose last vector is masked
	advance func(rows int)
	after   string // the label behind a shape
	most    int    // rows at once

	alpha, beta reg.VecVirtual
	scattered   bool // rows do not follow each other
}

func (g *gemvtKernel) emit() {
	k := g.k
	k.TESTQ(g.n, g.n)
	k.JZ(operand.LabelRef("done"))
	g.hasBeta = k.nonZero(k.scalarArg("beta"))
	g.lda3 = k.GP64()
	k.LEAQ(operand.Mem{Base: g.lda, Index: g.lda, Scale: 2}, g.lda3)
	g.addRow, g.advance, g.after, g.most = g.addDense, g.advanceDense, "done", 8

	if g.readsPacked() {
		g.buffer = k.AllocLocal(packedMax * k.bytes)
	}
	narrow := 8 // vectors
	if !k.wide {
		narrow = 12
	}
	r := k.GP64()
	k.MOVQ(g.n, r)
	vecs := g.split(r)
	g.shapes(narrow, vecs, func() {
		g.scaleY()
		alpha := k.vec()
		k.bcast(k.scalarArg("alpha"), alpha)
		lines := k.wide && !k.single
		if lines {
			g.chooseLines()
		}
		g.wideRows(8, alpha, vecs)
		if lines {
			g.wideLines(alpha, vecs)
		}
		g.wideRows(1, alpha, vecs)
		k.JMP(operand.LabelRef("done"))
	})
	k.Label("done")
	k.done()
}

// split turns a number of columns, at least 1, into the number of lanes of the last vector, 1 to all, whose mask it
// makes, and returns how many full vectors are before it.
func (g *gemvtKernel) split(columns reg.GPVirtual) (full reg.GPVirtual) {
	k := g.k
	full = k.GP64()
	k.DECQ(columns)
	k.MOVQ(columns, full)
	k.ANDQ(operand.U32(k.lanes()-1), columns)
	k.INCQ(columns)
	g.rest = k.maskOf(columns)
	k.SHRQ(operand.U8(bits.TrailingZeros(uint(k.lanes()))), full)
	return full
}

// shapes emits the loops for 1 to most vectors of columns, of which full come before the last, and more, the way for
// wider matrices, if there is one.
func (g *gemvtKernel) shapes(most int, full reg.GPVirtual, more func()) {
	k := g.k
	if more != nil {
		k.CMPQ(full, operand.Imm(uint64(most)))
		k.JAE(operand.LabelRef("wide"))
	}
	g.zeroed = g.rowsAtOnce(1)
	g.sums, g.alpha, g.beta = k.vecs(k.regs-3), k.vec(), k.vec()
	// the register as a whole: what zero leaves out would seem to be alive from one pass to the next
	for _, v := range g.sums[:g.zeroed] {
		k.VXORPS(v, v, v)
	}
	for p := 1; p < most; p++ {
		k.CMPQ(full, operand.Imm(uint64(p)))
		k.JE(operand.LabelRef(fmt.Sprintf("narrow%d", p+1)))
		if p == 1 {
			k.JB(operand.LabelRef("narrow1"))
		}
	}
	for p := most; p >= 1; p-- {
		g.narrow(p)
	}
	if more != nil {
		k.section("wide", "Wide: y = beta y, to which the rows are added.")
		more()
	}
	g.write(most, full)
}

// rowsAtOnce is how many rows of p vectors have sums of their own.
func (g *gemvtKernel) rowsAtOnce(p int) int {
	rows := min((7+p)/p, g.most)
	if p*rows > g.k.regs-3 {
		rows = 1
	}
	return rows
}

// narrow treats rows of p vectors, the last of them masked.
func (g *gemvtKernel) narrow(p int) {
	k, here, rows := g.k, fmt.Sprintf("narrow%d", p), g.rowsAtOnce(p)
	k.section(here, counted(p, "vector")+" of columns, "+counted(rows, "row")+" at a time.")
	acc := make([][]reg.VecVirtual, rows) // the first of a row's registers has the last of its vectors
	for i := range acc {
		of := g.sums[i*p:][:p]
		acc[i] = append(slices.Clone(of[1:]), of[0])
	}
	for _, v := range g.sums[min(g.zeroed, p*rows) : p*rows] {
		k.VXORPS(v, v, v)
	}
	if g.readsPacked() && p*k.lanes() <= 16 {
		g.packed(here, acc[0])
	}
	for _, r := range unique(rows, 1) {
		loop := fmt.Sprintf("%sby%d", here, r)
		k.SUBQ(operand.Imm(uint64(r)), g.m)
		k.JB(operand.LabelRef(loop + "end"))
		k.section(loop, counted(r, "row")+" at a time.")
		for i := range r {
			g.addRow(i, acc[i])
		}
		g.advance(r)
		k.SUBQ(operand.Imm(uint64(r)), g.m)
		k.JAE(operand.LabelRef(loop))
		k.Label(loop + "end")
		k.ADDQ(operand.Imm(uint64(r)), g.m)
	}
	k.Comment("The sums of the rows.")
	for r := rows; r > 1; r -= r / 2 { // row r-1 joins row r-1-r/2
		for i := range r / 2 {
			for j, v := range acc[r-r/2+i] {
				k.add(v, acc[i][j], acc[i][j])
			}
		}
	}
	k.bcast(k.scalarArg("alpha"), g.alpha)
	k.TESTQ(g.hasBeta, g.hasBeta)
	k.JZ(operand.LabelRef(fmt.Sprintf("set%d", p)))
	k.bcast(k.scalarArg("beta"), g.beta)
	k.JMP(operand.LabelRef(fmt.Sprintf("add%d", p)))
}

// addDense adds a row of a dense matrix, which is where a points to, and steps to the next.
func (g *gemvtKernel) addDense(i int, acc []reg.VecVirtual) {
	k, last := g.k, len(acc)-1
	t, v := k.vec(), k.vec()
	k.bcast(k.at(g.x, i), t)
	for j, sum := range acc[:last] {
		k.fmaData(k.atData(g.a, j*k.lanes()), t, sum)
	}
	k.loadDataMasked(k.atData(g.a, last*k.lanes()), g.rest, v)
	k.fma(v, t, acc[last])
	k.ADDQ(g.lda, g.a)
}

func (g *gemvtKernel) advanceDense(rows int) { g.k.ADDQ(operand.Imm(uint64(rows*g.k.size)), g.x) }

// write sets y from the sums of up to most vectors, of which full come before the last: who has fewer enters later.
func (g *gemvtKernel) write(most int, full reg.GPVirtual) {
	k := g.k
	for _, add := range []bool{true, false} {
		name, text := "set", "y = alpha sums"
		if add {
			name, text = "add", "y = alpha sums + beta y"
		}
		k.Comment(text + ", from the last full vector to the first, then the masked one.")
		for p := most; p >= 2; p-- {
			v, to := g.sums[p-1], k.at(g.y, (p-2)*k.lanes())
			k.Label(fmt.Sprintf("%s%d", name, p))
			k.mul(g.alpha, v, v)
			if add {
				k.fma(to, g.beta, v)
			}
			k.store(v, to)
		}
		v, to := g.sums[0], operand.Mem{Base: full}
		k.Label(name + "1")
		k.SHLQ(operand.U8(bits.TrailingZeros(uint(k.bytes))), full)
		k.ADDQ(g.y, full)
		k.mul(g.alpha, v, v)
		if add {
			old := k.vec()
			k.loadMasked(to, g.rest, old)
			k.fma(old, g.beta, v)
		}
		k.storeMasked(v, g.rest, to)
		k.JMP(operand.LabelRef(g.after))
	}
}

// readsPacked reports whether a matrix of few columns without gaps is read as one vector.
func (g *gemvtKernel) readsPacked() bool { return g.k.wide && !g.k.single && !g.scattered }

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
		g.k.section(here+"fold", "The sums of each row of the period.")
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
	g.k.Comment("y = beta y.")
	g.k.bcast(g.k.scalarArg("beta"), beta)
	g.k.align()
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
	g.k.section(here, "y += alpha x times "+counted(rows, "row")+" at a time.")
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
	g.k.align()
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
	g.k.Comment("The last vector, under a mask.")
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
