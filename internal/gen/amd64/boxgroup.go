package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A whole visit of a sparse example with 16 labels. The rows of W come by as in sparse/gemvt, and the scores stay in
// registers for the step, and the moves for the rows of W as they come by again. The signs of labels that are not true
// are turned: a vector sigma has a sign bit in their lanes.

const groupSig = "(w *T, idx *int32, val *T, nnz int, a *T, y int, p *T, inv T, least float64) (gap, after float64, " +
	"outcome int)"

var groupHinge = source{
	family: "box", name: "grouphinge", entry: "GroupHinge", sig: groupSig,
	emit:   func(k *kernel) { newBoxGroup(k, false).emit() },
	beside: []source{groupSquared},
}

var groupSquared = source{
	family: "box", name: "groupsquared", entry: "GroupSquared", sig: groupSig,
	emit: func(k *kernel) { newBoxGroup(k, true).emit() },
}

const groupSize = 16

// boxGroup is the step of package box's kernels whose arrays are registers.
type boxGroup struct {
	box
	y      reg.GPVirtual
	vecs   int              // that hold the labels
	scores []reg.VecVirtual // and then the moves
	sigma  []reg.VecVirtual
	x, q   []reg.VecVirtual // kept from the gap to the move, where there are registers enough
	hi, u  func(j int) operand.Mem
}

func newBoxGroup(k *kernel, squared bool) *boxGroup {
	b := &boxGroup{box: box{k: k, squared: squared}, vecs: groupSize / k.lanes()}
	b.sigma, b.x, b.q = make([]reg.VecVirtual, b.vecs), make([]reg.VecVirtual, b.vecs), make([]reg.VecVirtual, b.vecs)
	return b
}

// rows goes through the rows of W that x has numbers for, several at a time and then one by one.
func (b *boxGroup) rows(several int, do func(i int, row operand.Mem, value reg.VecVirtual)) {
	k := b.k
	w, idx, val, left := k.arg("w"), k.arg("idx"), k.arg("val"), k.arg("nnz")
	for _, n := range unique(several, 1) {
		loop, end := k.newLabel("rows"), k.newLabel("rowsEnd")
		k.SUBQ(operand.Imm(uint64(n)), left)
		k.JB(operand.LabelRef(end))
		k.section(loop, counted(n, "row")+" of W at a time.")
		for i := range n {
			row, value := k.GP64(), k.vec()
			k.MOVL(operand.Mem{Base: idx, Disp: 4 * i}, row.As32())
			k.SHLQ(operand.Imm(4+k.shift), row)
			k.bcast(k.at(val, i), value)
			do(i, operand.Mem{Base: w, Index: row, Scale: 1}, value)
		}
		k.ADDQ(operand.Imm(uint64(4*n)), idx)
		k.ADDQ(operand.Imm(uint64(n*k.size)), val)
		k.SUBQ(operand.Imm(uint64(n)), left)
		k.JAE(operand.LabelRef(loop))
		k.Label(end)
		k.ADDQ(operand.Imm(uint64(n)), left)
	}
}

// vector is the one with the given number of those behind m.
func (b *boxGroup) vector(m operand.Mem, j int) operand.Mem { return m.Offset(j * b.k.bytes) }

// gather sets the scores.
func (b *boxGroup) gather() {
	k, several := b.k, max(1, 4/b.vecs)
	k.Comment("s = sum of the rows of W, times the numbers of x.")
	sums := k.vecs(several * b.vecs)
	for _, v := range sums {
		k.VXORPS(v, v, v)
	}
	b.rows(several, func(i int, row operand.Mem, value reg.VecVirtual) {
		for j := range b.vecs {
			k.fma(b.vector(row, j), value, sums[i*b.vecs+j])
		}
	})
	for ; several > 1; several /= 2 {
		half := several / 2 * b.vecs
		for j := range half {
			k.add(sums[half+j], sums[j], sums[j])
		}
	}
	b.scores = sums[:b.vecs]
}

// scatter adds the moves times x to W.
func (b *boxGroup) scatter() {
	k := b.k
	b.rows(max(1, 4/b.vecs), func(_ int, row operand.Mem, value reg.VecVirtual) {
		for j, delta := range b.scores {
			v := k.vec()
			k.load(b.vector(row, j), v)
			k.fma(delta, value, v)
			k.store(v, b.vector(row, j))
		}
	})
}

// sign sets sigma of the lanes of vector j.
func (b *boxGroup) sign(j int) {
	k, v := b.k, b.k.vec()
	b.sigma[j] = v
	if k.wide {
		mask := k.K()
		k.KMOVW(b.y.As32(), mask)
		if j > 0 {
			k.KSHIFTRW(operand.Imm(uint64(j*k.lanes())), mask, mask)
		}
		k.bcast(b.signBit(), v)
		pick(k, k.VMOVUPS_Z, k.VMOVUPD_Z)(v, mask, v)
		return
	}
	if k.f64 {
		k.VMOVQ(b.y, v.AsX())
		k.VPBROADCASTQ(v.AsX(), v)
	} else {
		k.VMOVD(b.y.As32(), v.AsX())
		k.VPBROADCASTD(v.AsX(), v)
	}
	k.VPAND(b.vector(b.labelBits(), j), v, v)
	pick(k, k.VPCMPEQD, k.VPCMPEQQ)(b.vector(b.labelBits(), j), v, v)
	pick(k, k.VPSLLD, k.VPSLLQ)(operand.Imm(uint64(8*k.size-1)), v, v)
}

// load sets q = U - t s and x = t a of vector j.
func (b *boxGroup) load(j int) {
	k := b.k
	b.sign(j)
	b.x[j], b.q[j] = k.vec(), k.vec()
	pick(k, k.VXORPS, k.VXORPD)(b.vector(operand.Mem{Base: b.a}, j), b.sigma[j], b.x[j])
	turned := k.vec()
	pick(k, k.VXORPS, k.VXORPD)(b.scores[j], b.sigma[j], turned)
	k.load(b.u(j), b.q[j])
	k.sub(turned, b.q[j], b.q[j])
}

func (b *boxGroup) emit() {
	k := b.k
	b.gather()
	k.Comment("The labels: sigma is the sign of t, q = U - t s, x = t a.")
	b.a, b.p, b.y = k.arg("a"), k.arg("p"), k.arg("y")
	k.NOTQ(b.y)
	b.u = func(j int) operand.Mem { return b.vector(operand.Mem{Base: b.p}, j) }
	b.hi = func(j int) operand.Mem { return b.u(j).Offset(groupSize * k.size) }
	b.zero = k.vec()
	k.zero(b.zero)
	parameter := func(i int) reg.VecVirtual {
		v := k.vec()
		k.bcast(operand.Mem{Base: b.p, Disp: (2*groupSize + i) * k.size}, v)
		return v
	}
	sum, squares := k.vec(), k.vec()
	k.zero(sum)
	if b.squared {
		b.bend = parameter(0)
		k.zero(squares)
	}
	b.comment("gap = sum of ((Hi if q > 0, else 0) - x) q.",
		"gap = sum of x (v - q) + R (v - bend x)², where v = clip(q).")
	for j := range b.vecs {
		b.load(j)
		if b.squared {
			b.squaredGap(j, sum, squares)
		} else {
			b.hingeGap(j, sum)
		}
	}
	k.sumLanes(sum, k.bytes)
	if b.squared {
		k.sumLanes(squares, k.bytes)
		k.fma(parameter(1), squares, sum)
	}
	k.Comment("No step unless the gap is above least.")
	k.VUCOMISD(k.scalarArg("least"), b.result(0, sum))
	k.JBE(operand.LabelRef("rests")) // or NaN

	b.comment("z = clip(x + q inv), a = t z; after = sum of U z.",
		"z = clip(x + (q - bend x) inv), a = t z; after = sum of (U - bend/2 z) z.")
	b.inv = k.vec()
	k.bcast(k.scalarArg("inv"), b.inv)
	after, half, moved := k.vec(), reg.VecVirtual(nil), b.nothing()
	k.zero(after)
	if b.squared {
		half = k.vec()
		k.bcast(b.oneHalf(), half)
		k.mul(b.bend, half, half)
	}
	for j := range b.vecs {
		if 4*b.vecs >= k.regs {
			b.load(j)
		}
		b.move(j, moved)
		u := k.vec()
		k.load(b.u(j), u)
		if b.squared {
			k.fnma(half, b.q[j], u) // U - bend/2 z
		}
		k.fma(b.q[j], u, after)
	}
	k.sumLanes(after, k.bytes)
	b.result(1, after)
	outcome := b.outcome(moved)
	k.MOVQ(outcome, b.address(2))
	k.TESTQ(outcome, outcome)
	k.JZ(operand.LabelRef("end"))
	k.Comment("W += the numbers of x, times the moves.")
	b.scatter()
	k.Label("end")
	k.done()

	k.section("rests", "No step: after = 0, outcome = 0.")
	none := k.GP64()
	k.XORL(none.As32(), none.As32())
	k.MOVQ(none, b.address(1))
	k.MOVQ(none, b.address(2))
	k.done()
}

// hingeGap adds ((Hi if q > 0, else 0) - x) q.
func (b *boxGroup) hingeGap(j int, sum reg.VecVirtual) {
	k, d := b.k, b.k.vec()
	if positive := k.compare(0x1e, b.zero, b.q[j]); k.wide {
		pick(k, k.VMOVUPS_Z, k.VMOVUPD_Z)(b.hi(j), positive.k, d)
	} else {
		k.and(b.hi(j), positive.v, d)
	}
	k.sub(b.x[j], d, d)
	k.fma(b.q[j], d, sum)
}

// squaredGap adds (v - q) x and (v - bend x)².
func (b *boxGroup) squaredGap(j int, sum, squares reg.VecVirtual) {
	k, v, beyond := b.k, b.k.vec(), b.k.vec()
	b.clip(b.q[j], j, v)
	k.sub(b.q[j], v, beyond)
	k.fma(b.x[j], beyond, sum)
	k.fnma(b.bend, b.x[j], v)
	k.fma(v, v, squares)
}

// move puts z in the place of q, what a changes by in the place of the score, writes a, and notes where it changes.
func (b *boxGroup) move(j int, moved mask) {
	k, z, x, delta := b.k, b.q[j], b.x[j], b.scores[j]
	if b.squared {
		k.fnma(b.bend, x, z)
	}
	pick(k, k.VFMADD213PS, k.VFMADD213PD)(x, b.inv, z)
	b.clip(z, j, z)
	different := k.compare(4, x, z) // != or NaN
	if k.wide {
		k.KORW(different.k, moved.k, moved.k)
	} else {
		k.VORPS(different.v, moved.v, moved.v)
	}
	k.sub(x, z, delta)
	turn := pick(k, k.VXORPS, k.VXORPD)
	turn(delta, b.sigma[j], delta)
	turn(z, b.sigma[j], b.sigma[j])
	k.store(b.sigma[j], b.vector(operand.Mem{Base: b.a}, j))
}

// clip keeps v within [0, Hi]. Of operands that are NaN or equal VMAXPS and VMINPS return the one that comes first
// here.
func (b *boxGroup) clip(v reg.VecVirtual, j int, to reg.VecVirtual) {
	k, hi := b.k, b.k.vec()
	k.load(b.hi(j), hi)
	pick(k, k.VMAXPS, k.VMAXPD)(b.zero, v, to)
	pick(k, k.VMINPS, k.VMINPD)(hi, to, to)
}

func (b *boxGroup) signBit() operand.Mem {
	if b.k.f64 {
		return b.k.global("sign64", func() { b.k.AppendDatum(operand.U64(1 << 63)) })
	}
	return b.k.global("sign32", func() { b.k.AppendDatum(operand.U32(1 << 31)) })
}

// labelBits are 1, 2, 4, ... of 16 lanes.
func (b *boxGroup) labelBits() operand.Mem {
	if b.k.f64 {
		return b.k.global("labels64", func() {
			for l := range groupSize {
				b.k.AppendDatum(operand.U64(1 << l))
			}
		})
	}
	return b.k.global("labels32", func() {
		for l := range groupSize {
			b.k.AppendDatum(operand.U32(1 << l))
		}
	})
}
