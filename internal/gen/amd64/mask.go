package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A mask selects the first elements of a vector: a mask register, or with AVX2 a vector of ones and zeros.
type mask struct {
	k    reg.Register
	v    reg.VecVirtual
	data reg.VecVirtual // with AVX2 in a kernel of two element types: v for lanes of float32
}

// maskOf returns the mask of the first n lanes, 0 <= n <= lanes.
func (k *kernel) maskOf(n reg.GPVirtual) mask {
	if k.wide {
		ones, bits, m := k.GP32(), k.GP32(), k.K()
		k.MOVL(operand.U32(0xffffffff), ones)
		k.BZHIL(n.As32(), ones, bits)
		k.KMOVW(bits, m)
		return mask{k: m}
	}
	p, end, v := k.GP64(), k.GP64(), k.YMM()
	k.LEAQ(k.onesThenZeros(), p)
	k.MOVQ(n, end)
	k.NEGQ(end)
	k.VMOVUPS(operand.Mem{Base: p, Disp: 32, Index: end, Scale: uint8(k.size)}, v)
	m := mask{v: v}
	if k.single {
		m.data = k.XMM()
		k.VMOVUPS(operand.Mem{Base: p, Disp: 32, Index: end, Scale: uint8(k.dataSize())}, m.data)
	}
	return m
}

// onesThenZeros is a vector of ones followed by one of zeros: n lanes before its middle begins the mask of n lanes.
func (k *kernel) onesThenZeros() operand.Mem {
	if k.onesZeros == nil {
		m := k.StaticGlobal("ones_then_zeros")
		k.DataAttributes(attr.RODATA | attr.NOPTR)
		for range 4 {
			k.AppendDatum(operand.U64(math.MaxUint64))
		}
		for range 4 {
			k.AppendDatum(operand.U64(0))
		}
		k.onesZeros = &m
	}
	return *k.onesZeros
}

// loadMasked reads the selected lanes, as many as v is wide, and zeroes the others.
func (k *kernel) loadMasked(m operand.Mem, by mask, v reg.Register) {
	switch {
	case k.wide:
		pick(k, k.VMOVUPS_Z, k.VMOVUPD_Z)(m, by.k, v)
	case v.Size() == 16:
		pick(k, k.VMASKMOVPS, k.VMASKMOVPD)(m, by.v.AsX(), v)
	default:
		pick(k, k.VMASKMOVPS, k.VMASKMOVPD)(m, by.v, v)
	}
}

// storeMasked writes the selected lanes. With AVX2 keep it out of loops: it takes a dozen cycles and more on AMD's
// CPUs.
func (k *kernel) storeMasked(v reg.Register, by mask, m operand.Mem) {
	switch {
	case k.wide:
		pick(k, k.VMOVUPS, k.VMOVUPD)(v, by.k, m)
	case v.Size() == 16:
		pick(k, k.VMASKMOVPS, k.VMASKMOVPD)(v, by.v.AsX(), m)
	default:
		pick(k, k.VMASKMOVPS, k.VMASKMOVPD)(v, by.v, m)
	}
}

// compare returns the mask of the lanes where predicate(a, b) holds.
func (k *kernel) compare(predicate operand.U8, b, a operand.Op) mask {
	f := pick(k, k.VCMPPS, k.VCMPPD)
	if k.wide {
		m := k.K()
		f(predicate, b, a, m)
		return mask{k: m}
	}
	m := k.vec()
	f(predicate, b, a, m)
	return mask{v: m}
}

// bits moves a mask to a general register.
func (k *kernel) bits(m mask) reg.GPVirtual {
	b := k.GP64()
	if k.wide {
		k.KMOVW(m.k, b.As32())
	} else {
		pick(k, k.VMOVMSKPS, k.VMOVMSKPD)(m.v, b.As32())
	}
	return b
}

// across spreads the best of v's lanes to all of them.
func (k *kernel) across(v reg.VecVirtual, best func(ops ...operand.Op)) {
	t := k.vec()
	switch v.Size() {
	case 64:
		for _, order := range []operand.U8{0x4e, 0xb1} { // halves, then quarters change places
			k.VSHUFF64X2(order, v, v, t)
			best(t, v, v)
		}
	case 32:
		if k.wide {
			k.VSHUFF64X2(operand.U8(1), v, v, t)
		} else {
			k.VPERM2F128(operand.U8(1), v, v, t)
		}
		best(t, v, v)
	}
	if k.f64 {
		k.VPERMILPD(operand.U8(0x55), v, t)
		best(t, v, v)
		return
	}
	for _, order := range []operand.U8{0x4e, 0xb1} {
		k.VPERMILPS(order, v, t)
		best(t, v, v)
	}
}
