package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqBelow expects few hits: 64 numbers are compared at once, and the bits of those that pass are taken one by one.
var pqBelow = source{
	family: "pq", name: "below", entry: "Below", elems: plain, sig: "(n int, s *uint16, limit uint32, dst *uint32) int",
	emit: func(k *kernel) {
		const step = 64
		n, s, dst := k.arg("n"), k.arg("s"), k.arg("dst")
		limit32, first, start := k.GP32(), k.GP64(), k.GP64()
		k.Load(k.Param("limit"), limit32)
		k.MOVQ(dst, start)
		k.XORL(first.As32(), first.As32())
		limit := k.vec()
		k.VMOVD(limit32, limit.AsX())
		k.VPBROADCASTW(limit.AsX(), limit)
		k.SUBQ(operand.Imm(step), n)
		k.JB(operand.LabelRef("rest"))
		k.section("loop", "64 numbers, and a bit for each that is at most limit.")
		hits := k.hits(s, limit)
		k.TESTQ(hits, hits)
		k.JZ(operand.LabelRef("next"))
		k.section("hit", "Hit by hit.")
		at := k.GP64()
		k.TZCNTQ(hits, at)
		k.ADDQ(first, at)
		k.MOVL(at.As32(), operand.Mem{Base: dst})
		k.ADDQ(operand.Imm(4), dst)
		k.BLSRQ(hits, hits)
		k.JNZ(operand.LabelRef("hit"))
		k.Label("next")
		k.ADDQ(operand.U32(2*step), s)
		k.ADDQ(operand.Imm(step), first)
		k.SUBQ(operand.Imm(step), n)
		k.JAE(operand.LabelRef("loop"))
		k.Label("rest")
		k.ADDQ(operand.Imm(step), n)
		k.JZ(operand.LabelRef("end"))
		k.section("one", "The rest, number by number.")
		v := k.GP32()
		k.MOVWLZX(operand.Mem{Base: s}, v)
		k.CMPL(v, limit32)
		k.JA(operand.LabelRef("above"))
		k.MOVL(first.As32(), operand.Mem{Base: dst})
		k.ADDQ(operand.Imm(4), dst)
		k.Label("above")
		k.ADDQ(operand.Imm(2), s)
		k.INCQ(first)
		k.DECQ(n)
		k.JNZ(operand.LabelRef("one"))
		k.section("end", "How many.")
		k.SUBQ(start, dst)
		k.SHRQ(operand.U8(2), dst)
		k.Store(dst, k.ReturnIndex(0))
		k.done()
	},
}

// hits returns a bit for each of the 64 numbers at s that are at most limit.
func (k *kernel) hits(s reg.GPVirtual, limit reg.VecVirtual) reg.GPVirtual {
	bits := k.GP64()
	if k.wide {
		low, high := k.K(), k.K()
		v, w := k.ZMM(), k.ZMM()
		k.VMOVDQU16(operand.Mem{Base: s}, v)
		k.VMOVDQU16(operand.Mem{Base: s, Disp: 64}, w)
		k.VPCMPUW(operand.Imm(2), limit, v, low)
		k.VPCMPUW(operand.Imm(2), limit, w, high)
		k.KUNPCKDQ(low, high, high)
		k.KMOVQ(high, bits)
		return bits
	}
	halves := []reg.GPVirtual{bits, k.GP64()}
	for h, half := range halves {
		var v [2]reg.VecVirtual
		for i := range v {
			v[i] = k.YMM()
			m := k.YMM()
			k.VMOVDQU(operand.Mem{Base: s, Disp: 64*h + 32*i}, v[i])
			k.VPMINUW(limit, v[i], m)
			k.VPCMPEQW(m, v[i], v[i])
		}
		k.VPACKSSWB(v[1], v[0], v[0])
		k.VPERMQ(operand.Imm(0xd8), v[0], v[0])
		k.VPMOVMSKB(v[0], half.As32())
	}
	k.SHLQ(operand.U8(32), halves[1])
	k.ORQ(halves[1], bits)
	return bits
}
