package main

import (
	"github.com/mmcloughlin/avo/reg"
)

// capped is kind 1: sum_i min(max(0, v_i - t), u) = min((t+c)/rho, r).
func (s *small) capped(kth, pairs reg.VecVirtual) {
	s.VMAXPD(s.zero, kth, kth)
	s.center(kth)
	low := s.ZMM()
	s.VMINPD(s.number(smallCap), kth, low)
	s.knapsack(pairs, low, "capped", true, s.aboveBias)
}

// fixed is kind 3: sum_i min(max(0, v_i - t), u) = r.
func (s *small) fixed(kth, pairs reg.VecVirtual) {
	s.center(kth)
	s.knapsack(pairs, s.number(smallCap), "fixed", false, func(t, excess reg.VecVirtual) {
		s.VADDSD(s.c.AsX(), t.AsX(), s.lambda)
	})
}

// knapsack solves with a fixed cap, with the bias or without; t >= -low. With a_j for T + u and t_j = a_j - u,
//
//	sum_i min(max(0, a_i - t_j), u) = sum_i max(0, a_i - t_j) - p_j
//
// is less than it should be where a_j is above T + u; only those that exceed the k-th largest can be. lambda gets t and
// sum_i max(0, v_i - t - u).
func (s *small) knapsack(pairs, low reg.VecVirtual, label string, bias bool, lambda func(t, excess reg.VecVirtual)) {
	tj := s.ZMM()
	s.VSUBPS(s.number32(smallCap), s.raw, tj)
	f := s.maxSums(tj, label+"sums")
	s.VFNMADD231PS(s.count32(), tj, f)
	s.VSUBPS(pairs, f, f)
	top := s.beyond(s.zero)
	if bias {
		top = s.short(f, tj, top)
	} else {
		top = s.less(f, s.number32(smallR), top)
	}
	n, sum, nu := s.count(top), s.sum(top), s.ZMM()
	s.VMULPD(n, s.number(smallCap), nu)
	t := s.settle(s.between(low, top), top, nu, label, bias)
	limit := s.number(smallCap)
	s.verify(top, t, limit)
	s.VADDSD(limit.AsX(), t.AsX(), nu.AsX())
	s.VFNMADD213SD(sum.AsX(), n.AsX(), nu.AsX())
	lambda(t, nu)
	s.answer(t, limit)
}

// between returns the mask of v > -low without top.
func (s *small) between(low reg.VecVirtual, top reg.Register) reg.Register {
	t := s.ZMM()
	s.VSUBPD(low, s.zero, t)
	m := s.beyond(t)
	s.KANDNW(m, top, m)
	return m
}
