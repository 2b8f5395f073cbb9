package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// load fills the lanes.
func (s *small) load() {
	s.Comment("The lanes below n, and -Inf behind them.")
	ones := s.GP32()
	s.MOVL(operand.U32(0xffff), ones)
	s.BZHIL(s.n.As32(), ones, ones)
	s.KMOVW(ones, s.all)
	if s.f64 {
		s.centered()
		return
	}
	s.bcast(s.lowest(), s.raw)
	s.VMOVUPS(operand.Mem{Base: s.a}, s.all, s.raw)
}

// centered fills the lanes from float64 elements.
func (s *small) centered() {
	s.doubles()
	first, d := s.ZMM(), [2]reg.VecVirtual{s.ZMM(), s.ZMM()}
	s.VBROADCASTSD(operand.Mem{Base: s.a}, first)
	for i, x := range s.x {
		s.VSUBPD(first, x, d[i])
	}
	s.float32s(d[0], d[1], s.raw)
	s.float32All(first, s.base)
}

// widen fills x, and leaves when an element is NaN or +Inf.
func (s *small) widen() {
	s.Comment("The elements as float64, unless one is NaN or +Inf.")
	if s.f64 {
		s.doubles()
	} else {
		s.VCVTPS2PD(s.raw.AsY(), s.x[0])
		s.VEXTRACTF64X4(operand.Imm(1), s.raw, s.x[1].AsY())
		s.VCVTPS2PD(s.x[1].AsY(), s.x[1])
	}
	bits, inf := s.GP64(), s.ZMM()
	s.MOVQ(operand.U64(math.Float64bits(math.Inf(1))), bits)
	s.VPBROADCASTQ(bits, inf)
	var bad [2]reg.Register
	for i, x := range s.x {
		bad[i] = s.K()
		s.VCMPPD(operand.U8(0x15), inf, x, bad[i]) // not less, or NaN
	}
	s.KORTESTB(bad[0], bad[1])
	s.JNZ(operand.LabelRef("unsolved"))
}

// doubles reads float64 elements.
func (s *small) doubles() {
	high := s.K()
	s.KSHIFTRW(operand.U8(8), s.all, high)
	for i, m := range []reg.Register{s.all, high} {
		s.bcast(s.lowest(), s.x[i])
		s.VMOVUPD(operand.Mem{Base: s.a, Disp: 64 * i}, m, s.x[i])
	}
}

// clear zeroes all of a register, which the allocator of registers is to see.
func (s *small) clear(v ...reg.VecVirtual) {
	for _, v := range v {
		s.VMOVAPS(s.zero, v)
	}
}

// minusOne is 32 ones.
func (k *kernel) minusOne() operand.Mem {
	return k.global("minus_one", func() { k.AppendDatum(operand.U32(math.MaxUint32)) })
}

// fold combines all lanes of a and b, which are destroyed, in all lanes of the result.
func (s *small) fold(op func(a, b, d operand.Op), a, b reg.VecVirtual) reg.VecVirtual {
	op(a, b, a)
	s.VEXTRACTF64X4(operand.Imm(1), a, b.AsY())
	op(a.AsY(), b.AsY(), a.AsY())
	s.VEXTRACTF64X2(operand.Imm(1), a.AsY(), b.AsX())
	op(a.AsX(), b.AsX(), a.AsX())
	s.VPERMILPD(operand.Imm(1), a.AsX(), b.AsX())
	op(a.AsX(), b.AsX(), a.AsX())
	s.VBROADCASTSD(a.AsX(), a)
	return a
}

// sum adds the lanes of x selected by m, a mask of 16.
func (s *small) sum(m reg.Register) reg.VecVirtual {
	a, b, high := s.ZMM(), s.ZMM(), s.K()
	s.KSHIFTRW(operand.U8(8), m, high)
	s.VMOVAPD_Z(s.x[0], m, a)
	s.VMOVAPD_Z(s.x[1], high, b)
	return s.fold(func(a, b, d operand.Op) { s.VADDPD(a, b, d) }, a, b)
}

// number of lanes in a mask, as float64 in all lanes.
func (s *small) count(m reg.Register) reg.VecVirtual {
	bits, v := s.GP32(), s.ZMM()
	s.KMOVW(m, bits)
	s.POPCNTL(bits, bits)
	s.VCVTSI2SDL(bits, s.zero.AsX(), v.AsX())
	s.VBROADCASTSD(v.AsX(), v)
	return v
}

// center takes c off the elements.
func (s *small) center(c reg.VecVirtual) {
	s.c = c
	s.VMOVSD(c.AsX(), s.param(smallC))
	for _, x := range s.x {
		s.VSUBPD(c, x, x)
	}
}

// float32s converts two vectors into one.
func (s *small) float32s(a, b, d reg.VecVirtual) {
	y := s.ZMM()
	s.VCVTPD2PS(a, d.AsY())
	s.VCVTPD2PS(b, y.AsY())
	s.VINSERTF64X4(operand.Imm(1), y.AsY(), d, d)
}

// less returns the mask, within by, of a < b, lanes of float32.
func (s *small) less(a, b reg.VecVirtual, by reg.Register) reg.Register {
	m := s.K()
	s.VCMPPS(operand.U8(0x11), b, a, by, m)
	return m
}

// beyond returns the mask of x > t, both halves.
func (s *small) beyond(t reg.VecVirtual) reg.Register {
	low, high, m := s.K(), s.K(), s.K()
	s.VCMPPD(operand.U8(0x1e), t, s.x[0], low)
	s.VCMPPD(operand.U8(0x1e), t, s.x[1], high)
	s.KUNPCKBW(low, high, m)
	return m
}

// one is the number 1 in memory.
func (k *kernel) one() operand.Mem {
	return k.global("one64", func() { k.AppendDatum(operand.U64(math.Float64bits(1))) })
}

// float32All sets all lanes of d to the lowest of v as float32.
func (s *small) float32All(v, d reg.VecVirtual) {
	s.VCVTSD2SS(v.AsX(), s.zero.AsX(), d.AsX())
	s.VBROADCASTSS(d.AsX(), d)
}
