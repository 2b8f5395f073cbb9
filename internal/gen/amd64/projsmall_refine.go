package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// refine raises the bound b, which too many of the elements x are not below, m of them, for kinds 0 and 4, by the step
// of Newton's method from there, which does not go beyond the threshold:
//
//	b + (s - r)/m,  with the bias the larger of that and b + (rho s - b)/(rho m + 1),  s = sum_i max(0, x_i - b).
//
// Rounding takes less than 2^-18 (s + |b|) from either, of float64 less than 2^-44. A NaN makes the bound NaN, and what
// is NaN bounds nothing.
func (s *small) refine(x []reg.VecVirtual, b reg.VecVirtual, m reg.GPVirtual) {
	simplex, summed := s.GP64(), s.newLabel("summed")
	s.Load(s.Param("kind"), simplex)
	s.TESTQ(operand.U32(3), simplex) // 0 and 4
	s.JNZ(operand.LabelRef("unsolved"))
	s.Comment("A step of Newton's method: b + (s - r)/m, s = sum_i max(0, x_i - b),",
		"with the bias at least b + (rho s - b)/(rho m + 1).")
	acc := s.ZMM()
	s.clear(acc)
	for i, v := range x {
		s.unlessEnd(i, summed)
		y := s.ZMM()
		s.sub(b, v, y)
		pick(s.kernel, s.VMAXPS, s.VMAXPD)(y, s.zero, y)
		s.add(y, acc, acc)
	}
	s.Label(summed)
	y := s.ZMM()
	s.VEXTRACTF64X4(operand.Imm(1), acc, y.AsY())
	s.add(y.AsY(), acc.AsY(), acc.AsY())
	s.VEXTRACTF64X2(operand.Imm(1), acc.AsY(), y.AsX())
	s.add(y.AsX(), acc.AsX(), acc.AsX())
	s.VPERMILPD(operand.Imm(1), acc.AsX(), y.AsX())
	s.add(y.AsX(), acc.AsX(), acc.AsX())
	if !s.f64 {
		s.VPERMILPS(operand.U8(1), acc.AsX(), y.AsX())
		s.add(y.AsX(), acc.AsX(), acc.AsX())
	}
	s.widest(acc)
	from, step, count, lost := s.ZMM(), s.XMM(), s.XMM(), s.XMM()
	s.VMOVAPD(b.AsX(), from.AsX())
	s.widest(from)
	s.VCVTSI2SDQ(m, s.zero.AsX(), count)
	s.VSUBSD(s.param(smallR), acc.AsX(), step)
	s.VDIVSD(count, step, step)
	s.VSUBSD(from.AsX(), s.zero.AsX(), lost)
	s.VMAXSD(from.AsX(), lost, lost)
	s.VADDSD(acc.AsX(), lost, lost)
	s.TESTQ(simplex, simplex)
	s.JNZ(operand.LabelRef("refined"))
	rho := s.XMM()
	s.VMOVSD(s.param(smallRho), rho)
	s.VFMADD213SD(s.one(), rho, count)
	s.VFMSUB213SD(from.AsX(), rho, acc.AsX())
	s.VDIVSD(count, acc.AsX(), acc.AsX())
	s.VMAXSD(step, acc.AsX(), step)
	s.section("refined", "Less what rounding takes, and no lower than b.")
	s.VADDSD(from.AsX(), step, step)
	s.VFNMADD231SD(s.coarse(), lost, step)
	s.VMAXSD(from.AsX(), step, step)
	s.VMOVSD(step, s.param(smallBound))
	s.broadcastBound(step, b)
}

// boundBySingle is bound for kinds 0 and 4 of float32, where all that waits for the largest element is rounded
// downwards as it is computed: max - r, and for kind 0 what is positive and max rho/(1+rho).
func (s *small) boundBySingle(kind reg.GPVirtual, most, b reg.VecVirtual) {
	others, x, lost, back := "boundothers", s.XMM(), s.XMM(), s.XMM()
	s.Comment("Kinds 0 and 4, rounded downwards: most - r, for kind 0 at least most rho/(1 + rho).")
	s.TESTQ(operand.U32(3), kind)
	s.JNZ(operand.LabelRef(others))
	s.VMOVSD(s.param(smallR), x)
	s.VCVTSD2SS_RU_SAE(x, x, x)
	s.VSUBSS_RD_SAE(x, most.AsX(), b.AsX())
	s.TESTQ(kind, kind)
	s.JNZ(operand.LabelRef("boundedbysingle"))
	s.VMOVSD(s.param(smallRho), x)
	s.VMOVSD(s.one(), lost)
	s.VADDSD_RU_SAE(lost, x, lost)
	s.VDIVSD_RD_SAE(lost, x, x)
	s.VCVTSD2SS_RD_SAE(x, x, x)
	s.VMULSS_RD_SAE(most.AsX(), x, x)
	s.VMAXSS(x, b.AsX(), b.AsX())
	s.VMAXSS(s.denormal32(), b.AsX(), b.AsX())
	s.Label("boundedbysingle")
	s.VCVTSS2SD(b.AsX(), b.AsX(), x)
	s.VBROADCASTSS(b.AsX(), b)
	s.VSUBSD(x, s.zero.AsX(), lost)
	s.VMAXSD(x, lost, lost)
	s.VMOVSD(s.rounding(), back)
	s.VFNMADD231SD(back, lost, x)
	s.VMOVSD(x, s.param(smallBound))
	s.JMP(operand.LabelRef("bounded"))
	s.Label(others)
}

// denormal32 is the smallest positive float32.
func (k *kernel) denormal32() operand.Mem {
	return k.global("denormal32", func() { k.AppendDatum(operand.U32(1)) })
}

// broadcastBound sets b to a number of the element type that is not above x.
func (s *small) broadcastBound(x, b reg.VecVirtual) {
	if s.f64 {
		s.VBROADCASTSD(x.AsX(), b)
		return
	}
	s.VCVTSD2SS_RD_SAE(x.AsX(), x.AsX(), b.AsX())
	s.VBROADCASTSS(b.AsX(), b)
}

// coarse is more than a sum of 64 or 128 positive elements loses to rounding.
func (k *kernel) coarse() operand.Mem {
	lost := 0x1p-18
	if k.f64 {
		lost = 0x1p-44
	}
	return k.global("coarse"+k.elem.suffix, func() { k.AppendDatum(operand.U64(math.Float64bits(lost))) })
}
