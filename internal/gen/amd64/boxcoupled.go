package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A visit of labels that a matrix couples. The signs of labels that are not true are turned, as in a group: a vector
// sigma has a sign bit in their lanes. One pass over the labels, a vector at a time, computes the gap. The next one
// writes where the labels of a vector go without the moves before them, and then visits these labels one after the
// other: a step of one number, and a row of the matrix times it added to all of delta, in whole vectors.

const coupledSig = "(a, s, delta *T, m int, y *uint64, p **T, h T, least float64) (gap, term, quadratic float64, " +
	"outcome int)"

var coupledHinge = source{
	family: "box", name: "coupledhinge", entry: "CoupledHinge", sig: coupledSig,
	emit:   func(k *kernel) { newBoxCoupled(k, false).emit() },
	beside: []source{coupledSquared},
}

var coupledSquared = source{
	family: "box", name: "coupledsquared", entry: "CoupledSquared", sig: coupledSig,
	emit: func(k *kernel) { newBoxCoupled(k, true).emit() },
}

// boxCoupled is a kernel under construction.
type boxCoupled struct {
	boxGroup
	turned             reg.GPVirtual  // a bit for each label from the vector at hand on: set where it is not true
	moved, end         reg.GPVirtual  // end: the bytes of delta
	h, term, quadratic reg.VecVirtual // sums in float64
	h64                reg.VecVirtual
	local              operand.Mem // of vectors: where labels go, h/curvature with the sign, t a, sigma
}

func newBoxCoupled(k *kernel, squared bool) *boxCoupled {
	b := &boxCoupled{boxGroup: *newBoxGroup(k, squared)}
	b.m, b.at, b.zero = k.arg("m"), k.GP64(), k.vec()
	b.a, b.box.s, b.delta, b.p, b.y = k.arg("a"), k.arg("s"), k.arg("delta"), k.arg("p"), k.arg("y")
	b.turned, b.moved = k.GP64(), k.GP64()
	k.zero(b.zero)
	b.sigma, b.x, b.q = k.vecs(1), k.vecs(1), k.vecs(1)
	return b
}

// field is number i of the problem: margins, ends, the matrix, its diagonal, its stride; then Floor, Bend and R.
func (b *boxCoupled) field(i int) operand.Mem {
	if i < 5 {
		return operand.Mem{Base: b.p, Disp: 8 * i}
	}
	return operand.Mem{Base: b.p, Disp: 40 + (i-5)*b.k.size}
}

// array is number i of the problem's, in a register for a short time: there are few.
func (b *boxCoupled) array(i int) reg.GPVirtual {
	r := b.k.GP64()
	b.k.MOVQ(b.field(i), r)
	return r
}

// mem is the vector at hand of an array.
func (b *boxCoupled) mem(array reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: array, Index: b.at, Scale: uint8(b.k.size)}
}

func (b *boxCoupled) emit() {
	k := b.k
	b.gap()
	k.JBE(operand.LabelRef("rests")) // or NaN
	b.clear()
	b.sweep()
	k.VMOVSD(b.term.AsX(), b.address(1))
	k.VMOVSD(b.quadratic.AsX(), b.address(2))
	k.MOVQ(b.moved, b.address(3))
	k.done()

	k.section("rests", "No step: the other results are 0.")
	k.XORL(b.moved.As32(), b.moved.As32())
	for i := 1; i < 4; i++ {
		k.MOVQ(b.moved, b.address(i))
	}
	k.done()
}

// labels goes through the labels, a vector at a time. Of the last one by selects those that there are.
func (b *boxCoupled) labels(name string, f func(by mask)) {
	k, lanes := b.k, b.k.lanes()
	k.XORL(b.at.As32(), b.at.As32())
	k.Label(name)
	left, most := k.GP64(), k.GP64()
	k.MOVQ(b.m, left)
	k.SUBQ(b.at, left)
	k.MOVL(operand.U32(lanes), most.As32())
	k.CMPQ(left, most)
	k.CMOVQHI(most, left)
	by := k.maskOf(left)
	word := k.GP64()
	k.MOVQ(b.at, word)
	k.SHRQ(operand.U8(6), word)
	k.MOVQ(operand.Mem{Base: b.y, Index: word, Scale: 8}, word)
	k.NOTQ(word)
	k.SHRXQ(b.at, word, b.turned)
	f(by)
	k.ADDQ(operand.Imm(uint64(lanes)), b.at)
	k.CMPQ(b.at, b.m)
	k.JB(operand.LabelRef(name))
}

// load sets sigma, x = t a and q = U - t s.
func (b *boxCoupled) load(by mask) {
	k, turn := b.k, pick(b.k, b.k.VXORPS, b.k.VXORPD)
	held := b.y
	b.y = b.turned
	b.sign(0)
	b.y = held
	score := k.vec()
	k.loadMasked(b.mem(b.a), by, b.x[0])
	k.loadMasked(b.mem(b.box.s), by, score)
	turn(b.x[0], b.sigma[0], b.x[0])
	turn(score, b.sigma[0], score)
	k.load(b.mem(b.array(0)), b.q[0])
	k.sub(score, b.q[0], b.q[0])
}

// gap returns the gap, and compares it with least.
func (b *boxCoupled) gap() {
	k, sum, squares := b.k, b.k.vec(), b.k.vec()
	b.comment("gap = sum of ((Hi if q > 0, else 0) - x) q, where x = t a, q = U - t s.",
		"gap = sum of x (v - q) + R (v - bend x)², where x = t a, q = U - t s, v = clip(q).")
	k.zero(sum)
	if b.squared {
		k.zero(squares)
	}
	b.labels("gap", func(by mask) {
		b.load(by)
		d := b.away()
		if !b.squared {
			k.fma(b.q[0], d, sum)
			return
		}
		k.fma(d, d, squares)
		b.clip(b.q[0], b.mem(b.array(1)), d)
		k.sub(b.q[0], d, d)
		k.fma(b.x[0], d, sum)
	})
	k.sumLanes(sum, k.bytes)
	if b.squared {
		k.sumLanes(squares, k.bytes)
		r := k.vec()
		k.bcast(b.field(7), r)
		k.fma(r, squares, sum)
	}
	k.VUCOMISD(k.scalarArg("least"), b.result(0, sum))
}

// away returns (Hi if q > 0, else 0) - x, or clip(q) - bend x of the squared hinge.
func (b *boxCoupled) away() reg.VecVirtual {
	k, d := b.k, b.k.vec()
	if b.squared {
		bend := k.vec()
		k.bcast(b.field(6), bend)
		b.clip(b.q[0], b.mem(b.array(1)), d)
		k.fnma(bend, b.x[0], d)
		return d
	}
	if positive := k.compare(0x1e, b.zero, b.q[0]); k.wide {
		pick(k, k.VMOVUPS_Z, k.VMOVUPD_Z)(b.mem(b.array(1)), positive.k, d)
	} else {
		k.and(b.mem(b.array(1)), positive.v, d)
	}
	k.sub(b.x[0], d, d)
	return d
}

// clip keeps v within [0, hi].
func (b *boxCoupled) clip(v reg.VecVirtual, hi operand.Mem, to reg.VecVirtual) {
	k, top := b.k, b.k.vec()
	k.load(hi, top)
	pick(k, k.VMAXPS, k.VMAXPD)(b.zero, v, to)
	pick(k, k.VMINPS, k.VMINPD)(top, to, to)
}

// clear sets delta to 0, in whole vectors up to a multiple of 64 bytes.
func (b *boxCoupled) clear() {
	k := b.k
	k.Comment("delta = 0, in whole vectors.")
	b.end = k.GP64()
	k.LEAQ(operand.Mem{Base: b.m, Disp: 64/k.size - 1}, b.end)
	k.ANDQ(operand.I32(-64/k.size), b.end)
	k.SHLQ(operand.U8(k.shift), b.end)
	k.XORL(b.at.As32(), b.at.As32())
	k.Label("clear")
	k.store(b.zero, operand.Mem{Base: b.delta, Index: b.at, Scale: 1})
	k.ADDQ(operand.Imm(uint64(k.bytes)), b.at)
	k.CMPQ(b.at, b.end)
	k.JB(operand.LabelRef("clear"))
}

// sweep visits the labels that are not at the end that their score pulls to.
func (b *boxCoupled) sweep() {
	k := b.k
	k.Comment("The visit of the labels that are not at the end that their score pulls to.")
	b.local = k.AllocLocal(4 * k.bytes)
	b.h, b.term, b.quadratic = k.vec(), k.vec(), k.vec()
	k.VXORPS(b.term, b.term, b.term) // all of it: the upper half would seem to be alive before
	k.VXORPS(b.quadratic, b.quadratic, b.quadratic)
	k.bcast(k.scalarArg("h"), b.h)
	b.h64 = b.exact(k.scalarArg("h"))
	k.XORL(b.moved.As32(), b.moved.As32())
	b.labels("labels", func(by mask) {
		b.load(by)
		bits := k.bits(k.compare(4, b.zero, b.away()))
		k.TESTQ(bits, bits)
		k.JZ(operand.LabelRef("next"))
		b.targets()
		k.section("label", "One label.")
		c := k.GP64()
		k.TZCNTQ(bits, c)
		k.BLSRQ(bits, bits)
		b.step(c)
		k.Label("still")
		k.TESTQ(bits, bits)
		k.JNZ(operand.LabelRef("label"))
		k.Label("next")
	})
}

// targets writes what the steps of the vector at hand need.
func (b *boxCoupled) targets() {
	b.comment("Targets without the moves before them: x + q/curve, curve = max(Floor, h R_cc).",
		"Targets without the moves before them: x + (q - bend x)/curve, curve = max(Floor, h R_cc + bend).")
	k, curve, below, inv := b.k, b.k.vec(), b.k.vec(), b.k.vec()
	k.mul(b.mem(b.array(3)), b.h, curve)
	k.bcast(b.field(5), below)
	if b.squared {
		all := k.vec()
		k.bcast(b.field(6), all)
		k.fnma(all, b.x[0], b.q[0])
		k.add(curve, all, all)
		pick(k, k.VMAXPS, k.VMAXPD)(all, below, below)
	} else {
		pick(k, k.VMAXPS, k.VMAXPD)(curve, below, below)
	}
	k.bcast(b.one(), inv)
	pick(k, k.VDIVPS, k.VDIVPD)(below, inv, inv)
	pick(k, k.VFMADD213PS, k.VFMADD213PD)(b.x[0], inv, b.q[0])
	k.mul(b.h, inv, inv)
	pick(k, k.VXORPS, k.VXORPD)(b.sigma[0], inv, inv)
	for i, v := range []reg.VecVirtual{b.q[0], inv, b.x[0], b.sigma[0]} {
		k.store(v, b.local.Offset(i*k.bytes))
	}
}

// step moves label c of the vector at hand, unless that changes nothing.
func (b *boxCoupled) step(c reg.GPVirtual) {
	k, label := b.k, b.k.GP64()
	k.LEAQ(operand.Mem{Base: b.at, Index: c, Scale: 1}, label)
	of := func(array reg.GPVirtual) operand.Mem {
		return operand.Mem{Base: array, Index: label, Scale: uint8(k.size)}
	}
	local := func(i int) operand.Mem {
		m := b.local.Offset(i * k.bytes)
		m.Index, m.Scale = c, uint8(k.size)
		return m
	}
	scalar := func(from operand.Mem) reg.VecVirtual {
		v := k.XMM()
		pick(k, k.VMOVSS, k.VMOVSD)(from, v)
		return v
	}
	k.Comment("z = clip(target - t h/curve delta), d = z - x.")
	z, delta, d := scalar(local(0)), scalar(of(b.delta)), k.XMM()
	pick(k, k.VFNMADD231SS, k.VFNMADD231SD)(local(1), delta, z)
	pick(k, k.VMAXSS, k.VMAXSD)(b.zero.AsX(), z, z)
	top := scalar(of(b.array(1)))
	pick(k, k.VMINSS, k.VMINSD)(top, z, z)
	pick(k, k.VSUBSS, k.VSUBSD)(local(2), z, d)
	pick(k, k.VUCOMISS, k.VUCOMISD)(b.zero.AsX(), d)
	k.JE(operand.LabelRef("still")) // or NaN
	k.Comment("It moves: a = t z, and the step is t d.")
	k.MOVL(operand.U32(1), b.moved.As32())
	sigma, step := scalar(local(3)), k.XMM()
	k.VXORPS(sigma, d, step)
	k.VXORPS(z, sigma, sigma)
	pick(k, k.VMOVSS, k.VMOVSD)(sigma, of(b.a))
	b.couple(label, step)

	b.count(of, coupledStep{z: z, x: scalar(local(2)), delta: delta, step: step})
}

// coupledStep is a step: where a label goes and from where, delta before, and what is added to a.
type coupledStep struct{ z, x, delta, step reg.VecVirtual }

// count adds to the sums what a step changes: step (s + h (delta + R_cc step/2)), and (z - x) (U - bend/2 (z + x)).
func (b *boxCoupled) count(of func(reg.GPVirtual) operand.Mem, c coupledStep) {
	k := b.k
	k.Comment("quadratic += step (s + h (delta + R_cc step/2)), in float64.")
	half, own, score := k.XMM(), b.exact(of(b.array(3))), b.exact(of(b.box.s))
	delta, step, z, x := b.exact(c.delta), b.exact(c.step), b.exact(c.z), b.exact(c.x)
	k.VMULSD(b.exactHalf(), own, half)
	k.VFMADD231SD(half, step, delta)
	k.VFMADD231SD(b.h64, delta, score)
	k.VFMADD231SD(step, score, b.quadratic.AsX())
	b.comment("term += d U, in float64.", "term += d (U - bend/2 (z + x)), in float64.")
	worth, d := b.exact(of(b.array(0))), k.XMM()
	k.VSUBSD(x, z, d)
	if b.squared {
		bend := b.exact(b.field(6))
		k.VADDSD(x, z, z)
		k.VMULSD(b.exactHalf(), z, z)
		k.VFNMADD231SD(bend, z, worth)
	}
	k.VFMADD231SD(d, worth, b.term.AsX())
}

// exact returns a number as float64.
func (b *boxCoupled) exact(from operand.Op) reg.VecVirtual {
	k, v := b.k, b.k.XMM()
	switch {
	case !k.f64:
		k.VCVTSS2SD(from, b.zero.AsX(), v)
	case operand.IsMem(from):
		k.VMOVSD(from, v)
	default:
		k.VMOVAPD(from, v)
	}
	return v
}

func (b *boxCoupled) exactHalf() operand.Mem {
	return b.k.global("half64", func() { b.k.AppendDatum(operand.U64(math.Float64bits(0.5))) })
}

// couple adds the step times the label's row of the matrix to delta.
func (b *boxCoupled) couple(label reg.GPVirtual, step reg.VecVirtual) {
	k, row, at, all := b.k, b.k.GP64(), b.k.GP64(), b.k.vec()
	k.Comment("delta += step times row c of the matrix.")
	pick(k, k.VBROADCASTSS, k.VBROADCASTSD)(step.AsX(), all)
	k.MOVQ(b.field(4), row)
	k.IMULQ(label, row)
	k.SHLQ(operand.U8(k.shift), row)
	k.ADDQ(b.field(2), row)
	k.XORL(at.As32(), at.As32())
	loop, v := k.newLabel("couple"), k.vec()
	k.Label(loop)
	k.load(operand.Mem{Base: b.delta, Index: at, Scale: 1}, v)
	k.fma(operand.Mem{Base: row, Index: at, Scale: 1}, all, v)
	k.store(v, operand.Mem{Base: b.delta, Index: at, Scale: 1})
	k.ADDQ(operand.Imm(uint64(k.bytes)), at)
	k.CMPQ(at, b.end)
	k.JB(operand.LabelRef(loop))
}

func (b *boxCoupled) one() operand.Mem {
	if b.k.f64 {
		return b.k.global("one64", func() { b.k.AppendDatum(operand.U64(math.Float64bits(1))) })
	}
	return b.k.global("one32", func() { b.k.AppendDatum(operand.U32(math.Float32bits(1))) })
}
