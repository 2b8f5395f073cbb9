package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqQuantize makes bytes of a table's entries, 16 at a time.
var pqQuantize = source{
	family: "pq", name: "quantize", entry: "Quantize", elems: plain,
	sig: "(n int, x *float32, origin, factor float32, limit uint32, dst *uint8)",
	emit: func(k *kernel) {
		n, x, dst := k.arg("n"), k.arg("x"), k.arg("dst")
		origin, factor, limit := k.vec(), k.vec(), k.vec()
		k.bcast(k.scalarArg("origin"), origin)
		k.bcast(k.scalarArg("factor"), factor)
		most := k.GP32()
		k.Load(k.Param("limit"), most)
		k.VMOVD(most, limit.AsX())
		k.VPBROADCASTD(limit.AsX(), limit)
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("end"))
		k.section("loop", "16 entries: min(limit, (x - origin) factor), cut to integers, as bytes.")
		v := make([]reg.VecVirtual, lanesPQ/k.lanes())
		for i := range v {
			v[i] = k.vec()
			k.load(k.at(x, i*k.lanes()), v[i])
			k.sub(origin, v[i], v[i])
			k.mul(factor, v[i], v[i])
			k.VCVTTPS2DQ(v[i], v[i])
			k.VPMINSD(limit, v[i], v[i])
		}
		k.VMOVDQU(k.packBytes(v), operand.Mem{Base: dst})
		k.ADDQ(operand.U32(4*lanesPQ), x)
		k.ADDQ(operand.Imm(lanesPQ), dst)
		k.SUBQ(operand.Imm(lanesPQ), n)
		k.JNZ(operand.LabelRef("loop"))
		k.Label("end")
		k.done()
	},
}

// packBytes returns the lowest bytes of 16 integers of 32 bits, none above 255.
func (k *kernel) packBytes(v []reg.VecVirtual) reg.VecVirtual {
	b := k.XMM()
	if k.wide {
		k.VPMOVDB(v[0], b)
		return b
	}
	words, high := k.YMM(), k.XMM()
	k.VPACKUSDW(v[1], v[0], words)
	k.VPERMQ(operand.Imm(0xd8), words, words)
	k.VEXTRACTI128(operand.Imm(1), words, high)
	k.VPACKUSWB(high, words.AsX(), b)
	return b
}
