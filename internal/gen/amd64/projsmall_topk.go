package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// topK is kind 2: Lemmas 3 and 5. The zero solution and what cannot be told from it are left to others.
func (s *small) topK(ranks ranking) {
	s.topKPacked(ranks)
	f, tj := s.coneSums(ranks.pairs) // early, as this does not wait for c
	s.center(ranks.kth)
	s.Comment("The sum of the k largest, unless it may be rounding.")
	sum, k, kc := s.sum(ranks.top), s.number(smallK), s.ZMM()
	s.VMULPD(k, s.c, kc)
	least := s.ZMM() // 2^-32 (sum_top v + k |c|): a sum that is less may be rounding
	s.VMAXPD(s.zero, kc, least)
	s.VADDPD(least, least, least)
	s.VSUBPD(kc, least, least)
	s.VADDPD(sum, least, least)
	s.VADDPD(kc, sum, sum)
	s.VMULSD(s.tiny(), least.AsX(), least.AsX())
	s.VUCOMISD(least.AsX(), sum.AsX())
	s.JBE(operand.LabelRef("unsolved"))

	s.Comment("The vertex: u = min(v, r/k), v = sum of the k largest/(k + rho k²).")
	low, limit, t := s.ZMM(), s.number(smallCap), s.ZMM()
	s.VDIVSD(s.param(smallShare), sum.AsX(), low.AsX()) // the vertex: x_i at the k largest
	s.VBROADCASTSD(low.AsX(), low)
	fewer, above, order := s.K(), s.GP32(), s.GP64()
	s.VCMPPD(operand.U8(0x11), limit, low, fewer) // vertex < limit
	s.VMINPD(limit, low, low)
	s.VSUBPD(low, s.zero, t)
	s.KMOVW(s.beyond(t), above)
	s.POPCNTL(above, above)
	s.Load(s.Param("k"), order)
	s.CMPL(above, order.As32())
	s.JNE(operand.LabelRef("inner"))
	s.KORTESTB(fewer, fewer)
	s.JNZ(operand.LabelRef("vertex"))
	s.Comment("At the limit: sum_i max(0, a_i - T - U) = sum - k (T + U).")
	s.VDIVSD(k.AsX(), sum.AsX(), s.lambda)
	s.VSUBSD(limit.AsX(), s.lambda, s.lambda)
	s.VMOVSD(s.param(smallRho), kc.AsX())
	s.VFNMADD231SD(s.param(smallR), kc.AsX(), s.lambda)
	s.VMAXSD(s.zero.AsX(), s.lambda, s.lambda)
	s.answer(t, limit)
	s.section("vertex", "The vertex below the limit.")
	s.VXORPD(s.lambda, s.lambda, s.lambda)
	s.answer(t, low)
	s.section("inner", "More elements are above T.")
	s.KORTESTB(fewer, fewer)
	s.JZ(operand.LabelRef("full"))
	s.cone(f, tj, low, ranks.larger)
	s.section("full", "u at the limit: a knapsack.")
	sup, mid := s.cappedSets("fullsums", false, ranks.larger)
	s.packed(packing{label: "full", sup: sup, mid: mid, topK: true})
	s.withCap("full", sup, mid, false, nil, func(t, excess reg.VecVirtual) {
		y := s.XMM()
		s.VDIVSD(s.param(smallK), excess.AsX(), excess.AsX())
		s.VADDSD(s.c.AsX(), t.AsX(), y)
		s.VADDSD(excess.AsX(), y, y)
		s.VMOVSD(s.param(smallR), s.lambda)
		s.VFNMADD132SD(s.param(smallRho), y, s.lambda)
		s.VMAXSD(s.zero.AsX(), s.lambda, s.lambda)
	})
}

// tiny is 2^-32.
func (k *kernel) tiny() operand.Mem {
	return k.global("tiny64", func() { k.AppendDatum(operand.U64(math.Float64bits(0x1p-32))) })
}

// tiny32 is 2^-20, more than float32 sums of 16 elements lose.
func (k *kernel) tiny32() operand.Mem {
	return k.global("tiny32", func() { k.AppendDatum(operand.U32(math.Float32bits(0x1p-20))) })
}

// coneSums returns for a_j in the place of T + u the T of the cone, t_j = (rho k a_j - p_j/k)/(1 + rho k), and the sum
// of the elements.
func (s *small) coneSums(pairs reg.VecVirtual) (f, tj reg.VecVirtual) {
	s.Comment("t_j = (rho k a_j - p_j/k)/(1 + rho k), T of the cone with a_j for T + u,",
		"and the sum of the elements there.")
	k, rk, inv, y, z := s.XMM(), s.XMM(), s.XMM(), s.XMM(), s.ZMM()
	s.VMOVSD(s.param(smallK), k)
	s.VMULSD(s.param(smallRho), k, rk)
	s.VADDSD(s.one(), rk, inv)
	s.VMOVSD(s.one(), y)
	s.VDIVSD(inv, y, inv)
	tj = s.ZMM()
	s.VMULSD(inv, rk, y)
	s.VCVTSD2SS(y, y, y)
	s.VBROADCASTSS(y, z)
	s.VADDPS(s.base, s.raw, tj)
	s.VMULPS(z, tj, tj)
	s.VDIVSD(k, inv, y)
	s.VCVTSD2SS(y, y, y)
	s.VBROADCASTSS(y, z)
	s.VFNMADD231PS(z, pairs, tj)
	s.VSUBPS(s.base, tj, tj)
	f = s.maxSums(tj, s.newLabel("cone"))
	s.VFNMADD231PS(s.count32(), tj, f)
	s.VSUBPS(pairs, f, f)
	return f, tj
}

// cone is the system (7), solved for one set at the cap: those a_j for which the sum of the elements is less than k
// (a_j - t_j). It goes on to the knapsack when u is not less than r/k.
func (s *small) cone(f, tj, low reg.VecVirtual, larger reg.Register) {
	s.Comment("At the cap are those whose sum is below k (a_j - t_j).")
	z, k := s.number32(smallK), s.number(smallK)
	s.VSUBPS(tj, s.raw, tj)
	s.VMULPS(z, tj, tj)
	top := s.less(f, tj, larger)
	n, sum := s.count(top), s.sum(top)
	s.Comment("free = k - n, b = rho k² + n, fixed = k c + sum_U v.")
	free, b, fixed := s.ZMM(), s.ZMM(), s.ZMM()
	s.VSUBSD(n.AsX(), k.AsX(), free.AsX())
	s.VMULSD(s.param(smallRho), k.AsX(), b.AsX())
	s.VFMADD213SD(n.AsX(), k.AsX(), b.AsX())
	s.VMOVAPD(s.c.AsX(), fixed.AsX())
	s.VFMADD213SD(sum.AsX(), k.AsX(), fixed.AsX())
	u := s.ZMM()
	t := s.newton(s.between(low, top), top, "cone", nil, func(sum, m, t reg.VecVirtual) {
		s.Comment("t = (b s - free fixed)/D, u = (free s + m fixed)/D, D = b m + free².")
		d, e := s.ZMM(), s.ZMM()
		s.VMULSD(free.AsX(), free.AsX(), d.AsX())
		s.VFMADD231SD(b.AsX(), m.AsX(), d.AsX())
		s.VMULSD(free.AsX(), fixed.AsX(), e.AsX())
		s.VMOVAPD(b.AsX(), t.AsX())
		s.VFMSUB213SD(e.AsX(), sum.AsX(), t.AsX())
		s.VMULSD(m.AsX(), fixed.AsX(), e.AsX())
		s.VFMADD231SD(free.AsX(), sum.AsX(), e.AsX())
		s.VUNPCKLPD(e.AsX(), t.AsX(), t.AsX())
		s.VMOVDDUP(d.AsX(), d.AsX())
		s.VDIVPD(d.AsX(), t.AsX(), t.AsX())
		s.VPERMILPD(operand.Imm(1), t.AsX(), u.AsX())
	})
	s.VBROADCASTSD(u.AsX(), u)
	s.verify(top, t, u)
	s.Comment("It is the answer with lambda = 0, if u is below the limit.")
	s.VUCOMISD(s.param(smallCap), u.AsX())
	s.JAE(operand.LabelRef("full"))
	s.VXORPD(s.lambda, s.lambda, s.lambda)
	s.answer(t, u)
}
