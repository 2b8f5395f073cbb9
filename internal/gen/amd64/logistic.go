package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/fit"
)

// A visit of the logistic loss of each label. One pass over the labels takes an exponential and a logarithm of each for
// the gap, another moves a vector of labels at a time, which takes another exponential unless each first step is small.

var logistic = source{
	family: "entropy", name: "logistic", entry: "Logistic",
	sig: "(a, s, delta *T, u *float64, m int, h, term, least float64) (gap, after float64, outcome int)",
	emit: func(k *kernel) {
		l := newLogistic(k)
		l.gap()
		l.move()
	},
}

// The rows of u.
const (
	logisticTurn = iota
	logisticWeight
	logisticInverse
	logisticMost
	logisticZ
	logisticE
	logisticLog
)

const logisticSteps = 100

// logisticKernel keeps what a vector of labels has between exponentials in registers, or with AVX2 in memory.
type logisticKernel struct {
	*entropy
	log       []float64 // coefficients of the logarithm
	registers map[string]reg.VecVirtual
	memory    map[string]operand.Mem
	upper     mask // labels whose q is 1-p; with AVX2 kept, too
	a         reg.GPVirtual
}

func newLogistic(k *kernel) *logisticKernel {
	n := entropyOf(k, "logistic", "t", "weight", "1/weight", "most", "z", "e", "log")
	l := &logisticKernel{entropy: n, log: fit.LogOnePlus(53, 9), registers: map[string]reg.VecVirtual{},
		memory: map[string]operand.Mem{}, a: k.arg("a")}
	for _, c := range []struct {
		name string
		v    float64
	}{{"one", 1}, {"two", 2}, {"sixth", 1. / 6}, {"none", 0}, {"0.5", 0.5}, {"six", 6}, {"twelve", 12},
		{"1/24", 1. / 24}, {"1/120", 1. / 120}, {"log 2", math.Ln2}, {"huge", 1e300}, {"near32", 0x1p-4},
		{"near64", 0x1p-7}} {
		n.number(c.name, c.v)
	}
	n.bits("no sign", math.MaxInt64)
	n.bits("sign", 1<<63)
	for i, c := range l.log {
		n.number(logCoefficient(i), c)
	}
	return l
}

func logCoefficient(i int) string { return fmt.Sprintf("l%d", i) }

// gap is the first pass.
func (l *logisticKernel) gap() {
	k := l.k
	l.prepare()
	k.Comment("z = -t s, e = exp(-|z|), log(1 + e); gap = sum of weight (max(0, z) + log(1 + e)) + a s.")
	s, sum := k.arg("s"), l.newSums(1)[0]
	l.each(func() {
		v, z := l.widen(s), l.fresh("none")
		k.VFNMADD231PD(l.mem(logisticTurn), v, z)
		k.fma(l.widen(l.a), v, sum)
		k.store(z, l.mem(logisticZ))
		minus := k.vec()
		l.use(k.VORPD, k.VORPD_BCST, "sign", z, minus)
		e := l.exponential(minus)
		k.store(e, l.mem(logisticE))
		log := l.logOnePlus(e)
		k.store(log, l.mem(logisticLog))
		phi := l.fresh("none")
		k.VMAXPD(l.mem(logisticZ), phi, phi)
		k.add(log, phi, phi)
		k.fma(l.mem(logisticWeight), phi, sum)
	})
	k.sumLanes(sum, k.bytes)
	k.VSUBSD(k.scalarArg("term"), sum.AsX(), sum.AsX())
	k.VMOVSD(sum.AsX(), k.resultAt(0))
	k.Comment("No step unless the gap is above least.")
	k.VUCOMISD(k.scalarArg("least"), sum.AsX())
	k.JBE(operand.LabelRef("rests")) // or NaN
}

// logOnePlus returns log(1 + e).
func (l *logisticKernel) logOnePlus(e reg.VecVirtual) reg.VecVirtual {
	k := l.k
	k.Comment("log(1 + e) = 2s + s R(s²), s = e/(2 + e).")
	s, square, p := l.fresh("two"), k.vec(), l.fresh(logCoefficient(len(l.log)-1))
	k.add(e, s, s)
	k.VDIVPD(s, e, s)
	k.mul(s, s, square)
	for i := len(l.log) - 2; i >= 0; i-- {
		l.use(k.VFMADD213PD, k.VFMADD213PD_BCST, logCoefficient(i), square, p)
	}
	l.use(k.VFMADD213PD, k.VFMADD213PD_BCST, "two", square, p)
	k.mul(s, p, p)
	return p
}

// move is the second pass.
func (l *logisticKernel) move() {
	k, delta := l.k, l.k.arg("delta")
	k.Comment("after = sum of the entropies; and whether a variable changes.")
	sum, different := l.fresh("none"), l.fresh("none")
	l.each(func() {
		l.begin()
		again, end, last, left := k.newLabel("again"), k.newLabel("end"), k.newLabel("last"), k.GP64()
		l.step()
		k.MOVQ(operand.U32(logisticSteps), left)
		k.section(again, "A step of the labels that are not near, and the next ones, if there are such labels.")
		some := l.active()
		k.JZ(operand.LabelRef(end))
		l.forward(some)
		l.step()
		k.DECQ(left)
		k.JNZ(operand.LabelRef(again))
		k.Label(end)
		k.CMPQ(left, operand.U32(logisticSteps))
		k.JE(operand.LabelRef(last))
		l.keep("log", l.logOnePlus(l.copyOf("e")))
		k.Label(last)
		l.finish(sum, different, delta)
	})
	k.sumLanes(sum, k.bytes)
	k.VMOVSD(sum.AsX(), k.resultAt(1))
	k.MOVQ(l.some(different), k.resultAt(2))
	k.done()

	k.section("rests", "No step: after = 0, outcome = 0.")
	none := k.GP64()
	k.XORL(none.As32(), none.As32())
	k.MOVQ(none, k.resultAt(1))
	k.MOVQ(none, k.resultAt(2))
	k.done()
}

// keep sets a number of the labels.
func (l *logisticKernel) keep(name string, v reg.VecVirtual) {
	if l.k.wide {
		if _, ok := l.registers[name]; !ok {
			l.registers[name] = l.k.vec()
		}
		l.k.move(v, l.registers[name])
		return
	}
	if _, ok := l.memory[name]; !ok {
		l.memory[name] = l.k.AllocLocal(l.k.bytes)
	}
	l.k.store(v, l.memory[name])
}

// given is one that keep has set, to be the last source of an instruction.
func (l *logisticKernel) given(name string) operand.Op {
	if l.k.wide {
		return l.registers[name]
	}
	return l.memory[name]
}

// copyOf is one that keep has set, in a register that may be written.
func (l *logisticKernel) copyOf(name string) reg.VecVirtual {
	v := l.k.vec()
	if l.k.wide {
		l.k.move(l.registers[name], v)
	} else {
		l.k.load(l.memory[name], v)
	}
	return v
}

// choose is d = yes where m is set and no elsewhere.
func (l *logisticKernel) choose(m mask, yes operand.Op, no, d reg.VecVirtual) {
	if l.k.wide {
		l.k.VBLENDMPD(yes, no, m.k, d)
	} else {
		l.k.VBLENDVPD(m.v, yes, no, d)
	}
}

// begin sets what the first step starts from.
func (l *logisticKernel) begin() {
	k := l.k
	k.Comment("The p of the last visit by x, and 1-p by weight - x; curve = h weight.")
	low, high, weight, curve := l.widen(l.a), k.vec(), k.vec(), k.vec()
	l.use(k.VANDPD, k.VANDPD_BCST, "no sign", low, low)
	k.load(l.mem(logisticWeight), weight)
	k.bcast(k.scalarArg("h"), curve)
	k.mul(weight, curve, curve)
	k.sub(low, weight, high)
	k.VMINPD(weight, low, low)
	l.use(k.VMAXPD, k.VMAXPD_BCST, "none", high, high)
	k.mul(l.mem(logisticInverse), low, low)
	k.mul(l.mem(logisticInverse), high, high)
	l.keep("curve", curve)
	k.Comment("q is 1-p where z + c (p' - 1/2) > 0.")
	side := k.vec()
	l.use(k.VSUBPD, k.VSUBPD_BCST, "0.5", low, side)
	k.VFMADD213PD(l.mem(logisticZ), curve, side)
	l.upper = k.compare(0x1e, l.fresh("none"), side)
	l.choose(l.upper, high, low, low)
	l.keep("old", low)
	k.load(l.mem(logisticZ), side)
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
	e, log := k.vec(), k.vec()
	k.load(l.mem(logisticE), e)
	k.load(l.mem(logisticLog), log)
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

// finish takes the last step.
func (l *logisticKernel) finish(sum, different reg.VecVirtual, delta reg.GPVirtual) {
	k := l.k
	q, more := l.series()
	k.Comment("x = weight q or weight (1 - q), rounded, at most the largest.")
	if !k.wide {
		l.upper = mask{v: l.copyOf("upper")}
	}
	weight, high := k.vec(), k.vec()
	k.load(l.mem(logisticWeight), weight)
	k.mul(weight, q, q)
	k.sub(q, weight, high)
	l.choose(l.upper, high, q, q)
	if !l.narrow.f64 {
		l.toElement(q)
	}
	k.VMINPD(l.mem(logisticMost), q, q)
	k.Comment("after += weight (log(1 + e) + more + (w + step) x/weight), or 1 - x/weight.")
	k.sub(q, weight, high)
	l.choose(l.upper, high, q, high)
	k.mul(l.mem(logisticInverse), high, high)
	w := l.copyOf("w")
	k.add(l.given("step"), w, w)
	k.add(l.given("log"), more, more)
	k.fma(w, high, more)
	k.fma(weight, more, sum)
	k.Comment("a = t x, delta = its change.")
	k.mul(l.mem(logisticTurn), q, q)
	old, change := l.widen(l.a), k.vec()
	k.sub(old, q, change)
	k.VORPD(change, different, different)
	l.put(q, l.a)
	l.put(change, delta)
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
