package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// range16 widens the ranges [low, high] of 16 columns by n rows of 16.
var range16 = source{
	family: "lookup", name: "range16", entry: "Range16", elems: plainF32,
	sig: "(low, high, x *float32, n int)",
	emit: func(k *kernel) {
		low, high, x, n := k.arg("low"), k.arg("high"), k.arg("x"), k.arg("n")
		lo, hi := k.line(64), k.line(64)
		k.Comment("The ranges so far.")
		k.eachPart(lo, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: low, Disp: disp}, v) })
		k.eachPart(hi, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: high, Disp: disp}, v) })
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("end"))
		k.Comment("Rows of 16: low = min(low, x), high = max(high, x).")
		k.count("rows", n, func() {
			for i := range lo {
				v := k.vec()
				k.load(operand.Mem{Base: x, Disp: i * k.bytes}, v)
				k.VMINPS(lo[i], v, lo[i])
				k.VMAXPS(hi[i], v, hi[i])
			}
			k.ADDQ(operand.U32(64), x)
		})
		k.section("end", "The ranges are written.")
		k.eachPart(lo, func(v reg.VecVirtual, disp int) { k.store(v, operand.Mem{Base: low, Disp: disp}) })
		k.eachPart(hi, func(v reg.VecVirtual, disp int) { k.store(v, operand.Mem{Base: high, Disp: disp}) })
		k.done()
	},
}

// quantizeI16 writes dst[i] = round((x[i] - low) * inverse) for n rows of 16, stride elements apart in dst.
var quantizeI16 = source{
	family: "lookup", name: "quantizeI16", entry: "QuantizeI16", elems: plainF32,
	sig: "(dst *int16, stride int, x *float32, n int, low, inverse *float32)",
	emit: func(k *kernel) {
		q := k.quantizer(1)
		k.ADDQ(q.stride, q.stride)
		q.run(func(v []reg.VecVirtual) { k.packWords(v, k.VPACKSSDW, k.VPMOVSDW, operand.Mem{Base: q.dst}) }, q.x)
	},
}

// quantizeU8 quantizes rows of x and y to 0..255 and writes them in turn: x0 y0 x1 y1 ...; low and inverse are 16
// numbers for x, then 16 for y.
var quantizeU8 = source{
	family: "lookup", name: "quantizeU8", entry: "QuantizeU8", elems: plainF32,
	sig: "(dst *uint8, stride int, x, y *float32, n int, low, inverse *float32)",
	emit: func(k *kernel) {
		q, y := k.quantizer(2), k.arg("y")
		zero, most, m := k.vec(), k.vec(), k.GP32()
		k.zero(zero)
		k.MOVL(operand.U32(255), m)
		k.VMOVD(m, most.AsX())
		k.VPBROADCASTD(most.AsX(), most)
		parts := len(q.low) / 2
		q.run(func(v []reg.VecVirtual) {
			for _, v := range v {
				k.VPMAXSD(zero, v, v)
				k.VPMINSD(most, v, v)
			}
			for i := range parts {
				k.VPSLLD(operand.Imm(8), v[parts+i], v[parts+i])
				k.VPADDD(v[parts+i], v[i], v[i])
			}
			k.packWords(v[:parts], k.VPACKUSDW, k.VPMOVDW, operand.Mem{Base: q.dst})
		}, q.x, y)
	},
}

// packWords stores 16 numbers of 32 bits as 16 bits each.
func (k *kernel) packWords(v []reg.VecVirtual, pack2 func(...operand.Op), pack func(...operand.Op), dst operand.Mem) {
	if k.wide {
		pack(v[0], v[0].AsY())
		k.VMOVUPS(v[0].AsY(), dst)
		return
	}
	pack2(v[1], v[0], v[0])
	k.VPERMQ(operand.Imm(0xd8), v[0], v[0])
	k.VMOVUPS(v[0], dst)
}

// quantizer is the loop over rows of 16 float32.
type quantizer struct {
	k                 *kernel
	dst, stride, x, n reg.GPVirtual
	low, inverse      []reg.VecVirtual
}

// quantizer loads what blocks of 16 columns need.
func (k *kernel) quantizer(blocks int) quantizer {
	q := quantizer{k: k, dst: k.arg("dst"), stride: k.arg("stride"), x: k.arg("x"), n: k.arg("n")}
	low, inverse := k.arg("low"), k.arg("inverse")
	for range blocks {
		q.low, q.inverse = append(q.low, k.line(64)...), append(q.inverse, k.line(64)...)
	}
	k.eachPart(q.low, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: low, Disp: disp}, v) })
	k.eachPart(q.inverse, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: inverse, Disp: disp}, v) })
	return q
}

// run gives pack the integers of each row of x and of the others.
func (q quantizer) run(pack func(v []reg.VecVirtual), x ...reg.GPVirtual) {
	q.k.TESTQ(q.n, q.n)
	q.k.JZ(operand.LabelRef("end"))
	q.k.Comment("Rows of 16: round((x - low) inverse), packed.")
	q.k.count("rows", q.n, func() {
		var v []reg.VecVirtual
		for _, x := range x {
			row := q.k.line(64)
			q.k.eachPart(row, func(v reg.VecVirtual, disp int) { q.k.load(operand.Mem{Base: x, Disp: disp}, v) })
			q.k.ADDQ(operand.U32(64), x)
			v = append(v, row...)
		}
		for i, v := range v {
			q.k.sub(q.low[i], v, v)
			q.k.mul(q.inverse[i], v, v)
			q.k.VCVTPS2DQ(v, v)
		}
		pack(v)
		q.k.ADDQ(q.stride, q.dst)
	})
	q.k.Label("end")
	q.k.done()
}
