package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// samples is the number of vectors that pivot reads.
const samples = 8

// pivot returns a key near the median: of vectors at equal distances, the median of the medians of the lanes.
var pivot = source{
	family: "sort", name: "pivot", entry: "Pivot", sig: "(src *T, n int) T", elems: keyElems,
	emit: func(k *kernel) {
		src, n := k.arg("src"), k.arg("n")
		step := k.GP64()
		k.LEAQ(operand.Mem{Base: n, Disp: -k.lanes()}, step)
		k.SHRQ(operand.U8(3), step) // log2 of samples
		k.SHLQ(operand.U8(k.shift), step)
		net := k.lanesNet()
		v := k.vecs(samples)
		k.Comment("Vectors at equal distances, and the median of each lane.")
		for i := range v {
			k.iload(k.at(src, 0), v[i])
			if i+1 < samples {
				k.ADDQ(step, src)
			}
		}
		net.sortColumns(v)
		k.Comment("The median of the medians.")
		m := net.sort([]reg.VecVirtual{v[samples/2]})[0]
		middle := k.vec()
		if k.wide {
			k.VEXTRACTI32X4(operand.U8(2), m, middle.AsX())
		} else {
			k.VEXTRACTI128(operand.U8(1), m, middle.AsX())
		}
		k.retInteger(middle)
	},
}
