package main

import "github.com/mmcloughlin/avo/reg"

// begin sets what the first step starts from, of the dual variables a and h weight.
func (l *logisticKernel) begin(a, curve reg.VecVirtual) {
	k := l.k
	k.Comment("The p of the last visit by x, and 1-p by weight - x; curve = h weight.")
	low, high, weight := a, k.vec(), l.copyOf(labelWeight)
	l.use(k.VANDPD, k.VANDPD_BCST, "no sign", low, low)
	k.sub(low, weight, high)
	k.VMINPD(weight, low, low)
	l.use(k.VMAXPD, k.VMAXPD_BCST, "none", high, high)
	k.mul(l.given(labelInverse), low, low)
	k.mul(l.given(labelInverse), high, high)
	l.keep("curve", curve)
	k.Comment("q is 1-p where z + c (p' - 1/2) > 0.")
	side := k.vec()
	l.use(k.VSUBPD, k.VSUBPD_BCST, "0.5", low, side)
	k.VFMADD213PD(l.given(labelZ), curve, side)
	l.upper = k.compare(0x1e, l.fresh("none"), side)
	l.choose(l.upper, high, low, low)
	l.keep("old", low)
	side = l.copyOf(labelZ)
	minus, none := k.vec(), l.fresh("none")
	l.use(k.VXORPD, k.VXORPD_BCST, "sign", side, minus)
	l.choose(l.upper, side, minus, side)
	if !k.wide {
		l.keep("upper", l.upper.v)
	}
	l.use(k.VMINPD, k.VMINPD_BCST, "huge", side, side) // of an infinite score
	l.keep("z", side)
	k.Comment("w = max(z, 0), of which e and log(1 + e) are known.")
	negative := k.compare(0x11, none, side) // <
	k.VMAXPD(none, side, side)
	l.keep("w", side)
	e, log := l.copyOf(labelE), l.copyOf(labelLog)
	l.choose(negative, l.fresh("one"), e, e)
	l.choose(negative, l.fresh("log 2"), log, log)
	l.keep("e", e)
	l.keep("log", log)
}

// step sets q and the next step.
func (l *logisticKernel) step() {
	k := l.k
	k.Comment("p = 1/(1 + e), q = e p; off = z - w + c (q - q'), slope = 1 + c q p.")
	e, p, slope, off := l.copyOf("e"), l.fresh("one"), k.vec(), l.copyOf("z")
	l.plusOne(e, slope)
	k.VDIVPD(slope, p, p)
	k.mul(p, e, e) // q
	l.keep("q", e)
	k.sub(l.given("w"), off, off)
	k.sub(l.given("old"), e, slope)
	k.VFMADD231PD(l.given("curve"), slope, off)
	bend := k.vec()
	k.mul(e, p, bend)
	k.mul(l.given("curve"), bend, bend)
	l.plusOne(bend, slope)
	k.Comment("step = off slope/max(slope² - off c q p (p - q)/2, slope²/2), at least -w.")
	square, least := k.vec(), k.vec()
	k.mul(slope, slope, square)
	l.times("0.5", square, least)
	k.sub(e, p, p)
	k.mul(off, bend, bend)
	k.mul(bend, p, p)
	l.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "0.5", p, square)
	k.VMAXPD(square, least, square) // NaN in the first operand is what comes out, here and below
	k.mul(off, slope, slope)
	k.VDIVPD(square, slope, slope)
	w := l.copyOf("w")
	l.use(k.VXORPD, k.VXORPD_BCST, "sign", w, w)
	k.VMAXPD(slope, w, slope)
	l.keep("step", slope)
}

// active are the labels that are not near; the flag of zero tells whether there are none.
func (l *logisticKernel) active() mask {
	k, v := l.k, l.copyOf("step")
	l.use(k.VANDPD, k.VANDPD_BCST, "no sign", v, v)
	some := k.compare(0x1e, l.fresh(pick(l.narrow, "near32", "near64")), v)
	bits := k.bits(some)
	k.TESTQ(bits, bits)
	return some
}

// forward takes the step of some labels, and computes the exponentials of all: the others keep theirs.
func (l *logisticKernel) forward(some mask) {
	k, w := l.k, l.copyOf("w")
	if k.wide {
		k.VADDPD(l.registers["step"], w, some.k, w)
	} else {
		k.VANDPD(l.memory["step"], some.v, some.v)
		k.add(some.v, w, w)
	}
	l.keep("w", w)
	l.use(k.VXORPD, k.VXORPD_BCST, "sign", w, w)
	l.keep("e", l.exponential(w))
}

// finish takes the last step, of dual variables in a.
func (l *logisticKernel) finish(sum, different reg.VecVirtual, delta reg.GPVirtual) {
	k := l.k
	q := l.end(sum)
	k.Comment("a = t x, delta = its change.")
	k.mul(l.mem(logisticTurn), q, q)
	old, change := l.widen(l.a), k.vec()
	k.sub(old, q, change)
	k.VORPD(change, different, different)
	l.put(q, l.a)
	l.put(change, delta)
}

// end takes the last step. It returns x, and adds the entropies to sum.
func (l *logisticKernel) end(sum reg.VecVirtual) reg.VecVirtual {
	k := l.k
	q, more := l.series()
	k.Comment("x = weight q or weight (1 - q), rounded, at most the largest.")
	if !k.wide {
		l.upper = mask{v: l.copyOf("upper")}
	}
	weight, high := l.copyOf(labelWeight), k.vec()
	k.mul(weight, q, q)
	k.sub(q, weight, high)
	l.choose(l.upper, high, q, q)
	if !l.narrow.f64 {
		l.toElement(q)
	}
	k.VMINPD(l.given(labelMost), q, q)
	k.Comment("after += weight (log(1 + e) + more + (w + step) x/weight), or 1 - x/weight.")
	k.sub(q, weight, high)
	l.choose(l.upper, high, q, high)
	k.mul(l.given(labelInverse), high, high)
	w := l.copyOf("w")
	k.add(l.given("step"), w, w)
	k.add(l.given("log"), more, more)
	k.fma(w, high, more)
	k.fma(weight, more, sum)
	return q
}

// toElement rounds v to float32.
func (l *logisticKernel) toElement(v reg.VecVirtual) {
	l.narrow.toF32(v)
	l.k.VCVTPS2PD(l.narrow.narrow(v), v)
}

// series returns q after the last step, and what log(1 + e) grows by less q of that step.
func (l *logisticKernel) series() (after, more reg.VecVirtual) {
	k := l.k
	k.Comment("Taylor's series of q, to the third power of the step, and of log(1 + e), to the fifth.")
	q, p, step := l.copyOf("q"), l.fresh("one"), l.copyOf("step")
	both, apart := k.vec(), k.vec()
	k.sub(q, p, p)
	k.mul(q, p, both)
	k.sub(q, p, apart)
	six, twelve := l.fresh("one"), l.fresh("one")
	l.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "six", both, six)
	l.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "twelve", both, twelve)
	k.mul(step, both, both)
	k.Comment("q - q p d (1 - d ((p-q)/2 - d (1 - 6 q p)/6)).")
	t, inner := k.vec(), k.vec()
	k.mul(step, six, t)
	l.times("0.5", apart, inner)
	l.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "sixth", t, inner)
	after = k.vec()
	k.move(q, after)
	one := l.fresh("one")
	k.VFNMADD213PD(one, step, inner)
	k.VFNMADD231PD(inner, both, after)
	k.VMAXPD(after, l.fresh("none"), after) // NaN in the first operand is what comes out
	k.Comment("d (q p d (1/2 - d ((p-q)/6 - d ((1 - 6 q p)/24 - d (p-q) (1 - 12 q p)/120))) - q).")
	k.mul(apart, twelve, twelve)
	k.mul(step, twelve, twelve)
	l.times("1/24", six, six)
	l.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "1/120", twelve, six)
	l.times("sixth", apart, apart)
	k.VFNMADD231PD(six, step, apart)
	more = l.fresh("0.5")
	k.VFNMADD231PD(apart, step, more)
	k.VFMSUB213PD(q, both, more)
	k.mul(step, more, more)
	return after, more
}
