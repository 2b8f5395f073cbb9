package main

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/dualgap/dualgap/internal/gen/fit"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var exp = source{
	family: "math", name: "exp", entry: "Exp", sig: "(x, y *T, n int)",
	emit: func(k *kernel) { newExp(k, argument{}).each() },
}

var expScaled = source{
	family: "math", name: "expscaled", entry: "ExpScaled", sig: "(alpha T, x, y *T, n int)",
	emit: func(k *kernel) { newExp(k, argument{scale: "alpha"}).each() },
}

var expSum = source{
	family: "math", name: "expsum", entry: "ExpSum", sig: "(shift T, x, y *T, n int) T",
	emit: func(k *kernel) { newExp(k, argument{shift: "shift"}).each() },
}

// argument says whose exponential is taken: x, x times a scalar, or x less a scalar. The last sums up.
type argument struct{ scale, shift string }

// expKernel computes exponentials by the numbers of fit.Exp, which has the formulas. With AVX-512 a permutation looks up
// the table and VSCALEF multiplies by 2^⌊n⌋, with every rounding and overflow right. With AVX2 the exponent is added to
// the table's entry as an integer; where 2^n is no normal number that goes wrong, so a block of vectors is examined
// first, and takes a slower way if need be.
type expKernel struct {
	*pool
	argument
	fit.Exp
	scalar reg.VecVirtual // of argument
	sums   []reg.VecVirtual
}

func newExp(k *kernel, a argument) *expKernel {
	e := &expKernel{pool: k.newPool("exp" + a.scale + a.shift), argument: a}
	precision, table, degree := uint(24), 16, 3
	switch {
	case k.f64 && k.wide:
		precision, degree = 53, 6
	case k.f64:
		precision, table, degree = 53, 4, 8 // more would take more permutations than they save products
	case !k.wide:
		table, degree = 8, 4
	}
	e.Exp = fit.NewExp(precision, table, degree)
	e.constants()
	return e
}

func (e *expKernel) constants() {
	e.number("log2e", e.Log2E)
	e.number("magic", e.Magic)
	e.number("short", e.Short[0])
	e.number("hi", e.Ln2Hi)
	if e.scale != "" {
		e.number("lo", e.Short[1])
	} else {
		e.number("lo", e.Ln2Lo)
	}
	for i, c := range e.C {
		e.number(coefficient(i), c)
	}
	e.number("half", 0.5) // more than |r|
	e.number("minus half", -0.5)
	if e.k.wide {
		e.table("table", e.Table)
		return
	}

	// Adding n to the exponent adds j as well, to the bits below: the table has it subtracted.
	values := make([]float64, e.K)
	for j, v := range e.Table {
		b := e.k.bitsOf(v) - uint64(j)<<e.exponentShift()
		values[j] = e.k.ofBits(b)
	}
	if e.k.f64 { // in pairs, since AVX2 permutes float64 by an index in halves of a vector only
		values = []float64{values[0], values[2], values[0], values[2], values[1], values[3], values[1], values[3]}
	}
	e.table("table", values)
	half := e.exponentBias() / 2
	e.bits("abs", pick[uint64](e.k, math.MaxInt32, math.MaxInt64))
	e.number("limit", math.Floor(float64(e.exponentBias()-1)*math.Ln2))        // 2^n is normal
	e.number("most", float64(e.exponentBias()+2)*math.Ln2)                     // overflows
	e.number("least", -float64(e.exponentBias()+pick(e.k, 24, 53)+1)*math.Ln2) // vanishes
	e.bits("up", uint64(half+1)<<e.exponentBits())
	e.bits("down", uint64(-half-1)<<e.exponentBits())
	e.number("times up", math.Ldexp(1, half+1))
	e.number("times down", math.Ldexp(1, -half-1))
}

func coefficient(i int) string { return fmt.Sprintf("c%d", i) }

// exponentBits is the place of the exponent in a number, exponentBias what is added to it, and exponentShift the distance
// from the lowest bit of x Log2E + Magic to the lowest of the table's index.
func (e *expKernel) exponentBits() uint64 { return pick[uint64](e.k, 23, 52) }
func (e *expKernel) exponentBias() int    { return pick(e.k, 127, 1023) }
func (e *expKernel) exponentShift() uint64 {
	return e.exponentBits() - uint64(bits.TrailingZeros(uint(e.K)))
}

// each emits the kernel: blocks of vectors, single vectors, a masked one.
func (e *expKernel) each() {
	k := e.k
	x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
	block := 2
	if k.wide && e.shift == "" { // sums take registers
		block = 4
	}
	e.prepare(block)
	lanes := k.lanes()
	k.SUBQ(operand.U32(block*lanes), n)
	k.JB(operand.LabelRef("below"))
	k.Label("loop")
	careful := e.vectors(block, x, y, nil)
	k.SUBQ(operand.U32(block*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	k.Label("below")
	k.ADDQ(operand.U32((block-1)*lanes), n) // one is subtracted still
	k.JNC(operand.LabelRef("tail"))
	k.Label("single")
	e.vectors(1, x, y, nil)
	k.SUBQ(operand.U32(lanes), n)
	k.JAE(operand.LabelRef("single"))
	k.Label("tail")
	k.ADDQ(operand.U32(lanes), n)
	k.JZ(operand.LabelRef("done"))
	by := k.maskOf(n)
	e.vectors(1, x, y, &by)
	k.Label("done")
	e.end()
	if careful != nil {
		careful()
	}
}

// end returns the sum, if there is one.
func (e *expKernel) end() {
	if e.sums == nil {
		e.k.done()
		return
	}
	for n := len(e.sums) / 2; n > 0; n /= 2 {
		for i := range n {
			e.k.add(e.sums[i+n], e.sums[i], e.sums[i])
		}
	}
	e.k.sumLanes(e.sums[0], e.k.bytes)
	e.k.ret(e.sums[0])
}

// prepare fills the registers that last.
func (e *expKernel) prepare(block int) {
	k := e.k
	if name := e.scale + e.shift; name != "" {
		e.scalar = k.vec()
		k.bcast(k.scalarArg(name), e.scalar)
	}
	if e.shift != "" {
		e.sums = k.vecs(block)
		k.zero(e.sums...)
	}
	if k.wide {
		e.hold("magic", "log2e", "lo", "half", e.high())
		for i := range e.C {
			e.hold(coefficient(i))
		}
	} else {
		e.hold("magic")
	}
	parts := e.K / k.lanes()
	if k.f64 {
		parts = 2
	}
	for i := range parts {
		e.held[tablePart(i)] = k.vec()
		k.load(e.places["table"].Offset(i*k.bytes), e.held[tablePart(i)])
	}
}

// high names the part of ln 2 that is subtracted first.
func (e *expKernel) high() string {
	if e.scale != "" {
		return "short"
	}
	return "hi"
}

func tablePart(i int) string { return fmt.Sprintf("table%d", i) }

// vectors treats a few vectors, or the lanes of one that by selects, and steps forward. It returns what emits code that
// belongs behind the return.
func (e *expKernel) vectors(count int, x, y reg.GPVirtual, by *mask) (later func()) {
	k := e.k
	v := k.vecs(count)
	for i := range v {
		if by != nil {
			k.loadMasked(k.at(x, 0), *by, v[i])
		} else {
			k.load(k.at(x, i*k.lanes()), v[i])
		}
	}
	a := e.arguments(v)
	switch {
	case k.wide:
		e.finish(e.wideExp(v, a), y, by)
	case count == 1:
		e.finish(e.carefulExp(v, a), y, by)
	default:
		e.examine(a)
		result := e.normalExp(v, a)
		k.Label("computed")
		e.finish(result, y, by)
		later = func() {
			k.Label("careful")
			for i, r := range e.carefulExp(v, a) {
				k.move(r, result[i])
			}
			k.JMP(operand.LabelRef("computed"))
		}
	}
	k.forward(count*k.bytes, x)
	return later
}

// arguments returns the exponents, rounded. With a scale v stays; otherwise they replace it.
func (e *expKernel) arguments(v []reg.VecVirtual) (a []reg.VecVirtual) {
	for _, v := range v {
		if e.scale != "" {
			product := e.k.vec()
			e.k.mul(e.scalar, v, product)
			v = product
		} else if e.shift != "" {
			e.k.sub(e.scalar, v, v)
		}
		a = append(a, v)
	}
	return a
}

// examine leaves for the careful way when some argument is NaN or large.
func (e *expKernel) examine(a []reg.VecVirtual) {
	k := e.k
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
	bits := k.GP32()
	pick(k, k.VCMPPS, k.VCMPPD)(notLessEqual, e.vector("limit"), largest, largest)
	pick(k, k.VMOVMSKPS, k.VMOVMSKPD)(largest, bits)
	k.TESTL(bits, bits)
	k.JNZ(operand.LabelRef("careful"))
}

// reduce returns n with its table index in the low bits of t, and r in place of v.
func (e *expKernel) reduce(v, a []reg.VecVirtual) (t, n, r []reg.VecVirtual) {
	k := e.k
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
		subtract(e.vector("lo"), n[i], r[i])
	}
	return t, n, r
}

// q evaluates the polynomial.
func (e *expKernel) q(r []reg.VecVirtual) (p []reg.VecVirtual) {
	k := e.k
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

// wideExp is the whole of it with AVX-512. An argument beyond all exponents leaves nonsense in r, or NaN: bounded, it gives
// 1 + q some positive number, which 2^n turns into infinity, zero or NaN, as n is.
func (e *expKernel) wideExp(v, a []reg.VecVirtual) (s []reg.VecVirtual) {
	k := e.k
	const leastMagnitude = 2 // of two operands, but with the sign of the first
	t, n, r := e.reduce(v, a)
	for i := range r {
		pick(k, k.VRANGEPS, k.VRANGEPD)(operand.Imm(leastMagnitude), e.held["half"], r[i], r[i])
		if !k.f64 {
			k.VPERMPS(e.held[tablePart(0)], t[i], t[i])
		} else {
			k.VPERMI2PD(e.held[tablePart(1)], e.held[tablePart(0)], t[i])
		}
	}
	s = e.timesOnePlus(t, e.q(r))
	for i := range s {
		pick(k, k.VSCALEFPS, k.VSCALEFPD)(n[i], s[i], s[i])
	}
	return s
}

// power replaces t by 2^n times the table's entry.
func (e *expKernel) power(t []reg.VecVirtual) []reg.VecVirtual {
	k := e.k
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

// finish adds the results up, if there is a sum, and stores them where y is not nil.
func (e *expKernel) finish(result []reg.VecVirtual, y reg.GPVirtual, by *mask) {
	k := e.k
	skip := fmt.Sprintf("summed%d", len(result))
	if e.sums != nil {
		for i, v := range result {
			switch {
			case by == nil:
				k.add(v, e.sums[i], e.sums[i])
			case k.wide:
				pick(k, k.VADDPS, k.VADDPD)(v, e.sums[i], by.k, e.sums[i])
			default:
				w := k.vec()
				k.and(by.v, v, w)
				k.add(w, e.sums[i], e.sums[i])
			}
		}
		if by != nil {
			skip += "masked"
		}
		k.TESTQ(y, y)
		k.JZ(operand.LabelRef(skip))
	}
	for i, v := range result {
		if by != nil {
			k.storeMasked(v, *by, k.at(y, 0))
		} else {
			k.store(v, k.at(y, i*k.lanes()))
		}
	}
	k.forward(len(result)*k.bytes, y)
	if e.sums != nil {
		k.Label(skip)
	}
}
