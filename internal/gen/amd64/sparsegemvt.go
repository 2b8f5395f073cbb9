package main

import (
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
			gemvtKernel: gemvtKernel{gemvKernel: gemvKernel{k: k, m: k.GP64(), n: k.arg("n"), a: k.arg("a"),
				lda: k.bytesArg("lda"), y: k.arg("y")}, after: "next", most: 4, scattered: true},
			idx: k.GP64(), val: k.GP64(),
		}
		g.addRow, g.advance = g.addSparse, g.advanceSparse
		g.emit()
	},
}

type sparseGemvtKernel struct {
	gemvtKernel
	idx, val reg.GPVirtual // those still to come in this pass, m in number
}

const sparseVecs = 12

func (g *sparseGemvtKernel) emit() {
	g.k.TESTQ(g.n, g.n)
	g.k.JZ(operand.LabelRef("done"))
	g.hasBeta = g.k.nonZero(g.k.scalarArg("beta"))
	g.k.section("pass", "The next vectors of columns.")
	r, most := g.k.GP64(), g.k.GP64()
	g.k.MOVQ(g.n, r)
	g.k.MOVL(operand.U32(sparseVecs*g.k.lanes()), most.As32())
	g.k.CMPQ(r, most)
	g.k.CMOVQHI(most, r)
	full := g.split(r)
	for _, p := range []struct {
		name string
		to   reg.GPVirtual
	}{{"idx", g.idx}, {"val", g.val}, {"nnz", g.m}} {
		g.k.Load(g.k.Param(p.name), p.to)
	}
	g.shapes(sparseVecs, full, nil)
	g.k.Label("next")
	g.k.Comment("To the next columns.")
	g.k.forward(sparseVecs*g.k.bytes, g.a, g.y)
	g.k.SUBQ(operand.U32(sparseVecs*g.k.lanes()), g.n)
	g.k.JA(operand.LabelRef("pass"))
	g.k.Label("done")
	g.k.done()
}

func (g *sparseGemvtKernel) advanceSparse(rows int) {
	g.k.ADDQ(operand.Imm(uint64(4*rows)), g.idx)
	g.k.ADDQ(operand.Imm(uint64(rows*g.k.size)), g.val)
}

// addSparse adds val[i] times its row.
func (g *sparseGemvtKernel) addSparse(i int, acc []reg.VecVirtual) {
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
