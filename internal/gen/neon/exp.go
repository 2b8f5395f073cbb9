package main

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/gen/fit"
	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

var exp = source{"math", "exp", "Exp", "(x, y *T, n int)", func(k *kernel) { newExp(k, "", "").each() }}

var expScaled = source{"math", "expscaled", "ExpScaled", "(alpha T, x, y *T, n int)", func(k *kernel) {
	newExp(k, "alpha", "").each()
}}

var expSum = source{"math", "expsum", "ExpSum", "(shift T, x, y *T, n int) T", func(k *kernel) {
	newExp(k, "", "shift").each()
}}

// expKernel computes the exponentials of x, of x times a scalar, or of x less a scalar, which it sums up, by the
// numbers of fit.Exp, which has the formulas. A table of two entries needs no permutation. Arguments are bounded to
// where the result has become infinite or zero; the exponent is moved by half its bias towards zero, which a product
// makes good at the end, so that denormal results are rounded as they should be. NaN passes through all of this.
type expKernel struct {
	*pool
	fit.Exp
	scale, shift string
	scalar       V
	sums         []V
	work         [2][]V // for each of two vectors
}

func newExp(k *kernel, scale, shift string) *expKernel {
	e := &expKernel{pool: k.newPool("exp" + scale + shift), scale: scale, shift: shift}
	bias, digits := 127, 23
	e.Exp = fit.NewExp(24, 2, 5)
	if k.size == 8 {
		bias, digits = 1023, 52
		e.Exp = fit.NewExp(53, 2, 10)
	}
	half := uint64(bias+1) / 2 << digits
	e.number("magic", e.Magic)
	e.number("log2e", e.Log2E)
	e.number("least", -float64(bias+digits+2)*math.Ln2)
	e.number("most", float64(bias+2)*math.Ln2)
	if scale != "" {
		e.number("hi", -e.Short[0])
		e.number("lo", e.Short[1])
		e.number("bound", 0.5)
		e.number("-bound", -0.5)
	} else {
		e.number("hi", e.Ln2Hi)
		e.number("lo", e.Ln2Lo)
	}
	e.bits("odd", 1)
	e.bits("entry0", e.bitsOf(e.Table[0]))
	e.bits("entry1", e.bitsOf(e.Table[1])-1<<(digits-1)) // to which adding n adds the index as well
	e.bits("half", half)
	e.bits("bias", 2*half)
	e.number("one", 1)
	e.number("zero", 0)
	e.hold("magic", "log2e", "least", "most", "hi", "lo", "odd", "entry0", "entry1", "half", "bias", "one", "zero")
	for i, c := range e.C {
		e.number(coefficient(i), c)
	}
	return e
}

func coefficient(i int) string { return fmt.Sprintf("c%d", i) }

func (e *expKernel) each() {
	k := e.kernel
	const unroll = 4
	if name := e.scale + e.shift; name != "" {
		e.scalar = k.scalar(name)
	}
	x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
	if e.scale != "" {
		e.hold("bound", "-bound")
	}
	if e.shift != "" {
		e.sums = k.vs(2)
		k.zero(e.sums...)
	}
	v := k.vs(unroll)
	for i := range e.work {
		e.work[i] = k.vs(5)
	}
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			e.exp(v[r.first:][:r.n])
			if e.sums == nil {
				k.store(r, v, y)
				continue
			}
			e.sum(r, v)
			skip := k.NewLabel("summed")
			k.Op("CBZ", y, skip)
			k.store(r, v, y)
			k.Bind(skip)
		}
	}, nil)
	k.Bind(done)
	if e.sums == nil {
		k.Op("RET")
	} else {
		k.add(e.sums[0], e.sums[0], e.sums[1])
		k.across(e.sums[0], e.sums[0])
		k.ret(e.sums[0])
	}
	e.write()
}

// sum adds the vectors of r, of which a part has other lanes that do not count.
func (e *expKernel) sum(r run, v []V) {
	if r.bytes < vectorBytes {
		move := map[int]string{4: "FMOVS", 8: "FMOVD"}[r.bytes]
		e.Op(move, v[r.first], v[r.first]) // clears them
	}
	for i := range r.n {
		e.add(e.sums[i], e.sums[i], v[r.first+i])
	}
}

// exp replaces one or two vectors by their exponentials.
func (e *expKernel) exp(x []V) {
	k := e.kernel
	each := func(f func(x, a, t, n, s, by V)) {
		for i, x := range x {
			w := e.work[i]
			f(x, w[0], w[1], w[2], w[3], w[4])
		}
	}
	k.Comment("The argument between where the result is 0 and where it is infinite;",
		"n = a log2(e), rounded to a multiple of 1/2; r = a - n ln 2, in two steps.")
	each(func(x, a, t, n, s, by V) {
		from := x
		switch {
		case e.scale != "":
			k.mul(a, x, e.scalar)
			from = a
		case e.shift != "":
			k.FSUB(k.arr, x, x, e.scalar)
		}
		k.FMAX(k.arr, a, from, e.the("least"))
		k.FMIN(k.arr, a, a, e.the("most"))
		e.load("magic", t)
		k.fma(t, a, e.the("log2e"))
	})
	each(func(x, a, t, n, s, by V) { k.FSUB(k.arr, n, t, e.the("magic")) })
	each(func(x, a, t, n, s, by V) {
		k.FCMGT(k.arr, by, e.the("zero"), a)
		if e.scale != "" {
			k.mul(a, n, e.the("hi"))
			k.fma(a, x, e.scalar)
		} else {
			k.fms(a, n, e.the("hi"))
		}
		k.fms(a, n, e.the("lo"))
		if e.scale != "" {
			k.FMAX(k.arr, a, a, e.the("-bound"))
			k.FMIN(k.arr, a, a, e.the("bound"))
		}
	})
	k.Comment("2^n times the table's entry, by half the bias nearer to 1.")
	each(func(x, a, t, n, s, by V) { // s = 2^n times the table's entry, by half the bias nearer to 1
		k.Op("VCMTST", e.the("odd").As(k.arr), t.As(k.arr), s.As(k.arr))
		k.choose(s, e.the("entry1"), e.the("entry0"))
		k.shiftLeft(t, t, map[a64.Arr]int{a64.S4: 22, a64.D2: 51}[k.arr])
		k.addInt(s, s, t)
		k.andBits(by, by, e.the("bias"))
		k.subInt(by, by, e.the("half"))
		k.addInt(s, s, by)
		k.subInt(by, e.the("one"), by) // the power of two that makes it good
	})
	k.Comment("q(r) = e^r - 1, but for the error of the table's entries.")
	last := len(e.C) - 1
	each(func(x, a, t, n, s, by V) { e.load(coefficient(last), n) })
	for c := last - 1; c >= 0; c-- {
		each(func(x, a, t, n, s, by V) {
			if (last-c)%2 == 0 {
				t, n = n, t
			}
			e.load(coefficient(c), t)
			k.fma(t, n, a)
		})
	}
	k.Comment("2^n entry (1 + q(r)), and the other half of the bias.")
	each(func(x, a, t, n, s, by V) {
		if last%2 == 0 {
			t = n
		}
		k.fma(s, s, t)
		k.mul(x, s, by)
	})
}
