package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// answer goes to write.
func (s *small) answer(t, u reg.VecVirtual) {
	s.VMOVAPD(t, s.t)
	s.VMOVAPD(u, s.u)
	s.JMP(operand.LabelRef("write"))
}

// write sets dst = min(max(0, v - t), u), and the answer in p.
func (s *small) write() {
	t, u := s.t, s.u
	s.Comment("t, u, lambda and T = c + t.")
	s.VMOVSD(t.AsX(), s.param(smallShift))
	s.VMOVSD(u.AsX(), s.param(smallU))
	s.VMOVSD(s.lambda, s.param(smallLambda))
	sum := s.XMM()
	s.VMOVSD(s.param(smallC), sum)
	s.VADDSD(t.AsX(), sum, sum)
	s.VMOVSD(sum, s.param(smallT))
	s.Comment("x = min(max(0, v - t), u).")
	var some, top [2]reg.Register
	for i, x := range s.x {
		some[i], top[i] = s.K(), s.K()
		s.VSUBPD(t, x, x)
		s.VCMPPD(operand.U8(0x1e), s.zero, x, some[i])    // x > 0
		s.VCMPPD(operand.U8(0x1d), u, x, some[i], top[i]) // x >= u
		s.VMAXPD(x, s.zero, x)
		s.VMINPD(x, u, x)
	}
	s.Comment("How many are between, and at the cap.")
	between, atCap := s.GP64(), s.GP64()
	for i, m := range []*[2]reg.Register{&some, &top} {
		r := []reg.GPVirtual{between, atCap}[i]
		s.KUNPCKBW(m[0], m[1], m[0])
		s.KMOVW(m[0], r.As32())
		s.POPCNTL(r.As32(), r.As32())
	}
	s.SUBQ(atCap, between)
	s.MOVL(atCap.As32(), s.param(smallCounts))
	s.MOVL(between.As32(), s.param(smallCounts+4))
	if s.f64 {
		s.VMOVAPD(s.x[0], s.y[0])
		s.VMOVAPD(s.x[1], s.y[1])
	} else {
		s.float32s(s.x[0], s.x[1], s.y[0])
	}
	s.JMP(operand.LabelRef("store"))
}

// storeLanes writes y.
func (s *small) storeLanes() {
	s.section("store", "The lanes of y, a part for each bit of their number.")
	s.CMPQ(s.arg("n"), operand.Imm(16))
	s.JA(operand.LabelRef("spread"))
	dst, part := s.arg("dst"), s.newLabel("part")
	lanes, y := s.lanes(), s.y[0]
	if s.f64 {
		s.CMPQ(s.n, operand.Imm(8))
		s.JB(operand.LabelRef(part))
		s.VMOVUPD(y, operand.Mem{Base: dst})
		s.ADDQ(operand.Imm(64), dst)
		s.VMOVAPD(s.y[1], y)
	}
	s.CMPQ(s.n, operand.Imm(16))
	s.JNE(operand.LabelRef(part))
	s.kernel.store(y, operand.Mem{Base: dst})
	s.smallReturn(1)
	s.Label(part)
	s.storeBits(y, lanes*s.size, s.n, dst)
	s.smallReturn(1)
}
