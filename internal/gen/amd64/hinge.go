package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hingeStep computes with float64. With AVX-512 up to four vectors of classes stay in registers: what a visit takes is
// the chain of operations that wait for one another, not their number. More classes, and all with AVX2, are read anew
// in each of five loops.
var hingeStep = source{
	family: "hinge", name: "step", entry: "Step",
	sig: "(a, s, delta *T, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64, outcome int)",
	emit: func(k *kernel) {
		m := k.arg("m")
		if k.wide {
			for vectors := 1; vectors <= 4; vectors++ {
				more := fmt.Sprintf("more%d", vectors)
				k.CMPQ(m, operand.U32(8*vectors))
				k.JA(operand.LabelRef(more))
				k.Comment("At most " + counted(vectors, "vector") + " of classes, which stay in registers.")
				newHinge(k, m, vectors).emit()
				k.Label(more)
			}
		}
		k.Comment("Classes in loops of vectors.")
		newHinge(k, m, 0).emit()
	},
}

// hinge is one form of the kernel.
type hinge struct {
	k, double *kernel // for the element, and for float64
	vectors   int     // in registers; 0: loops
	parts     []*hingePart
	m, at     reg.GPVirtual  // classes, and in a loop the first of the vector at hand
	numbers   reg.VecVirtual // in a loop the numbers of its classes

	a, s, delta, u reg.GPVirtual
	vm, vy         reg.VecVirtual // m and y in all lanes
	zero, lowest   reg.VecVirtual
	sum, other     reg.VecVirtual // in registers in two chains
	count          reg.GPVirtual  // of what the sum is of, in a loop
	pair           reg.VecVirtual // [top, radius]
	rest           [2]mask        // AVX2: what is left behind the last whole vector, elements and float64
}

// hingePart is a vector of classes.
type hingePart struct {
	first   int            // class, from the loop's place
	numbers operand.Op     // of the classes
	s       reg.VecVirtual // scores, -Inf for y and behind the last class
	a       reg.VecVirtual // dual variables
	u       reg.VecVirtual // b less top, -Inf like the scores; then x
	in      mask           // lanes whose u counts
	isRest  bool           // AVX2: less than a vector
}

func newHinge(k *kernel, m reg.GPVirtual, vectors int) *hinge {
	double := *k
	double.elem = elems[1]
	h := &hinge{k: k, double: &double, vectors: vectors, m: m, a: k.arg("a"), s: k.arg("s"), delta: k.arg("delta"),
		u:  k.arg("u"),
		vy: k.vec(), zero: k.vec(), lowest: k.vec(), sum: k.vec()}
	k.VPBROADCASTQ(k.scalarArg("y"), h.vy)
	k.zero(h.zero)
	k.VBROADCASTSD(h.constant(math.Inf(-1)), h.lowest)
	if k.wide {
		h.vm = k.vec()
		k.VPBROADCASTQ(m, h.vm)
	}
	for i := range max(1, vectors) {
		h.parts = append(h.parts, &hingePart{first: 8 * i, numbers: k.classNumbers(8 * i), s: k.vec(), a: k.vec(),
			u: k.vec()})
	}
	if vectors > 0 {
		h.other = k.vec()
		return h
	}
	h.at, h.numbers = k.GP64(), k.vec()
	h.parts[0].numbers = h.numbers
	if !k.wide {
		rest := k.GP64()
		k.MOVQ(m, rest)
		k.ANDQ(operand.Imm(3), rest)
		h.rest = [2]mask{k.maskOf(rest), double.maskOf(rest)}
	}
	return h
}

func (h *hinge) emit() {
	k := h.k
	rests, refused, newton, solved := h.label("rests"), h.label("refused"), h.label("newton"), h.label("solved")

	k.Comment("gap = r max(0, margin) - term + <a,s>, margin = 1 + most - s_y.")
	most, dot := k.vec(), k.vec()
	k.VMOVAPD(h.lowest, most)
	k.zero(dot)
	h.each(func(p *hingePart) {
		h.load(p, dot)
		k.VMAXPD(p.s, most, most)
	})
	h.double.across(most, k.VMAXPD)
	h.double.across(dot, k.VADDPD)
	margin, gap, r, top, y := k.XMM(), k.XMM(), k.XMM(), k.XMM(), k.arg("y")
	k.VADDSD(h.constant(1), most.AsX(), margin)
	h.scalar(h.s, y, top)
	k.VSUBSD(top, margin, margin)
	k.VMOVSD(k.scalarArg("r"), r)
	k.VMAXSD(margin, h.zero.AsX(), gap) // NaN in the first operand is what comes out, here and below
	k.VMULSD(r, gap, gap)
	k.VSUBSD(k.scalarArg("term"), gap, gap)
	k.VADDSD(dot.AsX(), gap, gap)
	k.VMOVSD(gap, h.result(0))
	k.Comment("No step unless the gap is above negligible.")
	k.VUCOMISD(k.scalarArg("negligible"), gap)
	k.JBE(operand.LabelRef(rests))

	k.Comment("u = (s - most) inv - a, and the threshold of the classes of old and of the largest score.")
	inv, radius := k.vec(), k.XMM()
	k.VBROADCASTSD(k.scalarArg("inv"), inv)
	h.scalar(h.a, y, radius)
	k.VMULSD(inv.AsX(), margin, top)
	k.VADDSD(radius, top, top)
	k.VMULSD(h.constant(1-math.Ldexp(1, map[bool]int{false: -23, true: -52}[k.f64])), r, radius)
	h.pair = k.XMM()
	k.VUNPCKLPD(radius, top, h.pair)
	h.begin()
	h.each(func(p *hingePart) {
		if h.vectors == 0 {
			h.load(p, nil)
		}
		k.VSUBPD(most, p.s, p.u)
		k.VFMSUB213PD(p.a, inv, p.u)
		p.in = k.either(h.double.compare(0x11, h.zero, p.a), h.double.compare(0, most, p.s)) // a < 0, s = most
		h.add(p)
		h.keep(p)
	})
	set, t := h.end(), k.vec()
	h.threshold(set, t)

	k.section(newton, "Newton's method climbs, until the classes above t are those that t is of.")
	next := k.vec()
	h.begin()
	h.each(func(p *hingePart) {
		h.recall(p)
		p.in = h.double.compare(0x1e, t, p.u) // >
		h.add(p)
	})
	now := h.end()
	if h.vectors > 0 {
		k.CMPQ(now, set)
		k.JE(operand.LabelRef(solved))
		k.MOVQ(now, set)
	}
	h.threshold(now, next)
	k.VUCOMISD(t.AsX(), next.AsX())
	k.JBE(operand.LabelRef(solved))
	k.VMOVAPD(next, t)
	k.JMP(operand.LabelRef(newton))

	k.section(solved, "x = max(0, u - t), rounded, and its sum.")
	after, limit := k.vec(), k.XMM()
	k.zero(after)
	h.each(func(p *hingePart) {
		h.recall(p)
		k.VSUBPD(t, p.u, p.u)
		k.VMAXPD(p.u, h.zero, p.u)
		rounded := p.u
		if !k.f64 {
			rounded = k.vec()
			k.toF32(p.u)
			k.VCVTPS2PD(k.narrow(p.u), rounded)
		}
		k.VADDPD(rounded, after, after)
		h.keep(p)
	})
	h.double.across(after, k.VADDPD)
	k.Comment("No solution where the sum is above r (1 + m 2⁻⁵¹), or NaN.")
	k.VCVTSI2SDQ(h.m, h.zero.AsX(), limit)
	k.VMULSD(h.constant(math.Ldexp(1, -51)), limit, limit)
	k.VADDSD(h.constant(1), limit, limit)
	k.VMULSD(r, limit, limit)
	k.VUCOMISD(after.AsX(), limit)
	k.JB(operand.LabelRef(refused))
	k.VADDSD(t.AsX(), top, top) // a_y = min(top + t, radius), sooner known than the sum
	k.VMINSD(top, radius, top)
	k.VMAXSD(top, h.zero.AsX(), top)
	k.VUCOMISD(top, top)
	k.JB(operand.LabelRef(refused)) // NaN
	k.VMOVSD(after.AsX(), h.result(1))

	k.Comment("The move: a = -x, a_y for the class y; delta is the difference.")
	ay, moved := after, h.nothing()
	if k.f64 {
		k.VBROADCASTSD(top, ay)
	} else {
		k.VCVTSD2SS(top, top, top)
		k.VBROADCASTSS(top, ay)
	}
	h.each(func(p *hingePart) {
		h.recall(p)
		h.move(p, ay, moved)
	})
	k.MOVQ(h.outcome(moved), h.result(2))
	k.done()

	k.section(rests, "No step.")
	h.leave(0)
	k.section(refused, "No solution.")
	h.leave(-1)
}

// leave returns the dual term as it was.
func (h *hinge) leave(outcome int) {
	v := h.k.GP64()
	h.k.MOVQ(h.k.scalarArg("term"), v)
	h.k.MOVQ(v, h.result(1))
	h.k.MOVQ(operand.I32(outcome), h.result(2))
	h.k.done()
}

// threshold sets t to where the sum over the set of u - t is min(top + t, radius): the larger of (sum - top)/(n + 1)
// and (sum - radius)/n, where n is the number of lanes in the set, or the first if that is 0.
func (h *hinge) threshold(set reg.GPVirtual, t reg.VecVirtual) {
	k, n, other := h.k, h.k.XMM(), h.k.XMM()
	k.Comment("t = max((sum - top)/(n + 1), (sum - radius)/n).")
	h.double.across(h.sum, k.VADDPD)
	k.VSUBPD(h.pair, h.sum.AsX(), t.AsX())
	if h.vectors == 0 {
		k.VCVTSI2SDQ(set, h.zero.AsX(), n)
		k.VMOVDDUP(n, n)
		k.VADDPD(h.k.global("onezero", func() {
			k.AppendDatum(operand.F64(1))
			k.AppendDatum(operand.F64(0))
		}), n, n)
		k.VDIVPD(n, t.AsX(), t.AsX())
	} else {
		table, number := k.GP64(), k.GP64()
		k.LEAQ(h.reciprocals(), table)
		k.POPCNTL(set.As32(), number.As32())
		k.SHLQ(operand.Imm(4), number)
		k.VMULPD(operand.Mem{Base: table, Index: number, Scale: 1}, t.AsX(), t.AsX())
	}
	k.VPERMILPD(operand.Imm(1), t.AsX(), other)
	k.VMAXSD(t.AsX(), other, t.AsX())
	k.VBROADCASTSD(t.AsX(), t)
}

// reciprocals are pairs 1/(n+1), 1/n: quicker than a division, and radius covers the rounding of t.
func (h *hinge) reciprocals() operand.Mem {
	return h.k.global("reciprocals", func() {
		for n := range 33 { // all, if the caller has a negative a_y
			h.k.AppendDatum(operand.U64(math.Float64bits(1 / float64(n+1))))
			h.k.AppendDatum(operand.U64(math.Float64bits(1 / float64(n)))) // +Inf for 0
		}
	})
}

func (h *hinge) label(name string) string { return fmt.Sprintf("%sOf%d", name, h.vectors) }

func (h *hinge) result(i int) operand.Mem {
	b, err := h.k.ReturnIndex(i).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// constant is a number in memory.
func (h *hinge) constant(v float64) operand.Mem {
	bits := math.Float64bits(v)
	return h.k.global(fmt.Sprintf("double%x", bits), func() { h.k.AppendDatum(operand.U64(bits)) })
}

// classNumbers is a constant: first, first+1, ...
func (k *kernel) classNumbers(first int) operand.Mem {
	return k.global(fmt.Sprintf("classes%d", first), func() {
		for i := range 8 {
			k.AppendDatum(operand.U64(first + i))
		}
	})
}
