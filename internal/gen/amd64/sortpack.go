package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Elements with something that goes along are sorted as integers of 64 bits: the key, or its upper half, above 32 bits
// of a position or a payload, whose sign is inverted so that integers with a sign compare right.

// packKeys joins the upper 32 bits of each key with its position.
var packKeys = source{
	family: "sort", name: "pack", entry: "Pack", sig: "(dst *int64, x *T, n int, form int)", elems: keyElems,
	emit:   func(k *kernel) { k.emitPack(false) },
	beside: []source{zipKeys, unpackKeys, unzipKeys, convert},
}

// zipKeys joins each key with its payload.
var zipKeys = source{
	family: "sort", name: "zip", entry: "Zip", sig: "(dst *int64, x *T, payload *int32, n int, form int)",
	elems: keyElems[:1],
	emit:  func(k *kernel) { k.emitPack(true) },
}

// unpackKeys writes the lower halves, and tells whether two neighbours have the same upper half.
var unpackKeys = source{
	family: "sort", name: "unpack", entry: "Unpack", sig: "(idx *int32, src *T, n int) int", elems: keyElems[1:],
	emit: func(k *kernel) { k.emitUnpack() },
}

// unzipKeys parts keys from payloads.
var unzipKeys = source{
	family: "sort", name: "unzip", entry: "Unzip", sig: "(x *T, payload *int32, src *int64, n int, form int)",
	elems: keyElems[:1],
	emit:  func(k *kernel) { k.emitUnzip() },
}

// packer works on vectors of 64-bit integers and on narrow ones of as many 32-bit integers.
type packer struct {
	k    *kernel // of 64-bit elements
	keys *kernel // of the keys, as many as k has
	half *kernel // of 32-bit elements, as many as k has
	flip reg.VecVirtual
}

func (k *kernel) packer() *packer {
	wide, half := *k, *k.halved()
	wide.elem, half.elem = keyElems[1], keyElems[0]
	p := &packer{k: &wide, half: &half, keys: &half}
	if k.f64 {
		p.keys = k
	}
	p.flip = half.vec()
	half.iload(half.keyConstants().Offset(64), p.flip)
	return p
}

// each emits the loop over n elements: body gets a mask for those behind the last full vector, nil for full ones.
func (p *packer) each(n reg.GPVirtual, body func(by *mask), step func()) {
	p.k.SUBQ(operand.U32(p.k.lanes()), n)
	p.k.JB(operand.LabelRef("last"))
	p.k.section("loop", "Whole vectors.")
	body(nil)
	step()
	p.k.SUBQ(operand.U32(p.k.lanes()), n)
	p.k.JAE(operand.LabelRef("loop"))
	p.k.Label("last")
	p.k.ADDQ(operand.U32(p.k.lanes()), n)
	p.k.JZ(operand.LabelRef("done"))
	p.k.Comment("The rest, under a mask.")
	by := p.k.maskOf(n)
	if !p.k.wide { // the same for 32-bit lanes
		by.k = p.half.mask32(n)
	}
	body(&by)
	p.k.Label("done")
	p.k.done()
}

// mask32 is the mask of the first n lanes of 32 bits in an X register.
func (k *kernel) mask32(n reg.GPVirtual) reg.Register {
	at, end, v := k.GP64(), k.GP64(), k.XMM()
	k.LEAQ(k.onesThenZeros(), at)
	k.MOVQ(n, end)
	k.NEGQ(end)
	k.VMOVDQU(operand.Mem{Base: at, Disp: 32, Index: end, Scale: 4}, v)
	return v
}

// get reads a vector, or its selected lanes.
func (k *kernel) get(m operand.Mem, by *mask, v reg.Register) {
	switch {
	case by == nil:
		k.iload(m, v)
	case k.wide:
		pick(k, k.VMOVDQU32_Z, k.VMOVDQU64_Z)(m, by.k, v)
	case k.f64:
		k.VPMASKMOVQ(m, by.v, v)
	default:
		k.VPMASKMOVD(m, by.k, v)
	}
}

// put writes a vector, or its selected lanes.
func (k *kernel) put(v reg.Register, by *mask, m operand.Mem) {
	switch {
	case by == nil:
		k.istore(v, m)
	case k.wide:
		pick(k, k.VMOVDQU32, k.VMOVDQU64)(v, by.k, m)
	case k.f64:
		k.VPMASKMOVQ(v, by.v, m)
	default:
		k.VPMASKMOVD(v, by.k, m)
	}
}

func (k *kernel) emitPack(payload bool) {
	dst, x := k.arg("dst"), k.arg("x")
	p := k.packer()
	var from reg.GPVirtual
	position, step := p.k.vec(), p.k.vec()
	if payload {
		from = k.arg("payload")
	} else {
		p.k.iload(p.positions64(), position)
		p.k.ibcast(p.positions64().Offset(64), step)
	}
	n := k.arg("n")
	f := p.keys.keyForm(k.arg("form"))
	high := p.k.vec()
	if k.f64 {
		p.k.ibcast(p.positions64().Offset(72), high)
	}
	p.each(n, func(by *mask) {
		v, out, low := p.keys.vec(), p.k.vec(), position
		p.keys.get(p.keys.at(x, 0), by, v)
		p.keys.mapKeys(f, v)
		k.Comment("The key's upper 32 bits, above its position or payload.")
		if k.f64 {
			if k.wide {
				k.VPANDQ(high, v, out)
			} else {
				k.VPAND(high, v, out)
			}
		} else {
			k.VPMOVZXDQ(v, out)
			k.VPSLLQ(operand.U8(32), out, out)
		}
		if payload {
			w := p.half.vec()
			low = p.k.vec()
			p.half.get(p.half.at(from, 0), by, w)
			p.ixor32(p.flip, w)
			k.VPMOVZXDQ(w, low)
		}
		if k.wide {
			k.VPORQ(low, out, out)
		} else {
			k.VPOR(low, out, out)
		}
		p.k.put(out, by, p.k.at(dst, 0))
	}, func() {
		if !payload {
			k.VPADDQ(step, position, position)
		} else {
			k.ADDQ(operand.U32(p.half.bytes), from)
		}
		k.ADDQ(operand.U32(p.keys.bytes), x)
		k.ADDQ(operand.U32(p.k.bytes), dst)
	})
}

// ixor32 inverts the bits of flip in v, a vector of half the width.
func (p *packer) ixor32(flip, v reg.VecVirtual) { p.half.ixor(flip, v, v) }

// positions64 holds 0, 1, 2, ... with the sign of 32 bits inverted, the number of lanes, and the mask of the upper
// half.
func (p *packer) positions64() operand.Mem {
	return p.k.global(fmt.Sprintf("positions_by_%d", p.k.lanes()), func() {
		for i := range 8 {
			p.k.AppendDatum(operand.U64(1<<31 + uint64(i)))
		}
		p.k.AppendDatum(operand.U64(p.k.lanes()))
		p.k.AppendDatum(operand.U64(0xffffffff << 32))
	})
}

// halves parts 64-bit lanes into their lower and upper halves.
func (p *packer) halves(v reg.VecVirtual) (low, high reg.VecVirtual) {
	k := p.k
	if k.wide {
		low, high = k.YMM(), k.YMM()
		t := k.vec()
		k.VPMOVQD(v, low)
		k.VPSRLQ(operand.U8(32), v, t)
		k.VPMOVQD(t, high)
		return low, high
	}
	order, t := k.vec(), k.vec()
	k.VMOVDQU(k.global("halves", func() {
		for _, i := range []uint64{0, 2, 4, 6, 1, 3, 5, 7} {
			k.AppendDatum(operand.U32(i))
		}
	}), order)
	k.VPERMD(v, order, t)
	high = k.XMM()
	k.VEXTRACTI128(operand.U8(1), t, high)
	return t, high
}

func (k *kernel) emitUnzip() {
	x, payload, src, n := k.arg("x"), k.arg("payload"), k.arg("src"), k.arg("n")
	f := k.keyForm(k.arg("form"))
	p := k.packer()
	p.each(n, func(by *mask) {
		v := p.k.vec()
		p.k.get(p.k.at(src, 0), by, v)
		k.Comment("Payloads are in the lower halves, keys in the upper.")
		low, high := p.halves(v)
		low = p.half.like(low, high).(reg.VecVirtual)
		p.ixor32(p.flip, low)
		p.half.put(low, by, p.half.at(payload, 0))
		p.half.unmapKeys(f, high)
		p.half.put(high, by, p.half.at(x, 0))
	}, func() {
		k.ADDQ(operand.U32(p.k.bytes), src)
		k.ADDQ(operand.U32(p.half.bytes), x)
		k.ADDQ(operand.U32(p.half.bytes), payload)
	})
}

// emitUnpack: the vector one element further on shows equal neighbours. The last element has none.
func (k *kernel) emitUnpack() {
	idx, src, n := k.arg("idx"), k.arg("src"), k.arg("n")
	p := k.packer()
	equal := k.GP64()
	k.XORL(equal.As32(), equal.As32())
	compare := func(v, next reg.VecVirtual, pairs reg.GPVirtual) {
		found := k.GP64()
		if k.wide {
			t, m := k.vec(), k.K()
			k.VPXORQ(v, next, t)
			k.VPSRLQ(operand.U8(32), t, t)
			k.VPTESTNMQ(t, t, m)
			k.KMOVB(m, found.As32())
		} else {
			t := k.vec()
			k.VPCMPEQD(v, next, t)
			k.VMOVMSKPD(t, found.As32())
		}
		if pairs != nil {
			k.BZHIL(pairs.As32(), found.As32(), found.As32())
		}
		k.ORQ(found, equal)
	}
	write := func(v reg.VecVirtual, by *mask) {
		low, high := p.halves(v)
		low = p.half.like(low, high).(reg.VecVirtual)
		p.ixor32(p.flip, low)
		p.half.put(low, by, p.half.at(idx, 0))
	}
	k.SUBQ(operand.U32(k.lanes()+1), n)
	k.JLT(operand.LabelRef("last"))
	k.section("loop", "Whole vectors: the lower halves, and whether an upper half equals the next.")
	v, next := k.vec(), k.vec()
	k.iload(k.at(src, 0), v)
	k.iload(k.at(src, 1), next)
	compare(v, next, nil)
	write(v, nil)
	k.ADDQ(operand.U32(k.bytes), src)
	k.ADDQ(operand.U32(p.half.bytes), idx)
	k.SUBQ(operand.U32(k.lanes()), n)
	k.JGE(operand.LabelRef("loop"))
	k.Label("last")
	k.ADDQ(operand.U32(k.lanes()+1), n)
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest, under a mask. The last element has no next.")
	by := k.maskOf(n)
	if !k.wide {
		by.k = p.half.mask32(n)
	}
	v, next = k.vec(), k.vec()
	k.get(k.at(src, 0), &by, v)
	pairs := k.GP64()
	k.LEAQ(operand.Mem{Base: n, Disp: -1}, pairs)
	fewer := k.maskOf(pairs)
	k.get(k.at(src, 1), &fewer, next)
	compare(v, next, pairs)
	write(v, &by)
	k.Label("done")
	k.Store(equal, k.ReturnIndex(0))
	k.done()
}
