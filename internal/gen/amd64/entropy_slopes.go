package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/entropystep"
)

// step finds t by Newton's method, and moves the dual variables.
func (n *entropy) step() {
	k := n.k
	n.q = k.arg("q")
	n.prepare()
	k.Comment("t = 0, and the number of steps left.")
	start := n.fresh("none")
	if k.wide {
		n.kept[entropystep.C] = n.parameter(entropystep.C)
		n.hold("one")
		n.t = start
	} else {
		k.VMOVSD(start.AsX(), k.at(n.q, entropystep.Shift))
	}
	left := k.GP64()
	k.MOVQ(operand.U32(entropystep.Steps+1), left)
	a := k.arg("a")
	k.Comment("The sum at t = 0.")
	sums, most := n.slopes(false, func() (z, l, p reg.VecVirtual) { return n.first(a) })
	k.Comment("The first d, within the largest |e|.")
	d, low := n.root(sums), n.fresh("none")
	k.VMINPD(d, most, d)
	k.sub(most, low, low)
	k.VMAXPD(d, low, d) // within the largest |e|
	solved, next, large, refused := k.newLabel("solved"), k.newLabel("next"), k.newLabel("large"), k.newLabel("refused")
	test := func(root, most reg.VecVirtual) {
		k.Comment("t += d. Solved where neither |d| nor the largest |e| is above Near.")
		k.move(root, d)
		if k.wide {
			k.add(d, n.t, n.t)
		} else {
			t := k.XMM()
			k.VADDSD(k.at(n.q, entropystep.Shift), d.AsX(), t)
			k.VMOVSD(t, k.at(n.q, entropystep.Shift))
		}
		n.use(k.VANDPD, k.VANDPD_BCST, "no sign", d, d)
		k.VMAXPD(d, most, d) // NaN in the first operand is what comes out, here and above
		k.VUCOMISD(k.at(n.q, entropystep.Near), d.AsX())
		k.JBE(operand.LabelRef(solved)) // or NaN
	}
	test(d, most)
	k.section(next, "The next step, if one is left.")
	k.DECQ(left)
	k.JZ(operand.LabelRef(refused))
	k.VUCOMISD(n.fresh("quarter").AsX(), d.AsX())
	k.JA(operand.LabelRef(large))
	k.Comment("|d| and |e| at most 1/4: the series.")
	sums, most = n.slopes(true, n.series)
	test(n.root(sums), most)
	k.JMP(operand.LabelRef(next))
	k.section(large, "|d| or |e| above 1/4: the quotient.")
	sums, most = n.slopes(true, n.quotient)
	test(n.root(sums), most)
	k.JMP(operand.LabelRef(next))
	k.section(refused, "Outcome -1: no steps left, or NaN.")
	k.retInt(operand.I32(-1))

	k.section(solved, "Solved, unless t is NaN.")
	found := n.shift()
	k.VUCOMISD(found.AsX(), found.AsX())
	k.JB(operand.LabelRef(refused)) // NaN
	n.end()
}

// first reads dual variables to begin with z = l - h a, and more of it for y.
func (n *entropy) first(a reg.GPVirtual) (z, l, p reg.VecVirtual) {
	k := n.k
	k.Comment("z = l - H a, for the true class more by Plus.")
	z, l, p = k.vec(), n.read(1), n.read(2)
	k.move(l, z)
	k.VFNMADD231PD(n.widen(a), n.parameter(entropystep.H), z)
	y := n.isY()
	if k.wide {
		k.VADDPD(n.parameter(entropystep.Plus), z, y.k, z)
	} else {
		k.VANDPD(n.parameter(entropystep.Plus), y.v, y.v)
		k.add(y.v, z, z)
	}
	k.store(z, n.mem(0))
	return z, l, p
}

// shift is t, which AVX2 has no register for.
func (n *entropy) shift() reg.VecVirtual {
	if n.t != nil {
		return n.t
	}
	return n.parameter(entropystep.Shift)
}

// residual returns w = c p and e = z - l - w - t. What is known last is subtracted last: t, or behind a step w.
func (n *entropy) residual(z, l, p reg.VecVirtual, step bool) (w, e reg.VecVirtual) {
	k := n.k
	k.Comment("w = c p, e = z - l - w - t.")
	w, e = k.vec(), k.vec()
	k.mul(n.parameter(entropystep.C), p, w)
	k.sub(l, z, e)
	if step {
		k.sub(n.shift(), e, e)
		k.sub(w, e, e)
	} else {
		k.sub(w, e, e)
		k.sub(n.shift(), e, e)
	}
	return w, e
}

// slopes adds up the polynomial of the sum, and finds the largest |e|. All lanes have the sums.
func (n *entropy) slopes(step bool, rows func() (z, l, p reg.VecVirtual)) (sums []reg.VecVirtual, most reg.VecVirtual) {
	k := n.k
	k.Comment("The sum is A - B d + C d²/2 - D d³/6; and the largest |e|.")
	sums, most = n.newSums(4), n.fresh("none")
	n.each(func() {
		z, l, p := rows()
		w, e := n.residual(z, l, p, step)
		n.clear(e)
		n.polynomial(p, w, e, sums)
		n.use(k.VANDPD, k.VANDPD_BCST, "no sign", e, e)
		k.VMAXPD(e, most, most)
	})
	k.Comment("The sums and the largest |e| of all lanes.")
	for _, v := range sums {
		k.across(v, k.VADDPD)
	}
	k.across(most, k.VMAXPD)
	return sums, most
}

// root returns rho (1 + kappa/2 rho + (kappa²/2 - delta/6) rho²), or rho unless |rho| < 1. With i = 1/B and N = A -
// total the factor is 1 + i² (N C/2 + i (i N² C²/2 - N² D/6)), most of which is known by the end of the division.
func (n *entropy) root(sums []reg.VecVirtual) reg.VecVirtual {
	k := n.k
	k.Comment("d = rho (1 + kappa/2 rho + (kappa²/2 - delta/6) rho²), rho = N/B, N = A - Total, where the factor",
		"is 1 + i² (N C/2 + i (i N² C²/2 - N² D/6)), i = 1/B.")
	rho, c, d, i := sums[0], sums[2], sums[3], n.fresh("one")
	k.VDIVPD(sums[1], i, i)
	k.sub(n.parameter(entropystep.Total), rho, rho) // N
	k.mul(rho, c, c)
	n.times("half", c, c) // N C/2
	k.mul(rho, d, d)
	k.mul(rho, d, d)
	n.times("sixth", d, d)
	both := k.vec()
	k.mul(c, c, both)
	k.add(both, both, both)
	k.mul(i, rho, rho)
	k.Comment("d = rho unless |rho| < 1.")
	size, plain := k.vec(), k.newLabel("plain")
	n.use(k.VANDPD, k.VANDPD_BCST, "no sign", rho, size)
	k.VUCOMISD(n.fresh("one").AsX(), size.AsX())
	k.JAE(operand.LabelRef(plain))
	k.VFMSUB213PD(d, i, both)
	k.VFMADD213PD(c, i, both)
	k.mul(i, i, i)
	k.mul(rho, i, i)
	k.VFMADD231PD(i, both, rho)
	k.Label(plain)
	return rho
}

// quotient moves l by max(min(e, 0), e q³/max(q⁴/4, q⁴ + w e q²/2 + w (2-w) min(e², 1)/12)), q = 1 + w, and p with it.
func (n *entropy) quotient() (z, l, p reg.VecVirtual) {
	k := n.k
	k.Comment("l += max(min(e, 0), e q³/max(q⁴/4, q⁴ + w e q²/2 + w (2 - w) min(e², 1)/12)), q = 1 + w.")
	z, l = n.read(0), n.read(1)
	w, e := n.residual(z, l, n.read(2), false)
	q, square, down, square2 := k.vec(), k.vec(), n.fresh("two"), k.vec()
	k.mul(e, e, square2)
	n.use(k.VMINPD, k.VMINPD_BCST, "one", square2, square2)
	k.sub(w, down, down)
	k.mul(w, down, down)
	n.times("twelfth", down, down)
	k.mul(square2, down, down)
	n.plusOne(w, q)
	k.mul(q, q, square)
	k.mul(e, w, w)
	n.times("half", w, w)
	k.add(square, w, w)
	k.fma(square, w, down)
	k.mul(square, square, square2)
	n.times("quarter", square2, square2)
	k.VMAXPD(square2, down, down)
	k.mul(e, q, q)
	k.mul(square, q, q)
	k.VDIVPD(down, q, q)
	n.use(k.VMINPD, k.VMINPD_BCST, "none", e, e)
	k.VMAXPD(e, q, q)
	return n.moveTo(z, l, q)
}

// moveTo adds to l, and returns p with it.
func (n *entropy) moveTo(z, l, step reg.VecVirtual) (reg.VecVirtual, reg.VecVirtual, reg.VecVirtual) {
	k := n.k
	k.Comment("l, at most Top, and p = e^l.")
	k.add(step, l, l)
	k.VMINPD(l, n.parameter(entropystep.Top), l) // NaN in the first operand is what comes out
	k.store(l, n.mem(1))
	p := n.exponential(l)
	n.clear(p)
	k.store(p, n.mem(2))
	if !k.wide { // which has no registers to keep them in
		z, l = n.read(0), n.read(1)
	}
	return z, l, p
}

// series moves l by g e (1 - w g² e/2 (1 + f e/3)).
func (n *entropy) series() (z, l, p reg.VecVirtual) {
	k := n.k
	k.Comment("l += g e (1 - w g² e/2 (1 + f e/3)).")
	z, l = n.read(0), n.read(1)
	w, e := n.residual(z, l, n.read(2), false)
	g, square, f := n.curve(n.read(3), w)
	k.mul(f, e, f)
	k.mul(square, w, w)
	k.mul(g, e, g)
	n.times("half", w, w)
	k.mul(e, w, w)
	f = n.onePlus("third", f)
	k.mul(w, f, f)
	k.VFNMADD213PD(g, g, f)
	return n.moveTo(z, l, f)
}

// polynomial adds to the sums, of w = c p and e.
func (n *entropy) polynomial(p, w, e reg.VecVirtual, sums []reg.VecVirtual) {
	k := n.k
	k.Comment("g = 1/(1+w), f = g² (1 - 2w).")
	q, g := k.vec(), n.fresh("one")
	n.plusOne(w, q)
	k.VDIVPD(q, g, g)
	k.store(g, n.mem(3))
	g, square, f := n.curve(g, w)
	k.mul(p, g, g) // p g
	fe := k.vec()
	k.mul(f, e, fe)
	k.add(p, sums[0], sums[0])

	k.Comment("A += p + p g e (1 + g² e/2 (1 + f e/3)).")
	x, y, half := n.onePlus("third", fe), k.vec(), k.vec()
	k.mul(square, e, y)
	n.times("half", y, half)
	n.timesPlusOne(half, x)
	k.mul(g, e, half)
	k.fma(half, x, sums[0])

	k.Comment("B += p g (1 + g² e (1 + f e/2)).")
	x = n.onePlus("half", fe)
	n.timesPlusOne(y, x)
	k.fma(g, x, sums[1])

	k.Comment("C += p g³ (1 + f e), D += p g³ f.")
	k.mul(square, g, g)
	n.plusOne(fe, fe)
	k.fma(g, fe, sums[2])
	k.fma(g, f, sums[3])
}

// curve returns g, g² and f = g² (1-2w), where g = 1/(1+w).
func (n *entropy) curve(g, w reg.VecVirtual) (_, square, f reg.VecVirtual) {
	k := n.k
	square, f = k.vec(), n.fresh("one")
	k.mul(g, g, square)
	n.use(k.VFNMADD231PD, k.VFNMADD231PD_BCST, "two", w, f)
	k.mul(square, f, f)
	return g, square, f
}
