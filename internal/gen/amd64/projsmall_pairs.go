package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maxSums returns sum_i max(a_i, x_j) for each lane of x, which is sum_i max(0, a_i - x_j) + n x_j.
func (s *small) maxSums(x reg.VecVirtual, label string) reg.VecVirtual {
	acc := s.sums()
	s.each(label, func(i int, first bool, _ operand.Mem, term operand.Op) { s.addMax(x, term, acc[i], first) })
	return s.joined(acc)
}

// maxSums3 is maxSums for three vectors.
func (s *small) maxSums3(x [3]reg.VecVirtual, label string) (sums [3]reg.VecVirtual) {
	var acc [3][2]reg.VecVirtual
	for i := range acc {
		acc[i] = [2]reg.VecVirtual{s.ZMM(), s.ZMM()}
		s.clear(acc[i][:]...)
	}
	s.each(label, func(i int, first bool, element operand.Mem, term operand.Op) {
		v, ok := term.(reg.VecVirtual)
		if !ok {
			v = s.ZMM()
			s.VBROADCASTSS(element, v)
		}
		for j, x := range x {
			if first && i < 2 {
				s.VMAXPS(v, x, acc[j][i])
				continue
			}
			m := s.ZMM()
			s.VMAXPS(v, x, m)
			s.VADDPS(m, acc[j][i%2], acc[j][i%2])
		}
	})
	for j := range sums {
		sums[j] = acc[j][0]
		s.VADDPS(acc[j][1], sums[j], sums[j])
	}
	return sums
}

// sums are accumulators, as many as the latency of an addition asks for.
func (s *small) sums() []reg.VecVirtual {
	acc := make([]reg.VecVirtual, 4)
	for i := range acc {
		acc[i] = s.ZMM()
	}
	s.clear(acc...)
	return acc
}

func (s *small) joined(acc []reg.VecVirtual) reg.VecVirtual {
	s.VADDPS(acc[1], acc[0], acc[0])
	s.VADDPS(acc[3], acc[2], acc[2])
	s.VADDPS(acc[2], acc[0], acc[0])
	return acc[0]
}

// addMax adds max(a_i, x_j), which is NaN where a_i is, to acc, or to nothing when it is the first.
func (s *small) addMax(x reg.VecVirtual, term operand.Op, acc reg.VecVirtual, first bool) {
	m := s.ZMM()
	if first {
		m = acc
	}
	if s.f64 {
		s.VMAXPS(term, x, m)
	} else {
		s.VMAXPS_BCST(term, x, m)
	}
	if !first {
		s.VADDPS(m, acc, acc)
	}
}

// each runs code for every element; i counts the accumulators, of which each one's first term is said to be that: it
// need not be added. The element lies at a; minus base it is a float32 to be
// broadcast from memory, or, of float64 elements, broadcast already: by a permutation, since what is broadcast from a
// store just made waits for it.
func (s *small) each(label string, code func(i int, first bool, element operand.Mem, term operand.Op)) {
	at, left := s.GP64(), s.GP64()
	var index, one reg.VecVirtual
	s.MOVQ(s.a, at)
	s.MOVQ(s.n, left)
	if s.f64 {
		index, one = s.ZMM(), s.ZMM()
		s.clear(index)
		s.VPBROADCASTD(s.minusOne(), one)
	}
	do := func(elements int, first bool) {
		for i := range elements {
			element := operand.Mem{Base: at, Disp: i * s.size}
			if !s.f64 {
				code(i, first, element, element)
				continue
			}
			term := s.ZMM()
			s.VPERMPS(s.raw, index, term)
			s.VPSUBD(one, index, index)
			code(i, first, element, term)
		}
		if elements > 1 {
			s.ADDQ(operand.U32(elements*s.size), at)
		}
	}
	s.Comment("The elements by fours, each against all lanes.")
	s.SUBQ(operand.Imm(4), left)
	s.JB(operand.LabelRef(label + "rest"))
	do(4, true)
	s.SUBQ(operand.Imm(4), left)
	s.JB(operand.LabelRef(label + "rest"))
	s.Label(label)
	do(4, false)
	s.SUBQ(operand.Imm(4), left)
	s.JAE(operand.LabelRef(label))
	s.Label(label + "rest")
	s.TESTQ(operand.U32(2), left)
	s.JZ(operand.LabelRef(label + "last"))
	do(2, false)
	s.Label(label + "last")
	s.TESTQ(operand.U32(1), left)
	s.JZ(operand.LabelRef(label + "end"))
	do(1, false)
	s.Label(label + "end")
}

// ranking is what rank finds.
type ranking struct {
	kth         reg.VecVirtual // the k-th largest element, in all lanes
	pairs       reg.VecVirtual // p
	top, larger reg.Register   // the k largest elements and those that equal them; without ties the k-1 largest
}

// rank counts for each element those that are larger.
func (s *small) rank() ranking {
	s.Comment("For each element the number of larger ones, and sum_i max(a_i, a_j).")
	k, last, ones, bound, before := s.GP64(), s.GP64(), s.ZMM(), s.ZMM(), s.ZMM()
	s.Load(s.Param("k"), k)
	s.LEAQ(operand.Mem{Base: k, Disp: -1}, last)
	vectors := []reg.VecVirtual{s.raw}
	if s.f64 {
		vectors = s.x[:]
		s.VPBROADCASTQ(k, bound)
		s.VPBROADCASTQ(last, before)
	} else {
		s.VPBROADCASTD(k.As32(), bound)
		s.VPBROADCASTD(last.As32(), before)
	}
	s.VPBROADCASTD(s.minusOne(), ones)
	larger, acc := make([]reg.VecVirtual, len(vectors)), s.sums()
	for i := range vectors {
		larger[i] = s.ZMM()
		s.clear(larger[i])
	}
	s.each("rank", func(i int, first bool, element operand.Mem, term operand.Op) {
		for j, v := range vectors {
			m := s.K()
			if s.f64 {
				s.VCMPPD_BCST(operand.U8(0x11), element, v, m)
				s.VPSUBQ(ones, larger[j], m, larger[j])
			} else {
				s.VCMPPS_BCST(operand.U8(0x11), element, v, m)
				s.VPSUBD(ones, larger[j], m, larger[j])
			}
		}
		s.addMax(s.raw, term, acc[i], first)
	})
	s.Comment("p, the k-th largest element, and the sets above it.")
	r := ranking{kth: s.ZMM(), pairs: s.joined(acc)}
	s.VFNMADD231PS(s.count32(), s.raw, r.pairs)
	// with returns the mask of the lanes whose count compares so.
	with := func(predicate operand.U8, b reg.VecVirtual) reg.Register {
		m := s.K()
		if !s.f64 {
			s.VPCMPD(predicate, b, larger[0], m)
			return m
		}
		high := s.K()
		s.VPCMPQ(predicate, b, larger[0], m)
		s.VPCMPQ(predicate, b, larger[1], high)
		s.KUNPCKBW(m, high, m)
		return m
	}
	r.top, r.larger = with(1, bound), with(1, before)
	is := with(0, before)
	if s.f64 {
		s.VMOVAPD(s.first(is), r.kth)
	} else {
		s.VCOMPRESSPS_Z(s.raw, is, r.kth)
		s.VCVTPS2PD(r.kth.AsY(), r.kth)
		s.VBROADCASTSD(r.kth.AsX(), r.kth)
	}
	s.KORTESTW(is, is)
	s.JNZ(operand.LabelRef("ranked"))
	s.VMOVAPD(s.least(r.top), r.kth) // ties
	s.Label("ranked")
	return r
}

// least returns the smallest of a set.
func (s *small) least(set reg.Register) reg.VecVirtual {
	inf, bits, high := [2]reg.VecVirtual{s.ZMM(), s.ZMM()}, s.GP64(), s.K()
	s.KSHIFTRW(operand.U8(8), set, high)
	s.MOVQ(operand.U64(math.Float64bits(math.Inf(1))), bits)
	for i, m := range []reg.Register{set, high} {
		s.VPBROADCASTQ(bits, inf[i])
		s.VMOVAPD(s.x[i], m, inf[i])
	}
	return s.fold(func(a, b, d operand.Op) { s.VMINPD(a, b, d) }, inf[0], inf[1])
}
