package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/fit"
)

var omegaSum = source{"math", "omegasum", "OmegaSum", "(shift, scale T, x, y, sums *T, n int)",
	func(k *kernel) { newOmega(k).each() }}

// omega computes Wright's omega function as the kernels of amd64 do, whose comment derives the error, w = 2^n v with
// 2^n v + log v = r = z - n ln 2: the numbers of fit.Omega, a step of fourth order, a step of Newton's method.
// Constants come from memory where they are used.
type omega struct {
	*pool
	first               fit.Omega
	log                 fit.Log
	z, within, n, r     V
	half, whole         V // powers whose product is 2^n
	v, w, e, p, q, t, u V
	f, s, a, b, c       V
}

func newOmega(k *kernel) *omega {
	o := &omega{pool: k.newPool("omega"), first: fit.NewOmega(), log: fit.NewLog(53, 6)}
	for _, c := range []struct {
		name string
		v    float64
	}{
		{"most", 0x1p60}, {"least", -800}, {"log2e", math.Log2E}, {"magic", 0x1.8p52}, {"none", 0},
		{"two thirds", 2. / 3},
		{"halved", 0.5}, {"one", 1}, {"two", 2}, {"bias", 1023}, {"ln2hi", o.log.Ln2Hi}, {"ln2lo", o.log.Ln2Lo},
		{"ln2", math.Ln2}, {"up", o.first.Up}, {"down0", o.first.Down[0]}, {"down1", o.first.Down[1]},
	} {
		o.number(c.name, c.v)
	}
	o.bits("root", o.bitsOf(math.Sqrt2/2))
	o.bits("exponent", 0xfff<<52)
	o.bits("mantissa", 1<<52-1)
	for _, p := range []struct {
		name string
		c    []float64
	}{{"exp", o.first.Exp}, {"log", o.first.Log}, {"atanh", o.log.C}} {
		for i, c := range p.c {
			o.number(p.name+coefficient(i), c)
		}
	}
	for _, r := range []*V{&o.z, &o.within, &o.n, &o.r, &o.half, &o.whole, &o.v, &o.w, &o.e, &o.p, &o.q, &o.t, &o.u,
		&o.f, &o.s, &o.a, &o.b, &o.c} {
		*r = k.vs(1)[0]
	}
	return o
}

func (o *omega) each() {
	k := o.kernel
	shift, scale := k.scalar("shift"), k.scalar("scale")
	x, y, to, n := k.arg("x"), k.arg("y"), k.arg("sums"), k.arg("n")
	sums := k.vs(2)
	k.zero(sums...)
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, 1, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, []V{o.z}, x)
			k.FSUB(k.arr, o.z, o.z, shift)
			k.mul(o.z, o.z, scale)
			o.omega()
			if r.bytes < vectorBytes {
				k.Op("FMOVD", o.w, o.w) // clears the other lane
				k.Op("FMOVD", o.t, o.t)
			}
			k.add(sums[0], sums[0], o.w)
			k.add(sums[1], sums[1], o.t)
			k.store(r, []V{o.w}, y)
		}
	}, nil)
	k.section(done, "The sums across the lanes.")
	k.FADDP(k.arr, sums[0], sums[0], sums[1])
	k.store(block(1).runs()[0], sums, to)
	k.Op("RET")
	o.write()
}

// get loads a constant that the next instruction uses.
func (o *omega) get(name string) V {
	o.load(name, o.c)
	return o.c
}

// omega sets w, and t to w/(1+w).
func (o *omega) omega() {
	k := o.kernel
	k.Comment("z within bounds; n = min(0, z/ln 2, rounded), r = z - n ln 2.")
	o.load("most", o.a)
	k.FCMGE(k.arr, o.within, o.a, o.z)
	k.choose(o.within, o.z, o.a) // NaN is bounded as well
	k.FMAX(k.arr, o.within, o.within, o.get("least"))
	o.load("magic", o.a)
	k.Op("VMOV", o.a.Bits(), o.n.Bits())
	k.fma(o.n, o.within, o.get("log2e"))
	k.FSUB(k.arr, o.n, o.n, o.a)
	k.FMIN(k.arr, o.n, o.n, o.get("none"))
	k.Op("VMOV", o.within.Bits(), o.r.Bits())
	k.fms(o.r, o.n, o.get("ln2hi"))
	k.fms(o.r, o.n, o.get("ln2lo"))
	k.Comment("2^n, as a product of two.")
	k.Op("VMOV", o.a.Bits(), o.half.Bits())
	k.fma(o.half, o.n, o.get("halved"))
	k.FSUB(k.arr, o.whole, o.half, o.a)
	k.FSUB(k.arr, o.whole, o.n, o.whole)
	k.add(o.whole, o.whole, o.a)
	for _, v := range []V{o.half, o.whole} {
		k.shiftLeft(v, v, 52)
		k.addInt(v, v, o.get("one"))
	}
	k.Comment("v by fit.Omega's approximation.")
	o.guess()

	k.Comment("v (1 + e (q-e)/(p (q-2e))), e = r - w - log v, p = 1 + w, q = 2 p (p + 2e/3).")
	o.scaled(o.w, o.v)
	o.residual()
	k.add(o.p, o.w, o.get("one"))
	k.Op("VMOV", o.p.Bits(), o.q.Bits())
	k.fma(o.q, o.e, o.get("two thirds"))
	k.mul(o.q, o.q, o.p)
	k.add(o.q, o.q, o.q)
	k.FSUB(k.arr, o.t, o.q, o.e)
	k.mul(o.t, o.t, o.e)
	k.FSUB(k.arr, o.q, o.q, o.e)
	k.FSUB(k.arr, o.q, o.q, o.e)
	k.mul(o.q, o.q, o.p)
	k.FDIV(k.arr, o.t, o.t, o.q)
	k.fma(o.v, o.v, o.t)

	k.Comment("Newton's step: v (1 + e/(1 + w)).")
	o.scaled(o.w, o.v)
	k.add(o.p, o.w, o.get("one"))
	k.FDIV(k.arr, o.p, o.get("one"), o.p)
	o.residual()
	k.mul(o.e, o.e, o.p)
	k.fma(o.v, o.v, o.e)
	k.Comment("w, and its slope w/(1 + w), in which w has grown by w e.")
	o.scaled(o.w, o.v)
	k.mul(o.t, o.w, o.p)
	k.mul(o.u, o.t, o.e) // 1 + w has grown by w e since it was inverted
	k.fms(o.t, o.t, o.u)
	k.Comment("z itself where it is above the bound, or NaN.")
	k.FCMGE(k.arr, o.a, o.get("most"), o.z)
	k.insertUnless(o.w, o.z, o.a)
}

// scaled is d = 2^n v.
func (o *omega) scaled(d, v V) {
	o.mul(d, v, o.half)
	o.mul(d, d, o.whole)
}

// poly returns the register that has the polynomial with those coefficients at x; it takes a and b.
func (o *omega) poly(name string, coefficients int, x V) V {
	p, q := o.a, o.b
	o.load(name+coefficient(coefficients-1), p)
	for i := coefficients - 2; i >= 0; i-- {
		o.load(name+coefficient(i), q)
		o.fma(q, p, x)
		p, q = q, p
	}
	return p
}

// guess sets v to fit.Omega's approximation, divided by 2^n: both of its quotients with one division.
func (o *omega) guess() {
	k := o.kernel
	k.Comment("Below 1: a quotient in u = e^z.")
	k.Op("VMOV", o.poly("exp", len(o.first.Exp), o.r).Bits(), o.v.Bits())
	o.scaled(o.u, o.v)
	k.mul(o.t, o.u, o.get("up"))
	k.mul(o.t, o.t, o.v)
	k.add(o.v, o.v, o.t)
	o.load("down1", o.q)
	o.load("down0", o.p)
	k.fma(o.p, o.q, o.u)
	o.load("one", o.q)
	k.fma(o.q, o.p, o.u)

	k.Comment("From 1 on: z (1 + z - log z)/(1 + z), with a rough logarithm.")
	k.shiftRight(o.e, o.within, 52)
	k.SCVTF(k.arr, o.e, o.e)
	k.FSUB(k.arr, o.e, o.e, o.get("bias"))
	k.andBits(o.f, o.within, o.get("mantissa"))
	k.Op("VORR", o.f.Bits(), o.get("one").Bits(), o.f.Bits())
	log := o.poly("log", len(o.first.Log), o.f)
	k.fma(log, o.e, o.get("ln2"))
	o.load("one", o.s)
	k.add(o.p, o.within, o.s)
	k.FSUB(k.arr, o.t, o.p, log)
	k.mul(o.t, o.t, o.within)
	k.FCMGE(k.arr, o.s, o.within, o.s)
	k.insert(o.v, o.t, o.s)
	k.insert(o.q, o.p, o.s)
	k.FDIV(k.arr, o.v, o.v, o.q)
}

// residual sets e to r - w - log v, with fit.Log's logarithm; it takes f, s, q, t, u, a and b.
func (o *omega) residual() {
	k := o.kernel
	k.Comment("r - w - log v: v = 2^q (1 + f), log(1 + f) = f - f²/2 + s (f²/2 + R), s = f/(2 + f).")
	k.subInt(o.q, o.v, o.get("root"))
	k.andBits(o.f, o.q, o.get("exponent"))
	k.subInt(o.f, o.v, o.f)
	k.FSUB(k.arr, o.f, o.f, o.get("one"))
	k.addInt(o.q, o.q, o.get("one")) // its bits are the bias's
	k.shiftRight(o.q, o.q, 52)
	k.SCVTF(k.arr, o.q, o.q)
	k.FSUB(k.arr, o.q, o.q, o.get("bias"))
	k.add(o.s, o.f, o.get("two"))
	k.FDIV(k.arr, o.s, o.f, o.s)
	k.mul(o.u, o.s, o.s)
	p := o.poly("atanh", len(o.log.C), o.u)
	k.mul(o.t, o.f, o.f)
	k.mul(o.t, o.t, o.get("halved"))
	k.mul(p, p, o.u)
	k.add(p, p, o.t)
	k.mul(o.u, o.q, o.get("ln2lo"))
	k.fma(o.u, o.s, p)
	k.FSUB(k.arr, o.u, o.u, o.t)
	k.mul(o.q, o.q, o.get("ln2hi"))
	k.FSUB(k.arr, o.e, o.r, o.q)
	k.FSUB(k.arr, o.e, o.e, o.w)
	k.FSUB(k.arr, o.e, o.e, o.f)
	k.FSUB(k.arr, o.e, o.e, o.u)
}
