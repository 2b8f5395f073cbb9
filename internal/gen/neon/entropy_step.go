package main

import (
	"github.com/dualgap/dualgap/internal/gen/entropystep"
	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// step finds t by Newton's method, and moves the dual variables.
func (n *entropy) step() {
	a, delta, y, pa, pd, steps := n.arg("a"), n.arg("delta"), n.arg("y"), n.kernel.x(), n.kernel.x(), n.kernel.x()
	n.q = n.arg("q")
	solved, loop, refused := n.NewLabel("solved"), n.NewLabel("steps"), n.NewLabel("refused")
	n.Comment("z = l - H a, for the true class more by Plus.")
	n.start(a, pa, y)
	n.zero(n.t)
	n.Op("MOVD", imm(entropystep.Steps), steps)
	d, most := n.sums[0], n.sums[4]
	test := func() {
		n.Comment("t += d. Solved where neither |d| nor the largest |e| is above Near.")
		n.add(n.t, n.t, d)
		n.FABS(n.arr, d, d)
		n.FMAX(n.arr, d, d, most)
		n.Op("FMOVD", a64.Mem(n.q, 8*entropystep.Near), n.c)
		n.Op("FCMPD", n.c, d) // d - near
		n.Op("BLE", solved)   // or NaN
	}
	n.Comment("The first d, within the largest |e|.")
	n.slopes(false)
	n.root()
	n.FMIN(n.arr, d, d, most)
	n.zero(n.x)
	n.FSUB(n.arr, n.x, n.x, most)
	n.FMAX(n.arr, d, d, n.x) // within the largest |e|
	test()
	n.section(loop, "The next step.")
	n.slopes(true)
	n.root()
	test()
	n.Op("SUBS", imm(1), steps, steps)
	n.Op("BNE", loop)
	n.section(refused, "Outcome -1: no steps left, or NaN.")
	n.Op("MOVD", imm(-1), n.temp)
	n.Op("MOVD", n.temp, n.param("outcome"))
	n.Op("RET")
	n.section(solved, "Solved, unless t is NaN.")
	n.Op("FMOVD", n.t, a64.Mem(n.q, 8*entropystep.Shift))
	n.Op("FCMPD", n.t, n.t)
	n.Op("BVS", refused)
	n.end(a, delta, y, pa, pd)
	n.write()
}

// start sets z = l - h a, and more of it for y.
func (n *entropy) start(a, pa, y X) {
	n.parameter(entropystep.H)
	n.each([][2]X{{a, pa}}, func(last bool) {
		n.get(1, n.z, last, true)
		n.widen(pa, n.e, last, true)
		n.fms(n.z, n.e, n.c)
		n.put(0, n.z)
	})
	none := n.NewLabel("none")
	n.Op("CMP", imm(0), y)
	n.Op("BLT", none)
	n.Op("ADD", a64.Shifted(y, 3), n.row[0], n.temp)
	n.Op("FMOVD", a64.Mem(n.temp, 0), n.z)
	n.Op("FMOVD", a64.Mem(n.q, 8*entropystep.Plus), n.e)
	n.Op("FADDD", n.e, n.z, n.z)
	n.Op("FMOVD", n.z, a64.Mem(n.temp, 0))
	n.Bind(none)
}

// residual sets w = c p and e = z - l - w - t.
func (n *entropy) residual() {
	n.Comment("w = c p, e = z - l - w - t.")
	n.mul(n.w, n.p, n.parameter(entropystep.C))
	n.FSUB(n.arr, n.e, n.z, n.l)
	n.FSUB(n.arr, n.e, n.e, n.w)
	n.FSUB(n.arr, n.e, n.e, n.t)
}

// slopes adds up the polynomial of the sum, behind a step or without one, and finds the largest |e|.
func (n *entropy) slopes(step bool) {
	n.Comment("The sum is A - B d + C d²/2 - D d³/6; and the largest |e|.")
	n.zero(n.sums...)
	n.each(nil, func(last bool) {
		n.get(0, n.z, last, true)
		n.get(1, n.l, last, !step)
		n.get(2, n.p, last, !step)
		n.residual()
		if step {
			n.third()
			n.put(1, n.l)
			n.Comment("p = e^l.")
			n.Op("VMOV", n.l.Bits(), n.p.Bits())
			n.exp([]V{n.p})
			n.clear(n.p, last)
			n.put(2, n.p)
			n.residual()
		}
		n.clear(n.e, last)
		n.polynomial()
		n.FABS(n.arr, n.e, n.e)
		n.FMAX(n.arr, n.sums[4], n.sums[4], n.e)
	})
	n.Comment("The sums and the largest |e| of all lanes.")
	for _, v := range n.sums[:4] {
		n.FADDP(n.arr, v, v, v)
	}
	n.FMAXPScalar(n.sums[4], n.sums[4])
	n.Op("VDUP", n.sums[4].Double(0), n.sums[4].Doubles())
}

// third moves l by max(min(e, 0), e q³/max(q⁴/4, q⁴ + w e q²/2 + w (2-w) min(e², 1)/12)), q = 1 + w.
func (n *entropy) third() {
	q, square, down, v := n.g, n.sq, n.f, n.x
	n.Comment("l += max(min(e, 0), e q³/max(q⁴/4, q⁴ + w e q²/2 + w (2 - w) min(e², 1)/12)), q = 1 + w.")
	n.mul(v, n.e, n.e)
	n.FMIN(n.arr, v, v, n.constant("one"))
	n.FSUB(n.arr, down, n.constant("two"), n.w)
	n.mul(down, down, n.w)
	n.mul(down, down, n.constant("twelfth"))
	n.mul(down, down, v)
	n.add(q, n.w, n.constant("one"))
	n.mul(square, q, q)
	n.mul(v, n.w, n.e)
	n.mul(v, v, n.constant("0.5"))
	n.add(v, v, square)
	n.fma(down, square, v)
	n.mul(v, square, square)
	n.mul(v, v, n.constant("quarter"))
	n.FMAX(n.arr, down, down, v)
	n.mul(q, q, n.e)
	n.mul(q, q, square)
	n.FDIV(n.arr, q, q, down)
	n.FMIN(n.arr, n.e, n.e, n.constant("zero"))
	n.FMAX(n.arr, q, q, n.e)
	n.add(n.l, n.l, q)
	n.FMIN(n.arr, n.l, n.l, n.parameter(entropystep.Top))
}

// curve sets g = 1/(1+w), sq = g² and f = g² (1-2w).
func (n *entropy) curve() {
	n.Comment("g = 1/(1+w), f = g² (1 - 2w).")
	n.add(n.sq, n.w, n.constant("one"))
	n.FDIV(n.arr, n.g, n.constant("one"), n.sq)
	n.mul(n.sq, n.g, n.g)
	n.Op("VMOV", n.constant("one").Bits(), n.f.Bits())
	n.fms(n.f, n.w, n.constant("two"))
	n.mul(n.f, n.f, n.sq)
}

// onePlus sets d to 1 + a times the constant.
func (n *entropy) onePlus(d V, name string, a V) {
	n.Op("VMOV", n.the("one").Bits(), d.Bits())
	n.fma(d, a, n.constant(name))
}

// polynomial adds to the sums.
func (n *entropy) polynomial() {
	n.curve()
	n.mul(n.g, n.g, n.p) // p g
	n.mul(n.w, n.f, n.e) // f e
	n.add(n.sums[0], n.sums[0], n.p)

	n.Comment("A += p + p g e (1 + g² e/2 (1 + f e/3)).")
	n.onePlus(n.x, "third", n.w)
	n.mul(n.y, n.sq, n.e)
	n.mul(n.x, n.x, n.y)
	n.mul(n.x, n.x, n.constant("0.5"))
	n.mul(n.z, n.g, n.e)
	n.fma(n.z, n.z, n.x)
	n.add(n.sums[0], n.sums[0], n.z)

	n.Comment("B += p g (1 + g² e (1 + f e/2)).")
	n.onePlus(n.x, "0.5", n.w)
	n.mul(n.x, n.x, n.y)
	n.add(n.x, n.x, n.constant("one"))
	n.fma(n.sums[1], n.g, n.x)

	n.Comment("C += p g³ (1 + f e), D += p g³ f.")
	n.mul(n.g, n.g, n.sq)
	n.add(n.w, n.w, n.constant("one"))
	n.fma(n.sums[2], n.g, n.w)
	n.fma(n.sums[3], n.g, n.f)
}

// root sets the first sum to rho (1 + i² (N C/2 + i (i N² C²/2 - N² D/6))), i = 1/B, N = A - total, rho = N i, or to
// rho unless |rho| < 1.
func (n *entropy) root() {
	rho, i, c, d, plain := n.sums[0], n.sums[1], n.sums[2], n.sums[3], n.NewLabel("plain")
	n.Comment("d = rho (1 + i² (N C/2 + i (i N² C²/2 - N² D/6))), N = A - Total, i = 1/B, rho = N i;",
		"d = rho unless |rho| < 1.")
	n.FDIV(n.arr, i, n.the("one"), i)
	n.FSUB(n.arr, rho, rho, n.parameter(entropystep.Total))
	n.mul(c, c, rho)
	n.mul(c, c, n.constant("0.5"))
	n.mul(d, d, rho)
	n.mul(d, d, rho)
	n.mul(d, d, n.constant("sixth"))
	n.mul(n.x, c, c)
	n.add(n.x, n.x, n.x)
	n.mul(rho, rho, i)
	n.FABS(n.arr, n.y, rho)
	n.Op("FCMPD", n.the("one"), n.y) // |rho| - 1
	n.Op("BPL", plain)               // or NaN
	n.mul(n.x, n.x, i)
	n.FSUB(n.arr, n.x, n.x, d)
	n.fma(c, n.x, i)
	n.mul(i, i, i)
	n.mul(i, i, rho)
	n.fma(rho, i, c)
	n.Bind(plain)
}
