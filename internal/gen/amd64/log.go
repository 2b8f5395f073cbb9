package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/fit"
)

var logarithm = source{
	family: "math", name: "log", entry: "Log", sig: "(x, y *T, n int)",
	emit: func(k *kernel) {
		if k.wide {
			newLogTable(k).each()
		} else {
			newLog(k).each()
		}
	},
}

// eachVector emits a loop over blocks of vectors, if block is not nil, then over single vectors, and the masked rest.
func (k *kernel) eachVector(size int, block func(x, y reg.GPVirtual), single func(x, y reg.GPVirtual, by *mask)) {
	x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
	loop := func(label string, size int, body func()) {
		k.SUBQ(operand.U32(size*k.lanes()), n)
		k.JB(operand.LabelRef("no" + label))
		k.section(label, counted(size, "vector")+" at a time.")
		body()
		k.forward(size*k.bytes, x, y)
		k.SUBQ(operand.U32(size*k.lanes()), n)
		k.JAE(operand.LabelRef(label))
		k.Label("no" + label)
		k.ADDQ(operand.U32(size*k.lanes()), n)
	}
	if block != nil {
		loop("block", size, func() { block(x, y) })
	}
	loop("single", 1, func() { single(x, y, nil) })
	k.TESTQ(n, n)
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest, under a mask.")
	by := k.maskOf(n)
	single(x, y, &by)
	k.Label("done")
	k.done()
}

// logTable computes logarithms by the numbers of fit.LogTable. AVX-512 splits off exponent and mantissa, denormal or
// not, and puts right what is no number in the end.
type logTable struct {
	*pool
	fit.LogTable
}

func newLogTable(k *kernel) *logTable {
	t := &logTable{pool: k.newPool("log")}
	t.constants()
	return t
}

// constants adds what the logarithm needs to the pool.
func (t *logTable) constants() {
	k := t.k
	t.LogTable = fit.NewLogTable(24, 32, 3)
	if k.f64 {
		t.LogTable = fit.NewLogTable(53, 16, 9)
	}
	t.table("reciprocal", t.Reciprocal)
	t.table("tablehi", t.Hi)
	t.table("tablelo", t.Lo)
	t.number("ln2hi", t.Ln2Hi)
	t.number("ln2lo", t.Ln2Lo)
	t.number("one", 1)
	for i, c := range t.C {
		t.number(coefficient(i), c)
	}
	// Four bits for each kind of number: quiet and signaling NaN (0, 1) stay NaN (2), zero (2) becomes -Inf (4), -Inf
	// (4) NaN (3), +Inf (5) itself (5), negative numbers (6) NaN (3). The others, 1 (3) and positive numbers (7), keep
	// the result (0).
	t.bits("repair", 2<<0|2<<4|4<<8|3<<16|5<<20|3<<24)
}

func (t *logTable) each() {
	k := t.k
	k.Comment("Constants and tables, which stay in registers.")
	t.hold("ln2hi", "ln2lo", "one", "repair")
	for i := range t.C {
		t.hold(coefficient(i))
	}
	t.holdTables()
	k.eachVector(1, nil, func(x, y reg.GPVirtual, by *mask) {
		v := k.vec()
		if by != nil {
			k.loadMasked(k.at(x, 0), *by, v)
			t.log(v)
			k.storeMasked(v, *by, k.at(y, 0))
		} else {
			k.load(k.at(x, 0), v)
			t.log(v)
			k.store(v, k.at(y, 0))
		}
	})
}

// holdTables loads the tables into registers, where they stay.
func (t *logTable) holdTables() {
	k := t.k
	for _, name := range []string{"reciprocal", "tablehi", "tablelo"} {
		for half := range 2 {
			v := k.vec()
			k.load(t.places[name].Offset(64*half), v)
			t.held[name+fmt.Sprint(half)] = v
		}
	}
}

// log replaces x by its logarithm.
func (t *logTable) log(x reg.VecVirtual) {
	k := t.k
	hi, r, lo := t.parts(x, len(t.C), true)
	k.Comment("hi + r + lo; what is no positive number is put right.")
	k.addUp(hi, r, lo)
	pick(k, k.VFIXUPIMMPS, k.VFIXUPIMMPD)(operand.Imm(0), t.held["repair"], x, lo)
	k.move(lo, x)
}

// parts returns three terms of the logarithm of a positive number, hi exact and no smaller than r unless it is zero,
// with the first coefficients of p, and with the low parts of logarithms if low is set.
func (t *logTable) parts(x reg.VecVirtual, coefficients int, low bool) (hi, r, lo reg.VecVirtual) {
	k := t.k
	exponent := pick(k, k.VGETEXPPS, k.VGETEXPPD)
	fma213, fma231 := pick(k, k.VFMADD213PS, k.VFMADD213PD), pick(k, k.VFMADD231PS, k.VFMADD231PD)
	const threeQuarters = 3 // to 3/2, sign of x
	k.Comment("x = 2^e m, 3/4 <= m < 3/2, and j the upper bits of m.")
	e, one, m := k.vec(), k.vec(), k.vec()
	r = k.vec()
	exponent(x, e)
	pick(k, k.VGETMANTPS, k.VGETMANTPD)(operand.Imm(threeQuarters), x, m)
	exponent(m, one) // -1 or 0
	k.sub(one, e, e)
	j := k.vec()
	pick(k, k.VPSRLD, k.VPSRLQ)(operand.Imm(pick[uint64](k, 23-5, 52-4)), m, j)
	look := func(name string) reg.VecVirtual {
		v := k.vec()
		pick(k, k.VMOVDQA32, k.VMOVDQA64)(j, v)
		pick(k, k.VPERMI2PS, k.VPERMI2PD)(t.held[name+"1"], t.held[name+"0"], v)
		return v
	}
	k.Comment("r = m Reciprocal[j] - 1.")
	k.move(m, r)
	pick(k, k.VFMSUB213PS, k.VFMSUB213PD)(t.held["one"], look("reciprocal"), r)
	k.Comment("hi = e ln 2 + Hi[j], and lo the low parts.")
	hi = look("tablehi")
	if low {
		lo = look("tablelo")
	}
	fma231(t.held["ln2hi"], e, hi)
	if low {
		fma231(t.held["ln2lo"], e, lo)
	}
	k.Comment("lo += r² p(r).")
	p, square := t.fresh(coefficient(coefficients-1)), k.vec()
	for i := coefficients - 2; i >= 0; i-- {
		if c, ok := t.held[coefficient(i)]; ok {
			fma213(c, r, p)
		} else {
			pick(k, k.VFMADD213PS_BCST, k.VFMADD213PD_BCST)(t.places[coefficient(i)], r, p)
		}
	}
	k.mul(r, r, square)
	if low {
		fma231(square, p, lo)
	} else {
		lo = p
		k.mul(square, p, lo)
	}
	return hi, r, lo
}

// addUp sets lo to hi + r + lo, where hi is no smaller than r, or zero, and loses nothing when it is added to r.
func (k *kernel) addUp(hi, r, lo reg.VecVirtual) {
	sum, rest := k.vec(), k.vec()
	k.add(hi, r, sum)
	k.sub(sum, hi, rest)
	k.add(r, rest, rest)
	k.add(rest, lo, lo)
	k.add(sum, lo, lo)
}

// divisionLog computes logarithms by the numbers of fit.Log, with AVX2. Denormal numbers are scaled first, and what is
// no positive number is put right at the end, where a look at a block of vectors finds such among them.
type divisionLog struct {
	*pool
	fit.Log
}

func newLog(k *kernel) *divisionLog {
	l := &divisionLog{pool: k.newPool("log")}
	l.constants()
	return l
}

// constants adds what the logarithm needs to the pool.
func (l *divisionLog) constants() {
	k := l.k
	l.Log = fit.NewLog(24, 3)
	one := uint64(127) << 23
	if k.f64 {
		l.Log = fit.NewLog(53, 6)
		one = 1023 << 52
	}
	l.number("ln2hi", l.Ln2Hi)
	l.number("ln2lo", l.Ln2Lo)
	l.number("one", 1)
	l.number("two", 2)
	l.number("half", 0.5)
	for i, c := range l.C {
		l.number(coefficient(i), c)
	}
	l.bits("root", k.bitsOf(math.Sqrt2/2))
	l.bits("exponent", pick[uint64](k, 0x1ff<<23, 0xfff<<52))
	l.bits("bias", one)
	l.number("digits", 0x1p52) // with an integer in its low bits, for float64
	l.number("digits and bias", 0x1p52+1023)
	l.number("normal", pick(k, 0x1p-126, 0x1p-1022))
	l.number("largest", pick(k, math.MaxFloat32, math.MaxFloat64))
	l.number("up", pick(k, 0x1p25, 0x1p54))
	l.number("down", pick[float64](k, 25, 54))
	l.number("zero", 0)
	l.bits("-Inf", k.bitsOf(math.Inf(-1)))
	l.bits("NaN", k.bitsOf(math.NaN()))
}

func (l *divisionLog) each() {
	k := l.k
	const size = 2
	result, from := k.vecs(size), k.vecs(size)
	l.hold("one")
	k.eachVector(size, func(x, y reg.GPVirtual) {
		k.Comment("Is every number normal and finite?")
		var usual reg.VecVirtual
		for i, v := range from {
			k.load(k.at(x, i*k.lanes()), v)
			normal, finite := k.vec(), k.vec()
			l.compare(greaterEqual, v, "normal", normal)
			l.compare(lessEqual, v, "largest", finite)
			k.and(normal, finite, finite)
			if i > 0 {
				k.and(finite, usual, finite)
			}
			usual = finite
		}
		bits := k.GP32()
		pick(k, k.VMOVMSKPS, k.VMOVMSKPD)(usual, bits)
		k.CMPL(bits, operand.U32(1<<k.lanes()-1))
		k.JNE(operand.LabelRef("careful"))
		for i, v := range from {
			k.move(l.log(v, nil), result[i])
		}
		k.Label("computed")
		for i, v := range result {
			k.store(v, k.at(y, i*k.lanes()))
		}
	}, func(x, y reg.GPVirtual, by *mask) {
		v := k.vec()
		if by != nil {
			k.loadMasked(k.at(x, 0), *by, v)
			k.storeMasked(l.careful(v), *by, k.at(y, 0))
		} else {
			k.load(k.at(x, 0), v)
			k.store(l.careful(v), k.at(y, 0))
		}
	})
	k.section("careful", "A block with other numbers.")
	for i, v := range from {
		k.move(l.careful(v), result[i])
	}
	k.JMP(operand.LabelRef("computed"))
}

// More relations for VCMP, false for NaN but for the last.
const lessEqual, greaterEqual, notLessEqual = operand.U8(2), operand.U8(29), operand.U8(6)

// compare sets the lanes of d where v has that relation to a constant.
func (l *divisionLog) compare(relation operand.U8, v reg.VecVirtual, name string, d reg.VecVirtual) {
	pick(l.k, l.k.VCMPPS, l.k.VCMPPD)(relation, l.vector(name), v, d)
}

// log returns the logarithm of a normal number, plus a multiple of ln 2 if one is given.
func (l *divisionLog) log(x, multiple reg.VecVirtual) reg.VecVirtual {
	hi, f, lo := l.parts(x, multiple)
	l.k.addUp(hi, f, lo)
	return lo
}

// parts returns three terms of log's result, hi exact and no smaller than f unless it is zero.
func (l *divisionLog) parts(x, multiple reg.VecVirtual) (hi, f, lo reg.VecVirtual) {
	k := l.k
	f, e := l.split(x)
	if multiple != nil {
		k.sub(multiple, e, e)
	}
	k.Comment("s = f/(2 + f), z = s², and f²/2 + R.")
	half, s, z := k.vec(), k.vec(), k.vec()
	k.add(l.vector("two"), f, s)
	pick(k, k.VDIVPS, k.VDIVPD)(s, f, s)
	k.mul(f, f, half)
	k.mul(l.vector("half"), half, half)
	k.mul(s, s, z)
	last := len(l.C) - 1
	p := l.fresh(coefficient(last))
	for i := last - 1; i >= 0; i-- {
		pick(k, k.VFMADD213PS, k.VFMADD213PD)(l.vector(coefficient(i)), z, p)
	}
	pick(k, k.VFMADD213PS, k.VFMADD213PD)(half, z, p) // f²/2 + R
	k.Comment("hi = e ln 2 and lo = s (f²/2 + R) - f²/2, so that log x = hi + f + lo.")
	lo, hi = k.vec(), k.vec()
	k.mul(l.vector("ln2lo"), e, lo)
	k.fma(s, p, lo)
	k.sub(half, lo, lo)
	k.mul(l.vector("ln2hi"), e, hi)
	return hi, f, lo
}

// split returns m - 1 and k.
func (l *divisionLog) split(x reg.VecVirtual) (f, e reg.VecVirtual) {
	k := l.k
	f, e, t := k.vec(), k.vec(), k.vec()
	k.Comment("x = 2^e (1 + f), √½ <= 1 + f < √2.")
	sub := pick(k, k.VPSUBD, k.VPSUBQ)
	sub(l.vector("root"), x, t)
	pick(k, k.VPAND, k.VPAND)(l.vector("exponent"), t, f)
	sub(f, x, f)
	k.sub(l.held["one"], f, f)
	if !k.f64 {
		k.VPSRAD(operand.Imm(23), t, t)
		k.VCVTDQ2PS(t, e)
		return f, e
	}
	k.VPADDQ(l.vector("bias"), t, t)
	k.VPSRLQ(operand.Imm(52), t, t)
	k.VPOR(l.vector("digits"), t, t)
	k.VSUBPD(l.vector("digits and bias"), t, e)
	return f, e
}

// careful returns the logarithm of anything.
func (l *divisionLog) careful(x reg.VecVirtual) reg.VecVirtual {
	k := l.k
	blend := pick(k, k.VBLENDVPS, k.VBLENDVPD)
	k.Comment("Denormal numbers are scaled.")
	denormal, scaled, down := k.vec(), k.vec(), k.vec()
	l.compare(lessThan, x, "normal", denormal)
	k.mul(l.vector("up"), x, scaled)
	blend(denormal, scaled, x, scaled)
	k.and(l.vector("down"), denormal, down)
	y, is := l.log(scaled, down), k.vec()
	k.Comment("NaN and +Inf stay, 0 becomes -Inf, negative numbers NaN.")
	l.compare(notLessEqual, x, "largest", is)
	blend(is, x, y, y)
	l.compare(equal, x, "zero", is)
	blend(is, l.vector("-Inf"), y, y)
	l.compare(lessThan, x, "zero", is)
	blend(is, l.vector("NaN"), y, y)
	return y
}
