package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Visits of sparse examples with one output, one after the other: the inner product of package sparse, a few numbers in
// float64, and where these move its axpy.

const oneSig = "(visits *byte, n int, idx *int32, val, w, bias *T, constant T, least float64)"

var oneHinge = source{
	family: "box", name: "onehinge", entry: "OneHinge", sig: oneSig, forms: sparseDot.forms,
	emit:   func(k *kernel) { (&boxOne{k: k}).emit() },
	beside: []source{oneSquared},
}

var oneSquared = source{
	family: "box", name: "onesquared", entry: "OneSquared", sig: oneSig, forms: sparseDot.forms,
	emit: func(k *kernel) { (&boxOne{k: k, squared: true}).emit() },
}

type boxOne struct {
	k              *kernel
	squared        bool
	logistic       *logisticKernel // of the logistic loss, or nil
	visit          reg.GPVirtual   // of the visits the one at hand
	idx, val, w    reg.GPVirtual
	bias           reg.GPVirtual
	one, constant  reg.VecVirtual
	x, lacks, away reg.VecVirtual // of the dual variable: it, what the score lacks, and what that leaves of it
}

// oneSize and oneAhead are the bytes of a visit, and how many visits ahead rows are asked for.
const oneSize, oneAhead = 64, 3

// field is the memory of field number i of the visit that is some visits ahead.
func (b *boxOne) field(i, ahead int) operand.Mem {
	return operand.Mem{Base: b.visit, Disp: oneSize*ahead + 8*i}
}

// The fields of a visit, in order. Of the logistic loss oneInverse has the largest dual variable, oneBend h and then
// the dual term, and oneGap the dual term before.
const (
	oneRow = iota
	oneLen
	oneX
	oneSide
	oneR
	oneInverse
	oneBend
	oneGap
)

// row sets a vector to the row of the visit that is some visits ahead.
func (b *boxOne) row(ahead int) (idx, val reg.GPVirtual) {
	k := b.k
	idx, val = k.GP64(), k.GP64()
	k.MOVQ(b.field(oneRow, ahead), val)
	k.LEAQ(operand.Mem{Base: b.idx, Index: val, Scale: 4}, idx)
	k.LEAQ(operand.Mem{Base: b.val, Index: val, Scale: uint8(k.size)}, val)
	return idx, val
}

// vector is the row of the visit at hand.
func (b *boxOne) vector() *sparseVector {
	s := &sparseVector{k: b.k, x: b.w, nnz: b.k.GP64(), labels: "axpy", scarce: b.logistic != nil}
	s.idx, s.val = b.row(0)
	b.k.MOVQ(b.field(oneLen, 0), s.nnz)
	return s
}

func (b *boxOne) emit() {
	k := b.k
	b.visit, b.idx, b.val, b.w, b.bias = k.arg("visits"), k.arg("idx"), k.arg("val"), k.arg("w"), k.arg("bias")
	left, bits := k.arg("n"), k.GP64()
	if b.logistic == nil { // else registers are scarce
		b.one = k.XMM()
		k.MOVQ(operand.U64(math.Float64bits(1)), bits)
		k.VMOVQ(bits, b.one)
		b.constant = k.XMM()
		k.loadPart(k.scalarArg("constant"), b.constant, k.size)
	}
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef("over"))
	k.section("visit", "The score, while rows to come are asked for.")
	row := b.vector()
	row.nextIdx, row.nextVal = b.row(oneAhead)
	score := row.dot().AsX()
	bias := k.XMM()
	k.loadPart(k.at(b.bias, 0), bias, k.size)
	pick(k, k.VFMADD231SS, k.VFMADD231SD)(b.ofConstant(), bias, score)
	step := b.update(score)
	b.vector().axpy(step)
	k.loadPart(k.at(b.bias, 0), bias, k.size)
	pick(k, k.VFMADD231SS, k.VFMADD231SD)(b.ofConstant(), step, bias)
	k.storePart(bias, k.at(b.bias, 0), k.size)
	k.Label("rests")
	k.ADDQ(operand.Imm(oneSize), b.visit)
	k.DECQ(left)
	k.JNZ(operand.LabelRef("visit"))
	k.Label("over")
	k.done()
}

// ofConstant is the constant feature.
func (b *boxOne) ofConstant() reg.Register {
	if b.logistic == nil {
		return b.constant
	}
	v := b.k.XMM()
	b.k.loadPart(b.k.scalarArg("constant"), v, b.k.size)
	return v
}

// update writes the gap and, unless the example rests, the dual variable that it moves to. It returns the step.
func (b *boxOne) update(score reg.Register) reg.VecVirtual {
	if b.logistic != nil {
		b.logisticGap(score)
		b.k.JLS(operand.LabelRef("rests"))
		return b.logisticMove()
	}
	b.gap(score)
	b.k.JLS(operand.LabelRef("rests"))
	return b.move()
}

// number loads a field.
func (b *boxOne) number(field int) reg.VecVirtual {
	v := b.k.XMM()
	b.k.VMOVSD(b.field(field, 0), v)
	return v
}

// turned is t s in float64.
func (b *boxOne) turned(score reg.Register) reg.VecVirtual {
	k, turned := b.k, b.k.XMM()
	if k.f64 {
		k.VMULSD(b.field(oneSide, 0), score, turned)
	} else {
		k.VCVTSS2SD(score, score, turned)
		k.VMULSD(b.field(oneSide, 0), turned, turned)
	}
	return turned
}

// gap writes the gap, and compares it with least.
func (b *boxOne) gap(score reg.Register) {
	k := b.k
	k.Comment("lacks = 1 - t s")
	turned, gap, zero := b.turned(score), k.XMM(), k.XMM()
	b.lacks, b.x = k.XMM(), b.number(oneX)
	k.VSUBSD(turned, b.one, b.lacks)
	k.VXORPD(zero, zero, zero)
	b.away = b.lacks
	if b.squared {
		k.Comment("kept = max(lacks, 0), away = lacks - bend x, gap = r (kept - bend x)² + x (kept - lacks)")
		bent, kept := k.XMM(), k.XMM()
		b.away = k.XMM()
		k.VMULSD(b.field(oneBend, 0), b.x, bent)
		k.VSUBSD(bent, b.lacks, b.away)
		k.VMAXSD(zero, b.lacks, kept)
		k.VSUBSD(bent, kept, gap)
		k.VMULSD(gap, gap, gap)
		k.VMULSD(b.field(oneR, 0), gap, gap)
		k.VSUBSD(b.lacks, kept, kept)
		k.VFMADD231SD(b.x, kept, gap)
	} else {
		k.Comment("gap = max((r - x) lacks, -x lacks)")
		low := k.XMM()
		k.VMULSD(b.x, b.lacks, low)
		k.VSUBSD(low, zero, low)
		k.VMOVSD(b.field(oneR, 0), gap)
		k.VSUBSD(b.x, gap, gap)
		k.VMULSD(b.lacks, gap, gap)
		k.VMAXSD(low, gap, gap)
	}
	k.VMOVSD(gap, b.field(oneGap, 0))
	k.VUCOMISD(k.scalarArg("least"), gap)
}

// move writes the dual variable that the example moves to, and returns the step.
func (b *boxOne) move() reg.VecVirtual {
	k := b.k
	k.Comment("x + away inverse, in its interval, as a number of the weights' type")
	to, zero := k.XMM(), k.XMM()
	k.VMULSD(b.field(oneInverse, 0), b.away, to)
	k.VADDSD(to, b.x, to)
	k.VXORPD(zero, zero, zero)
	k.VMAXSD(zero, to, to)
	if !b.squared {
		k.VMINSD(b.field(oneR, 0), to, to)
	}
	if !k.f64 {
		k.VCVTSD2SS(to, to, to)
		k.VCVTSS2SD(to, to, to)
	}
	k.VMOVSD(to, b.field(oneX, 0))
	k.Comment("The step of the weights.")
	k.VSUBSD(b.x, to, to)
	k.VMULSD(b.field(oneSide, 0), to, to)
	if !k.f64 {
		k.VCVTSD2SS(to, to, to)
	}
	return to
}
