package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packing is a problem of which the sets are guessed: sup are the positive elements, mid those below the cap. Without a
// cap both are the same.
type packing struct {
	label    string
	sup, mid reg.Register
	bias     bool
	topK     bool // lambda is kind 2's
}

func (p packing) capped() bool { return p.sup != p.mid }

// packed solves it where eight elements at most are positive, float32 only: those are moved together, so that all that
// needs float64 is one vector, minus the first of mid. Where the thresholds do not give the same sets it falls through.
// A NaN makes every sum NaN and no element positive, and so does what overflows float32.
func (s *small) packed(p packing) {
	if s.f64 {
		return
	}
	others := p.label + "others"
	s.Comment("At most 8 positive elements: together, as float64, minus c, the first of mid.")
	set, size, rest := s.GP32(), s.GP64(), s.GP32()
	s.KMOVW(p.sup, set)
	s.POPCNTL(set, size.As32())
	s.LEAL(operand.Mem{Base: size, Disp: -1}, rest)
	s.CMPL(rest, operand.Imm(7))
	s.JA(operand.LabelRef(others))

	v, c, few := s.ZMM(), s.ZMM(), s.K()
	ones := s.GP32()
	s.MOVL(operand.U32(0xff), ones)
	s.BZHIL(size.As32(), ones, ones)
	s.KMOVW(ones, few)
	s.VCOMPRESSPS_Z(s.raw, p.sup, v)
	s.VCVTPS2PD(v.AsY(), v)
	m, free, atCap := size, few, reg.GPVirtual(nil) // free is mid, packed
	if p.capped() {
		inside := s.GP32()
		m, free, atCap = s.GP64(), s.K(), s.GP32()
		s.KMOVW(p.mid, inside)
		s.POPCNTL(inside, m.As32())
		s.PEXTL(set, inside, inside)
		s.KMOVW(inside, free)
		s.ANDNL(ones, inside, atCap)
		s.VCOMPRESSPS_Z(s.raw, p.mid, c)
		s.VCVTPS2PD(c.AsY(), c)
		s.VBROADCASTSD(c.AsX(), c)
	} else {
		s.VBROADCASTSD(v.AsX(), c)
	}
	s.VSUBPD(c, v, v)
	sum, t := s.ZMM(), s.ZMM()
	s.VMOVAPD_Z(v, free, sum)
	s.total(sum)
	nu, r, excess := s.XMM(), s.XMM(), reg.VecVirtual(nil)
	s.VMOVSD(s.param(smallR), r)
	if p.capped() {
		n := s.GP32()
		s.POPCNTL(atCap, n)
		s.VCVTSI2SDL(n, s.zero.AsX(), nu)
		if p.topK { // sum_U v - n u, and from that n t
			excess = s.ZMM()
			high := s.K()
			s.KMOVW(atCap, high)
			s.VMOVAPD_Z(v, high, excess)
			s.total(excess)
		}
		s.threshold(p, sum, nu, r, c, t, m)
	} else {
		s.threshold(p, sum, nil, r, c, t, m)
	}

	s.Comment("Are these what exceeds t?")
	found := s.GP32()
	s.KMOVW(s.exceeding(c, t), found)
	s.CMPL(found, set)
	s.JNE(operand.LabelRef(others))

	s.Comment("They are: at most u, and how many are below and at it.")
	limit := smallR
	if p.capped() {
		limit = smallCap
	}
	u, y := s.number(limit), s.ZMM()
	s.VBROADCASTSD(t.AsX(), y)
	s.VSUBPD(y, v, v)
	top, full := s.K(), s.GP32()
	s.VCMPPD(operand.U8(0x1d), u, v, few, top)
	s.KMOVW(top, full)
	if p.capped() {
		s.atTheCap(v, u, free, atCap, others)
	}
	s.VMINPD(u, v, v)
	s.VCVTPD2PS(v, v.AsY())
	s.VEXPANDPS_Z(v, p.sup, s.y[0])
	s.POPCNTL(full, full)
	s.SUBL(full, size.As32())
	s.MOVL(full, s.param(smallCounts))
	s.MOVL(size.As32(), s.param(smallCounts+4))
	s.Comment("The thresholds, and lambda.")
	total := s.XMM()
	s.VADDSD(c.AsX(), t.AsX(), total)
	s.VMOVSD(c.AsX(), s.param(smallC))
	s.VMOVSD(t.AsX(), s.param(smallShift))
	s.VMOVSD(total, s.param(smallT))
	s.VMOVSD(u.AsX(), s.param(smallU))
	if p.topK { // T + (excess - n (t + u))/k - rho r
		s.VADDSD(u.AsX(), t.AsX(), t.AsX())
		s.VFNMADD231SD(t.AsX(), nu, excess.AsX())
		s.VDIVSD(s.param(smallK), excess.AsX(), excess.AsX())
		s.VADDSD(excess.AsX(), total, total)
	}
	lambda := func() {
		s.VFNMADD132SD(s.param(smallRho), total, r)
		s.VMAXSD(s.zero.AsX(), r, total)
	}
	if p.topK {
		lambda()
	} else {
		s.ifBias(p.bias, lambda, func() {})
	}
	s.VMOVSD(total, s.param(smallLambda))
	s.JMP(operand.LabelRef("store"))
	s.Label(others)
}

// threshold sets t = (s + n u - r)/m, and with the bias to the larger of it and (rho (s + n u) - c)/(rho m + 1), where
// s is the sum of the m elements of mid and n u, if any, the sum of the elements at the cap.
func (s *small) threshold(p packing, sum, n, r, c, t reg.VecVirtual, m reg.GPVirtual) {
	s.Comment("t = (s + n u - r)/m, with the bias the larger of that and (rho (s + n u) - c)/(rho m + 1).")
	if n != nil {
		s.VFMADD231SD(s.param(smallCap), n, sum.AsX())
	}
	table := s.GP64()
	s.LEAQ(s.inverses(), table)
	s.VSUBSD(r, sum.AsX(), t.AsX())
	s.VMULSD(operand.Mem{Base: table, Index: m, Scale: 8}, t.AsX(), t.AsX())
	s.ifBias(p.bias, func() {
		count, rho, inverse := s.XMM(), s.XMM(), s.XMM()
		s.VCVTSI2SDL(m.As32(), s.zero.AsX(), count)
		s.VMOVSD(s.param(smallRho), rho)
		s.VMOVSD(s.one(), inverse)
		s.VFMADD213SD(inverse, rho, count)
		s.VDIVSD(count, inverse, inverse)
		s.VFMSUB213SD(c.AsX(), rho, sum.AsX())
		s.VMULSD(inverse, sum.AsX(), sum.AsX())
		s.VMAXSD(sum.AsX(), t.AsX(), t.AsX())
	}, func() {})
}

// total adds the eight lanes of v into the lowest.
func (s *small) total(v reg.VecVirtual) {
	y := s.ZMM()
	s.VEXTRACTF64X4(operand.Imm(1), v, y.AsY())
	s.VADDPD(y.AsY(), v.AsY(), v.AsY())
	s.VEXTRACTF64X2(operand.Imm(1), v.AsY(), y.AsX())
	s.VADDPD(y.AsX(), v.AsX(), v.AsX())
	s.VPERMILPD(operand.Imm(1), v.AsX(), y.AsX())
	s.VADDSD(y.AsX(), v.AsX(), v.AsX())
}

func (k *kernel) one32() operand.Mem {
	return k.global("one32", func() { k.AppendDatum(operand.U32(math.Float32bits(1))) })
}

// slack is some units in the last place of a cap: more than the sum of 16 of them loses to rounding.
func (k *kernel) slack() operand.Mem {
	return k.global("slack64", func() { k.AppendDatum(operand.U64(math.Float64bits(0x1p-49))) })
}

// inverses are 1/m for m from 0 to 16.
func (k *kernel) inverses() operand.Mem {
	return k.global("inverses", func() {
		for m := range 17 {
			k.AppendDatum(operand.U64(math.Float64bits(1 / float64(m))))
		}
	})
}
