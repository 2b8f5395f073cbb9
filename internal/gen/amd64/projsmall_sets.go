package main

import "github.com/mmcloughlin/avo/reg"

// bounds returns r as float32, and for kinds with the bias, if it may be one, for each lane the smaller of r and t/rho,
// t being given without base: what the sum at t is less than when t is above T.
func (s *small) bounds(bias bool, ts ...reg.VecVirtual) []reg.VecVirtual {
	r, b := s.number32(smallR), make([]reg.VecVirtual, len(ts))
	for i := range b {
		b[i] = s.ZMM()
	}
	s.ifBias(bias, func() {
		one, rho, inverse := s.XMM(), s.XMM(), s.ZMM()
		s.VMOVSS(s.one32(), one)
		s.VCVTSD2SS(s.param(smallRho), s.zero.AsX(), rho)
		s.VDIVSS(rho, one, inverse.AsX())
		s.VBROADCASTSS(inverse.AsX(), inverse)
		for i, t := range ts {
			if s.f64 {
				s.VADDPS(s.base, t, b[i])
				s.VMULPS(inverse, b[i], b[i])
			} else {
				s.VMULPS(inverse, t, b[i])
			}
			s.VMINPS(r, b[i], b[i]) // a NaN, of 0/0, stays: its lane is above nothing
		}
	}, func() {
		for _, b := range b {
			s.VMOVAPS(r, b)
		}
	})
	return b
}

// positive returns the elements above T where there is no cap: sum_i max(a_i, a_j) < bound + n a_j.
func (s *small) positive(label string) reg.Register {
	s.Comment("The elements above T: sum_i max(a_i, a_j) is below its bound + n a_j.")
	bound := s.bounds(true, s.raw)[0]
	s.VFMADD231PS(s.count32(), s.raw, bound)
	return s.less(s.maxSums(s.raw, label), bound, s.all)
}

// cappedSets returns the elements above T, and those among them below T + u. With the sums M(t) = sum_i max(a_i, t)
//
//	sum_i min(max(0, a_i - t), u) = M(t) - M(t + u) + n u
//
// is less than its bound for t = a_j where a_j > T, and for t = a_j - u where a_j > T + u. Those that are near are said
// to be below, as k elements at the cap leave T open; top, if given, limits those at the cap.
func (s *small) cappedSets(label string, bias bool, top reg.Register) (sup, mid reg.Register) {
	if top == nil {
		top = s.all
	}
	s.Comment("The elements above T, and among them those below T + u, by M(t) - M(t + u) + n u.")
	u, low, high := s.number32(smallCap), s.ZMM(), s.ZMM()
	s.VSUBPS(u, s.raw, low)
	s.VADDPS(u, s.raw, high)
	ms := s.maxSums3([3]reg.VecVirtual{low, s.raw, high}, label)
	bounds := s.bounds(bias, low, s.raw)
	nu, near := s.ZMM(), s.ZMM()
	s.VMULPS(s.count32(), u, nu)
	s.VSUBPS(ms[2], ms[1], high)
	s.VADDPS(nu, high, high)
	sup = s.less(high, bounds[1], s.all)
	s.VSUBPS(ms[1], s.zero, near)
	s.VMAXPS(ms[1], near, near)
	s.VADDPS(nu, near, near)
	s.VSUBPS(ms[1], ms[0], low)
	s.VADDPS(nu, low, low)
	s.VFMADD231PS_BCST(s.tiny32(), near, low)
	mid = s.K()
	s.KANDNW(sup, s.less(low, bounds[0], top), mid)
	return sup, mid
}
