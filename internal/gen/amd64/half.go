package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of bfloat16 (B16) and float16 (H16) read 16 bits an element and compute in float32. There are three ways to
// read a unit of elements from 16 bits:
//
//	bfloat16 by VDPBF16PS   32 elements, multiplied and added in pairs as they lie
//	bfloat16 otherwise      a vector of 32-bit words, the even elements by a shift, the odd ones by a mask
//	float16                 half a vector, by VCVTPH2PS
//
// Where they meet float32, bfloat16 too come by half vectors, in order.

var (
	bfloatForms = []tier{tiers[0], tiers[1]}
	dpForms     = []tier{bf16, tiers[0], tiers[1]}
	floatForms  = []tier{tiers[0], f16c}
)

// half is a kernel that reads elements of 16 bits.
type half struct {
	k     *kernel
	f16   bool
	pairs bool           // even and odd elements of bfloat16 apart: no float32 beside them
	odd   reg.VecVirtual // mask of the odd elements

	one, below, quiet reg.VecVirtual // constants of roundB16
}

func newHalf(k *kernel, f16, ordered bool) *half {
	return &half{k: k, f16: f16, pairs: !f16 && !ordered}
}

// dp reports whether units are multiplied as they lie.
func (h *half) dp() bool { return h.k.flag == bf16.flag && h.pairs }

// unit is the number of elements of a unit, and parts the number of registers that it becomes.
func (h *half) unit() int {
	if h.pairs {
		return h.k.bytes / 2
	}
	return h.k.bytes / 4
}

func (h *half) parts() int {
	if h.pairs && !h.dp() {
		return 2
	}
	return 1
}

// prepare makes the mask of the odd elements.
func (h *half) prepare() {
	if h.parts() == 1 {
		return
	}
	h.odd = h.k.vec()
	if h.k.wide {
		h.k.VPTERNLOGD(operand.U8(0xff), h.odd, h.odd, h.odd)
	} else {
		h.k.VPCMPEQD(h.odd, h.odd, h.odd)
	}
	h.k.VPSLLD(operand.Imm(16), h.odd, h.odd)
}

// load reads a unit.
func (h *half) load(m operand.Mem) []reg.VecVirtual {
	if !h.pairs {
		v := h.k.vec()
		h.widen(m, v)
		return []reg.VecVirtual{v}
	}
	raw := h.k.vec()
	h.k.loadWords(m, raw)
	return h.split(raw)
}

// split makes two registers of float32 of one of bfloat16, or leaves it as it is.
func (h *half) split(raw reg.VecVirtual) []reg.VecVirtual {
	if h.dp() {
		return []reg.VecVirtual{raw}
	}
	even := h.k.vec()
	h.k.VPSLLD(operand.Imm(16), raw, even)
	if h.k.wide {
		h.k.VPANDD(h.odd, raw, raw)
	} else {
		h.k.VPAND(h.odd, raw, raw)
	}
	return []reg.VecVirtual{even, raw}
}

// loadWords reads a whole register of integers.
func (k *kernel) loadWords(m operand.Mem, v reg.Register) {
	if k.wide {
		k.VMOVDQU16(m, v)
	} else {
		k.VMOVDQU(m, v)
	}
}

// widen makes a vector of float32 of half a vector of elements, in memory or a register.
func (h *half) widen(from operand.Op, v reg.Register) {
	if h.f16 {
		h.k.VCVTPH2PS(from, v)
		return
	}
	h.k.VPMOVZXWD(from, v)
	h.k.VPSLLD(operand.Imm(16), v, v)
}

// maskOf is the mask of n elements of 16 bits, at most 32 (AVX-512).
func (h *half) maskOf(n reg.GPVirtual) reg.Register {
	ones, bits, m := h.k.GP32(), h.k.GP32(), h.k.K()
	h.k.MOVL(operand.U32(0xffffffff), ones)
	h.k.BZHIL(n.As32(), ones, bits)
	h.k.KMOVD(bits, m)
	return m
}

// loadMasked reads the elements of a unit that by selects, and zeros for the others.
func (h *half) loadMasked(m operand.Mem, by reg.Register) []reg.VecVirtual {
	if h.pairs {
		raw := h.k.vec()
		h.k.VMOVDQU16_Z(m, by, raw)
		return h.split(raw)
	}
	narrow, v := h.k.YMM(), h.k.vec()
	h.k.VMOVDQU16_Z(m, by, narrow)
	h.widen(narrow, v)
	return []reg.VecVirtual{v}
}

// loadPiece reads a number of elements that is a power of two, half a vector at most, and zeros behind them (AVX2).
func (h *half) loadPiece(m operand.Mem, elements int) reg.VecVirtual {
	v := h.k.YMM()
	h.k.partWords(m, v, elements)
	if elements == 8 {
		h.widen(m, v)
	} else {
		h.widen(v.AsX(), v)
	}
	return v
}

// partWords reads fewer than 8 elements of 16 bits and zeroes the rest of v.
func (k *kernel) partWords(m operand.Mem, v reg.Vec, elements int) {
	switch elements {
	case 4:
		k.VMOVQ(m, v.AsX())
	case 2:
		k.VMOVD(m, v.AsX())
	case 1:
		w := k.GP32()
		k.MOVWLZX(m, w)
		k.VMOVD(w, v.AsX())
	}
}

// zero clears registers whole, for the sake of those that are scarce.
func (h *half) zero(v ...reg.VecVirtual) {
	for _, v := range v {
		if h.k.wide {
			h.k.VXORPS(v.AsX(), v.AsX(), v.AsX())
		} else {
			h.k.VXORPS(v, v, v)
		}
	}
}

// multiply is acc += a*b of parts of units.
func (h *half) multiply(a, b, acc reg.VecVirtual) {
	if h.dp() {
		h.k.dpbf16(a, b, acc)
	} else {
		h.k.fma(a, b, acc)
	}
}

// words is the memory a number of elements of 16 bits behind p.
func words(p reg.Register, elements int) operand.Mem { return operand.Mem{Base: p, Disp: 2 * elements} }
