package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lambdaOf sets lambda = max(0, c + t - rho r), for where the sum is less than r, T = rho s; without the bias c + t.
func (s *small) lambdaOf(t reg.VecVirtual) {
	s.Comment("lambda = max(0, c + t - rho r), without the bias c + t.")
	s.ifBias(true, func() {
		x := s.XMM()
		s.VADDSD(s.c.AsX(), t.AsX(), x)
		s.VMOVSD(s.param(smallR), s.lambda)
		s.VFNMADD132SD(s.param(smallRho), x, s.lambda)
		s.VMAXSD(s.zero.AsX(), s.lambda, s.lambda)
	}, func() { s.VADDSD(s.c.AsX(), t.AsX(), s.lambda) })
}

// settle solves for t with the given set between the bounds and top at the cap, whose elements have the sum at. Without
// the bias t = (s + at - r)/m; with it the larger of that and (rho (s + at) - c)/(rho m + 1). When that is not the set
// above t, it is tried next.
func (s *small) settle(mid, top reg.Register, at reg.VecVirtual, label string, bias bool,
	before func()) (t reg.VecVirtual) {
	return s.newton(mid, top, label, before, func(sum, m, t reg.VecVirtual) {
		if at != nil {
			s.VADDPD(at.AsX(), sum.AsX(), sum.AsX())
		}
		s.VSUBSD(s.param(smallR), sum.AsX(), t.AsX())
		s.ifBias(bias, func() {
			rho, d := s.XMM(), s.XMM()
			s.VMOVDDUP(s.param(smallRho), rho)
			s.VFMSUB213PD(s.c.AsX(), rho, sum.AsX())
			s.VUNPCKLPD(sum.AsX(), t.AsX(), t.AsX())
			s.VMOVDDUP(s.one(), d)
			s.VFMADD231PD(rho, m.AsX(), d)
			s.VUNPCKLPD(d, m.AsX(), m.AsX())
			s.VDIVPD(m.AsX(), t.AsX(), t.AsX())
			s.VPERMILPD(operand.Imm(1), t.AsX(), d)
			s.VMAXPD(d, t.AsX(), t.AsX())
		}, func() { s.VDIVSD(m.AsX(), t.AsX(), t.AsX()) })
	})
}

// newton repeats: solve gets sum and number of the elements of mid, in the lowest lanes, and computes t; the elements
// above it, but not the elements of top, are mid then. It ends when that is no change. before, if any, comes before
// each.
func (s *small) newton(mid, top reg.Register, label string, before func(),
	solve func(sum, m, t reg.VecVirtual)) (t reg.VecVirtual) {
	t = s.ZMM()
	tries := s.GP64()
	s.MOVQ(operand.U32(17), tries)
	s.section(label+"again", "t of the set, and the set above t, until it does not change.")
	if before != nil {
		before()
	}
	solve(s.sum(mid), s.count(mid), t)
	s.VBROADCASTSD(t.AsX(), t)
	next, change := s.beyond(t), s.K()
	if top != nil {
		s.KANDNW(next, top, next)
	}
	s.KXORW(mid, next, change)
	s.KMOVW(next, mid)
	s.KORTESTW(change, change)
	s.JZ(operand.LabelRef(label + "settled"))
	s.SUBQ(operand.Imm(1), tries)
	s.JNZ(operand.LabelRef(label + "again"))
	s.JMP(operand.LabelRef("unsolved"))
	s.Label(label + "settled")
	return t
}

// verify leaves when t and u do not put top at the cap, and nothing else above it, rounding apart.
func (s *small) verify(top reg.Register, t, u reg.VecVirtual) {
	s.Comment("Are these elements at the cap, rounding apart, and no others above it?")
	var above, atLeast [2]reg.Register
	slack, more := s.ZMM(), s.ZMM()
	s.VBROADCASTSD(s.slack(), slack)
	s.VMULPD(slack, u, slack)
	s.VADDPD(slack, u, more)
	s.VSUBPD(slack, u, slack)
	for i, x := range s.x {
		d := s.ZMM()
		above[i], atLeast[i] = s.K(), s.K()
		s.VSUBPD(t, x, d)
		s.VCMPPD(operand.U8(0x1e), more, d, above[i])
		s.VCMPPD(operand.U8(0x1d), slack, d, atLeast[i])
	}
	a, b := s.K(), s.K()
	s.KUNPCKBW(above[0], above[1], a)
	s.KUNPCKBW(atLeast[0], atLeast[1], b)
	s.KANDNW(a, top, a) // above, but not in top
	s.KANDNW(top, b, b) // in top, but not there
	s.KORTESTW(a, b)
	s.JNZ(operand.LabelRef("unsolved"))
}
