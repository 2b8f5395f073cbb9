package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bytes of package ints, and its words of bits.
var (
	byteElems = []elem{{"Int8", "int8", 1, 0, false}, {"Uint8", "uint8", 1, 0, false}}
	plainByte = []elem{{"", "uint8", 1, 0, false}}
	plainBits = []elem{{"", "uint64", 8, 3, true}}
)

// byteForms and bitForms are the forms of sums of products of bytes and of sums of ones.
var (
	byteForms = []tier{vnni, tiers[0], tiers[1]}
	bitForms  = []tier{vpopcnt, tiers[0], tiers[1]}
)

// bytesKernel has what sums of products of bytes are made of. VNNI multiplies unsigned bytes a by signed ones b and
// adds four products to a sum of 32 bits. Bytes of the wrong kind are changed by 128, which is to flip their top bit:
//
//	Σ a b = Σ (a + 128) b - 128 Σ b     a signed
//	Σ a b = Σ a (b - 128) + 128 Σ a     b unsigned
//
// The other forms widen bytes to 16 bits and multiply by VPMADDWD, which adds pairs: nothing saturates.
type bytesKernel struct {
	k          *kernel
	x, y       bool           // whether they are signed
	swapped    bool           // VNNI, both unsigned: x is changed, and y taken as it is
	flip, ones reg.VecVirtual // VNNI: 128 and 1 in every byte
}

func newBytes(k *kernel, x, y bool) *bytesKernel {
	b := &bytesKernel{k: k, x: x, y: y}
	if b.vnni() {
		b.flip, b.ones = b.k.everyByte("flip", 0x80808080), b.k.everyByte("ones", 0x01010101)
	}
	return b
}

func (b *bytesKernel) vnni() bool { return b.k.flag == vnni.flag }

// step is the number of bytes that one vector takes.
func (b *bytesKernel) step() int {
	if b.vnni() {
		return b.k.bytes
	}
	return b.k.bytes / 2
}

// everyByte is a vector of one byte.
func (k *kernel) everyByte(name string, four uint32) reg.VecVirtual {
	v := k.vec()
	k.VPBROADCASTD(k.global(name, func() { k.AppendDatum(operand.U32(four)) }), v)
	return v
}

// flips says whether VNNI needs the bytes of x, or of y, changed by 128: a signed x is taken for unsigned then; where
// both are unsigned one of them becomes signed.
func (b *bytesKernel) flips(y bool) bool {
	unsigned := !b.x && !b.y
	if y {
		return b.vnni() && unsigned && !b.swapped
	}
	return b.vnni() && (b.x || unsigned && b.swapped)
}

// read loads a vector of x or y.
func (b *bytesKernel) read(y bool, m operand.Op, v reg.VecVirtual) {
	signed := map[bool]bool{false: b.x, true: b.y}[y]
	switch {
	case b.flips(y):
		b.k.VPXORD(m, b.flip, v)
	case b.vnni():
		b.k.VMOVDQU64(m, v)
	case signed:
		b.k.VPMOVSXBW(m, v)
	default:
		b.k.VPMOVZXBW(m, v)
	}
}

// readMasked loads the first bytes of a vector by a mask register; what is left counts nothing in a product of x and y.
func (b *bytesKernel) readMasked(y bool, m operand.Op, by reg.Register, v reg.VecVirtual) {
	signed := map[bool]bool{false: b.x, true: b.y}[y]
	switch {
	case b.vnni():
		b.k.VMOVDQU8_Z(m, by, v)
		if b.flips(y) {
			b.k.VPXORD(v, b.flip, v)
		}
	case signed:
		b.k.VPMOVSXBW_Z(m, by, v)
	default:
		b.k.VPMOVZXBW_Z(m, by, v)
	}
}

// multiply adds x y to the sum. It may destroy x.
func (b *bytesKernel) multiply(x, y, sum reg.VecVirtual) {
	if b.vnni() {
		if b.swapped {
			x, y = y, x
		}
		b.k.VPDPBUSD(y, x, sum)
		return
	}
	b.k.VPMADDWD(x, y, x)
	b.k.VPADDD(x, sum, sum)
}

// byteMask is the mask register of the first n of the bytes that a vector takes.
func (b *bytesKernel) byteMask(n reg.GPVirtual) reg.Register {
	bits, m := b.k.GP64(), b.k.K()
	b.k.MOVQ(operand.I32(-1), bits)
	b.k.BZHIQ(n, bits, bits)
	b.k.KMOVQ(bits, m)
	return m
}

// lastBytes returns the last n, 1 to 15, of the bytes that end at end as 16 bytes of which the others are zero, where
// the vector of all has at least 16.
func (k *kernel) lastBytes(end, n reg.GPVirtual) reg.VecVirtual {
	v := k.XMM()
	k.VMOVDQU(operand.Mem{Base: end, Index: n, Scale: 1, Disp: -16}, v)
	k.VPAND(k.lastMask(n), v, v)
	return v
}

// lastMask is 16 bytes, the last n of them ones.
func (k *kernel) lastMask(n reg.GPVirtual) operand.Mem {
	p := k.GP64()
	k.LEAQ(k.global("zeros_then_ones", func() {
		for _, v := range []uint64{0, 0, 1<<64 - 1, 1<<64 - 1} {
			k.AppendDatum(operand.U64(v))
		}
	}), p)
	return operand.Mem{Base: p, Index: n, Scale: 1}
}

// fewBytes returns n bytes at p, 1 to 15, as 16 of which the others are zero. Where its loads overlap they agree.
func (k *kernel) fewBytes(p, n reg.GPVirtual) reg.VecVirtual {
	low, high, by, t, v := k.GP64(), k.GP64(), k.GP64(), k.GP64(), k.XMM()
	four, eight, done := k.newLabel("four"), k.newLabel("eight"), k.newLabel("joined")
	merge := func() {
		k.SHLXQ(by, t, t)
		k.ORQ(t, low)
	}
	k.Comment("Fewer than 16 bytes: loads that overlap are joined.")
	k.XORL(high.As32(), high.As32())
	k.CMPQ(n, operand.Imm(8))
	k.JAE(operand.LabelRef(eight))
	k.CMPQ(n, operand.Imm(4))
	k.JAE(operand.LabelRef(four))
	k.MOVBLZX(operand.Mem{Base: p}, low.As32())
	k.MOVQ(n, by)
	k.SHRQ(operand.Imm(1), by)
	k.MOVBLZX(operand.Mem{Base: p, Index: by, Scale: 1}, t.As32())
	k.SHLQ(operand.Imm(3), by)
	merge()
	k.MOVBLZX(operand.Mem{Base: p, Index: n, Scale: 1, Disp: -1}, t.As32())
	k.LEAQ(operand.Mem{Base: n, Disp: -1}, by)
	k.SHLQ(operand.Imm(3), by)
	merge()
	k.JMP(operand.LabelRef(done))

	k.Label(four)
	k.MOVL(operand.Mem{Base: p}, low.As32())
	k.MOVL(operand.Mem{Base: p, Index: n, Scale: 1, Disp: -4}, t.As32())
	k.LEAQ(operand.Mem{Base: n, Disp: -4}, by)
	k.SHLQ(operand.Imm(3), by)
	merge()
	k.JMP(operand.LabelRef(done))

	k.Label(eight)
	k.MOVQ(operand.Mem{Base: p}, low)
	k.MOVQ(operand.Mem{Base: p, Index: n, Scale: 1, Disp: -8}, high)
	k.MOVQ(operand.U32(16), by)
	k.SUBQ(n, by)
	k.SHLQ(operand.Imm(2), by) // half of what is too much, since 64 would shift nothing
	k.SHRXQ(by, high, high)
	k.SHRXQ(by, high, high)
	k.Label(done)
	k.VMOVQ(low, v)
	k.VPINSRQ(operand.Imm(1), high, v, v)
	return v
}

// intSum returns the sum of v's integers of 32 bits, extended by its sign.
func (k *kernel) intSum(v reg.VecVirtual) reg.GPVirtual {
	k.Comment("The sum across the lanes.")
	t, s := k.XMM(), k.GP64()
	if k.wide {
		h := k.YMM()
		k.VEXTRACTI64X4(operand.Imm(1), v, h)
		k.VPADDD(h, v.AsY(), v.AsY())
	}
	k.VEXTRACTI128(operand.Imm(1), v.AsY(), t)
	k.VPADDD(t, v.AsX(), v.AsX())
	for _, order := range []uint64{0x4e, 0xb1} {
		k.VPSHUFD(operand.Imm(order), v.AsX(), t)
		k.VPADDD(t, v.AsX(), v.AsX())
	}
	k.VMOVD(v.AsX(), s.As32())
	k.MOVLQSX(s.As32(), s)
	return s
}
