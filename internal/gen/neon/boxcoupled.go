package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// A visit of labels that a matrix couples. The signs of labels that are not true are turned, as in a group: sigma has a
// sign bit in their lanes. One pass over the labels computes the gap, a vector at a time and then one by one. The next
// pass takes one label at a time, in the lowest lane: where it moves, the step times a row of the matrix is added to
// all of delta, four vectors at a time.

const coupledSig = "(a, s, delta *T, m int, y *uint64, p **T, h T, least float64) (gap, term, quadratic float64, " +
	"outcome int)"

var coupledHinge = source{"box", "coupledhinge", "CoupledHinge", coupledSig,
	func(k *kernel) { newBoxCoupled(k, false).emit() }}

var coupledSquared = source{"box", "coupledsquared", "CoupledSquared", coupledSig,
	func(k *kernel) { newBoxCoupled(k, true).emit() }}

// boxCoupled is a kernel under construction.
type boxCoupled struct {
	*box
	y, at, end, row, to, moved X
	pu, ph, own                X // in a loop, as pa, ps and pd
	h, floor, one, bits, sigma V
	away, curve, step, score   V
	term, quadratic            V   // sums in float64
	delta64                    V   // before the step
	v, r                       []V // of delta and of a row
}

func newBoxCoupled(k *kernel, squared bool) *boxCoupled {
	b := &boxCoupled{box: &box{k: k, squared: squared, a: k.arg("a"), s: k.arg("s"), delta: k.arg("delta"),
		m: k.arg("m"), p: k.arg("p")}, y: k.arg("y")}
	for _, x := range []*X{&b.pa, &b.ps, &b.pd, &b.pu, &b.ph, &b.own, &b.left, &b.temp, &b.other, &b.at, &b.end, &b.row,
		&b.to, &b.moved} {
		*x = k.x()
	}
	for _, v := range []*[]V{&b.va, &b.vc, &b.vlo, &b.vhi, &b.q, &b.x, &b.mask, &b.sum, &b.squares} {
		*v = k.vs(1)
	}
	for _, v := range []*V{&b.zero, &b.bend, &b.floor, &b.one, &b.bits, &b.sigma, &b.away, &b.curve, &b.step,
		&b.score, &b.term, &b.quadratic, &b.delta64} {
		*v = k.vs(1)[0]
	}
	b.v, b.r = k.vs(4), k.vs(4)
	b.h = k.scalar("h")
	return b
}

// number spreads number i of those behind the pointers and the stride of the problem: Floor, Bend and R.
func (b *boxCoupled) number(i int, to V) {
	b.k.Op(b.k.move, a64.Mem(b.p, 40+i*b.k.size), to)
	b.k.Op("VDUP", to.Lane(b.k.arr, 0), to.As(b.k.arr))
}

// constant spreads a number.
func (b *boxCoupled) constant(v float64, to V) {
	b.k.Op("MOVD", a64.Constant(b.k.bitsOf(v)), b.temp)
	b.k.Op(b.k.move, b.temp, to)
	b.k.Op("VDUP", to.Lane(b.k.arr, 0), to.As(b.k.arr))
}

func (b *boxCoupled) emit() {
	k, rests := b.k, b.k.NewLabel("rests")
	b.begin()
	b.restart()
	b.comment("gap = sum of ((Hi if q > 0, else 0) - x) q, where x = t a, q = U - t s.",
		"gap = sum of x (v - q) + R (v - bend x)², where x = t a, q = U - t s, v = clip(q).")
	b.gaps()
	gap := b.sum[0]
	k.across(gap, gap)
	if b.squared {
		k.across(b.squares[0], b.squares[0])
		b.number(2, b.x[0])
		k.fma(gap, b.x[0], b.squares[0])
	}
	b.result(gap, "gap")
	k.Comment("No step unless the gap is above least.")
	k.Op("FMOVD", k.param("least"), b.x[0])
	k.Op("FCMPD", b.x[0], gap) // gap - least
	k.Op("BLE", rests)         // or NaN

	b.clear()
	b.restart()
	b.sweep()
	k.Op("FMOVD", b.term, k.param("term"))
	k.Op("FMOVD", b.quadratic, k.param("quadratic"))
	k.Op("MOVD", b.moved, k.param("outcome"))
	k.Op("RET")

	k.section(rests, "No step: the other results are 0.")
	k.Op("FMOVD", b.zero, k.param("term"))
	k.Op("FMOVD", b.zero, k.param("quadratic"))
	k.Op("MOVD", imm(0), b.temp)
	k.Op("MOVD", b.temp, k.param("outcome"))
	k.Op("RET")
}

// begin loads what both passes need.
func (b *boxCoupled) begin() {
	k := b.k
	low, high := uint64(1)|2<<32, uint64(4)|8<<32 // bits of labels
	if k.size == 8 {
		low, high = 1, 2
	}
	for half, v := range []uint64{low, high} {
		k.Op("MOVD", a64.Constant(v), b.temp)
		k.Op("VMOV", b.temp, b.bits.Double(half))
	}
	k.zero(b.zero, b.vlo[0], b.sum[0], b.squares[0], b.term, b.quadratic)
	b.number(0, b.floor)
	b.constant(1, b.one)
	if b.squared {
		b.number(1, b.bend)
	}
	k.Op("MOVD", imm(0), b.moved)
}

// restart goes back to the first label.
func (b *boxCoupled) restart() {
	k := b.k
	for _, p := range [][2]X{{b.a, b.pa}, {b.s, b.ps}, {b.delta, b.pd}, {b.m, b.left}} {
		k.Op("MOVD", p[0], p[1])
	}
	k.Op("MOVD", a64.Mem(b.p, 0), b.pu)
	k.Op("MOVD", a64.Mem(b.p, 8), b.ph)
	k.Op("MOVD", a64.Mem(b.p, 24), b.own)
	k.Op("MOVD", imm(0), b.at)
}

// load sets sigma, Hi, x = t a and q = U - t s of a vector of labels or of one label, by move, and advances by bytes.
func (b *boxCoupled) load(move string, bytes int) {
	k := b.k
	k.Op("LSR", imm(6), b.at, b.temp)
	k.Op("LSL", imm(3), b.temp, b.temp)
	k.Op("MOVD", a64.Indexed(b.y, b.temp), b.temp)
	k.Op("MVN", b.temp, b.temp)
	k.Op("LSR", b.at, b.temp, b.temp) // by at modulo 64
	k.Op("VDUP", b.temp, b.sigma.As(k.arr))
	k.Op("VCMTST", b.bits.As(k.arr), b.sigma.As(k.arr), b.sigma.As(k.arr))
	k.shiftLeft(b.sigma, b.sigma, 8*k.size-1)
	k.Op(move, a64.Mem(b.pa, 0), b.va[0])
	for _, p := range []struct {
		from X
		to   V
	}{{b.ps, b.score}, {b.pu, b.vc[0]}, {b.ph, b.vhi[0]}} {
		k.Op(move+".P", a64.Mem(p.from, bytes), p.to)
	}
	b.turn(b.va[0], b.va[0])
	b.turn(b.q[0], b.score)
	k.FSUB(k.arr, b.q[0], b.vc[0], b.q[0])
}

// turn sets d = t v.
func (b *boxCoupled) turn(d, v V) { b.k.Op("VEOR", v.Bits(), b.sigma.Bits(), d.Bits()) }

// distance sets away to (Hi if q > 0, else 0) - x, or to clip(q) - bend x of the squared hinge, with clip(q) in x.
func (b *boxCoupled) distance() {
	k := b.k
	if b.squared {
		k.Op("VMOV", b.q[0].Bits(), b.x[0].Bits())
		b.clip(0)
		k.Op("VMOV", b.x[0].Bits(), b.away.Bits())
		k.fms(b.away, b.bend, b.va[0])
		return
	}
	k.FCMGT(k.arr, b.mask[0], b.q[0], b.zero)
	k.andBits(b.away, b.vhi[0], b.mask[0])
	k.FSUB(k.arr, b.away, b.away, b.va[0])
}

// gaps adds up the gap of all labels.
func (b *boxCoupled) gaps() {
	k := b.k
	loop, ends, single, done := k.NewLabel("gap"), k.NewLabel("gapEnds"), k.NewLabel("gapSingle"), k.NewLabel("gapDone")
	body := func(move string, lanes int) {
		b.load(move, lanes*k.size)
		k.Op("ADD", imm(lanes*k.size), b.pa, b.pa)
		k.Op("ADD", imm(lanes), b.at, b.at)
		b.distance()
		if !b.squared {
			k.fma(b.sum[0], b.away, b.q[0])
			return
		}
		k.fma(b.squares[0], b.away, b.away)
		k.FSUB(k.arr, b.x[0], b.x[0], b.q[0])
		k.fma(b.sum[0], b.x[0], b.va[0])
	}
	k.Op("SUBS", imm(k.lanes()), b.left, b.left)
	k.Op("BLT", ends)
	k.section(loop, "Vectors of labels.")
	body("FMOVQ", k.lanes())
	k.Op("SUBS", imm(k.lanes()), b.left, b.left)
	k.Op("BGE", loop)
	k.Bind(ends)
	k.Op("ADDS", imm(k.lanes()), b.left, b.left)
	k.Op("BEQ", done)
	k.section(single, "The rest, one by one.")
	body(k.move, 1)
	k.Op("SUBS", imm(1), b.left, b.left)
	k.Op("BGT", single)
	k.Bind(done)
}

// clear sets delta to 0, 64 bytes at a time.
func (b *boxCoupled) clear() {
	k, loop := b.k, b.k.NewLabel("clear")
	k.Comment("delta = 0, in whole vectors.")
	k.Op("ADD", imm(64/k.size-1), b.m, b.end)
	k.Op("LSR", imm(6-k.shift()), b.end, b.end)
	k.Op("LSL", imm(6), b.end, b.end)
	k.Op("ADD", b.delta, b.end, b.end)
	k.zero(b.v...)
	k.Op("MOVD", b.delta, b.to)
	k.Bind(loop)
	k.stores(b.v, b.to, 0)
	k.Op("ADD", imm(64), b.to, b.to)
	k.Op("CMP", b.end, b.to)
	k.Op("BLO", loop)
}

// sweep visits the labels that are not at the end that their score pulls to.
func (b *boxCoupled) sweep() {
	k, loop, still := b.k, b.k.NewLabel("label"), b.k.NewLabel("still")
	k.section(loop, "The visit of the labels that are not at the end that their score pulls to.")
	b.load(k.move, k.size)
	b.distance()
	b.unlessZero(b.away, still)
	b.comment("z = clip(x + q/curve - t h/curve delta), curve = max(Floor, h R_cc).",
		"z = clip(x + (q - bend x)/curve - t h/curve delta), curve = max(Floor, h R_cc + bend).")
	k.Op(k.move, a64.Mem(b.own, 0), b.curve)
	k.mul(b.curve, b.curve, b.h)
	k.Op("VMOV", b.curve.Bits(), b.x[0].Bits())
	if b.squared {
		k.add(b.x[0], b.curve, b.bend)
		k.fms(b.q[0], b.bend, b.va[0])
	}
	k.FMAX(k.arr, b.x[0], b.x[0], b.floor)
	k.FDIV(k.arr, b.away, b.one, b.x[0])
	k.Op("VMOV", b.va[0].Bits(), b.x[0].Bits())
	k.fma(b.x[0], b.q[0], b.away)
	k.mul(b.away, b.away, b.h)
	b.turn(b.away, b.away)
	k.Op(k.move, a64.Mem(b.pd, 0), b.step)
	k.Op("VMOV", b.step.Bits(), b.delta64.Bits())
	k.fms(b.x[0], b.away, b.step)
	b.clip(0)
	k.FSUB(k.arr, b.away, b.x[0], b.va[0])
	b.unlessZero(b.away, still)
	k.Comment("It moves: a = t z, and the step is t d, d = z - x.")
	k.Op("MOVD", imm(1), b.moved)
	b.turn(b.step, b.away)
	b.turn(b.q[0], b.x[0])
	k.Op(k.move, b.q[0], a64.Mem(b.pa, 0))
	b.couple()
	b.count()
	k.Bind(still)
	for _, p := range []X{b.pa, b.pd, b.own} {
		k.Op("ADD", imm(k.size), p, p)
	}
	k.Op("ADD", imm(1), b.at, b.at)
	k.Op("CMP", b.m, b.at)
	k.Op("BLO", loop)
}

// unlessZero jumps where the lowest lane of v is 0.
func (b *boxCoupled) unlessZero(v V, to a64.Label) {
	b.k.Op(map[int]string{4: "FCMPS", 8: "FCMPD"}[b.k.size], b.zero, v)
	b.k.Op("BEQ", to)
}

// couple adds the step times the label's row of the matrix to delta.
func (b *boxCoupled) couple() {
	k, loop := b.k, b.k.NewLabel("couple")
	k.Comment("delta += step times row c of the matrix.")
	k.Op("MOVD", a64.Mem(b.p, 32), b.row)
	k.Op("MUL", b.at, b.row, b.row)
	k.Op("LSL", imm(k.shift()), b.row, b.row)
	k.Op("MOVD", a64.Mem(b.p, 16), b.temp)
	k.Op("ADD", b.temp, b.row, b.row)
	k.Op("MOVD", b.delta, b.to)
	k.Bind(loop)
	k.loads(b.v, b.to, 0)
	k.loads(b.r, b.row, 0)
	for j := range b.v {
		k.FMLALane(k.arr, b.v[j], b.r[j], b.step, 0)
	}
	k.stores(b.v, b.to, 0)
	k.Op("ADD", imm(64), b.row, b.row)
	k.Op("ADD", imm(64), b.to, b.to)
	k.Op("CMP", b.end, b.to)
	k.Op("BLO", loop)
}

// count adds to the sums, in float64, what a step changes: step (s + h (delta + R_cc step/2)), and (z - x) (U - bend/2
// (z + x)).
func (b *boxCoupled) count() {
	k, own, half, h, bend := b.k, b.curve, b.r[0], b.r[1], b.r[2] // of a row nothing is needed any more
	k.Comment("quadratic += step (s + h (delta + R_cc step/2)), in float64.")
	k.Op(k.move, a64.Mem(b.own, 0), own)
	k.Op("VMOV", b.h.Bits(), h.Bits())
	k.Op("VMOV", b.bend.Bits(), bend.Bits())
	for _, v := range []V{own, b.step, b.score, b.vc[0], b.delta64, b.x[0], b.va[0], h, bend} {
		if k.size == 4 {
			k.Op("FCVTSD", v, v)
		}
	}
	k.Op("MOVD", a64.Constant(0x3fe0000000000000), b.temp) // 1/2
	k.Op("FMOVD", b.temp, half)
	mul := func(d, x, y V) { k.FMUL(a64.D2, d, x, y) }
	fma := func(acc, x, y V) { k.Op("VFMLA", y.As(a64.D2), x.As(a64.D2), acc.As(a64.D2)) }
	mul(own, own, half)
	fma(b.delta64, own, b.step)
	fma(b.score, h, b.delta64)
	fma(b.quadratic, b.score, b.step)
	b.comment("term += d U, in float64.", "term += d (U - bend/2 (z + x)), in float64.")
	k.FSUB(a64.D2, b.away, b.x[0], b.va[0])
	if b.squared {
		k.FADD(a64.D2, b.x[0], b.x[0], b.va[0])
		mul(b.x[0], b.x[0], half)
		k.Op("VFMLS", b.x[0].As(a64.D2), bend.As(a64.D2), b.vc[0].As(a64.D2))
	}
	fma(b.term, b.vc[0], b.away)
}
