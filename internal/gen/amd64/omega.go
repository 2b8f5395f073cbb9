package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/fit"
)

var omegaSum = source{
	family: "math", name: "omegasum", entry: "OmegaSum", sig: "(shift, scale T, x, y, sums *T, n int)",
	elems: elems[1:],
	emit:  func(k *kernel) { newOmega(k).each() },
}

// omega computes Wright's omega function, the w with w + log w = z. Where z is negative w = 2^n v is kept in two parts,
// so that nothing underflows before the end and log v is small:
//
//	n = min(0, z/ln 2, rounded);  r = z - n ln 2;  2^n v + log v = r
//
// After fit.Omega's approximation come a step of fourth order (Fritsch, Shafer, Crowley, "Solution of the
// transcendental equation w e^w = x", 1973) and a step of Newton's method. z is bounded below where w has become zero,
// and above where w is z; what is above, and NaN, is its own result.
//
// The relative error of v is, first without rounding:
//
//	2^-6           fit.Omega, which its test holds to that
//	2^-29.3        behind the step of fourth order, which leaves 1/40 of the fourth power
//	2^-28.7        as with AVX-512 its logarithm has four coefficients of p: for |r| < 0.04 the next is r⁶/6 < 2^-30.5
//	2^-58.4        behind Newton's step, which leaves half of the square, over 1 + w
//
// And what is rounded in Newton's step, in units of 2^-53, e as an absolute error and f for the logarithm's r:
//
//	0.5            r, two roundings of numbers up to 0.35 where n < 0, and none where n = 0
//	|w + f|        r - hi: hi is exact, and what is left is w + f + lo but for e
//	|f|            less w, which is exact as long as it is normal, being v times a power of 2
//	0.5            less f, which leaves lo; and lo itself, |lo| <= f²/2 <= 0.09, which comes of five roundings
//
// so that e is wrong by 1 + w + 2|f|, where |f| <= √2 - 1 with the division's logarithm, and less with the table's.
// Over 1 + w that is at most 1.83; the quotient's other roundings are of e, 2^-28; the sum with v rounds by 1. That
// makes 2.9 units for w, and 4 are promised.
//
// An error of w is one of 1/(1+w) times as much of the derivative w/(1+w). There 1 + w, its inverse, the product and
// the correction round by one unit each, and the correction leaves (e w/(1+w))² < 2^-57: 7 units, and 8 are promised.
type omega struct {
	*pool
	first fit.Omega
	table *logTable    // with AVX-512
	div   *divisionLog // with AVX2
}

func newOmega(k *kernel) *omega {
	o := &omega{pool: k.newPool("omega"), first: fit.NewOmega()}
	if k.wide {
		o.table = &logTable{pool: o.pool}
		o.table.constants()
	} else {
		o.div = &divisionLog{pool: o.pool}
		o.div.constants()
		o.bits("mantissa", 1<<52-1)
		o.bits("one's bits", math.Float64bits(1))
	}
	o.number("most", 0x1p60)
	o.number("least", -800)
	o.number("log2e", math.Log2E)
	o.number("magic", 0x1.8p52)
	o.number("none", 0)
	o.number("two thirds", 2./3)
	o.number("twice", 2)
	o.number("halved", 0.5)
	for i, c := range o.first.Exp {
		o.number("exp"+coefficient(i), c)
	}
	for i, c := range o.first.Log {
		o.number("log"+coefficient(i), c)
	}
	o.number("ln2", math.Ln2)
	o.number("up", o.first.Up)
	o.number("down0", o.first.Down[0])
	o.number("down1", o.first.Down[1])
	return o
}

func (o *omega) each() {
	k := o.k
	x, y, sums, n := k.arg("x"), k.arg("y"), k.arg("sums"), k.arg("n")
	sum, slopes := k.vec(), k.vec()
	k.zero(sum, slopes)
	if k.wide {
		o.hold("one", "ln2hi", "ln2lo", "log2e", "magic", "most")
		o.table.holdTables()
	} else {
		o.hold("one")
	}
	step := func(by *mask) {
		z := k.vec()
		if by != nil {
			k.loadMasked(k.at(x, 0), *by, z)
		} else {
			k.load(k.at(x, 0), z)
		}
		scalar := k.vec() // AVX2 has no registers to keep them in
		k.bcast(k.scalarArg("shift"), scalar)
		k.sub(scalar, z, z)
		k.bcast(k.scalarArg("scale"), scalar)
		k.mul(scalar, z, z)
		w, slope := o.omega(z)
		switch {
		case by == nil:
			k.store(w, k.at(y, 0))
			k.add(w, sum, sum)
			k.add(slope, slopes, slopes)
		case k.wide:
			k.storeMasked(w, *by, k.at(y, 0))
			k.VADDPD(w, sum, by.k, sum)
			k.VADDPD(slope, slopes, by.k, slopes)
		default:
			k.storeMasked(w, *by, k.at(y, 0))
			k.and(by.v, w, w)
			k.and(by.v, slope, slope)
			k.add(w, sum, sum)
			k.add(slope, slopes, slopes)
		}
	}
	k.SUBQ(operand.U32(k.lanes()), n)
	k.JB(operand.LabelRef("tail"))
	k.section("loop", "A vector.")
	step(nil)
	k.forward(k.bytes, x, y)
	k.SUBQ(operand.U32(k.lanes()), n)
	k.JAE(operand.LabelRef("loop"))
	k.Label("tail")
	k.ADDQ(operand.U32(k.lanes()), n)
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest, under a mask.")
	by := k.maskOf(n)
	step(&by)
	k.section("done", "The sums across the lanes.")
	for i, v := range []reg.VecVirtual{sum, slopes} {
		k.sumLanes(v, k.bytes)
		k.VMOVSD(v.AsX(), k.at(sums, i))
	}
	k.done()
}

// use is op with a constant as the first source, from a register or from memory.
func (o *omega) use(op, broadcast func(...operand.Op), name string, rest ...operand.Op) {
	if _, ok := o.held[name]; !ok && o.k.wide {
		broadcast(append([]operand.Op{o.places[name]}, rest...)...)
	} else {
		op(append([]operand.Op{o.vector(name)}, rest...)...)
	}
}

func (o *omega) addTo(name string, a, d reg.VecVirtual) {
	o.use(o.k.VADDPD, o.k.VADDPD_BCST, name, a, d)
}
func (o *omega) times(name string, a, d reg.VecVirtual) {
	o.use(o.k.VMULPD, o.k.VMULPD_BCST, name, a, d)
}

// horner is d = d a + the constant.
func (o *omega) horner(name string, a, d reg.VecVirtual) {
	o.use(o.k.VFMADD213PD, o.k.VFMADD213PD_BCST, name, a, d)
}

// plus is d += a times the constant.
func (o *omega) plus(name string, a, d reg.VecVirtual) {
	o.use(o.k.VFMADD231PD, o.k.VFMADD231PD_BCST, name, a, d)
}

// poly is the polynomial with those coefficients at a.
func (o *omega) poly(name string, coefficients int, a reg.VecVirtual) reg.VecVirtual {
	p := o.fresh(name + coefficient(coefficients-1))
	for i := coefficients - 2; i >= 0; i-- {
		o.horner(name+coefficient(i), a, p)
	}
	return p
}

// power is 2^n in one part, with AVX-512 from n itself, or in two.
type power struct {
	n reg.VecVirtual
	p [2]reg.VecVirtual
}

// omega returns w, and w/(1+w).
func (o *omega) omega(z reg.VecVirtual) (w, slope reg.VecVirtual) {
	k := o.k
	k.Comment("z within bounds; n = min(0, z/ln 2, rounded), r = z - n ln 2.")
	within := k.vec()
	o.use(k.VMINPD, k.VMINPD_BCST, "most", z, within)
	o.use(k.VMAXPD, k.VMAXPD_BCST, "least", within, within)
	n := o.fresh("magic")
	o.plus("log2e", within, n)
	o.use(k.VSUBPD, k.VSUBPD_BCST, "magic", n, n)
	o.use(k.VMINPD, k.VMINPD_BCST, "none", n, n)
	r := k.vec()
	k.move(within, r)
	o.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "ln2hi", n, r)
	o.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "ln2lo", n, r)
	k.Comment("v by fit.Omega's approximation.")
	s := o.power(n)
	v := o.guess(within, r, s)

	k.Comment("v (1 + e (q-e)/(p (q-2e))), e = r - w - log v, p = 1 + w, q = 2 p (p + 2e/3).")
	w = o.scaled(v, s)
	e, p, q, t := k.vec(), k.vec(), k.vec(), k.vec()
	o.residual(e, r, w, v, false)
	o.addTo("one", w, p)
	k.move(p, q)
	o.plus("two thirds", e, q)
	k.mul(p, q, q)
	k.add(q, q, q)
	k.sub(e, q, t)
	k.mul(e, t, t)
	k.sub(e, q, q)
	k.sub(e, q, q)
	k.mul(p, q, q)
	k.VDIVPD(q, t, t)
	k.fma(v, t, v)

	k.Comment("Newton's step: v (1 + e/(1 + w)).")
	w = o.scaled(v, s)
	inverse := k.vec()
	o.addTo("one", w, p)
	k.VDIVPD(p, o.fresh("one"), inverse)
	o.residual(e, r, w, v, true)
	k.mul(inverse, e, e)
	k.fma(v, e, v)
	k.Comment("w, and its slope w/(1 + w), in which w has grown by w e.")
	w = o.scaled(v, s)
	slope = k.vec()
	k.mul(inverse, w, slope)
	k.mul(e, slope, t) // 1 + w has grown by w e since it was inverted
	k.VFNMADD231PD(slope, t, slope)
	k.Comment("z itself where it is above the bound, or NaN.")
	o.choose(operand.U8(6), o.fresh("most"), z, z, w) // not at most: NaN as well
	return w, slope
}

// residual is e = r - w - log v.
func (o *omega) residual(e, r, w, v reg.VecVirtual, exact bool) {
	k := o.k
	var hi, f, lo reg.VecVirtual
	if k.wide {
		terms := 4
		if exact {
			terms = len(o.table.C)
		}
		hi, f, lo = o.table.parts(v, terms, exact)
	} else {
		hi, f, lo = o.div.parts(v, nil)
	}
	k.sub(hi, r, e)
	k.sub(w, e, e)
	k.sub(f, e, e)
	k.sub(lo, e, e)
}

// choose sets d to v in the lanes where the relation holds between a and b.
func (o *omega) choose(relation operand.U8, b operand.Op, a, v, d reg.VecVirtual) {
	k := o.k
	m := k.compare(relation, b, a)
	if k.wide {
		k.VMOVAPD(v, m.k, d)
	} else {
		k.VBLENDVPD(m.v, v, d, d)
	}
}

// power prepares products with 2^n. With AVX2 n is cut into halves, whose powers are normal numbers.
func (o *omega) power(n reg.VecVirtual) (s power) {
	k := o.k
	if k.wide {
		return power{n: n}
	}
	half, whole := o.fresh("magic"), k.vec()
	o.plus("halved", n, half)
	k.VSUBPD(o.vector("magic"), half, whole)
	k.sub(whole, n, whole)
	k.VADDPD(o.vector("magic"), whole, whole)
	for i, v := range []reg.VecVirtual{half, whole} {
		k.VPSLLQ(operand.Imm(52), v, v)
		k.VPADDQ(o.vector("one's bits"), v, v)
		s.p[i] = v
	}
	return s
}

// scaled is 2^n v.
func (o *omega) scaled(v reg.VecVirtual, s power) reg.VecVirtual {
	k := o.k
	w := k.vec()
	if k.wide {
		k.VSCALEFPD(s.n, v, w)
	} else {
		k.mul(s.p[0], v, w)
		k.mul(s.p[1], w, w)
	}
	return w
}

// guess is fit.Omega's approximation, divided by 2^n: both of its quotients with one division.
func (o *omega) guess(z, r reg.VecVirtual, s power) reg.VecVirtual {
	k := o.k
	k.Comment("Below 1: a quotient in u = e^z.")
	e := o.poly("exp", len(o.first.Exp), r)
	u := o.scaled(e, s)
	up, down := k.vec(), o.fresh("down1")
	o.times("up", u, up)
	k.VFMADD213PD(e, e, up)
	o.horner("down0", u, down)
	o.horner("one", u, down)

	k.Comment("From 1 on: z (1 + z - log z)/(1 + z), with a rough logarithm.")
	log, above, below := o.roughLog(z), k.vec(), k.vec()
	o.addTo("one", z, below)
	k.sub(log, below, above)
	k.mul(z, above, above)
	o.choose(greaterEqual, o.vector("one"), z, above, up)
	o.choose(greaterEqual, o.vector("one"), z, below, down)
	k.VDIVPD(down, up, up)
	return up
}

// roughLog is the logarithm by a polynomial in the mantissa, for z >= 1.
func (o *omega) roughLog(z reg.VecVirtual) reg.VecVirtual {
	k := o.k
	e, m := k.vec(), k.vec()
	if k.wide {
		k.VGETEXPPD(z, e)
		k.VGETMANTPD(operand.Imm(0), z, m) // from 1 to 2
	} else {
		k.VPSRLQ(operand.Imm(52), z, e)
		k.VPOR(o.vector("digits"), e, e)
		k.VSUBPD(o.vector("digits and bias"), e, e)
		k.VPAND(o.vector("mantissa"), z, m)
		k.VPOR(o.vector("one's bits"), m, m)
	}
	p := o.poly("log", len(o.first.Log), m)
	o.plus("ln2", e, p)
	return p
}
