package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/entropystep"
)

// end moves the dual variables.
func (n *entropy) end() {
	k := n.k
	a, delta := k.arg("a"), k.arg("delta")
	sums, different := n.newSums(2), n.fresh("none")
	n.scale(k.arg("y"))
	n.each(func() {
		k.Comment("The move of a vector of classes.")
		x, log := n.solution()
		y := n.isY()
		zero := n.fresh("none")
		k.Comment("x = 0 for the true class; the sums of x and of x log(x/Scale).")
		n.without(y, zero, x)
		if !n.narrow.f64 { // x is rounded; its logarithm less log x is (rounded - x)/x to second order
			exact := k.vec()
			k.VMOVAPD(x, exact)
			k.toF32(x)
			k.VCVTPS2PD(n.narrow.narrow(x), x)
			k.sub(exact, x, exact)
			k.add(exact, sums[1], sums[1])
		}
		k.add(x, sums[0], sums[0])
		k.fma(log, x, sums[1])
		k.Comment("a = -x, delta = its change, 0 for the true class.")
		old, to := n.widen(a), k.vec()
		k.sub(x, zero, to)
		k.sub(old, to, old)
		n.without(y, zero, old)
		k.VORPD(old, different, different)
		n.put(to, a)
		n.put(old, delta)
	})
	k.Comment("The sums across the lanes, and whether a variable changed.")
	n.write(n.q, entropystep.Sum, sums...)
	if k.wide {
		k.VMOVSD(n.t.AsX(), k.at(n.q, entropystep.Shift))
	}
	k.retInt(n.some(different))
}

// scale is the scale of p, or where the p of y is small, the smaller one.
func (n *entropy) scale(y reg.GPVirtual) {
	k, some := n.k, n.k.newLabel("scaled")
	k.Comment("Scale, or Shrunk where the p of the true class is below Small.")
	v, p := k.vec(), k.XMM()
	k.VBROADCASTSD(k.at(n.q, entropystep.Scale), v)
	k.TESTQ(y, y)
	k.JS(operand.LabelRef(some))
	k.VMOVSD(operand.Mem{Base: n.row[2], Index: y, Scale: 8}, p)
	k.VUCOMISD(k.at(n.q, entropystep.Small), p)
	k.JAE(operand.LabelRef(some))
	k.VBROADCASTSD(k.at(n.q, entropystep.Shrunk), v)
	k.Label(some)
	n.kept[entropystep.Scale] = v
}

// solution returns x and the logarithm of x/scale.
func (n *entropy) solution() (x, log reg.VecVirtual) {
	k := n.k
	k.Comment("x = Scale p (1 + v), v = g e (1 + g² e/2 (1 + f e/3)); log(x/Scale) = l + log(1 + v).")
	z, p := n.read(0), n.read(2)
	log = n.read(1)
	w, e := n.residual(z, log, p, false)
	y, square, f := n.curve(n.read(3), w)
	k.mul(f, e, f)
	f = n.onePlus("third", f)
	k.mul(e, y, y)
	k.mul(e, square, square)
	n.times("half", square, square)
	k.mul(f, square, square)
	k.fma(y, square, y) // g e (1 + g² e/2 (1 + f e/3))
	x = k.vec()
	k.move(p, x)
	k.fma(p, y, x)
	k.mul(n.parameter(entropystep.Scale), x, x)
	k.fma(n.logarithm(y), y, log)
	return x, log
}

// terms are the terms of log(1+y)/y = 1 - y/2 + y²/3 - ... that count for the y that EndF32 is exact for.
func (n *entropy) terms() int {
	if n.narrow.f64 {
		return 3 // the next is 2^-39/4 of y, which is at most 2^-13
	}
	return logTerms // the next is 2^-48/7 of y, which is at most 2^-8
}

const logTerms = 6

// logarithm returns log(1+y)/y.
func (n *entropy) logarithm(y reg.VecVirtual) reg.VecVirtual {
	v := n.fresh(logTerm(n.terms()))
	for i := n.terms() - 1; i > 0; i-- {
		n.use(n.k.VFMADD213PD, n.k.VFMADD213PD_BCST, logTerm(i), y, v)
	}
	return v
}

func logTerm(i int) string { return fmt.Sprintf("log%d", i) }

// put stores elements.
func (n *entropy) put(v reg.VecVirtual, base reg.GPVirtual) {
	k := n.narrow
	if !k.f64 {
		n.k.toF32(v)
	}
	x := k.narrow(v)
	switch {
	case n.isRest && k.wide:
		pick(k, k.VMOVUPS, k.VMOVUPD)(x, n.rest[1].k, n.elements(base))
	case n.isRest && k.f64:
		k.VMASKMOVPD(x, n.rest[1].v, n.elements(base))
	case n.isRest:
		k.VMASKMOVPS(x, n.rest[1].v.AsX(), n.elements(base))
	default:
		k.store(x, n.elements(base))
	}
}

// some is 1 where a lane is not 0, and 0 otherwise.
func (n *entropy) some(different reg.VecVirtual) reg.GPVirtual {
	k := n.k
	v := k.bits(k.compare(4, n.fresh("none"), different))
	k.NEGQ(v)
	k.SBBQ(v, v)
	k.NEGQ(v)
	return v
}
