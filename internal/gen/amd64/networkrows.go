package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// loadRows reads n elements, more than half of what the rows hold, and fills up with what sorts last.
func (k *kernel) loadRows(src, n reg.GPVirtual, rows int, f keyForm) []reg.VecVirtual {
	v, sure := k.vecs(rows), rows/2 // the first half is full
	k.Comment("Whole rows, and what is not full, filled up with what sorts last.")
	for i := range sure {
		k.iload(k.at(src, i*k.lanes()), v[i])
	}
	pad := k.pad(f)
	k.rowMasks(n, sure, rows, func(i int, by mask) {
		if k.wide {
			k.icopy(pad, v[i])
			pick(k, k.VMOVDQU32, k.VMOVDQU64)(k.at(src, i*k.lanes()), by.k, v[i])
			return
		}
		pick(k, k.VPMASKMOVD, k.VPMASKMOVQ)(k.at(src, i*k.lanes()), by.v, v[i])
		k.VPBLENDVB(by.v, v[i], pad, v[i])
	})
	return v
}

// lastRow is what AVX2 stores in part, and where.
type lastRow struct {
	v  reg.VecVirtual
	to reg.GPVirtual
}

// storeLast stores the first elements of the last row, n less the lanes of one in number.
func (k *kernel) storeLast(last lastRow, n reg.GPVirtual) {
	k.section("part", "The last row, which is not full.")
	k.ADDQ(operand.U32(k.lanes()), n)
	pick(k, k.VPMASKMOVD, k.VPMASKMOVQ)(last.v, k.maskOf(n).v, operand.Mem{Base: last.to})
	k.done()
}

// storeRows writes n elements, more than half of what the rows hold.
func (k *kernel) storeRows(v []reg.VecVirtual, dst, n reg.GPVirtual, last lastRow, here string) {
	sure := len(v) / 2
	for i := range sure {
		k.istore(v[i], k.at(dst, i*k.lanes()))
	}
	if k.wide {
		k.rowMasks(n, sure, len(v), func(i int, by mask) {
			pick(k, k.VMOVDQU32, k.VMOVDQU64)(v[i], by.k, k.at(dst, i*k.lanes()))
		})
		return
	}
	// A masked store takes longer than a wrong guess: only the last one is masked, by code that all share.
	for i := sure; i < len(v); i++ {
		next, count := fmt.Sprintf("%sfull%d", here, i), 1
		if i == sure {
			count += i
		}
		k.SUBQ(operand.U32(count*k.lanes()), n)
		k.JAE(operand.LabelRef(next))
		k.icopy(v[i], last.v)
		k.LEAQ(k.at(dst, i*k.lanes()), last.to)
		k.JMP(operand.LabelRef("part"))
		k.Label(next)
		k.istore(v[i], k.at(dst, i*k.lanes()))
	}
}

// rowMasks calls f with the mask of each of the rows from..to, of which n elements are wanted in all.
func (k *kernel) rowMasks(n reg.GPVirtual, from, to int, f func(i int, by mask)) {
	if !k.wide {
		zero := k.GP64()
		k.XORL(zero.As32(), zero.As32())
		for i := from; i < to; i++ {
			rest, most := k.GP64(), k.GP64()
			k.MOVL(operand.U32(k.lanes()), most.As32())
			k.MOVQ(n, rest)
			k.SUBQ(operand.U32(i*k.lanes()), rest)
			k.CMOVQLT(zero, rest)
			k.CMPQ(rest, most)
			k.CMOVQGT(most, rest)
			f(i, k.maskOf(rest))
		}
		return
	}
	// One word of 64 bits has the masks of several rows.
	perWord := 64 / k.lanes()
	for first := from; first < to; first += perWord {
		rest, word := k.GP64(), k.GP64()
		k.MOVQ(n, rest)
		if first > 0 {
			k.SUBQ(operand.U32(first*k.lanes()), rest)
		}
		if first > from { // as many as this may be wanted before
			zero := k.GP64()
			k.MOVL(operand.U32(0), zero.As32())
			k.CMOVQLT(zero, rest)
		}
		k.MOVQ(operand.I32(-1), word)
		k.BZHIQ(rest, word, word)
		for i := first; i < min(first+perWord, to); i++ {
			m := k.K()
			k.KMOVW(word.As32(), m)
			f(i, mask{k: m})
			if i+1 < min(first+perWord, to) {
				k.SHRQ(operand.U8(k.lanes()), word)
			}
		}
	}
}
