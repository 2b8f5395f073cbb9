package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/fit"
)

var logarithm = source{"math", "log", "Log", "(x, y *T, n int)", func(k *kernel) { newLog(k).each() }}

// logKernel computes logarithms by the numbers of fit.Log, which has the formulas. Denormal numbers are scaled first,
// and what is no positive number is put right at the end.
type logKernel struct {
	*pool
	fit.Log
	bias, digits int
	work         [2][]V
}

func newLog(k *kernel) *logKernel {
	l := &logKernel{pool: k.newPool("log"), Log: fit.NewLog(24, 3), bias: 127, digits: 23}
	normal, largest, up, exponent := 0x1p-126, float64(math.MaxFloat32), 25, uint64(0x1ff)<<23
	if k.size == 8 {
		l.Log, l.bias, l.digits = fit.NewLog(53, 6), 1023, 52
		normal, largest, up, exponent = 0x1p-1022, math.MaxFloat64, 54, 0xfff<<52
	}
	l.number("normal", normal)
	l.number("largest", largest)
	l.number("up", math.Ldexp(1, up))
	l.number("down", float64(up))
	l.bits("root", l.bitsOf(math.Sqrt2/2))
	l.bits("exponent", exponent)
	l.number("one", 1)
	l.number("two", 2)
	l.number("half", 0.5)
	l.number("bias", float64(l.bias))
	l.number("ln2hi", l.Ln2Hi)
	l.number("ln2lo", l.Ln2Lo)
	l.number("zero", 0)
	l.bits("-Inf", l.bitsOf(math.Inf(-1)))
	l.bits("NaN", l.bitsOf(math.NaN()))
	l.hold("normal", "largest", "up", "down", "root", "exponent", "one", "two", "half", "bias", "ln2hi", "ln2lo",
		"zero", "-Inf", "NaN")
	for i, c := range l.C {
		l.number(coefficient(i), c)
	}
	return l
}

func (l *logKernel) each() {
	k := l.kernel
	const unroll = 4
	x, y, n, v := k.arg("x"), k.arg("y"), k.arg("n"), k.vs(unroll)
	for i := range l.work {
		l.work[i] = k.vs(6)
	}
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			l.log(v[r.first:][:r.n])
			k.store(r, v, y)
		}
	}, nil)
	k.Bind(done)
	k.Op("RET")
	l.write()
}

// log replaces one or two vectors by their logarithms.
func (l *logKernel) log(x []V) {
	k := l.kernel
	each := func(f func(x, e, f, s, z, p, q V)) {
		for i, x := range x {
			w := l.work[i]
			f(x, w[0], w[1], w[2], w[3], w[4], w[5])
		}
	}
	k.Comment("Denormal numbers are scaled; x = 2^e (1 + f), √½ <= 1 + f < √2.")
	each(func(x, e, f, s, z, p, q V) {
		k.FCMGT(k.arr, q, l.the("normal"), x)
		k.mul(p, x, l.the("up"))
		k.insertUnless(p, x, q)
		k.andBits(q, q, l.the("down"))
		// 2^e √½ <= p < 2^(e+1) √½; f = p/2^e - 1
		k.subInt(e, p, l.the("root"))
		k.andBits(f, e, l.the("exponent"))
		k.subInt(f, p, f)
		k.FSUB(k.arr, f, f, l.the("one"))
		k.addInt(e, e, l.the("one")) // its bits are the bias's
		k.shiftRight(e, e, l.digits)
		k.SCVTF(k.arr, e, e)
		k.FSUB(k.arr, e, e, l.the("bias"))
		k.FSUB(k.arr, e, e, q)
	})
	k.Comment("s = f/(2 + f), z = s².")
	each(func(x, e, f, s, z, p, q V) {
		k.add(s, f, l.the("two"))
		k.FDIV(k.arr, s, f, s)
		k.mul(z, s, s)
	})
	k.Comment("R/z, a polynomial in z.")
	last := len(l.C) - 1
	each(func(x, e, f, s, z, p, q V) { l.load(coefficient(last), p) })
	for c := last - 1; c >= 0; c-- {
		each(func(x, e, f, s, z, p, q V) {
			if (last-c)%2 == 0 {
				p, q = q, p
			}
			l.load(coefficient(c), q)
			k.fma(q, p, z)
		})
	}
	k.Comment("e ln 2 + f + (s (f²/2 + R) - f²/2), and what the first of these sums loses.")
	each(func(x, e, f, s, z, p, q V) {
		if last%2 == 1 {
			p, q = q, p
		}
		k.mul(q, f, f)
		k.mul(q, q, l.the("half"))
		k.mul(p, p, z)
		k.add(p, p, q) // f²/2 + R
		k.mul(z, e, l.the("ln2lo"))
		k.fma(z, s, p)
		k.FSUB(k.arr, z, z, q)
		k.mul(e, e, l.the("ln2hi"))
		k.add(s, e, f) // and what this sum loses
		k.FSUB(k.arr, e, e, s)
		k.add(e, e, f)
		k.add(z, z, e)
		k.add(z, z, s)
	})
	k.Comment("NaN and +Inf stay, 0 becomes -Inf, negative numbers NaN.")
	each(func(x, e, f, s, z, p, q V) {
		k.FCMGE(k.arr, p, l.the("largest"), x)
		k.FCMEQ(k.arr, q, x, l.the("zero"))
		k.FCMGT(k.arr, e, l.the("zero"), x)
		k.insertUnless(z, x, p) // +Inf and NaN are their own
		k.insert(z, l.the("-Inf"), q)
		k.insert(z, l.the("NaN"), e)
		k.Op("VMOV", z.Bits(), x.Bits())
	})
}
