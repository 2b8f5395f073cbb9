package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqScan4 looks up 16 entries by a shuffle, two parts of a code from each byte; their sum fits a byte, so that it is
// widened once for both. VBMI's VPERMB takes six bits of each byte: with the 16 entries four times in a register no
// half need be masked.
var pqScan4 = source{
	family: "pq", name: "scan4", entry: "Scan4", elems: plain, forms: []tier{vbmi, tiers[1]},
	sig: "(blocks, pairs int, table, codes *uint8, dst *uint16)",
	emit: func(k *kernel) {
		const vecs = 4 // at a time: 256 codes or 128
		blocks, pairs, table0, codes0, dst := k.arg("blocks"), k.arg("pairs"), k.arg("table"), k.arg("codes"),
			k.arg("dst")
		k.TESTQ(blocks, blocks)
		k.JZ(operand.LabelRef("end"))
		var nibbles reg.VecVirtual
		if !k.wide {
			nibbles = k.nibbles()
		}
		k.section("block", "A block of 256 codes.")
		var piece reg.GPVirtual
		if !k.wide {
			piece = k.GP64()
			k.MOVQ(operand.U32(blockPQ/(vecs*k.bytes)), piece)
			k.Label("piece")
		}
		sums := k.wordSums(vecs)
		table, codes, left := k.GP64(), k.GP64(), k.GP64()
		k.MOVQ(table0, table)
		k.MOVQ(codes0, codes)
		k.MOVQ(pairs, left)
		k.TESTQ(left, left)
		k.JZ(operand.LabelRef("store"))
		k.section("pair",
			"Two parts of each code, from both halves of a byte: the entries are added as bytes.")
		even, odd := k.quarterTable(operand.Mem{Base: table}), k.quarterTable(operand.Mem{Base: table, Disp: 16})
		for i, sum := range sums {
			low, high := k.vec(), k.vec()
			k.loadBytes(operand.Mem{Base: codes, Disp: i * k.bytes}, low)
			k.VPSRLW(operand.Imm(4), low, high)
			if k.wide {
				k.VPERMB(even, low, low)
				k.VPERMB(odd, high, high)
			} else {
				k.andBytes(nibbles, low, low)
				k.andBytes(nibbles, high, high)
				k.VPSHUFB(low, even, low)
				k.VPSHUFB(high, odd, high)
			}
			k.VPADDB(high, low, low)
			sum.add(k, low)
		}
		k.ADDQ(operand.Imm(32), table)
		k.ADDQ(operand.U32(blockPQ), codes)
		k.DECQ(left)
		k.JNZ(operand.LabelRef("pair"))
		k.section("store", "The sums, as 16 bits.")
		for i, sum := range sums {
			sum.store(k, operand.Mem{Base: dst, Disp: 2 * i * k.bytes})
		}
		k.ADDQ(operand.U32(2*vecs*k.bytes), dst)
		k.ADDQ(operand.U32(vecs*k.bytes), codes0)
		rest := k.GP64()
		if !k.wide {
			k.DECQ(piece)
			k.JNZ(operand.LabelRef("piece"))
		}
		k.LEAQ(operand.Mem{Base: pairs, Disp: -1}, rest)
		k.SHLQ(operand.U8(8), rest)
		k.ADDQ(rest, codes0)
		k.DECQ(blocks)
		k.JNZ(operand.LabelRef("block"))
		k.Label("end")
		k.done()
	},
}
