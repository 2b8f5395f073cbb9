package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// eachList goes through the 256 lists in the order given, so that their lengths hardly change from one to the next and
// loops end where the CPU expects it: begin, add for each line of b, in fours, end.
func (k *kernel) eachList(lineBytes, dBytes int, begin func(d reg.GPVirtual), add func(line operand.Mem, i int),
	end func(d reg.GPVirtual)) {
	d, rows, order, b := k.arg("d"), k.arg("rows"), k.arg("order"), k.arg("b")
	lists, n, offset, sum, behind := k.GP64(), k.GP64(), k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(operand.U32(centroids), lists)
	k.LEAQ(operand.Mem{Base: d, Disp: centroids * dBytes}, behind)
	k.Comment("The lists.")
	k.count("lists", lists, func() {
		for disp := 0; disp < dBytes; disp += 64 {
			k.PREFETCHT1(operand.Mem{Base: behind, Disp: disp})
		}
		k.ADDQ(operand.U32(uint32(dBytes)), behind)
		k.PREFETCHT0(operand.Mem{Base: rows, Disp: 1024})
		k.MOVWLZX(operand.Mem{Base: order}, sum.As32())
		k.IMUL3Q(operand.U32(uint32(dBytes)), sum, sum)
		k.ADDQ(d, sum)
		k.MOVWLZX(operand.Mem{Base: order, Disp: 2}, n.As32())
		k.ADDQ(operand.Imm(4), order)
		begin(sum)
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("sum"))
		k.Comment("Four lines of b.")
		k.count("fours", n, func() {
			for i := range 4 {
				k.MOVWLZX(operand.Mem{Base: rows, Disp: 2 * i}, offset.As32())
				k.SHLL(operand.Imm(uint64(bits.TrailingZeros(uint(lineBytes)))), offset.As32())
				add(operand.Mem{Base: b, Index: offset, Scale: 1}, i)
			}
			k.ADDQ(operand.Imm(8), rows)
		})
		k.section("sum", "The sum to d.")
		end(sum)
	})
	k.done()
}

// collect adds lines of width float32, d[c] += Σ b[row]. Two sums run side by side.
func collect(name, entry string, width int) source {
	return source{
		family: "lookup", name: name, entry: entry, sig: "(d *float32, rows, order *uint16, b *float32)",
		elems: plainF32,
		emit: func(k *kernel) {
			bytes := 4 * width
			acc := [2][]reg.VecVirtual{k.line(bytes), k.line(bytes)}
			k.eachList(bytes, bytes,
				func(d reg.GPVirtual) {
					k.eachPart(acc[0], func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: d, Disp: disp}, v) })
					k.zero(acc[1]...)
				},
				func(line operand.Mem, i int) {
					k.eachPart(acc[i%2], func(v reg.VecVirtual, disp int) {
						m := line
						m.Disp = disp
						k.add(m, v, v)
					})
				},
				func(d reg.GPVirtual) {
					for i := range acc[0] {
						k.add(acc[1][i], acc[0][i], acc[0][i])
					}
					k.eachPart(acc[0], func(v reg.VecVirtual,
						disp int) {
						k.store(v, operand.Mem{Base: d, Disp: disp})
					})
				},
			)
		},
	}
}

// collect32i16 adds lines of 32 int16, four of which fit 16 bits, and their sums in int32; then d += scale * sum.
var collect32i16 = source{
	family: "lookup", name: "collect32i16", entry: "Collect32I16", elems: plainF32,
	sig: "(d *float32, rows, order *uint16, b *int16, scale *float32)",
	emit: func(k *kernel) {
		acc, four := k.line(128), k.line(64)
		scale := k.arg("scale")
		k.eachList(64, 128,
			func(reg.GPVirtual) { k.zero(acc...) },
			func(line operand.Mem, i int) {
				if i == 0 {
					k.eachPart(four, func(v reg.VecVirtual, disp int) {
						m := line
						m.Disp = disp
						k.VMOVUPS(m, v)
					})
					return
				}
				k.addWords(line, four)
				if i == 3 {
					k.eachWide(four, func(v reg.VecVirtual,
						disp int) {
						k.VPADDD(v, acc[disp/k.bytes], acc[disp/k.bytes])
					})
				}
			},
			func(d reg.GPVirtual) {
				k.eachPart(acc, func(v reg.VecVirtual, disp int) {
					k.scaleInto(v, operand.Mem{Base: scale, Disp: disp}, operand.Mem{Base: d, Disp: disp})
				})
			},
		)
	},
}
