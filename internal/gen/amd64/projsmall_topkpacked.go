package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// topKPacked is topK for float32 where eight elements at most are positive, with all float64 in one vector. What it
// does not solve falls through.
func (s *small) topKPacked(ranks ranking) {
	if s.f64 {
		return
	}
	others := "topkothers"
	s.Comment("At most 8 elements reach the k-th: all float64 is in one vector, minus the k-th.")
	set, m, ones := s.GP32(), s.GP32(), s.GP32()
	s.KMOVW(ranks.top, set)
	s.POPCNTL(set, m)
	s.CMPL(m, operand.Imm(8))
	s.JA(operand.LabelRef(others))
	k, share, kc, c := s.XMM(), s.XMM(), s.XMM(), ranks.kth
	s.VMOVSD(s.param(smallK), k)
	s.VMOVSD(s.one(), share)
	s.VDIVSD(s.param(smallShare), share, share)
	s.VMULSD(c.AsX(), k, kc)

	s.Comment("Their sum, unless it may be rounding.")
	v, few := s.ZMM(), s.K()
	s.MOVL(operand.U32(0xff), ones)
	s.BZHIL(m, ones, m)
	s.KMOVW(m, few)
	s.VCOMPRESSPS_Z(s.raw, ranks.top, v)
	s.VCVTPS2PD(v.AsY(), v)
	s.VSUBPD_Z(c, v, few, v)
	s.total(v)
	least, sum := s.XMM(), s.XMM() // 2^-32 (sum_top v + k |c|): a sum that is less may be rounding
	s.VSUBSD(kc, s.zero.AsX(), least)
	s.VMAXSD(kc, least, least)
	s.VADDSD(v.AsX(), least, least)
	s.VADDSD(kc, v.AsX(), sum)
	s.VMULSD(s.tiny(), least, least)
	s.VUCOMISD(least, sum)
	s.JBE(operand.LabelRef("unsolved"))

	s.Comment("The vertex: u = min(v, r/k), v = sum of the k largest/(k + rho k²).")
	low, limit, t, fewer := s.XMM(), s.XMM(), s.ZMM(), s.K()
	s.VMOVSD(s.param(smallCap), limit)
	s.VMULSD(share, sum, low) // the vertex: x_i at the k largest
	s.VCMPPD(operand.U8(0x11), limit, low, fewer)
	s.VMINSD(limit, low, low)
	s.VSUBSD(low, s.zero.AsX(), t.AsX())
	cand := s.exceeding(c, t)
	size, order := s.GP64(), s.GP64()
	s.KMOVW(cand, set)
	s.POPCNTL(set, size.As32())
	s.Load(s.Param("k"), order)
	s.CMPQ(size, order)
	s.JNE(operand.LabelRef("packedinner"))
	s.Comment("sum_i max(0, a_i - T - U) = sum - k (T + U), if U is the limit.")
	lambda, rho, y := s.XMM(), s.XMM(), s.ZMM()
	s.VDIVSD(k, sum, lambda)
	s.VSUBSD(limit, lambda, lambda)
	s.VMOVSD(s.param(smallRho), rho)
	s.VFNMADD231SD(s.param(smallR), rho, lambda)
	s.VMAXSD(s.zero.AsX(), lambda, lambda)
	s.KNOTW(fewer, fewer)
	s.VMOVAPD_Z(lambda, fewer, lambda)
	s.VCVTSD2SS(low, low, y.AsX())
	s.VBROADCASTSS_Z(y.AsX(), cand, s.y[0])
	s.MOVQ(size, s.param(smallCounts))
	s.thresholds(c, t, low, lambda)
	s.JMP(operand.LabelRef("store"))

	s.section("packedinner", "More elements are above T.")
	s.TESTL(set, set)
	s.JZ(operand.LabelRef(others))
	s.CMPQ(size, operand.Imm(8))
	s.JA(operand.LabelRef(others))
	s.KTESTB(fewer, fewer)
	s.JZ(operand.LabelRef("packedfull"))
	s.conePacked(ranks, cand, set, size, c)
	s.section("packedfull", "u at the limit: a knapsack.")
	sup, mid := s.cappedSets("packedsums", false, ranks.larger)
	s.packed(packing{label: "packedfull", sup: sup, mid: mid, topK: true})
	s.Label(others)
}

// exceeding returns the elements above c + t: above the largest float32 that is not above it.
func (s *small) exceeding(c, t reg.VecVirtual) reg.Register {
	least, above := s.ZMM(), s.K()
	s.VADDSD_RU_SAE(c.AsX(), t.AsX(), least.AsX())
	s.VCVTSD2SS_RD_SAE(least.AsX(), least.AsX(), least.AsX())
	s.VBROADCASTSS(least.AsX(), least)
	s.VCMPPS(operand.U8(0x1e), least, s.raw, above)
	return above
}

// thresholds writes them.
func (s *small) thresholds(c, t, u, lambda reg.VecVirtual) {
	total := s.XMM()
	s.VADDSD(c.AsX(), t.AsX(), total)
	s.VMOVSD(c.AsX(), s.param(smallC))
	s.VMOVSD(t.AsX(), s.param(smallShift))
	s.VMOVSD(total, s.param(smallT))
	s.VMOVSD(u.AsX(), s.param(smallU))
	s.VMOVSD(lambda.AsX(), s.param(smallLambda))
}

// conePacked is cone for the candidates, which are all that can be positive.
func (s *small) conePacked(ranks ranking, cand reg.Register, set reg.GPVirtual, size reg.GPVirtual, c reg.VecVirtual) {
	f, tj := s.coneSums(ranks.pairs)
	s.Comment("At the cap are those whose sum is below k (a_j - t_j).")
	z, k := s.number32(smallK), s.XMM()
	s.VMOVSD(s.param(smallK), k)
	s.VSUBPS(tj, s.raw, tj)
	s.VMULPS(z, tj, tj)
	top, ones, atCap, midBits, m := s.less(f, tj, ranks.larger), s.GP32(), s.GP32(), s.GP32(), s.GP32()
	v, mid, high := s.ZMM(), s.K(), s.K()
	s.KMOVW(top, atCap)
	s.PEXTL(set, atCap, atCap)
	s.MOVL(operand.U32(0xff), ones)
	s.BZHIL(size.As32(), ones, ones)
	s.ANDNL(ones, atCap, midBits)
	s.KMOVW(atCap, high)
	s.VCOMPRESSPS_Z(s.raw, cand, v)
	s.VCVTPS2PD(v.AsY(), v)
	s.VSUBPD(c, v, v)
	fixed, n := s.ZMM(), s.XMM() // k c + sum_U v
	s.VMOVAPD_Z(v, high, fixed)
	s.total(fixed)
	s.VFMADD231SD(c.AsX(), k, fixed.AsX())
	s.POPCNTL(atCap, m)
	s.VCVTSI2SDL(m, s.zero.AsX(), n)
	s.Comment("free = k - n, b = rho k² + n.")
	free, b := s.XMM(), s.XMM()
	s.VSUBSD(n, k, free)
	s.VMULSD(s.param(smallRho), k, b)
	s.VFMADD213SD(n, k, b)

	tries := s.GP64() // as in newton: rounding may keep the sets from settling
	s.MOVQ(operand.U32(17), tries)
	s.section("packedcone", "t and u of the set between.")
	sum, count, t, u, d, e := s.ZMM(), s.XMM(), s.ZMM(), s.ZMM(), s.XMM(), s.XMM()
	s.KMOVW(midBits, mid)
	s.VMOVAPD_Z(v, mid, sum)
	s.total(sum)
	s.POPCNTL(midBits, m)
	s.VCVTSI2SDL(m, s.zero.AsX(), count)
	s.Comment("t = (b s - free fixed)/D, u = (free s + m fixed)/D, D = b m + free².")
	s.VMULSD(free, free, d)
	s.VFMADD231SD(b, count, d)
	s.VMOVSD(s.one(), e)
	s.VDIVSD(d, e, d)
	s.VMULSD(free, fixed.AsX(), e)
	s.VMULSD(count, fixed.AsX(), u.AsX())
	s.VFMADD231SD(free, sum.AsX(), u.AsX())
	s.VFMSUB132SD(b, e, sum.AsX())
	s.VMULSD(d, sum.AsX(), t.AsX())
	s.VMULSD(d, u.AsX(), u.AsX())
	y, some, next := s.ZMM(), s.K(), s.GP32()
	s.VBROADCASTSD(t.AsX(), y)
	s.VSUBPD(y, v, y)
	s.VCMPPD(operand.U8(0x1e), s.zero, y, some)
	s.KMOVW(some, next)
	s.ANDL(ones, next)
	s.ANDNL(next, atCap, next)
	s.CMPL(next, midBits)
	s.JNE(operand.LabelRef("packedagain"))

	s.Comment("The set is what is above t. It is the answer with lambda = 0, if u is below the limit.")
	s.VUCOMISD(s.param(smallCap), u.AsX())
	s.JAE(operand.LabelRef("packedfull"))
	s.VBROADCASTSD(u.AsX(), u)
	s.atTheCap(y, u, mid, atCap, "topkothers")
	full, exact := s.GP32(), s.K()
	s.VCMPPD(operand.U8(0x1d), u, y, exact)
	s.KMOVW(exact, full)
	s.ANDL(ones, full)
	s.POPCNTL(full, full)
	s.MOVL(full, s.param(smallCounts))
	s.POPCNTL(midBits, m)
	s.POPCNTL(atCap, next)
	s.ADDL(next, m)
	s.SUBL(full, m)
	s.MOVL(m, s.param(smallCounts+4))
	s.VMINPD(u, y, y)
	s.VMAXPD(s.zero, y, y)
	s.VCVTPD2PS(y, y.AsY())
	s.VEXPANDPS_Z(y, cand, s.y[0])
	s.thresholds(c, t, u, s.zero)
	s.JMP(operand.LabelRef("store"))

	s.section("packedagain", "The set above t is next, unless it is empty.")
	s.MOVL(next, midBits)
	s.TESTL(next, next)
	s.JZ(operand.LabelRef("topkothers"))
	s.SUBQ(operand.Imm(1), tries)
	s.JNZ(operand.LabelRef("packedcone"))
	s.JMP(operand.LabelRef("topkothers"))
}

// atTheCap leaves for others unless y, the elements minus T, puts top at the cap, and none of mid above it, rounding
// apart.
func (s *small) atTheCap(y, u reg.VecVirtual, mid reg.Register, top reg.GPVirtual, others string) {
	slack, edge, beyond, reaching := s.ZMM(), s.ZMM(), s.K(), s.K()
	low, high, both := s.GP32(), s.GP32(), s.GP32()
	s.VBROADCASTSD(s.slack(), slack)
	s.VMULPD(slack, u, slack)
	s.VADDPD(u, slack, edge)
	s.VCMPPD(operand.U8(0x1e), edge, y, mid, beyond)
	s.KMOVW(beyond, high)
	s.VSUBPD(slack, u, edge)
	s.VCMPPD(operand.U8(0x1d), edge, y, reaching)
	s.KMOVW(reaching, low)
	s.ANDNL(top, low, both)
	s.ORL(high, both)
	s.JNZ(operand.LabelRef(others))
}
