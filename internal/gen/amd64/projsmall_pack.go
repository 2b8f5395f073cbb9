package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pack moves NaN and what is not below the bound together, notes in smallKept what that is, and returns the number;
// behind them is -Inf.
func (s *small) pack(x []reg.VecVirtual, bound reg.VecVirtual) (packed []reg.VecVirtual, off reg.GPVirtual) {
	lanes := s.lanes()
	table, back := s.GP64(), s.GP64() // minus off
	s.LEAQ(s.iota(), table)
	off = s.GP64()
	s.XORL(back.As32(), back.As32())
	s.XORL(off.As32(), off.As32())
	packed = s.vecs(16 / lanes)
	for i := range packed {
		s.bcast(s.lowest(), packed[i])
	}
	for i, v := range x {
		s.unlessEnd(i, "manypacked")
		keep, here, n, order, y := s.K(), s.GP64(), s.GP64(), s.ZMM(), s.ZMM()
		pick(s.kernel, s.VCMPPS, s.VCMPPD)(operand.U8(0x15), bound, v, keep)
		s.KMOVW(keep, here.As32())
		s.POPCNTL(here.As32(), n.As32())
		// Compressed, the elements are turned to their place, lane j coming from j - off.
		s.VMOVUPS(operand.Mem{Base: table, Disp: 8 * lanes * s.size, Index: back, Scale: uint8(s.size)}, order)
		s.SUBQ(n, back)
		pick(s.kernel, s.VCOMPRESSPS_Z, s.VCOMPRESSPD_Z)(v, keep, y)
		if s.f64 {
			s.MOVB(here.As8(), s.param(smallKept+i))
		} else {
			s.MOVW(here.As16(), s.param(smallKept+2*i))
		}
		to := s.GP64()
		s.MOVQ(operand.I32(-1), to)
		s.BZHIQ(n, to, to)
		s.SHLXQ(off, to, to)
		s.ADDQ(n, off)
		for j, p := range packed {
			if j > 0 { // the permutation looks at three bits of the order, which are the same
				s.SHRQ(operand.U8(8), to)
			}
			m := s.K()
			s.KMOVW(to.As32(), m)
			pick(s.kernel, s.VPERMPS, s.VPERMPD)(y, order, m, p)
		}
	}
	s.Label("manypacked")
	return packed, off
}

// iota are the numbers from minus the most elements that many takes to 31, in lanes of the element's size.
func (k *kernel) iota() operand.Mem {
	return k.global("iota"+k.elem.suffix, func() {
		for i := -8 * k.lanes(); i < 32; i++ {
			if k.f64 {
				k.AppendDatum(operand.I64(i))
			} else {
				k.AppendDatum(operand.I32(i))
			}
		}
	})
}

// spread writes the lanes of y, 16 float32 or two vectors of float64, where smallKept says, and 0 elsewhere.
func (s *small) spread() {
	s.section("spread",
		"The lanes of y to where the elements came from, 0 elsewhere, unless T is below the bound.")
	lanes := s.lanes()
	dst, left, off, table := s.arg("dst"), s.arg("n"), s.GP64(), s.GP64()
	kept, t := s.GP64(), s.XMM()
	s.VMOVSD(s.param(smallT), t)
	s.VUCOMISD(s.param(smallBound), t)
	s.JB(operand.LabelRef("unsolved"))
	s.LEAQ(s.param(smallKept), kept)
	s.LEAQ(s.iota(), table)
	s.XORL(off.As32(), off.As32())
	s.section("spreadnext", "A vector of dst.")
	order, m, here := s.ZMM(), s.K(), s.GP32()
	s.VMOVUPS(operand.Mem{Base: table, Disp: 8 * lanes * s.size, Index: off, Scale: uint8(s.size)}, order)
	if s.f64 {
		s.VPERMI2PD(s.y[1], s.y[0], order)
		s.MOVBLZX(operand.Mem{Base: kept}, here)
	} else {
		s.VPERMPS(s.y[0], order, order)
		s.MOVWLZX(operand.Mem{Base: kept}, here)
	}
	s.KMOVW(here, m)
	s.POPCNTL(here, here)
	s.ADDQ(here.As64(), off)
	s.ADDQ(operand.U32(lanes/8), kept)
	pick(s.kernel, s.VEXPANDPS_Z, s.VEXPANDPD_Z)(order, m, order)
	s.SUBQ(operand.U32(lanes), left)
	s.JB(operand.LabelRef("spreadpart"))
	s.kernel.store(order, operand.Mem{Base: dst})
	s.JE(operand.LabelRef("spreadend"))
	s.ADDQ(operand.U32(64), dst)
	s.JMP(operand.LabelRef("spreadnext"))
	s.Label("spreadpart")
	s.storeBits(order, 512/8, left, dst) // left + lanes has the same low bits
	s.Label("spreadend")
	s.smallReturn(1)
}
