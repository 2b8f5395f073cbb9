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
	l := logisticOf(entropyOf(k, "logistic", "t", "weight", "1/weight", "most", "z", "e", "log"))
	l.a = k.arg("a")
	return l
}

// logisticOf has the constants.
func logisticOf(n *entropy) *logisticKernel {
	l := &logisticKernel{entropy: n, log: fit.LogOnePlus(53, 9), registers: map[string]reg.VecVirtual{},
		memory: map[string]operand.Mem{}}
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
		e := l.decay(z)
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

// decay returns exp(-|z|).
func (l *logisticKernel) decay(z reg.VecVirtual) reg.VecVirtual {
	minus := l.k.vec()
	l.use(l.k.VORPD, l.k.VORPD_BCST, "sign", z, minus)
	return l.exponential(minus)
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
		a, curve := l.widen(l.a), k.vec()
		k.bcast(k.scalarArg("h"), curve)
		k.mul(l.given(labelWeight), curve, curve)
		l.begin(a, curve)
		l.steps()
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

// steps takes all steps but the last one.
func (l *logisticKernel) steps() {
	k := l.k
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

// What labels are given for a visit, by the names that keep has for what a kernel keeps in registers in place of rows.
const (
	labelWeight  = "weight"
	labelInverse = "inverse"
	labelMost    = "most"
	labelZ       = "z given"
	labelE       = "e given"
	labelLog     = "log given"
)

var labelRows = map[string]int{labelWeight: logisticWeight, labelInverse: logisticInverse, labelMost: logisticMost,
	labelZ: logisticZ, labelE: logisticE, labelLog: logisticLog}

// given is one that keep has set, or what a row has, to be the last source of an instruction.
func (l *logisticKernel) given(name string) operand.Op {
	if v, ok := l.registers[name]; ok {
		return v
	}
	if m, ok := l.memory[name]; ok {
		return m
	}
	return l.mem(labelRows[name])
}

// copyOf is given in a register that may be written.
func (l *logisticKernel) copyOf(name string) reg.VecVirtual {
	v := l.k.vec()
	if r, ok := l.given(name).(reg.VecVirtual); ok {
		l.k.move(r, v)
	} else {
		l.k.load(l.given(name).(operand.Mem), v)
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
