package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// pqWithin compares 16 codes at once, and looks at each of them only where one may be within the limit.
var pqWithin = source{"pq", "within", "Within",
	"(n int, s *uint16, kept *float32, limit *float32, first uint32, dst *uint32) int", func(k *kernel) {
		n, s, kept, dst, fields, i := k.arg("n"), k.arg("s"), k.arg("kept"), k.arg("dst"), k.arg("limit"), k.x()
		w := withinKernel{k: k, s: s, kept: kept, fields: k.vs(9), temp: k.vs(7)}
		start, m, far := k.x(), []X{k.x(), k.x()}, k.vs(5)
		loop, next, end := k.NewLabel("loop"), k.NewLabel("next"), k.NewLabel("end")
		for f, v := range w.fields {
			k.Op("ADD", imm(4*f), fields, start)
			k.Op("VLD1R", a64.Mem(start, 0), a64.IntsList(v))
		}
		k.Op("MOVWU", k.param("first"), i)
		k.Op("MOVD", dst, start)
		k.Op("CBZ", n, end)
		k.section(loop, "16 codes: may one be within the limit?")
		for h, v := range far[:4] {
			w.far(v, h)
		}
		all := far[4]
		k.Op("VAND", far[1].Bits(), far[0].Bits(), all.Bits())
		k.Op("VAND", far[2].Bits(), all.Bits(), all.Bits())
		k.Op("VAND", far[3].Bits(), all.Bits(), all.Bits())
		for h := range m {
			k.Op("VMOV", all.Double(h), m[h])
		}
		k.Op("AND", m[1], m[0], m[0])
		k.Op("CMN", imm(1), m[0])
		k.Op("BEQ", next)
		k.Comment("Code by code.")
		for l := range lanesPQ {
			skip := k.NewLabel("far")
			k.Op("VMOV", far[l/4].Int(l%4), m[0])
			k.Op("CBNZ", m[0], skip)
			k.Op("ADD", imm(l), i, m[1])
			k.Op("MOVW", m[1], a64.Mem(dst, 0))
			k.Op("ADD", imm(4), dst, dst)
			k.Bind(skip)
		}
		k.Bind(next)
		k.Op("ADD", imm(2*lanesPQ), s, s)
		k.Op("ADD", imm(4*lanesPQ), kept, kept)
		k.Op("ADD", imm(lanesPQ), i, i)
		k.Op("SUBS", imm(lanesPQ), n, n)
		k.Op("BNE", loop)
		k.section(end, "How many.")
		k.Op("SUB", start, dst, dst)
		k.Op("LSR", imm(2), dst, dst)
		k.Op("MOVD", dst, k.param("ret"))
		k.Op("RET")
	}}

type withinKernel struct {
	k            *kernel
	s, kept      X
	fields, temp []V
}

// far sets the lanes of v to ones for each of the next 16 codes' quarter h that is beyond the limit.
func (w withinKernel) far(v V, h int) {
	k := w.k
	origin, step, part, square, base, norms, kappa, tiny, aligned := w.fields[0], w.fields[1], w.fields[2], w.fields[3],
		w.fields[4], w.fields[5], w.fields[6], w.fields[7], w.fields[8]
	t, sum, u, e, most, norm, g := w.temp[0], w.temp[1], w.temp[2], w.temp[3], w.temp[4], w.temp[5], w.temp[6]
	set := func(d, from V) { k.Op("VORR", from.Bits(), from.Bits(), d.Bits()) }
	less := func(acc, a, b V) { k.Op("VFMLS", b.Ints(), a.Ints(), acc.Ints()) } // acc -= a b
	k.Comment("t = (Origin - Step s) scale + Part half.")
	k.Op("FMOVD", a64.Mem(w.s, 8*h), sum)
	k.Op("VUXTL", sum.LowWords(), sum.Ints())
	k.SCVTF(a64.S4, sum, sum)
	k.Op("FMOVQ", a64.Mem(w.kept, 2*4*blockPQ+16*h), e)
	set(u, origin)
	less(u, step, sum)
	k.Op("FMOVQ", a64.Mem(w.kept, 3*4*blockPQ+16*h), t)
	k.mul(t, t, part)
	k.fma(t, u, e)
	k.Op("FMOVQ", a64.Mem(w.kept, 16*h), u)
	k.Op("FMOVQ", a64.Mem(w.kept, 4*blockPQ+16*h), e)
	k.mul(most, kappa, e)
	set(norm, e)
	k.fma(norm, u, u)
	k.Comment("w = Square - t², and Kappa e w + Tiny.")
	set(e, square)
	less(e, t, t)
	set(sum, tiny)
	k.fma(sum, most, e)
	k.Comment("g = Base + Norms (u² + e) - u t, and g |g|.")
	set(g, base)
	k.fma(g, norms, norm)
	less(g, u, t)
	k.FABS(a64.S4, e, g)
	k.mul(g, g, e)
	k.FCMGT(a64.S4, v, g, sum)

	k.Comment("t |t| (u² + e), and u Aligned u.")
	k.FABS(a64.S4, e, t)
	k.mul(e, e, t)
	k.mul(e, e, norm)
	k.mul(sum, u, aligned)
	k.mul(sum, sum, u)
	k.FCMGT(a64.S4, e, e, sum)
	k.Op("VEOR", v.Bits(), e.Bits(), sum.Bits())
	k.Op("VAND", sum.Bits(), v.Bits(), v.Bits()) // far, and not aligned
}
