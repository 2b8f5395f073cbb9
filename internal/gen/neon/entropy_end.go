package main

import (
	"github.com/dualgap/dualgap/internal/gen/entropystep"
	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// end moves the dual variables. For y that is 0, from a p that is 0 as long.
func (n *entropy) end(a, delta, y, pa, pd X) {
	scale, different, saved := n.sums[2], n.sums[3], n.sums[4]
	n.Comment("Scale, or Shrunk where the p of the true class is below Small.")
	n.Op("FMOVD", a64.Mem(n.q, 8*entropystep.Scale), scale)
	none, large, restored, element := n.NewLabel("none"), n.NewLabel("large"), n.NewLabel("restored"), n.kernel.x()
	n.Op("CMP", imm(0), y)
	n.Op("BLT", none)
	n.Op("ADD", a64.Shifted(y, 3), n.row[2], n.temp)
	n.Op("ADD", a64.Shifted(y, n.narrow.shift()), a, element)
	n.Op("FMOVD", a64.Mem(n.temp, 0), saved)
	n.zero(n.x)
	n.Op("FMOVD", n.x, a64.Mem(n.temp, 0))
	n.Op(n.narrow.move, n.x, a64.Mem(element, 0))
	n.Op("FMOVD", a64.Mem(n.q, 8*entropystep.Small), n.c)
	n.Op("FCMPD", n.c, saved) // p - small
	n.Op("BGE", large)
	n.Op("FMOVD", a64.Mem(n.q, 8*entropystep.Shrunk), scale)
	n.Bind(large)
	n.Bind(none)
	n.Op("VDUP", scale.Double(0), scale.Doubles())
	n.zero(n.sums[0], n.sums[1], different)
	n.each([][2]X{{a, pa}, {delta, pd}}, func(last bool) {
		n.get(0, n.z, last, true)
		n.get(1, n.l, last, true)
		n.get(2, n.p, last, true)
		n.residual()
		n.solution(scale)
		if n.narrow.size == 4 { // x is rounded; its logarithm less log x is (rounded - x)/x to second order
			n.Op("VMOV", n.p.Bits(), n.x.Bits())
			n.FCVTN(n.p, n.p)
			n.FCVTL(n.p, n.p)
			n.FSUB(n.arr, n.x, n.p, n.x)
			n.add(n.sums[1], n.sums[1], n.x)
		}
		n.Comment("The sums of x and of x log(x/Scale).")
		n.add(n.sums[0], n.sums[0], n.p)
		n.fma(n.sums[1], n.l, n.p)
		n.widen(pa, n.e, last, false)
		n.Comment("a = -x, delta = its change.")
		n.FSUB(n.arr, n.p, n.the("zero"), n.p)
		n.FSUB(n.arr, n.e, n.p, n.e)
		n.Op("VORR", n.e.Bits(), different.Bits(), different.Bits())
		n.putElements(n.p, pa, last)
		n.putElements(n.e, pd, last)
	})
	n.Comment("The sums across the lanes, and whether a variable changed.")
	n.store2(n.q, entropystep.Sum)
	n.Op("CMP", imm(0), y)
	n.Op("BLT", restored)
	n.Op("FMOVD", saved, a64.Mem(n.temp, 0))
	n.Bind(restored)
	n.Op("VMOV", different.Double(0), n.left)
	n.Op("VMOV", different.Double(1), n.temp)
	n.Op("ORR", n.temp, n.left, n.left)
	n.Op("CMP", imm(0), n.left)
	n.Op("CSET", a64.Cond("NE"), n.left)
	n.Op("MOVD", n.left, n.param("outcome"))
	n.Op("RET")
}

// solution sets p to x, and l to the logarithm of x/scale.
func (n *entropy) solution(scale V) {
	n.Comment("x = Scale p (1 + v), v = g e (1 + g² e/2 (1 + f e/3)); log(x/Scale) = l + log(1 + v).")
	n.curve()
	n.mul(n.f, n.f, n.e)
	n.onePlus(n.x, "third", n.f)
	n.mul(n.g, n.g, n.e)
	n.mul(n.sq, n.sq, n.e)
	n.mul(n.sq, n.sq, n.constant("0.5"))
	n.mul(n.sq, n.sq, n.x)
	n.fma(n.g, n.g, n.sq) // v = g e (1 + g² e/2 (1 + f e/3))
	n.fma(n.p, n.p, n.g)
	n.mul(n.p, n.p, scale)
	log, next := n.x, n.y
	n.load("log"+coefficient(n.terms()), log)
	for i := n.terms() - 1; i > 0; i-- {
		n.load("log"+coefficient(i), next)
		n.fma(next, log, n.g)
		log, next = next, log
	}
	n.fma(n.l, log, n.g)
}

// terms are the terms of log(1+v)/v = 1 - v/2 + v²/3 - ... that count for the v that StepF32 is exact for.
func (n *entropy) terms() int {
	if n.narrow.size == 8 {
		return 3 // the next is 2^-39/4 of v, which is at most 2^-13
	}
	return 6 // the next is 2^-48/7 of v, which is at most 2^-8
}
