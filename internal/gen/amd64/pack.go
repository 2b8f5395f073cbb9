package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const packSig = "(m, n int, src *T, lds int, dst *T, ldd int)"

// packRows copies rows, filled up with zeros to whole groups of 32 bytes.
var packRows = source{
	family: "gemm", name: "packrows", entry: "PackRows", sig: packSig,
	emit: func(k *kernel) {
		k = k.narrowed()
		m, n, src, lds, dst, ldd := k.arg("m"), k.arg("n"), k.arg("src"), k.bytesArg("lds"), k.arg("dst"),
			k.bytesArg("ldd")
		k.unlessEmpty(m, n)
		rest, full := k.GP64(), k.GP64()
		k.MOVQ(n, rest)
		k.ANDQ(operand.U32(k.lanes()-1), rest)
		k.MOVQ(n, full)
		k.SUBQ(rest, full)
		k.SHLQ(operand.U8(k.shift), full) // bytes of whole groups
		last := k.maskOf(rest)
		const unroll = 4
		for v := unroll; v > 0; v-- { // rows of few groups have loops of their own
			here, next := fmt.Sprintf("groups%d", v), fmt.Sprintf("not%d", v)
			k.CMPQ(full, operand.U32(v*k.bytes))
			k.JNE(operand.LabelRef(next))
			k.TESTQ(rest, rest)
			k.JNZ(operand.LabelRef(next))
			k.section(here, "Rows of "+counted(v, "whole group")+".")
			k.copyGroups(v, operand.Mem{Base: src}, operand.Mem{Base: dst})
			k.ADDQ(lds, src)
			k.ADDQ(ldd, dst)
			k.DECQ(m)
			k.JNZ(operand.LabelRef(here))
			k.JMP(operand.LabelRef("done"))
			k.Label(next)
		}
		k.section("row", "Rows of any length.")
		j := k.GP64()
		k.XORQ(j, j)
		k.CMPQ(j, full)
		k.JE(operand.LabelRef("rest"))
		k.Label("group")
		k.copyGroups(1, operand.Mem{Base: src, Index: j, Scale: 1}, operand.Mem{Base: dst, Index: j, Scale: 1})
		k.ADDQ(operand.Imm(uint64(k.bytes)), j)
		k.CMPQ(j, full)
		k.JB(operand.LabelRef("group"))
		k.section("rest", "The rest of the row, and zeros behind it.")
		k.TESTQ(rest, rest)
		k.JZ(operand.LabelRef("next"))
		v := k.vec()
		k.loadMasked(operand.Mem{Base: src, Index: j, Scale: 1}, last, v)
		k.store(v, operand.Mem{Base: dst, Index: j, Scale: 1})
		k.Label("next")
		k.ADDQ(lds, src)
		k.ADDQ(ldd, dst)
		k.DECQ(m)
		k.JNZ(operand.LabelRef("row"))
		k.Label("done")
		k.done()
	},
}

// narrowed is the kernel on vectors of 32 bytes, the groups in which matrices are packed.
func (k *kernel) narrowed() *kernel {
	if k.wide {
		return k.halved()
	}
	return k
}

func (k *kernel) unlessEmpty(n ...reg.GPVirtual) {
	for _, n := range n {
		k.TESTQ(n, n)
		k.JLE(operand.LabelRef("done"))
	}
}

func (k *kernel) copyGroups(groups int, src, dst operand.Mem) {
	for range groups {
		v := k.vec()
		k.load(src, v)
		k.store(v, dst)
		src.Disp += k.bytes
		dst.Disp += k.bytes
	}
}
