package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// simplex is kinds 0 and 4: sum_i max(0, v_i - t) = min((t+c)/rho, r), and without the bias = r.
func (s *small) simplex(label string) {
	s.set = s.positive(label + "sums")
	s.few(label)
	s.packed(packing{label: label, sup: s.set, mid: s.set, bias: true})
	s.widen()
	s.Comment("As float64, minus the largest element.")
	a, b := s.ZMM(), s.ZMM()
	s.VMOVAPD(s.x[0], a)
	s.VMOVAPD(s.x[1], b)
	c := s.fold(func(a, b, d operand.Op) { s.VMAXPD(a, b, d) }, a, b)
	s.ifBias(true, func() { s.VMAXPD(s.zero, c, c) }, func() {})
	s.center(c)
	t := s.settle(s.set, nil, nil, label, true, nil)
	s.lambdaOf(t)
	s.answer(t, s.number(smallR))
}

// few solves it where four elements at most are positive, float32 only, as packed does with eight: as a rule it is
// fewer, and all is half as wide.
func (s *small) few(label string) {
	if s.f64 {
		return
	}
	s.Comment("At most 4 positive elements: together, as float64, minus c, the first of them.")
	others, set, size, ones := label+"more", s.GP32(), s.GP64(), s.GP32()
	s.KMOVW(s.set, set)
	s.POPCNTL(set, size.As32())
	s.LEAL(operand.Mem{Base: size, Disp: -1}, ones)
	s.CMPL(ones, operand.Imm(3))
	s.JA(operand.LabelRef(others))
	v, c, full := s.ZMM(), s.YMM(), s.K()
	s.MOVL(operand.U32(0xf), ones)
	s.BZHIL(size.As32(), ones, ones)
	s.KMOVW(ones, full)
	s.VCOMPRESSPS_Z(s.raw, s.set, v)
	s.VCVTPS2PD(v.AsX(), v.AsY())
	s.VBROADCASTSD(v.AsX(), c)
	s.VSUBPD_Z(c, v.AsY(), full, v.AsY())
	sum, y, t := s.YMM(), s.YMM(), s.YMM()
	s.VEXTRACTF64X2(operand.Imm(1), v.AsY(), y.AsX())
	s.VADDPD(y.AsX(), v.AsX(), sum.AsX())
	s.VPERMILPD(operand.Imm(1), sum.AsX(), y.AsX())
	s.VADDSD(y.AsX(), sum.AsX(), sum.AsX())
	p := packing{bias: true}
	r := s.XMM()
	s.VMOVSD(s.param(smallR), r)
	s.threshold(p, sum, nil, r, c, t, size)

	s.Comment("Are these what exceeds t?")
	found := s.GP32()
	s.KMOVW(s.exceeding(c, t), found)
	s.CMPL(found, set)
	s.JNE(operand.LabelRef(others))
	s.Comment("They are: at most r, and how many are below and at it.")
	u, top, atCap := s.YMM(), s.K(), s.GP32()
	s.VBROADCASTSD(s.param(smallR), u)
	s.VBROADCASTSD(t.AsX(), y)
	s.VSUBPD(y, v.AsY(), v.AsY())
	s.VCMPPD(operand.U8(0x1d), u, v.AsY(), full, top)
	s.VMINPD(u, v.AsY(), v.AsY())
	s.VCVTPD2PSY(v.AsY(), v.AsX())
	s.VEXPANDPS_Z(v, s.set, s.y[0])
	s.KMOVW(top, atCap)
	s.POPCNTL(atCap, atCap)
	s.SUBL(atCap, size.As32())
	s.MOVL(atCap, s.param(smallCounts))
	s.MOVL(size.As32(), s.param(smallCounts+4))
	s.Comment("The thresholds, and lambda.")
	lambda := s.XMM()
	s.VADDSD(c.AsX(), t.AsX(), lambda)
	s.VMOVSD(c.AsX(), s.param(smallC))
	s.VMOVSD(t.AsX(), s.param(smallShift))
	s.VMOVSD(lambda, s.param(smallT))
	s.VMOVSD(u.AsX(), s.param(smallU))
	s.ifBias(true, func() {
		s.VFNMADD132SD(s.param(smallRho), lambda, r)
		s.VMAXSD(s.zero.AsX(), r, lambda)
	}, func() {})
	s.VMOVSD(lambda, s.param(smallLambda))
	s.JMP(operand.LabelRef("store"))
	s.Label(others)
}
