package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packed solves kinds 0 and 4 where eight elements at most are positive, float32 only: those are moved together, so that all
// that needs float64 is one vector, minus the first of them. Whatever else is the case falls through; a NaN makes every
// sum NaN and no element positive, and so does what overflows float32.
func (s *small) packed(label string, bias bool) {
	if s.f64 {
		return
	}
	others := label + "others"
	n, sure := s.count32(), s.ZMM()
	s.VMOVAPS(s.number32(smallR), sure)
	s.VFMADD231PS(n, s.raw, sure) // p_j < r: max sum < r + n a_j
	if bias {                     // rho p_j < a_j: max sum < (n + 1/rho) a_j
		one, rho, y := s.XMM(), s.XMM(), s.ZMM()
		s.VMOVSS(s.one32(), one)
		s.VCVTSD2SS(s.param(smallRho), s.zero.AsX(), rho)
		s.VDIVSS(rho, one, rho)
		s.VADDSS(rho, n.AsX(), y.AsX())
		s.VBROADCASTSS(y.AsX(), y)
		s.VMULPS(s.raw, y, y)
		s.VMINPS(y, sure, sure)
	}
	mid := s.less(s.maxSums(s.raw, label+"sums"), sure, s.all)
	set, m := s.GP32(), s.GP64()
	s.KMOVW(mid, set)
	s.POPCNTL(set, m.As32())
	rest := s.GP32()
	s.LEAL(operand.Mem{Base: m, Disp: -1}, rest)
	s.CMPL(rest, operand.Imm(7))
	s.JA(operand.LabelRef(others))

	v, c, few := s.ZMM(), s.ZMM(), s.K()
	ones := s.GP32()
	s.MOVL(operand.U32(0xff), ones)
	s.BZHIL(m.As32(), ones, ones)
	s.KMOVW(ones, few)
	s.VCOMPRESSPS_Z(s.raw, mid, v)
	s.VCVTPS2PD(v.AsY(), v)
	s.VBROADCASTSD(v.AsX(), c)
	s.VSUBPD_Z(c, v, few, v)
	sum, y := s.ZMM(), s.ZMM()
	s.VEXTRACTF64X4(operand.Imm(1), v, y.AsY())
	s.VADDPD(y.AsY(), v.AsY(), sum.AsY())
	s.VEXTRACTF64X2(operand.Imm(1), sum.AsY(), y.AsX())
	s.VADDPD(y.AsX(), sum.AsX(), sum.AsX())
	s.VPERMILPD(operand.Imm(1), sum.AsX(), y.AsX())
	s.VADDSD(y.AsX(), sum.AsX(), sum.AsX())

	// t = (s - r)/m, and with the bias the larger of that and (rho s - c)/(rho m + 1)
	t, r, count, table := s.ZMM(), s.XMM(), s.XMM(), s.GP64()
	s.VMOVSD(s.param(smallR), r)
	s.VSUBSD(r, sum.AsX(), t.AsX())
	s.LEAQ(s.inverses(), table)
	s.VMULSD(operand.Mem{Base: table, Index: m, Scale: 8}, t.AsX(), t.AsX())
	rho := s.XMM()
	if bias {
		inverse := s.XMM()
		s.VCVTSI2SDL(m.As32(), s.zero.AsX(), count)
		s.VMOVSD(s.param(smallRho), rho)
		s.VMOVSD(s.one(), inverse)
		s.VFMADD213SD(inverse, rho, count)
		s.VDIVSD(count, inverse, inverse)
		s.VFMSUB213SD(c.AsX(), rho, sum.AsX())
		s.VMULSD(inverse, sum.AsX(), sum.AsX())
		s.VMAXSD(sum.AsX(), t.AsX(), t.AsX())
	}
	// An element is above T when it is above the largest float32 that T is not below.
	total, least := s.XMM(), s.ZMM()
	s.VADDSD_RU_SAE(c.AsX(), t.AsX(), least.AsX())
	s.VCVTSD2SS_RD_SAE(least.AsX(), least.AsX(), least.AsX())
	s.VBROADCASTSS(least.AsX(), least)
	above, found := s.K(), s.GP32()
	s.VCMPPS(operand.U8(0x1e), least, s.raw, above)
	s.KMOVW(above, found)
	s.CMPL(found, set)
	s.JNE(operand.LabelRef(others))

	u := s.ZMM()
	s.VBROADCASTSD(t.AsX(), y)
	s.VBROADCASTSD(r, u)
	s.VSUBPD(y, v, v)
	top, atCap := s.K(), s.GP32()
	s.VCMPPD(operand.U8(0x1d), u, v, few, top)
	s.VMINPD(u, v, v)
	s.VCVTPD2PS(v, v.AsY())
	s.VEXPANDPS_Z(v, mid, v)
	s.KMOVW(top, atCap)
	s.POPCNTL(atCap, atCap)
	s.SUBL(atCap, m.As32())
	s.MOVL(atCap, s.param(smallCounts))
	s.MOVL(m.As32(), s.param(smallCounts+4))
	s.VADDSD(c.AsX(), t.AsX(), total)
	s.VMOVSD(c.AsX(), s.param(smallC))
	s.VMOVSD(t.AsX(), s.param(smallShift))
	s.VMOVSD(total, s.param(smallT))
	s.VMOVSD(r, s.param(smallU))
	if bias {
		s.VFNMADD213SD(total, rho, r)
		s.VMAXSD(s.zero.AsX(), r, total)
	}
	s.VMOVSD(total, s.param(smallLambda))
	s.storeLanes(v)
	s.smallReturn(1)
	s.Label(others)
}

// storeLanes writes the first n lanes of v, which is destroyed.
func (s *small) storeLanes(v reg.VecVirtual) {
	dst, part, end := s.arg("dst"), s.newLabel("below16"), s.newLabel("stored")
	s.CMPQ(s.n, operand.Imm(16))
	s.JNE(operand.LabelRef(part))
	s.VMOVUPS(v, operand.Mem{Base: dst})
	s.JMP(operand.LabelRef(end))
	s.Label(part)
	s.storeBits(v, 512/8, s.n, dst)
	s.Label(end)
}

func (k *kernel) one32() operand.Mem {
	return k.global("one32", func() { k.AppendDatum(operand.U32(math.Float32bits(1))) })
}

// inverses are 1/m for m to 16, the first of them unused.
func (k *kernel) inverses() operand.Mem {
	return k.global("inverses", func() {
		k.AppendDatum(operand.U64(0))
		for m := 1; m <= 16; m++ {
			k.AppendDatum(operand.U64(math.Float64bits(1 / float64(m))))
		}
	})
}
