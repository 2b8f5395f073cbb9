package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// hingeStep computes with two float64 at a time, in five loops over the classes; u carries what they share.
var hingeStep = source{"hinge", "step", "Step",
	"(a, s, delta *T, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64, outcome int)",
	func(k *kernel) {
		h := &hinge{k: k, a: k.arg("a"), s: k.arg("s"), delta: k.arg("delta"), m: k.arg("m"), y: k.arg("y"),
			u:  k.arg("u"),
			pa: k.x(), ps: k.x(), pd: k.x(), pu: k.x(), left: k.x(), temp: k.x(), other: k.x()}
		for _, v := range []*V{&h.zero, &h.lowest, &h.first, &h.two, &h.behind, &h.vy, &h.classes, &h.x, &h.d, &h.mask,
			&h.mask2, &h.scratch} {
			*v = k.vs(1)[0]
		}
		h.emit()
	}}

// hinge is the kernel under construction. Vectors are of float64, or of masks or integers as wide.
type hinge struct {
	k                    *kernel
	a, s, delta, m, y, u X
	pa, ps, pd, pu, left X // in a loop
	temp, other          X

	zero, lowest V
	first, two   V // 0, 1 and 2, 2
	behind       V // the mask of the second lane: with a number of classes that is odd there is none in the last vector
	vy, classes  V // y, and the numbers of a loop's classes
	x, d         V // scores or u, and dual variables
	mask, mask2  V
	scratch      V
}

func (h *hinge) emit() {
	k := h.k
	v := k.vs(11)
	most, dot, inv, t, next, sum, count, ay, r, top, radius := v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8],
		v[9], v[10]
	gap, margin, n, after, limit := sum, dot, h.scratch, most, inv // registers that are free by then, or until then
	rests, refused, out := k.NewLabel("rests"), k.NewLabel("refused"), k.NewLabel("out")
	k.Comment("Constants: 0, -Inf, the numbers of the classes, y.")
	k.zero(h.zero, h.behind, most, dot)
	h.spread(h.lowest, math.Float64bits(math.Inf(-1)))
	h.spread(h.two, 2)
	h.spread(h.first, 0)
	k.Op("MOVD", imm(1), h.temp)
	k.Op("VMOV", h.temp, h.first.Double(1))
	k.Op("MOVD", imm(-1), h.temp)
	k.Op("VMOV", h.temp, h.behind.Double(1))
	k.Op("VDUP", h.y, h.vy.Doubles())

	k.Comment("gap = r max(0, margin) - term + <a,s>, margin = 1 + most - s_y.")
	k.Op("VMOV", h.lowest.Bits(), most.Bits())
	h.each(func(last bool) {
		h.load(last)
		k.Op("VFMLA", h.x.Doubles(), h.d.Doubles(), dot.Doubles())
		h.excludeY(last)
		k.FMAX(a64.D2, most, most, h.x)
	})
	k.FMAXPScalar(most, most)
	k.Op("VDUP", most.Double(0), most.Doubles())
	k.FADDPScalar(a64.D2, gap, dot) // <a,s> for now
	h.number(margin, 1)
	k.Op("FADDD", most, margin, margin)
	h.element(h.s, h.x)
	k.Op("FSUBD", h.x, margin, margin)
	k.Op("FMOVD", k.param("r"), r)
	k.Op("FMAXD", margin, h.zero, h.x)
	k.Op("FMULD", r, h.x, h.x)
	k.Op("FMOVD", k.param("term"), h.d)
	k.Op("FSUBD", h.d, h.x, h.x)
	k.Op("FADDD", h.x, gap, gap)
	k.Op("FMOVD", gap, k.param("gap"))
	k.Comment("No step unless the gap is above negligible.")
	k.Op("FMOVD", k.param("negligible"), h.x)
	k.Op("FCMPD", h.x, gap) // gap - negligible
	k.Op("BLE", rests)      // or NaN

	k.Comment("u = (s - most) inv - a, and the threshold of the classes of old and of the largest score.")
	k.Op("FMOVD", k.param("inv"), inv)
	k.Op("FMULD", inv, margin, top)
	h.element(h.a, h.x)
	k.Op("FADDD", h.x, top, top)
	h.number(radius, 1-math.Ldexp(1, map[int]int{4: -23, 8: -52}[k.size]))
	k.Op("FMULD", r, radius, radius)
	k.Op("VDUP", inv.Double(0), inv.Doubles())
	k.zero(sum, count)
	h.each(func(last bool) {
		h.load(last)
		h.excludeY(last)
		k.FCMEQ(a64.D2, h.mask, h.x, most)
		k.FCMGT(a64.D2, h.mask2, h.zero, h.d)
		k.Op("VORR", h.mask.Bits(), h.mask2.Bits(), h.mask.Bits())
		k.FSUB(a64.D2, h.x, h.x, most)
		k.FMUL(a64.D2, h.x, h.x, inv)
		k.FSUB(a64.D2, h.x, h.x, h.d)
		h.count(sum, count)
		k.Op("FMOVQ.P", h.x, a64.Mem(h.pu, vectorBytes))
	})
	h.threshold(t, sum, count, top, radius, n)

	newton, solved := k.NewLabel("newton"), k.NewLabel("solved")
	k.section(newton, "Newton's method climbs, until the classes above t are those that t is of.")
	k.Op("VDUP", t.Double(0), t.Doubles())
	k.zero(sum, count)
	h.each(func(bool) {
		k.Op("FMOVQ.P", a64.Mem(h.pu, vectorBytes), h.x)
		k.FCMGT(a64.D2, h.mask, h.x, t)
		h.count(sum, count)
	})
	h.threshold(next, sum, count, top, radius, n)
	k.Op("FCMPD", t, next) // next - t
	k.Op("BLE", solved)    // or NaN
	k.Op("VMOV", next.Bits(), t.Bits())
	k.Op("B", newton)

	k.section(solved, "x = max(0, u - t), rounded, and its sum.")
	k.zero(after)
	h.each(func(bool) {
		k.Op("FMOVQ", a64.Mem(h.pu, 0), h.x)
		k.FSUB(a64.D2, h.x, h.x, t)
		k.FMAX(a64.D2, h.x, h.x, h.zero)
		if k.size == 4 {
			k.FCVTN(h.x, h.x)
			k.FCVTL(h.x, h.x)
		}
		k.FADD(a64.D2, after, after, h.x)
		k.Op("FMOVQ.P", h.x, a64.Mem(h.pu, vectorBytes))
	})
	k.FADDPScalar(a64.D2, after, after)
	k.Comment("No solution where the sum is above r (1 + m 2⁻⁵¹), or NaN.")
	k.Op("SCVTFD", h.m, h.x)
	h.number(limit, math.Ldexp(1, -51))
	k.Op("FMULD", limit, h.x, h.x)
	h.number(limit, 1)
	k.Op("FADDD", h.x, limit, limit)
	k.Op("FMULD", r, limit, limit)
	k.Op("FCMPD", limit, after) // after - limit
	k.Op("BHI", refused)        // or NaN
	k.Comment("a_y = min(top + t, radius), at least 0.")
	k.Op("FADDD", t, top, top)
	k.Op("FMIND", top, radius, top)
	k.Op("FMAXD", top, h.zero, top)
	k.Op("FCMPD", top, top)
	k.Op("BVS", refused)
	k.Op("FMOVD", after, k.param("after"))

	k.Comment("The move: a = -x, a_y for the class y; delta is the difference.")
	if k.size == 4 {
		k.Op("FCVTDS", top, top)
		k.Op("FCVTSD", top, top)
	}
	k.Op("VDUP", top.Double(0), ay.Doubles())
	same := count
	k.FCMEQ(a64.D2, same, h.zero, h.zero)
	h.each(func(last bool) {
		h.widen(h.pa, h.d, last, false)
		k.Op("FMOVQ.P", a64.Mem(h.pu, vectorBytes), h.x)
		k.FSUB(a64.D2, h.x, h.zero, h.x)
		k.Op("VCMEQ", h.vy.Doubles(), h.classes.Doubles(), h.mask.Doubles())
		k.Op("VBIT", h.mask.Bits(), ay.Bits(), h.x.Bits())
		k.FCMEQ(a64.D2, h.mask, h.x, h.d)
		k.Op("VAND", h.mask.Bits(), same.Bits(), same.Bits())
		k.FSUB(a64.D2, h.d, h.x, h.d)
		whole, one := "FMOVQ", "FMOVD"
		if k.size == 4 {
			k.FCVTN(h.x, h.x)
			k.FCVTN(h.d, h.d)
			whole, one = "FMOVD", "FMOVS"
		}
		k.Op(whole+".P", h.d, a64.Mem(h.pd, 2*k.size))
		if last {
			k.Op(one, h.x, a64.Mem(h.pa, 0))
		} else {
			k.Op(whole+".P", h.x, a64.Mem(h.pa, 2*k.size))
		}
	})
	k.Op("VMOV", same.Double(0), h.temp)
	k.Op("VMOV", same.Double(1), h.other)
	k.Op("AND", h.other, h.temp, h.temp)
	k.Op("ADD", imm(1), h.temp, h.temp) // 0 where all are the same, 1 where not
	k.Op("MOVD", h.temp, k.param("outcome"))
	k.Op("RET")

	k.section(rests, "No step.")
	k.Op("MOVD", imm(0), h.temp)
	k.Op("B", out)
	k.section(refused, "No solution.")
	k.Op("MOVD", imm(-1), h.temp)
	k.Bind(out)
	k.Op("MOVD", h.temp, k.param("outcome"))
	k.Op("FMOVD", k.param("term"), h.x)
	k.Op("FMOVD", h.x, k.param("after"))
	k.Op("RET")
}

// each calls f in a loop over pairs of classes, and once more for the last of an odd number.
func (h *hinge) each(f func(last bool)) {
	k, loop, rest, done := h.k, h.k.NewLabel("loop"), h.k.NewLabel("rest"), h.k.NewLabel("done")
	for _, p := range [][2]X{{h.a, h.pa}, {h.s, h.ps}, {h.delta, h.pd}, {h.u, h.pu}} {
		k.Op("MOVD", p[0], p[1])
	}
	k.Op("VMOV", h.first.Bits(), h.classes.Bits())
	k.Op("SUBS", imm(2), h.m, h.left)
	k.Op("BLT", rest)
	k.section(loop, "Two classes.")
	f(false)
	k.Op("VADD", h.two.Doubles(), h.classes.Doubles(), h.classes.Doubles())
	k.Op("SUBS", imm(2), h.left, h.left)
	k.Op("BGE", loop)
	k.Bind(rest)
	k.Op("ADDS", imm(2), h.left, h.left)
	k.Op("BEQ", done)
	k.Comment("The last class of an odd number.")
	f(true)
	k.Bind(done)
}

// load reads scores and dual variables.
func (h *hinge) load(last bool) {
	h.widen(h.ps, h.x, last, true)
	h.widen(h.pa, h.d, last, true)
}

// widen reads two elements, or the last and 0.
func (h *hinge) widen(p X, to V, last, forward bool) {
	k := h.k
	whole, one := "FMOVQ", "FMOVD"
	if k.size == 4 {
		whole, one = "FMOVD", "FMOVS"
	}
	switch {
	case last:
		k.Op(one, a64.Mem(p, 0), to)
	case forward:
		k.Op(whole+".P", a64.Mem(p, 2*k.size), to)
	default:
		k.Op(whole, a64.Mem(p, 0), to)
	}
	if k.size == 4 {
		k.FCVTL(to, to)
	}
}

// excludeY puts -Inf in place of the score of y, and of the one behind the last.
func (h *hinge) excludeY(last bool) {
	k := h.k
	k.Op("VCMEQ", h.vy.Doubles(), h.classes.Doubles(), h.mask.Doubles())
	if last {
		k.Op("VORR", h.behind.Bits(), h.mask.Bits(), h.mask.Bits())
	}
	k.Op("VBIT", h.mask.Bits(), h.lowest.Bits(), h.x.Bits())
}

// count adds x where the mask is set, and 1 for each.
func (h *hinge) count(sum, count V) {
	k := h.k
	k.Op("VSUB", h.mask.Doubles(), count.Doubles(), count.Doubles())
	k.Op("VAND", h.mask.Bits(), h.x.Bits(), h.mask.Bits())
	k.FADD(a64.D2, sum, sum, h.mask)
}

// threshold sets t to the larger of (sum - top)/(n + 1) and (sum - radius)/n.
func (h *hinge) threshold(t, sum, count, top, radius, n V) {
	k := h.k
	k.Comment("t = max((sum - top)/(n + 1), (sum - radius)/n).")
	k.FADDPScalar(a64.D2, sum, sum)
	k.Op("VMOV", count.Double(0), h.temp)
	k.Op("VMOV", count.Double(1), h.other)
	k.Op("ADD", h.other, h.temp, h.temp)
	k.Op("SCVTFD", h.temp, n)
	k.Op("FSUBD", radius, sum, h.x)
	k.Op("FDIVD", n, h.x, h.x)
	h.number(h.d, 1)
	k.Op("FADDD", h.d, n, n)
	k.Op("FSUBD", top, sum, t)
	k.Op("FDIVD", n, t, t)
	k.Op("FMAXD", h.x, t, t)
}

// spread sets both lanes to the bits.
func (h *hinge) spread(v V, bits uint64) {
	h.k.Op("MOVD", a64.Constant(bits), h.temp)
	h.k.Op("VDUP", h.temp, v.Doubles())
}

// number sets the lower lane.
func (h *hinge) number(v V, value float64) {
	h.k.Op("MOVD", a64.Constant(math.Float64bits(value)), h.temp)
	h.k.Op("FMOVD", h.temp, v)
}

// element reads number y.
func (h *hinge) element(base X, to V) {
	k := h.k
	k.Op("ADD", a64.Shifted(h.y, k.shift()), base, h.temp)
	k.Op(k.move, a64.Mem(h.temp, 0), to)
	if k.size == 4 {
		k.Op("FCVTSD", to, to)
	}
}
