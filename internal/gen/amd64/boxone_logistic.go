package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Visits of sparse examples with one output and the logistic loss: a label's visit of logistic.go in every lane, since
// the latency of one number is a vector's.

var oneLogistic = source{
	family: "box", name: "onelogistic", entry: "OneLogistic", sig: oneSig, forms: sparseDot.forms,
	emit: func(k *kernel) {
		b := &boxOne{k: k, logistic: logisticOf(exponentials(k, "logistic"))}
		b.logistic.prepare()
		b.emit()
	},
}

// everywhere is a number, from memory or a register, in every lane.
func (b *boxOne) everywhere(v operand.Op) reg.VecVirtual {
	to := b.logistic.k.vec()
	b.k.VBROADCASTSD(v, to)
	return to
}

// logisticGap is gap of the logistic loss, and keeps what a move starts from.
func (b *boxOne) logisticGap(score reg.Register) {
	k, l := b.k, b.logistic
	k.Comment("z = -t s, e = exp(-|z|), log(1 + e)")
	turned, none := b.turned(score), k.XMM()
	k.VXORPD(none, none, none)
	k.VSUBSD(turned, none, turned)
	z := b.everywhere(turned)
	l.keep(labelZ, z)
	e := l.decay(z)
	l.keep(labelE, e)
	log := l.logOnePlus(e)
	l.keep(labelLog, log)
	k.Comment("gap = r (max(0, z) + log(1 + e)) - x z - term")
	gap, less, zero := k.XMM(), k.XMM(), k.XMM()
	k.VXORPD(zero, zero, zero)
	if l.k.wide {
		k.VMOVAPD(z.AsX(), less)
	} else {
		k.VMOVSD(l.memory[labelZ], less)
	}
	k.VMAXSD(less, zero, gap)
	k.VADDSD(log.AsX(), gap, gap)
	k.VMULSD(b.field(oneR, 0), gap, gap)
	k.VMULSD(b.field(oneX, 0), less, less)
	k.VSUBSD(less, gap, gap)
	k.VSUBSD(b.field(oneGap, 0), gap, gap)
	k.VMOVSD(gap, b.field(oneGap, 0))
	k.VUCOMISD(k.scalarArg("least"), gap)
}

// logisticMove is move of the logistic loss.
func (b *boxOne) logisticMove() reg.VecVirtual {
	k, l := b.k, b.logistic
	weight, inverse := b.everywhere(b.field(oneR, 0)), l.fresh("one")
	l.k.VDIVPD(weight, inverse, inverse)
	l.keep(labelWeight, weight)
	l.keep(labelInverse, inverse)
	l.keep(labelMost, b.everywhere(b.field(oneInverse, 0)))
	curve := b.everywhere(b.field(oneBend, 0))
	l.k.mul(weight, curve, curve)
	l.begin(b.everywhere(b.field(oneX, 0)), curve)
	l.steps()
	sum := l.fresh("none")
	x := l.end(sum)
	k.VMOVSD(sum.AsX(), b.field(oneBend, 0))
	k.Comment("The step of the weights.")
	step := k.XMM()
	k.VMOVAPD(x.AsX(), step)
	k.VSUBSD(b.field(oneX, 0), step, step)
	k.VMOVSD(x.AsX(), b.field(oneX, 0))
	k.VMULSD(b.field(oneSide, 0), step, step)
	if !k.f64 {
		k.VCVTSD2SS(step, step, step)
	}
	return step
}
