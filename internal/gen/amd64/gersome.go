package main

import "github.com/mmcloughlin/avo/operand"

// gerSome goes column by column, a vector of them at a time, where y has any that is not 0: four rows in flight.
// Vectors have 256 bits as in ger, and fewer zeros in them.
var gerSome = source{
	family: "blas", name: "gersome", entry: "GerSome", sig: "(m, n int, x, y, a *T, lda int)",
	emit: func(k *kernel) {
		if k.wide {
			k = k.halved()
		}
		const rows = 4
		m, n, y, a, lda := k.arg("m"), k.bytesArg("n"), k.arg("y"), k.arg("a"), k.bytesArg("lda")
		lda3 := k.GP64()
		k.LEAQ(operand.Mem{Base: lda, Index: lda, Scale: 2}, lda3)
		k.ADDQ(y, n) // the end
		k.SUBQ(operand.Imm(rows), m)
		k.JMP(operand.LabelRef("test"))

		k.section("columns", "A vector of columns, unless y is 0 in all of them.")
		columns := k.vec()
		k.load(k.at(y, 0), columns)
		k.VPTEST(columns, columns)
		k.JZ(operand.LabelRef("next"))
		p, x, left := k.GP64(), k.arg("x"), k.GP64()
		k.MOVQ(a, p)
		add := func(i int, to operand.Mem) {
			factor, v := k.vec(), k.vec()
			k.bcast(k.at(x, i), factor)
			k.load(to, v)
			k.fma(columns, factor, v)
			k.store(v, to)
		}
		k.MOVQ(m, left)
		k.TESTQ(left, left)
		k.JS(operand.LabelRef("few"))
		k.section("rows", "Four rows.")
		for i, row := range []operand.Mem{{Base: p}, {Base: p, Index: lda, Scale: 1}, {Base: p, Index: lda, Scale: 2},
			{Base: p, Index: lda3, Scale: 1}} {
			add(i, row)
		}
		k.LEAQ(operand.Mem{Base: p, Index: lda, Scale: 4}, p)
		k.forward(rows*k.size, x)
		k.SUBQ(operand.Imm(rows), left)
		k.JNS(operand.LabelRef("rows"))
		k.Label("few")
		k.ADDQ(operand.Imm(rows), left)
		k.JZ(operand.LabelRef("next"))
		k.section("row", "One row.")
		add(0, operand.Mem{Base: p})
		k.ADDQ(lda, p)
		k.forward(k.size, x)
		k.DECQ(left)
		k.JNZ(operand.LabelRef("row"))
		k.Label("next")
		k.forward(k.bytes, y, a)
		k.Label("test")
		k.CMPQ(y, n)
		k.JB(operand.LabelRef("columns"))
		k.done()
	},
}
