package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blockPQ codes make a block of the scans with tables of bytes.
const blockPQ = 256

// wordSums adds bytes up in 16 bits: one register takes all bytes as they are, pairs of them as words, the other the
// bytes of odd place alone. The even ones are the difference; what overflows in it falls out again (as in FAISS's fast
// scan).
type wordSums struct{ all, odd reg.VecVirtual }

func (k *kernel) wordSums(n int) []wordSums {
	s := make([]wordSums, n)
	for i := range s {
		s[i] = wordSums{k.vec(), k.vec()}
		k.zero(s[i].all, s[i].odd)
	}
	return s
}

// add adds the bytes of v, and destroys it.
func (s wordSums) add(k *kernel, v reg.VecVirtual) {
	k.VPADDW(v, s.all, s.all)
	k.VPSRLW(operand.Imm(8), v, v)
	k.VPADDW(v, s.odd, s.odd)
}

// store writes the sums in the order of the bytes.
func (s wordSums) store(k *kernel, to operand.Mem) {
	t, low, high := k.vec(), k.vec(), k.vec()
	k.VPSLLW(operand.Imm(8), s.odd, t)
	k.VPSUBW(t, s.all, s.all)
	k.VPUNPCKLWD(s.odd, s.all, low) // bytes 0 to 7 of each quarter
	k.VPUNPCKHWD(s.odd, s.all, high)
	if k.wide {
		first, second := k.ZMM(), k.ZMM()
		k.VMOVDQU64(k.quarters(), first)
		k.VMOVDQU64(k.quarters().Offset(64), second)
		k.VPERMI2Q(high, low, first)
		k.VPERMI2Q(high, low, second)
		k.VMOVDQU64(first, to)
		k.VMOVDQU64(second, to.Offset(64))
		return
	}
	first := k.YMM()
	k.VPERM2I128(operand.Imm(0x20), high, low, first)
	k.VPERM2I128(operand.Imm(0x31), high, low, high)
	k.VMOVDQU(first, to)
	k.VMOVDQU(high, to.Offset(32))
}

// quarters are the two permutations that put quarters 0, 1, 2, 3 of two vectors in turn.
func (k *kernel) quarters() operand.Mem {
	return k.global("quarters", func() {
		for _, q := range []int{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15} {
			k.AppendDatum(operand.U64(q))
		}
	})
}

// nibbles is 0x0f in every byte.
func (k *kernel) nibbles() reg.VecVirtual {
	v := k.vec()
	k.VPBROADCASTD(k.global("nibbles", func() { k.AppendDatum(operand.U32(0x0f0f0f0f)) }), v)
	return v
}

// loadBytes and andBytes have a name for each tier.
func (k *kernel) loadBytes(m operand.Mem, v reg.Register) {
	if k.wide {
		k.VMOVDQU8(m, v)
	} else {
		k.VMOVDQU(m, v)
	}
}

func (k *kernel) andBytes(a, b, d reg.VecVirtual) {
	if k.wide {
		k.VPANDD(a, b, d)
	} else {
		k.VPAND(a, b, d)
	}
}

// quarterTable loads 16 bytes into each quarter of a vector.
func (k *kernel) quarterTable(m operand.Mem) reg.VecVirtual {
	v := k.vec()
	if k.wide {
		k.VBROADCASTI32X4(m, v)
	} else {
		k.VBROADCASTI128(m, v)
	}
	return v
}
