package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/fit"
	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// A visit of the logistic loss of each label, with two float64 at a time. One pass over the labels takes an exponential
// and a logarithm of each for the gap, another moves two labels at a time, which takes another exponential unless each
// first step is small.

var logistic = source{
	"entropy", "logistic", "Logistic",
	"(a, s, delta *T, u *float64, m int, h, term, least float64) (gap, after float64, outcome int)",
	func(k *kernel) {
		l := newLogistic(k)
		l.gap()
		l.move()
		l.write()
	},
}

// The rows of u. In the move z has z as it is turned, and e and log belong to exp(-w).
const (
	logisticTurn = iota
	logisticWeight
	logisticInverse
	logisticMost
	logisticZ
	logisticE
	logisticLog
	logisticRows
)

const logisticSteps = 100

type logisticKernel struct {
	*entropy
	log    []float64 // coefficients of the logarithm
	u      X
	stride X
	at     [logisticRows]X
	steps  X
	other  X
	pa, pd X

	v, curve, old, q, d   V
	upper, sum, different V
	t                     []V // scratch of the exponential
}

func newLogistic(k *kernel) *logisticKernel {
	double := *k
	double.elem = elems[1]
	double.suffix = k.suffix + "F64"
	n := &entropy{narrow: k, expKernel: newExp(&double, "", "")}
	l := &logisticKernel{entropy: n, log: fit.LogOnePlus(53, 9)}
	near := 0x1p-7
	if k.size == 4 {
		near = 0x1p-4
	}
	for _, c := range []struct {
		name string
		v    float64
	}{{"two", 2}, {"sixth", 1. / 6}, {"0.5", 0.5}, {"six", 6}, {"twelve", 12}, {"1/24", 1. / 24}, {"1/120", 1. / 120},
		{"log 2", math.Ln2}, {"huge", 1e300}, {"near", near}} {
		n.number(c.name, c.v)
	}
	for i, c := range l.log {
		n.number("log"+coefficient(i), c)
	}
	n.work[0] = n.vs(5)
	l.t = n.work[0]
	for _, v := range []*V{&l.v, &n.w, &l.curve, &l.old, &l.q, &l.d, &l.upper, &l.sum, &l.different, &n.c} {
		*v = n.vs(1)[0]
	}
	n.m, l.u, l.stride = n.arg("m"), n.arg("u"), n.kernel.x()
	for _, x := range []*X{&n.left, &n.temp, &l.other, &l.steps, &l.pa, &l.pd} {
		*x = n.kernel.x()
	}
	for i := range l.at {
		l.at[i] = n.kernel.x()
	}
	n.Comment("The rows t, weight, 1/weight, most, z, e, log of u, which hold m float64 rounded up to a multiple of 8.")
	n.Op("ADD", imm(7), n.m, l.stride)
	n.Op("AND", imm(-8), l.stride, l.stride)
	return l
}

// each calls f in a loop over pairs of labels, and once more for the last of an odd number.
func (l *logisticKernel) each(f func(last bool)) {
	loop, rest, done := l.NewLabel("loop"), l.NewLabel("rest"), l.NewLabel("done")
	l.Op("MOVD", l.u, l.at[0])
	for i := 1; i < logisticRows; i++ {
		l.Op("ADD", a64.Shifted(l.stride, 3), l.at[i-1], l.at[i])
	}
	l.Op("SUBS", imm(2), l.m, l.left)
	l.Op("BLT", rest)
	l.section(loop, "Two labels.")
	f(false)
	for i := range logisticRows {
		l.Op("ADD", imm(vectorBytes), l.at[i], l.at[i])
	}
	l.Op("SUBS", imm(2), l.left, l.left)
	l.Op("BGE", loop)
	l.Bind(rest)
	l.Op("ADDS", imm(2), l.left, l.left)
	l.Op("BEQ", done)
	l.Comment("The last label of an odd number.")
	f(true)
	l.Bind(done)
}

func (l *logisticKernel) row(i int, v V)    { l.Op("FMOVQ", a64.Mem(l.at[i], 0), v) }
func (l *logisticKernel) setRow(i int, v V) { l.Op("FMOVQ", v, a64.Mem(l.at[i], 0)) }
func (l *logisticKernel) copy(from, to V)   { l.Op("VMOV", from.Bits(), to.Bits()) }
func (l *logisticKernel) minus(from, to V)  { l.FSUB(l.arr, to, l.the("zero"), from) }

// rowOf loads a row's numbers for the next instruction.
func (l *logisticKernel) rowOf(i int) V {
	l.row(i, l.c)
	return l.c
}

// gap is the first pass.
func (l *logisticKernel) gap() {
	l.Op("MOVD", l.param("a"), l.pa)
	l.Op("MOVD", l.param("s"), l.pd)
	l.Comment("z = -t s, e = exp(-|z|), log(1 + e); gap = sum of weight (max(0, z) + log(1 + e)) + a s.")
	v, t, z := l.v, l.t, l.w
	l.zero(l.sum)
	l.each(func(last bool) {
		l.widen(l.pd, v, last, true)
		l.widen(l.pa, t[1], last, true)
		l.fma(l.sum, v, t[1])
		l.mul(v, v, l.rowOf(logisticTurn))
		l.minus(v, z)
		l.setRow(logisticZ, z)
		l.FABS(l.arr, v, z)
		l.minus(v, v)
		l.exp([]V{v})
		l.setRow(logisticE, v)
		l.logOnePlus()
		l.setRow(logisticLog, v)
		l.FMAX(l.arr, z, z, l.the("zero"))
		l.add(v, v, z)
		l.fma(l.sum, v, l.rowOf(logisticWeight))
	})
	l.across(l.sum, l.sum)
	l.Op("FMOVD", l.param("term"), l.c)
	l.FSUB(l.arr, l.sum, l.sum, l.c)
	l.Op("FMOVD", l.sum, l.param("gap"))
	l.Comment("No step unless the gap is above least.")
	goes := l.NewLabel("goes")
	l.Op("FMOVD", l.param("least"), l.c)
	l.Op("FCMPD", l.c, l.sum) // gap - least
	l.Op("BGT", goes)         // and not NaN
	l.Comment("No step: after = 0, outcome = 0.")
	l.Op("FMOVD", l.the("zero"), l.param("after"))
	l.Op("MOVD", imm(0), l.temp)
	l.Op("MOVD", l.temp, l.param("outcome"))
	l.Op("RET")
	l.Bind(goes)
}

// logOnePlus replaces v by log(1 + v).
func (l *logisticKernel) logOnePlus() {
	l.Comment("log(1 + e) = 2s + s R(s²), s = e/(2 + e).")
	s, square, p, next := l.t[0], l.t[1], l.t[2], l.t[3]
	l.add(s, l.v, l.constant("two"))
	l.FDIV(l.arr, s, l.v, s)
	l.mul(square, s, s)
	last := len(l.log) - 1
	l.load("log"+coefficient(last), p)
	for i := last - 1; i >= -1; i-- {
		if i >= 0 {
			l.load("log"+coefficient(i), next)
		} else {
			l.load("two", next)
		}
		l.fma(next, p, square)
		p, next = next, p
	}
	l.mul(l.v, s, p)
}

// move is the second pass.
func (l *logisticKernel) move() {
	l.Comment("after = sum of the entropies; and whether a variable changes.")
	l.Op("MOVD", l.param("a"), l.pa)
	l.Op("MOVD", l.param("delta"), l.pd)
	l.zero(l.sum, l.different)
	l.each(func(last bool) {
		l.begin(last)
		again, end, done := l.NewLabel("again"), l.NewLabel("end"), l.NewLabel("done")
		l.step()
		l.Op("MOVD", imm(logisticSteps), l.steps)
		l.section(again, "A step of the labels that are not near, and the next ones, if there are such labels.")
		l.FABS(l.arr, l.v, l.d)
		l.FCMGT(l.arr, l.v, l.v, l.constant("near"))
		l.some(l.v)
		l.Op("CBZ", l.temp, end)
		l.andBits(l.v, l.v, l.d)
		l.add(l.w, l.w, l.v)
		l.minus(l.w, l.v)
		l.exp([]V{l.v})
		l.setRow(logisticE, l.v)
		l.step()
		l.Op("SUBS", imm(1), l.steps, l.steps)
		l.Op("BNE", again)
		l.Bind(end)
		l.Op("CMP", imm(logisticSteps), l.steps)
		l.Op("BEQ", done)
		l.row(logisticE, l.v)
		l.logOnePlus()
		l.setRow(logisticLog, l.v)
		l.Bind(done)
		l.finish(last)
	})
	l.across(l.sum, l.sum)
	l.Op("FMOVD", l.sum, l.param("after"))
	l.some(l.different)
	l.Op("CMP", imm(0), l.temp)
	l.Op("CSET", a64.Cond("NE"), l.temp)
	l.Op("MOVD", l.temp, l.param("outcome"))
	l.Op("RET")
}

// some sets temp to a number that is 0 where v is.
func (l *logisticKernel) some(v V) {
	l.Op("VMOV", v.Double(0), l.temp)
	l.Op("VMOV", v.Double(1), l.other)
	l.Op("ORR", l.other, l.temp, l.temp)
}

// begin sets what the first step starts from.
func (l *logisticKernel) begin(last bool) {
	low, weight, high, t := l.v, l.t[0], l.t[1], l.t
	l.Comment("The p of the last visit by x, and 1-p by weight - x; curve = h weight.")
	l.widen(l.pa, low, last, false)
	l.FABS(l.arr, low, low)
	l.row(logisticWeight, weight)
	l.Op("FMOVD", l.param("h"), l.c)
	l.Op("VDUP", l.c.Double(0), l.c.Doubles())
	l.mul(l.curve, weight, l.c)
	l.FSUB(l.arr, high, weight, low)
	l.FMAX(l.arr, high, high, l.the("zero"))
	l.FMIN(l.arr, low, low, weight)
	l.mul(low, low, l.rowOf(logisticInverse))
	l.mul(high, high, l.c)
	l.Comment("q is 1-p where z + c (p' - 1/2) > 0.")
	l.FSUB(l.arr, t[3], low, l.constant("0.5"))
	l.row(logisticZ, t[2])
	l.copy(t[2], t[4])
	l.fma(t[4], l.curve, t[3])
	l.FCMGT(l.arr, l.upper, t[4], l.the("zero"))
	l.copy(low, l.old)
	l.insert(l.old, high, l.upper)
	side := t[4]
	l.minus(t[2], side)
	l.insert(side, t[2], l.upper)
	l.FMIN(l.arr, side, side, l.constant("huge")) // of an infinite score
	l.setRow(logisticZ, side)
	l.Comment("w = max(z, 0), of which e and log(1 + e) are known.")
	l.FCMGT(l.arr, t[3], l.the("zero"), side)
	l.FMAX(l.arr, l.w, side, l.the("zero"))
	l.row(logisticE, t[0])
	l.insert(t[0], l.the("one"), t[3])
	l.setRow(logisticE, t[0])
	l.row(logisticLog, t[0])
	l.insert(t[0], l.constant("log 2"), t[3])
	l.setRow(logisticLog, t[0])
}

// step sets q and d, the next step.
func (l *logisticKernel) step() {
	l.Comment("p = 1/(1 + e), q = e p; off = z - w + c (q - q'), slope = 1 + c q p.")
	p, off, bend, slope, square := l.t[1], l.t[2], l.t[3], l.t[4], l.v
	l.row(logisticE, l.q)
	l.add(p, l.q, l.the("one"))
	l.FDIV(l.arr, p, l.the("one"), p)
	l.mul(l.q, l.q, p)
	l.row(logisticZ, off)
	l.FSUB(l.arr, off, off, l.w)
	l.FSUB(l.arr, bend, l.q, l.old)
	l.fma(off, l.curve, bend)
	l.mul(bend, l.q, p)
	l.mul(bend, bend, l.curve)
	l.add(slope, bend, l.the("one"))
	l.Comment("d = off slope/max(slope² - off c q p (p - q)/2, slope²/2), at least -w.")
	l.mul(square, slope, slope)
	l.FSUB(l.arr, p, p, l.q)
	l.mul(bend, bend, off)
	l.mul(p, p, bend)
	l.mul(bend, square, l.constant("0.5"))
	l.fms(square, p, l.c)
	l.FMAX(l.arr, square, square, bend)
	l.mul(off, off, slope)
	l.FDIV(l.arr, l.d, off, square)
	l.minus(l.w, bend)
	l.FMAX(l.arr, l.d, l.d, bend)
}

// finish takes the last step.
func (l *logisticKernel) finish(last bool) {
	x, t := l.v, l.t
	l.series()
	more, weight := t[0], t[1]
	l.Comment("x = weight q or weight (1 - q), rounded, at most the largest.")
	l.row(logisticWeight, weight)
	l.mul(x, x, weight)
	l.FSUB(l.arr, t[2], weight, x)
	l.insert(x, t[2], l.upper)
	if l.narrow.size == 4 {
		l.FCVTN(x, x)
		l.FCVTL(x, x)
	}
	l.FMIN(l.arr, x, x, l.rowOf(logisticMost))
	l.Comment("after += weight (log(1 + e) + more + (w + d) x/weight), or 1 - x/weight.")
	l.FSUB(l.arr, t[2], weight, x)
	l.copy(x, t[3])
	l.insert(t[3], t[2], l.upper)
	l.mul(t[3], t[3], l.rowOf(logisticInverse))
	l.add(l.w, l.w, l.d)
	l.add(more, more, l.rowOf(logisticLog))
	l.fma(more, l.w, t[3])
	l.fma(l.sum, weight, more)
	l.Comment("a = t x, delta = its change.")
	l.mul(x, x, l.rowOf(logisticTurn))
	l.widen(l.pa, t[1], last, false)
	l.FSUB(l.arr, t[1], x, t[1])
	l.Op("VORR", t[1].Bits(), l.different.Bits(), l.different.Bits())
	l.putElements(x, l.pa, last)
	l.putElements(t[1], l.pd, last)
}

// series sets v to q after the last step, and the first of t to what log(1 + e) grows by less q of that step.
func (l *logisticKernel) series() {
	l.Comment("q - q p d (1 - d ((p-q)/2 - d (1 - 6 q p)/6)).")
	q, d, v := l.q, l.d, l.v
	p, both, apart, six, twelve := l.t[0], l.t[1], l.t[2], l.t[3], l.t[4]
	l.FSUB(l.arr, p, l.the("one"), q)
	l.mul(both, q, p)
	l.FSUB(l.arr, apart, p, q)
	l.copy(l.the("one"), six)
	l.fms(six, both, l.constant("six"))
	l.copy(l.the("one"), twelve)
	l.fms(twelve, both, l.constant("twelve"))
	l.mul(both, both, d)
	l.mul(p, d, six)
	l.mul(v, apart, l.constant("0.5"))
	l.fms(v, p, l.constant("sixth"))
	l.copy(l.the("one"), p)
	l.fms(p, d, v)
	l.copy(q, v)
	l.fms(v, both, p)
	l.FMAX(l.arr, v, v, l.the("zero"))
	l.Comment("d (q p d (1/2 - d ((p-q)/6 - d ((1 - 6 q p)/24 - d (p-q) (1 - 12 q p)/120))) - q).")
	l.mul(twelve, twelve, apart)
	l.mul(twelve, twelve, d)
	l.mul(six, six, l.constant("1/24"))
	l.fms(six, twelve, l.constant("1/120"))
	l.mul(apart, apart, l.constant("sixth"))
	l.fms(apart, d, six)
	more := p
	l.load("0.5", more)
	l.fms(more, d, apart)
	l.mul(more, more, both)
	l.FSUB(l.arr, more, more, q)
	l.mul(more, more, d)
}
