package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sparseGemvT sets y = alpha Aᵀ x + beta y for a sparse x: y is a sum of few rows of A, far from each other. The sums
// of up to 13 vectors of columns stay in registers while those rows come by, several at a time where one has too few
// columns to keep eight sums in flight; wider matrices take another pass over x for each 13 vectors.
var sparseGemvT = source{
	family: "sparse", name: "gemvt", entry: "GemvT",
	sig: "(n int, alpha T, a *T, lda int, idx *int32, val *T, nnz int, beta T, y *T)",
	emit: func(k *kernel) {
		g := &sparseGemvtKernel{
			gemvtKernel: gemvtKernel{gemvKernel: gemvKernel{k: k, n: k.arg("n"), a: k.arg("a"), lda: k.bytesArg("lda"),
				y: k.arg("y")}},
			idx: k.GP64(), val: k.GP64(), left: k.GP64(),
		}
		g.emit()
	},
}

type sparseGemvtKernel struct {
	gemvtKernel
	idx, val, left reg.GPVirtual // those still to come in this pass
}

const sparseVecs = 12

func (g *sparseGemvtKernel) emit() {
	g.k.TESTQ(g.n, g.n)
	g.k.JZ(operand.LabelRef("done"))
	g.hasBeta = g.k.nonZero(g.k.scalarArg("beta"))
	g.k.Label("pass")
	r, most, vecs := g.k.GP64(), g.k.GP64(), g.k.GP64()
	g.k.MOVQ(g.n, r)
	g.k.MOVL(operand.U32(sparseVecs*g.k.lanes()), most.As32())
	g.k.CMPQ(r, most)
	g.k.CMOVQHI(most, r)
	g.k.DECQ(r)
	g.k.MOVQ(r, vecs)
	g.k.ANDQ(operand.U32(g.k.lanes()-1), r)
	g.k.INCQ(r)
	g.rest = g.k.maskOf(r) // of the last vector, 1 to all lanes
	shift := map[int]uint8{4: 2, 8: 3, 16: 4}[g.k.lanes()]
	g.k.SHRQ(operand.U8(shift), vecs) // full vectors before the last
	for _, p := range []struct {
		name string
		to   reg.GPVirtual
	}{{"idx", g.idx}, {"val", g.val}, {"nnz", g.left}} {
		g.k.Load(g.k.Param(p.name), p.to)
	}
	for p := range sparseVecs {
		g.k.CMPQ(vecs, operand.Imm(uint64(p)))
		g.k.JE(operand.LabelRef(fmt.Sprintf("narrow%d", p+1)))
	}
	for p := 1; p <= sparseVecs; p++ {
		g.narrow(p)
	}
	g.k.Label("next")
	g.k.forward(sparseVecs*g.k.bytes, g.a, g.y)
	g.k.SUBQ(operand.U32(sparseVecs*g.k.lanes()), g.n)
	g.k.JA(operand.LabelRef("pass"))
	g.k.Label("done")
	g.k.done()
}

// narrow treats p vectors of columns, the last of them masked.
func (g *sparseGemvtKernel) narrow(p int) {
	here := fmt.Sprintf("narrow%d", p)
	g.k.Label(here)
	rows := min((7+p)/p, 4)
	if p*rows > g.k.regs-3 {
		rows = 1
	}
	acc := g.k.vecs(p * rows)
	// the register as a whole: what zero leaves out would seem to be alive from one pass to the next
	for _, v := range acc {
		g.k.VXORPS(v, v, v)
	}
	for _, r := range unique(rows, 1) {
		loop := fmt.Sprintf("%sby%d", here, r)
		g.k.SUBQ(operand.Imm(uint64(r)), g.left)
		g.k.JB(operand.LabelRef(loop + "end"))
		g.k.Label(loop)
		for i := range r {
			g.addRow(i, acc[i*p:][:p])
		}
		g.k.ADDQ(operand.Imm(uint64(4*r)), g.idx)
		g.k.ADDQ(operand.Imm(uint64(r*g.k.size)), g.val)
		g.k.SUBQ(operand.Imm(uint64(r)), g.left)
		g.k.JAE(operand.LabelRef(loop))
		g.k.Label(loop + "end")
		g.k.ADDQ(operand.Imm(uint64(r)), g.left)
	}
	g.writeNarrow(here, acc, p)
	g.k.JMP(operand.LabelRef("next"))
}

// addRow adds val[i] times its row.
func (g *sparseGemvtKernel) addRow(i int, acc []reg.VecVirtual) {
	row, t, v := g.k.GP64(), g.k.vec(), g.k.vec()
	g.k.rowAt(operand.Mem{Base: g.idx, Disp: 4 * i}, g.lda, row)
	g.k.bcast(g.k.at(g.val, i), t)
	last := len(acc) - 1
	at := func(j int) operand.Mem {
		return operand.Mem{Base: g.a, Index: row, Scale: 1, Disp: j * g.k.bytes}
	}
	for j, sum := range acc[:last] {
		g.k.fma(at(j), t, sum)
	}
	g.k.loadMasked(at(last), g.rest, v)
	g.k.fma(v, t, acc[last])
}
