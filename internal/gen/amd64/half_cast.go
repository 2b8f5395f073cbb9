package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	widenSig  = "(x *uint16, y *float32, n int)"
	narrowSig = "(x *float32, y *uint16, n int)"
)

var widenB16 = source{
	family: "half", name: "widenb16", entry: "WidenB16", sig: widenSig, elems: plain, forms: bfloatForms,
	emit: func(k *kernel) { castHalves(newHalf(k, false, true), (*half).widenUnit, (*half).widenPiece, 2, 4) },
}

var widenH16 = source{
	family: "half", name: "widenh16", entry: "WidenH16", sig: widenSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { castHalves(newHalf(k, true, true), (*half).widenUnit, (*half).widenPiece, 2, 4) },
}

var narrowB16 = source{
	family: "half", name: "narrowb16", entry: "NarrowB16", sig: narrowSig, elems: plain, forms: bfloatForms,
	emit: func(k *kernel) { castHalves(newHalf(k, false, true), (*half).narrowUnit, (*half).narrowPiece, 4, 2) },
}

var narrowH16 = source{
	family: "half", name: "narrowh16", entry: "NarrowH16", sig: narrowSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { castHalves(newHalf(k, true, true), (*half).narrowUnit, (*half).narrowPiece, 4, 2) },
}

// castHalves emits the loop over n elements: one converts a vector of float32, or the lanes that n selects where it is
// not nil (AVX-512), piece a power of two (AVX2). from and to are the sizes of elements.
func castHalves(h *half, one func(h *half, x, y, n reg.GPVirtual),
	piece func(h *half, x, y reg.GPVirtual, elements int), from, to int) {
	k := h.k
	x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
	if !h.f16 && from == 4 {
		h.prepareNarrow()
	}
	lanes := k.lanes()
	k.SUBQ(operand.Imm(uint64(lanes)), n)
	k.JB(operand.LabelRef("below"))
	k.section("loop", "A vector of float32 at a time.")
	one(h, x, y, nil)
	k.forward(from*lanes, x)
	k.forward(to*lanes, y)
	k.SUBQ(operand.Imm(uint64(lanes)), n)
	k.JAE(operand.LabelRef("loop"))
	k.Label("below")
	k.ADDQ(operand.Imm(uint64(lanes)), n)
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest.")
	if k.wide {
		one(h, x, y, n)
	} else {
		for e := lanes / 2; e > 0; e /= 2 {
			skip := operand.LabelRef([]string{1: "no1", 2: "no2", 4: "no4"}[e])
			k.TESTQ(operand.U32(e), n)
			k.JZ(skip)
			piece(h, x, y, e)
			k.forward(from*e, x)
			k.forward(to*e, y)
			k.Label(string(skip))
		}
	}
	k.Label("done")
	k.done()
}

func (h *half) widenUnit(x, y, n reg.GPVirtual) {
	if n == nil {
		h.k.store(h.load(words(x, 0))[0], h.k.at(y, 0))
		return
	}
	v := h.loadMasked(words(x, 0), h.maskOf(n))[0]
	h.k.storeMasked(v, h.k.maskOf(n), h.k.at(y, 0))
}

func (h *half) widenPiece(x, y reg.GPVirtual, elements int) {
	h.k.storePart(h.loadPiece(words(x, 0), elements).AsX(), h.k.at(y, 0), 4*elements)
}

func (h *half) narrowUnit(x, y, n reg.GPVirtual) {
	v := h.k.vec()
	if n == nil {
		h.k.load(h.k.at(x, 0), v)
	} else {
		h.k.loadMasked(h.k.at(x, 0), h.k.maskOf(n), v)
	}
	out := h.narrow(v)
	switch {
	case n != nil:
		h.k.VMOVDQU16(out, h.maskOf(n), words(y, 0))
	case h.k.wide:
		h.k.VMOVDQU16(out, words(y, 0))
	default:
		h.k.VMOVDQU(out, words(y, 0))
	}
}

func (h *half) narrowPiece(x, y reg.GPVirtual, elements int) {
	v := h.k.YMM()
	h.k.loadPart(h.k.at(x, 0), v.AsX(), 4*elements)
	out := h.narrow(v)
	switch elements {
	case 4:
		h.k.VMOVQ(out, words(y, 0))
	case 2:
		h.k.VMOVD(out, words(y, 0))
	case 1:
		h.k.VPEXTRW(operand.Imm(0), out, words(y, 0))
	}
}

// narrow rounds a vector of float32 to halves in a register of half the width.
func (h *half) narrow(v reg.VecVirtual) reg.Register {
	half := h.k.part(h.k.bytes / 2)
	if h.f16 {
		h.k.VCVTPS2PH(operand.Imm(0), v, half) // to nearest even, whatever MXCSR says
		return half
	}
	h.roundB16(v)
	if h.k.wide {
		h.k.VPMOVDW(v, half)
		return half
	}
	t := h.k.YMM()
	h.k.VPACKUSDW(v, v, t) // 0 1 2 3 0 1 2 3 | 4 5 6 7 4 5 6 7
	h.k.VPERMQ(operand.Imm(0x08), t, t)
	return t.AsX()
}

// prepareNarrow loads the constants of roundB16.
func (h *half) prepareNarrow() {
	k := h.k
	k.Comment("Constants of the rounding.")
	h.one, h.below, h.quiet = k.vec(), k.vec(), k.vec()
	for _, c := range []struct {
		v    reg.VecVirtual
		bits uint32
	}{{h.one, 1}, {h.below, 0x7fff}, {h.quiet, 0x40}} {
		r := k.GP32()
		k.MOVL(operand.U32(c.bits), r)
		k.VMOVD(r, c.v.AsX())
		k.VPBROADCASTD(c.v.AsX(), c.v)
	}
}

// roundB16 leaves in each 32 bits of v the upper 16, rounded to nearest even: half an ulp less one is added, and one
// more to odd ones. A NaN is cut instead and made quiet: so it neither loses its last bit nor becomes a number.
func (h *half) roundB16(v reg.VecVirtual) {
	k := h.k
	k.Comment("Upper 16 bits to nearest even: + 0x7fff, + 1 where they are odd; NaN is cut and made quiet.")
	nan := k.compare(3, v, v) // unordered with itself
	cut, t := k.vec(), k.vec()
	k.VPSRLD(operand.Imm(16), v, cut)
	if k.wide {
		k.VPANDD(h.one, cut, t)
		k.VPADDD(h.below, t, t)
		k.VPADDD(t, v, v)
		k.VPSRLD(operand.Imm(16), v, v)
		k.VPORD(h.quiet, cut, nan.k, v)
		return
	}
	k.VPAND(h.one, cut, t)
	k.VPADDD(h.below, t, t)
	k.VPADDD(t, v, v)
	k.VPSRLD(operand.Imm(16), v, v)
	k.VPOR(h.quiet, cut, cut)
	k.VBLENDVPS(nan.v, cut, v, v)
}
