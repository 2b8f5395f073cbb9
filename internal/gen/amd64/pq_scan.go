package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqScan reads eight parts of a code at once and takes them out one by one: a gather would be slower on AMD's CPUs, and
// no faster than two loads a cycle on Intel's.
var pqScan = source{
	family: "pq", name: "scan", entry: "Scan", elems: plain,
	sig: "(n, m int, table *float32, codes *uint8, dst *float32)",
	emit: func(k *kernel) {
		n, m, table, codes, dst := k.arg("n"), k.arg("m"), k.arg("table"), k.arg("codes"), k.arg("dst")
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("end"))
		k.section("code", "The next code.")
		sums := []reg.VecVirtual{k.XMM(), k.XMM(), k.XMM(), k.XMM()}
		k.zero(sums...)
		at, left := k.GP64(), k.GP64()
		k.MOVQ(table, at)
		k.MOVQ(m, left)
		k.SUBQ(operand.Imm(8), left)
		k.JB(operand.LabelRef("rest"))
		k.section("eight", "Eight parts: an entry of each.")
		parts := k.GP64()
		k.MOVQ(operand.Mem{Base: codes}, parts)
		for j := range 8 {
			part := k.GP64()
			k.MOVBLZX(parts.As8(), part.As32())
			if j < 7 {
				k.SHRQ(operand.U8(8), parts)
			}
			k.VADDSS(operand.Mem{Base: at, Index: part, Scale: 4, Disp: j * 1024}, sums[j%4], sums[j%4])
		}
		k.ADDQ(operand.Imm(8), codes)
		k.ADDQ(operand.U32(8*1024), at)
		k.SUBQ(operand.Imm(8), left)
		k.JAE(operand.LabelRef("eight"))
		k.section("rest", "The last parts.")
		k.ADDQ(operand.Imm(8), left)
		for j := range 7 {
			k.CMPQ(left, operand.Imm(uint64(j)))
			k.JE(operand.LabelRef("sum"))
			part := k.GP64()
			k.MOVBLZX(operand.Mem{Base: codes, Disp: j}, part.As32())
			k.VADDSS(operand.Mem{Base: at, Index: part, Scale: 4, Disp: j * 1024}, sums[j%4], sums[j%4])
		}
		k.section("sum", "The sum of the chains.")
		k.ADDQ(left, codes)
		k.VADDSS(sums[2], sums[0], sums[0])
		k.VADDSS(sums[3], sums[1], sums[1])
		k.VADDSS(sums[1], sums[0], sums[0])
		k.VMOVSS(sums[0], operand.Mem{Base: dst})
		k.ADDQ(operand.Imm(4), dst)
		k.DECQ(n)
		k.JNZ(operand.LabelRef("code"))
		k.Label("end")
		k.done()
	},
}
