package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// knapsack is kinds 1 and 3: sum_i min(max(0, v_i - t), u) = min((t+c)/rho, r), and without the bias = r.
func (s *small) knapsack(label string) {
	sup, mid := s.cappedSets(label+"sums", true, nil)
	s.packed(packing{label: label, sup: sup, mid: mid, bias: true})
	again := func() { // what lies between the bounds is to lose nothing to rounding when c is taken off
		s.widen()
		s.center(s.first(mid))
	}
	s.withCap(label, sup, mid, true, again, func(t, excess reg.VecVirtual) {
		s.lambdaOf(t)
	})
}

// withCap solves for t with the elements of sup but not of mid at the cap. lambda gets t and sum_i max(0, v_i - t - u).
func (s *small) withCap(label string, sup, mid reg.Register, bias bool, before func(),
	lambda func(t, excess reg.VecVirtual)) {
	s.Comment("With n elements at the cap.")
	top := s.K()
	s.KANDNW(sup, mid, top)
	n, nu := s.count(top), s.ZMM()
	s.VMULPD(n, s.number(smallCap), nu)
	t, sum := s.settle(mid, top, nu, label, bias, before), s.sum(top)
	limit := s.number(smallCap)
	s.verify(top, t, limit)
	s.Comment("lambda, and the answer.")
	s.VADDSD(limit.AsX(), t.AsX(), nu.AsX())
	s.VFNMADD213SD(sum.AsX(), n.AsX(), nu.AsX())
	lambda(t, nu)
	s.answer(t, limit)
}

// first returns the first element of a set, 0 of the empty one.
func (s *small) first(set reg.Register) reg.VecVirtual {
	v, high := s.ZMM(), s.K()
	s.KSHIFTRW(operand.U8(8), set, high)
	s.VCOMPRESSPD_Z(s.x[1], high, v)
	s.VCOMPRESSPD(s.x[0], set, v)
	s.VBROADCASTSD(v.AsX(), v)
	return v
}

// between returns the mask of v > -low without top.
func (s *small) between(low reg.VecVirtual, top reg.Register) reg.Register {
	t := s.ZMM()
	s.VSUBPD(low, s.zero, t)
	m := s.beyond(t)
	s.KANDNW(m, top, m)
	return m
}
