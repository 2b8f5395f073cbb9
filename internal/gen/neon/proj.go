package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The kernels of projections that pass over whole vectors. See package proj for what they compute. All take 16 elements
// at a time, and what is left one by one or, where classes matter, in the order of the classes.

// projMaxima keeps the 16 maxima in four or eight registers.
var projMaxima = source{"proj", "maxima", "Maxima", "(m, a *T, n int)", func(k *kernel) {
	m, a, n := k.arg("m"), k.arg("a"), k.arg("n")
	vecs := 16 / k.lanes()
	acc, x, above := k.vs(vecs), k.vs(2), k.vs(1)[0]
	lowest := k.x()
	bits := uint64(math.Float64bits(math.Inf(-1)))
	if k.size == 4 {
		bits = uint64(math.Float32bits(float32(math.Inf(-1)))) * 0x1_0000_0001
	}
	k.Op("MOVD", a64.Constant(bits), lowest)
	for _, v := range acc {
		k.Op("VDUP", lowest, v.As(a64.D2))
	}
	loop, rest, done := k.NewLabel("loop"), k.NewLabel("rest"), k.NewLabel("done")
	take := func(r run, from int) {
		k.load(r, x, a)
		r.each(func(i int) {
			k.FCMGT(k.arr, above, x[i], acc[from+i]) // false for NaN
			k.Op("VBIT", above.Bits(), x[i].Bits(), acc[from+i].Bits())
		})
	}
	k.Op("SUBS", imm(16), n, n)
	k.Op("BLT", rest)
	k.section(loop, "16 elements.")
	for i := 0; i < vecs; i += 2 {
		take(run{0, 2, vectorBytes, 2 * vectorBytes}, i)
	}
	k.Op("SUBS", imm(16), n, n)
	k.Op("BGE", loop)
	k.Bind(rest)
	k.Comment("What is left is joined by its own maxima, one by one: the next 16 classes lie in memory.")
	for i := 0; i < vecs; i += 2 {
		k.Op("FSTPQ", a64.Pair(acc[i], acc[i+1]), a64.Mem(m, i*vectorBytes))
	}
	k.Op("ADDS", imm(16), n, n)
	k.Op("BEQ", done)
	one := k.NewLabel("one")
	k.Bind(one)
	k.Op(k.move+".P", a64.Mem(a, k.size), x[0])
	k.Op(k.move, a64.Mem(m, 0), x[1])
	k.FCMGT(k.arr, above, x[0], x[1])
	k.Op("VBIT", above.Bits(), x[0].Bits(), x[1].Bits())
	k.Op(k.move+".P", x[1], a64.Mem(m, k.size))
	k.Op("SUBS", imm(1), n, n)
	k.Op("BNE", one)
	k.Bind(done)
	k.Op("RET")
}}

// projAbove drops 16 elements at once when their maximum is below t, as most are; else it writes each one, and the next
// over it unless it is to stay.
var projAbove = source{"proj", "above", "Above", "(dst, a *T, n int, t T) int", func(k *kernel) {
	dst, a, n := k.arg("dst"), k.arg("a"), k.arg("n")
	t := k.scalar("t")
	start, next := k.x(), k.x()
	x := k.vs(16 / k.lanes())
	top := k.vs(1)[0]
	k.Op("MOVD", dst, start)
	loop, rest, done := k.NewLabel("loop"), k.NewLabel("rest"), k.NewLabel("done")
	compare := pickOp(k, "FCMPS", "FCMPD")
	keep := func() { // the element at a
		k.Op(k.move+".P", a64.Mem(a, k.size), top)
		k.Op(k.move, top, a64.Mem(dst, 0))
		k.Op("ADD", imm(k.size), dst, next)
		k.Op(compare, t, top)                        // top - t
		k.Op("CSEL", a64.Cond("MI"), dst, next, dst) // MI: less, not unordered
	}
	k.Op("SUBS", imm(16), n, n)
	k.Op("BLT", rest)
	k.section(loop, "16 elements: nothing where their maximum is below t.")
	k.maximum(top, x, a)
	k.Op(compare, t, top)
	some, on := k.NewLabel("some"), k.NewLabel("on")
	k.Op("BPL", some)
	k.Op("ADD", imm(16*k.size), a, a)
	k.Op("B", on)
	k.section(some, "Each is written, and the next over it unless it stays.")
	for range 16 {
		keep()
	}
	k.Bind(on)
	k.Op("SUBS", imm(16), n, n)
	k.Op("BGE", loop)
	k.Bind(rest)
	k.Op("ADDS", imm(16), n, n)
	k.Op("BEQ", done)
	one := k.NewLabel("one")
	k.section(one, "The rest, one by one.")
	keep()
	k.Op("SUBS", imm(1), n, n)
	k.Op("BNE", one)
	k.section(done, "How many.")
	k.Op("SUB", start, dst, dst)
	k.Op("LSR", imm(k.shift()), dst, dst)
	k.Op("MOVD", dst, k.param("ret"))
	k.Op("RET")
}}

// pickOp chooses the name of an instruction by the element.
func pickOp(k *kernel, s, d string) string {
	if k.size == 4 {
		return s
	}
	return d
}

// maximum puts the largest of the 16 elements at p, NaN if one is, into the lowest lane of top.
func (k *kernel) maximum(top V, x []V, p X) {
	for i := 0; i < len(x); i += 2 {
		k.Op("FLDPQ", a64.Mem(p, i*vectorBytes), a64.Pair(x[i], x[i+1]))
	}
	for n := len(x) / 2; n > 0; n /= 2 {
		for i := range n {
			k.FMAX(k.arr, x[i], x[i], x[i+n])
		}
	}
	if k.size == 4 {
		k.FMAXV(top, x[0])
	} else {
		k.FMAXPScalar(top, x[0])
	}
}

// projClip computes in vectors of two float64; 16 elements whose maximum is not above skip become l.
var projClip = source{"proj", "clip", "Clip", "(dst, a *T, n int, skip T, c, t, l, u float64)", func(k *kernel) {
	dst, a, n := k.arg("dst"), k.arg("a"), k.arg("n")
	skip := k.scalar("skip")
	wide := *k
	wide.elem = elems[1]
	bounds := make(map[string]V)
	for _, name := range []string{"c", "t", "l", "u"} {
		bounds[name] = wide.scalar(name)
	}
	k.nextX, k.nextV = wide.nextX, wide.nextV
	x, y := k.vs(16/k.lanes()), k.vs(2)
	top, low := k.vs(1)[0], k.vs(1)[0]
	if k.size == 4 {
		k.FCVTN(low, bounds["l"])
		k.FCVTN2(low, bounds["l"])
	} else {
		k.Op("VMOV", bounds["l"].Bits(), low.Bits())
	}
	compute := func(x V) {
		k.FSUB(a64.D2, x, x, bounds["c"])
		k.FSUB(a64.D2, x, x, bounds["t"])
		k.FMAX(a64.D2, x, x, bounds["l"])
		k.FMIN(a64.D2, x, x, bounds["u"])
	}
	element := func(x V) {
		if k.size == 8 {
			compute(x)
			return
		}
		k.FCVTL(y[0], x)
		k.FCVTL2(y[1], x)
		compute(y[0])
		compute(y[1])
		k.FCVTN(x, y[0])
		k.FCVTN2(x, y[1])
	}
	loop, rest, done := k.NewLabel("loop"), k.NewLabel("rest"), k.NewLabel("done")
	k.Op("SUBS", imm(16), n, n)
	k.Op("BLT", rest)
	k.section(loop, "16 elements: does one reach skip?")
	k.maximum(top, x, a)
	some, on := k.NewLabel("some"), k.NewLabel("on")
	k.Op(pickOp(k, "FCMPS", "FCMPD"), skip, top) // top - skip
	k.Op("BHI", some)                            // greater or unordered
	k.Comment("None does: l.")
	for i := 0; i < len(x); i += 2 {
		k.Op("FSTPQ.P", a64.Pair(low, low), a64.Mem(dst, 2*vectorBytes))
	}
	k.Op("ADD", imm(16*k.size), a, a)
	k.Op("B", on)
	k.section(some, "One does: min(max(l, (a - c) - t), u).")
	for i := 0; i < len(x); i += 2 {
		k.Op("FLDPQ.P", a64.Mem(a, 2*vectorBytes), a64.Pair(x[i], x[i+1]))
		element(x[i])
		element(x[i+1])
		k.Op("FSTPQ.P", a64.Pair(x[i], x[i+1]), a64.Mem(dst, 2*vectorBytes))
	}
	k.Bind(on)
	k.Op("SUBS", imm(16), n, n)
	k.Op("BGE", loop)
	k.Bind(rest)
	k.Op("ADDS", imm(16), n, n)
	k.Op("BEQ", done)
	one := k.NewLabel("one")
	k.section(one, "The rest, one by one.")
	k.Op(k.move+".P", a64.Mem(a, k.size), x[0])
	element(x[0])
	k.Op(k.move+".P", x[0], a64.Mem(dst, k.size))
	k.Op("SUBS", imm(1), n, n)
	k.Op("BNE", one)
	k.Bind(done)
	k.Op("RET")
}}

// projSmall leaves the problem to others.
var projSmall = source{"proj", "small", "Small", "(dst, a *T, n, k, kind int, p *float64) int", func(k *kernel) {
	k.Op("MOVD", a64.Symbol("ZR"), k.param("ret"))
	k.Op("RET")
}}

// projPrune leaves it to the other kernels.
var projPrune = source{"proj", "prune", "Prune", "(cand *T, index *int32, m, a, dst *T, n, k int, p *float32) int",
	func(k *kernel) {
		none := k.x()
		k.Op("MOVD", imm(-1), none)
		k.Op("MOVD", none, k.param("ret"))
		k.Op("RET")
	}}
