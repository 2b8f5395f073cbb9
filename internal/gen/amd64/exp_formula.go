package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// examine leaves for the careful way when some argument is NaN or large, or some lane of the masks set.
func (e *expKernel) examine(a []reg.VecVirtual, masks ...reg.VecVirtual) {
	k := e.k
	k.Comment("NaN or |a| above the limit: the careful way.")
	var largest reg.VecVirtual
	for i, a := range a {
		v := k.vec()
		k.and(e.vector("abs"), a, v)
		if i == 0 {
			largest = v
		} else {
			pick(k, k.VMAXPS, k.VMAXPD)(v, largest, largest)
		}
	}
	for _, m := range masks {
		pick(k, k.VORPS, k.VORPD)(m, largest, largest) // ones are NaN
	}
	bits := k.GP32()
	pick(k, k.VCMPPS, k.VCMPPD)(notLessEqual, e.vector("limit"), largest, largest)
	pick(k, k.VMOVMSKPS, k.VMOVMSKPD)(largest, bits)
	k.TESTL(bits, bits)
	k.JNZ(operand.LabelRef("careful"))
}

// reduce returns n with its table index in the low bits of t, and r in place of v.
func (e *expKernel) reduce(v, a []reg.VecVirtual) (t, n, r []reg.VecVirtual) {
	k := e.k
	k.Comment("n = a log2(e), rounded to a multiple of 1/K; r = a - n ln 2, in two steps.")
	subtract := pick(k, k.VFNMADD231PS, k.VFNMADD231PD)
	for i := range v {
		t = append(t, e.fresh("magic"))
		k.fma(e.vector("log2e"), a[i], t[i])
	}
	for i, v := range v {
		n = append(n, k.vec())
		k.sub(e.held["magic"], t[i], n[i])
		if e.scale != "" {
			h := k.vec()
			k.mul(e.vector("short"), n[i], h)
			pick(k, k.VFMSUB231PS, k.VFMSUB231PD)(v, e.scalar, h)
			v = h
		} else {
			subtract(e.vector("hi"), n[i], v)
		}
		r = append(r, v)
	}
	for i := range r {
		subtract(e.vector(e.low()), n[i], r[i])
	}
	return t, n, r
}

// q evaluates the polynomial.
func (e *expKernel) q(r []reg.VecVirtual) (p []reg.VecVirtual) {
	k := e.k
	k.Comment("q(r) = e^r - 1, but for the error of the table's entries.")
	last := len(e.C) - 1
	for range r {
		p = append(p, e.fresh(coefficient(last)))
	}
	for c := last - 1; c >= 0; c-- {
		for i := range r {
			pick(k, k.VFMADD213PS, k.VFMADD213PD)(e.vector(coefficient(c)), r[i], p[i])
		}
	}
	return p
}

// timesOnePlus is s (1 + p), rounded once.
func (e *expKernel) timesOnePlus(s, p []reg.VecVirtual) []reg.VecVirtual {
	for i := range s {
		pick(e.k, e.k.VFMADD213PS, e.k.VFMADD213PD)(s[i], p[i], s[i])
	}
	return s
}

// wideExp is the whole of it with AVX-512. An argument beyond all exponents leaves nonsense in r, or NaN: bounded, it
// gives 1 + q some positive number, which 2^n turns into infinity, zero or NaN, as n is.
func (e *expKernel) wideExp(v, a []reg.VecVirtual) (s []reg.VecVirtual) {
	k := e.k
	const leastMagnitude = 2 // of two operands, but with the sign of the first
	t, n, r := e.reduce(v, a)
	k.Comment("r bounded, and the table's entry.")
	for i := range r {
		pick(k, k.VRANGEPS, k.VRANGEPD)(operand.Imm(leastMagnitude), e.held["half"], r[i], r[i])
		if !k.f64 {
			k.VPERMPS(e.held[tablePart(0)], t[i], t[i])
		} else {
			k.VPERMI2PD(e.held[tablePart(1)], e.held[tablePart(0)], t[i])
		}
	}
	s = e.timesOnePlus(t, e.q(r))
	k.Comment("2^⌊n⌋ entry (1 + q(r)).")
	for i := range s {
		pick(k, k.VSCALEFPS, k.VSCALEFPD)(n[i], s[i], s[i])
	}
	return s
}

// power replaces t by 2^n times the table's entry.
func (e *expKernel) power(t []reg.VecVirtual) []reg.VecVirtual {
	k := e.k
	k.Comment("2^n: the table's entry, with ⌊n⌋ added to its exponent.")
	for _, t := range t {
		s := k.vec()
		if !k.f64 {
			k.VPERMPS(e.held[tablePart(0)], t, s)
		} else {
			odd, isOdd := k.vec(), k.vec()
			k.VPERMILPD(t, e.held[tablePart(0)], s)
			k.VPERMILPD(t, e.held[tablePart(1)], odd)
			k.VPSLLQ(operand.Imm(63), t, isOdd)
			k.VBLENDVPD(isOdd, odd, s, s)
		}
		pick(k, k.VPSLLD, k.VPSLLQ)(operand.Imm(e.exponentShift()), t, t)
		pick(k, k.VPADDD, k.VPADDQ)(s, t, t)
	}
	return t
}

// normalExp is AVX2's way for arguments whose powers of two are normal numbers.
func (e *expKernel) normalExp(v, a []reg.VecVirtual) []reg.VecVirtual {
	t, _, r := e.reduce(v, a)
	s := e.power(t)
	return e.timesOnePlus(s, e.q(r))
}

// carefulExp is AVX2's way for all arguments: bounded to where the result has become infinite or zero, with an exponent
// that is half the bias nearer to zero, which a product makes good at the end.
func (e *expKernel) carefulExp(v, a []reg.VecVirtual) (s []reg.VecVirtual) {
	k := e.k
	k.Comment("The argument, between where the result is 0 and where it is infinite.")
	for i := range v {
		bounded := k.vec()
		e.bound(a[i], bounded, "least", "most")
		if e.scale == "" {
			v[i] = k.vec()
			k.move(bounded, v[i])
		}
		a[i] = bounded
	}
	t, _, r := e.reduce(v, a)
	for i := range r {
		e.bound(r[i], r[i], "minus half", "half")
	}
	s = e.power(t)
	k.Comment("The exponent half the bias nearer to 0, which the last product makes good.")
	blend := pick(k, k.VBLENDVPS, k.VBLENDVPD)
	for i := range s {
		by := k.vec()
		blend(a[i], e.vector("up"), e.fresh("down"), by)
		pick(k, k.VPADDD, k.VPADDQ)(by, s[i], s[i])
	}
	s = e.timesOnePlus(s, e.q(r))
	for i := range s {
		by := k.vec()
		blend(a[i], e.vector("times down"), e.fresh("times up"), by)
		k.mul(by, s[i], s[i])
	}
	return s
}

// bound puts v between two constants, or NaN where it is that: VMIN and VMAX return their last source then.
func (e *expKernel) bound(v, d reg.VecVirtual, least, most string) {
	k := e.k
	pick(k, k.VMAXPS, k.VMAXPD)(v, e.fresh(least), d)
	pick(k, k.VMINPS, k.VMINPD)(d, e.fresh(most), d)
}
