package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// pqWithin and pqWithinTails compare 16 codes at once, and look at each of them only where one may be within the limit.
var (
	pqWithin = source{"pq", "within", "Within",
		"(n int, s *uint16, kept *float32, limit *float32, first uint32, dst *uint32) int", func(k *kernel) {
			(&withinKernel{k: k, fields: k.vs(9)}).emit()
		}}
	pqWithinTails = source{"pq", "withintails", "WithinTails",
		"(n int, s *int32, kept, slope, tail *float32, tails int, limit *float32, first uint32, dst *uint32) int",
		func(k *kernel) {
			t := &withinTails{k.arg("slope"), k.arg("tail"), k.arg("tails"), k.x(), k.x(), k.x()}
			(&withinKernel{k: k, fields: k.vs(10), tails: t}).emit()
		}}
)

func (w *withinKernel) emit() {
	k := w.k
	n, dst, i := k.arg("n"), k.arg("dst"), k.x()
	w.s, w.kept, w.limit, w.temp = k.arg("s"), k.arg("kept"), k.arg("limit"), k.vs(7)
	start, m, far := k.x(), []X{k.x(), k.x()}, k.vs(5)
	loop, next, end := k.NewLabel("loop"), k.NewLabel("next"), k.NewLabel("end")
	for f, v := range w.fields {
		k.Op("ADD", imm(4*f), w.limit, start)
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
	w.advance()
	k.Op("ADD", imm(lanesPQ), i, i)
	k.Op("SUBS", imm(lanesPQ), n, n)
	k.Op("BNE", loop)
	k.section(end, "How many.")
	k.Op("SUB", start, dst, dst)
	k.Op("LSR", imm(2), dst, dst)
	k.Op("MOVD", dst, k.param("ret"))
	k.Op("RET")
}

// advance goes to the next 16 codes.
func (w *withinKernel) advance() {
	k, step := w.k, 4*lanesPQ
	k.Op("ADD", imm(w.sumBytes()*lanesPQ), w.s, w.s)
	k.Op("ADD", imm(step), w.kept, w.kept)
	if t := w.tails; t != nil {
		k.Op("ADD", imm(step), t.slope, t.slope)
		k.Op("ADD", imm(step), t.tail, t.tail)
	}
}

// limitShift is the place of the tenth field, which a TailLimit has, and behind it the tails.
const limitShift = 9

type withinKernel struct {
	k              *kernel
	s, kept, limit X
	fields, temp   []V
	tails          *withinTails // nil: the slope is u, there are no tails, and sums have 16 bits
}

// withinTails are the arguments that WithinTails has beside, and registers for a loop over tails.
type withinTails struct{ slope, tail, tails, of, limit, left X }

// sumBytes is the size of a sum.
func (w *withinKernel) sumBytes() int {
	if w.tails != nil {
		return 4
	}
	return 2
}

// far sets the lanes of v to ones for each of the next 16 codes' quarter h that is beyond the limit.
func (w *withinKernel) far(v V, h int) {
	k := w.k
	origin, step, part, square, base, norms, kappa, tiny, aligned := w.fields[0], w.fields[1], w.fields[2], w.fields[3],
		w.fields[4], w.fields[5], w.fields[6], w.fields[7], w.fields[8]
	t, sum, u, e, most, norm, g := w.temp[0], w.temp[1], w.temp[2], w.temp[3], w.temp[4], w.temp[5], w.temp[6]
	set := func(d, from V) { k.Op("VORR", from.Bits(), from.Bits(), d.Bits()) }
	if w.tails != nil {
		k.Op("FMOVQ", a64.Mem(w.s, 16*h), sum)
	} else {
		k.Op("FMOVD", a64.Mem(w.s, 8*h), sum)
		k.Op("VUXTL", sum.LowWords(), sum.Ints())
	}
	k.SCVTF(a64.S4, sum, sum)
	k.Op("FMOVQ", a64.Mem(w.kept, 2*4*blockPQ+16*h), e)
	set(u, origin)
	k.fms(u, step, sum)
	if w.tails != nil {
		set(t, w.fields[limitShift])
	} else {
		k.Op("FMOVQ", a64.Mem(w.kept, 3*4*blockPQ+16*h), t)
		k.mul(t, t, part)
	}
	k.fma(t, u, e)
	k.Op("FMOVQ", a64.Mem(w.kept, 16*h), u)
	k.Op("FMOVQ", a64.Mem(w.kept, 4*blockPQ+16*h), e)
	k.mul(most, kappa, e)
	set(norm, e)
	k.fma(norm, u, u)
	set(e, square)
	k.fms(e, t, t)
	set(sum, tiny)
	k.fma(sum, most, e)
	set(g, base)
	k.fma(g, norms, norm)
	if w.tails != nil {
		w.addTails(g, t, h)
	} else {
		k.fms(g, u, t)
	}
	k.FABS(a64.S4, e, g)
	k.mul(g, g, e)
	k.FCMGT(a64.S4, v, g, sum)

	k.FABS(a64.S4, e, t)
	k.mul(e, e, t)
	k.mul(e, e, norm)
	k.mul(sum, u, aligned)
	k.mul(sum, sum, u)
	k.FCMGT(a64.S4, e, e, sum)
	k.Op("VEOR", v.Bits(), e.Bits(), sum.Bits())
	k.Op("VAND", sum.Bits(), v.Bits(), v.Bits()) // far, and not aligned
}

// addTails takes slope t from g, and adds to it what tails r make of it: r (norms r - the limit's).
func (w *withinKernel) addTails(g, t V, h int) {
	k, a, norms, r, less := w.k, w.tails, w.fields[5], w.temp[3], w.temp[4]
	end := k.NewLabel("tailsend")
	k.Op("FMOVQ", a64.Mem(a.slope, 16*h), r)
	k.fms(g, r, t)
	k.Op("CBZ", a.tails, end)
	k.Op("ADD", imm(16*h), a.tail, a.of)
	k.Op("ADD", imm(4*(limitShift+1)), w.limit, a.limit)
	k.Op("MOVD", a.tails, a.left)
	k.repeat("tail", a.left, func() {
		k.Op("FMOVQ", a64.Mem(a.of, 0), r)
		k.Op("VLD1R.P", a64.Mem(a.limit, 4), a64.IntsList(less))
		k.fms(less, norms, r)
		k.fms(g, r, less)
		k.Op("ADD", imm(4*blockPQ), a.of, a.of)
	})
	k.Bind(end)
}
