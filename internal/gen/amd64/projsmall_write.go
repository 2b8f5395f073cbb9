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
	s.VMOVSD(t.AsX(), s.param(smallShift))
	s.VMOVSD(u.AsX(), s.param(smallU))
	s.VMOVSD(s.lambda, s.param(smallLambda))
	sum := s.XMM()
	s.VMOVSD(s.param(smallC), sum)
	s.VADDSD(t.AsX(), sum, sum)
	s.VMOVSD(sum, s.param(smallT))
	dst := s.arg("dst")
	var some, top [2]reg.Register
	for i, x := range s.x {
		some[i], top[i] = s.K(), s.K()
		s.VSUBPD(t, x, x)
		s.VCMPPD(operand.U8(0x1e), s.zero, x, some[i])    // x > 0
		s.VCMPPD(operand.U8(0x1d), u, x, some[i], top[i]) // x >= u
		s.VMAXPD(x, s.zero, x)
		s.VMINPD(x, u, x)
	}
	end := s.newLabel("stored")
	y := s.x[0]
	if s.f64 {
		part := s.newLabel("below8")
		s.CMPQ(s.n, operand.Imm(8))
		s.JB(operand.LabelRef(part))
		s.VMOVUPD(s.x[0], operand.Mem{Base: dst})
		s.ADDQ(operand.Imm(64), dst)
		s.VMOVAPD(s.x[1], y)
		s.CMPQ(s.n, operand.Imm(16))
		s.JNE(operand.LabelRef(part))
		s.VMOVUPD(y, operand.Mem{Base: dst})
		s.JMP(operand.LabelRef(end))
		s.Label(part)
	} else {
		part := s.newLabel("below16")
		y = s.ZMM()
		s.float32s(s.x[0], s.x[1], y)
		s.CMPQ(s.n, operand.Imm(16))
		s.JNE(operand.LabelRef(part))
		s.VMOVUPS(y, operand.Mem{Base: dst})
		s.JMP(operand.LabelRef(end))
		s.Label(part)
	}
	s.storeBits(y, 512/8, s.n, dst)
	s.Label(end)
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
	s.smallReturn(1)
}
