package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var gaussian = source{
	family: "math", name: "gaussian", entry: "Gaussian",
	sig:  "(nx, alpha, weight T, v, nz, y *T, n int, near *int32, add int) int",
	emit: func(k *kernel) { newGaussian(k).each() },
}

// closeness is package math's.
const closeness = 1. / 16

// notGreaterEqual holds for NaN.
const notGreaterEqual = operand.U8(25)

// gaussianKernel computes exp(alpha d) with d = s - 2v and s = nx + nz, and notes where d is not closeness s or more.
// That is rare: a block of vectors with such a place is treated anew behind the return, one vector after another.
type gaussianKernel struct {
	*expKernel
	own                   *pool
	v, nz, y, near, count reg.GPVirtual
}

func newGaussian(k *kernel) *gaussianKernel {
	g := &gaussianKernel{expKernel: newExp(k, argument{scale: "alpha"}), own: k.newPool("gaussian")}
	g.own.number("two", 2)
	g.own.number("closeness", closeness)
	return g
}

func (g *gaussianKernel) each() {
	k := g.k
	g.v, g.nz, g.y, g.near, g.count = k.arg("v"), k.arg("nz"), k.arg("y"), k.arg("near"), k.GP64()
	n := k.arg("n")
	k.XORL(g.count.As32(), g.count.As32())
	block := 2
	if k.wide {
		block = 4
	}
	g.prepare(block)
	var careful func()
	k.blocks(n, block, func(count int, by *mask) {
		d, bound := g.differences(count, by)
		if count > 1 {
			careful = g.block(d, bound)
		} else {
			k.deliver([]reg.VecVirtual{g.careful(0, d[0], bound[0], by)}, g.y, by)
		}
	})
	k.retInt(g.count)
	careful()
}

// differences returns d and closeness s.
func (g *gaussianKernel) differences(count int, by *mask) (d, bound []reg.VecVirtual) {
	k := g.k
	k.Comment("s = nx + nz, d = s - 2v, bound = closeness s.")
	d, bound = k.vecs(count), k.vecs(count)
	k.loadVectors(g.v, by, d...)
	k.loadVectors(g.nz, by, bound...)
	k.forward(count*k.bytes, g.v, g.nz)
	add, times := pick(k, k.VADDPS, k.VADDPD), pick(k, k.VMULPS, k.VMULPD)
	subtract := pick(k, k.VFNMADD132PS, k.VFNMADD132PD)
	var nx operand.Op = k.scalarArg("nx")
	if k.wide {
		add, times = pick(k, k.VADDPS_BCST, k.VADDPD_BCST), pick(k, k.VMULPS_BCST, k.VMULPD_BCST)
		subtract = pick(k, k.VFNMADD132PS_BCST, k.VFNMADD132PD_BCST)
	} else {
		v := k.vec()
		k.bcast(nx, v)
		nx = v
	}
	for i := range d {
		add(nx, bound[i], bound[i])
		subtract(g.own.places["two"], bound[i], d[i])
		times(g.own.places["closeness"], bound[i], bound[i])
	}
	return d, bound
}

// block treats several vectors, or leaves them to code behind the return, which the function that it returns emits.
func (g *gaussianKernel) block(d, bound []reg.VecVirtual) (later func()) {
	k := g.k
	a := g.arguments(d)
	var result []reg.VecVirtual
	if k.wide {
		g.leaveUnlessFar(d, bound)
		result = g.wideExp(d, a)
	} else {
		k.Comment("Where a d is below its bound: the careful way.")
		near := k.vecs(len(d))
		for i := range d {
			pick(k, k.VCMPPS, k.VCMPPD)(notGreaterEqual, bound[i], d[i], near[i])
		}
		g.examine(a, near...)
		result = g.normalExp(d, a)
	}
	k.Label("computed")
	k.deliver(result, g.y, nil)
	return func() {
		k.section("careful", "A block that is not for the quick way: vector by vector.")
		for i := range d {
			k.move(g.careful(i, d[i], bound[i], nil), result[i])
		}
		k.JMP(operand.LabelRef("computed"))
	}
}

// leaveUnlessFar leaves for the careful way unless every d reaches its bound: each comparison keeps the lanes that all
// before it have kept.
func (g *gaussianKernel) leaveUnlessFar(d, bound []reg.VecVirtual) {
	k := g.k
	k.Comment("Where a d is below its bound: the careful way.")
	far := k.compare(greaterEqual, bound[0], d[0]).k
	for i := 1; i < len(d); i++ {
		both := k.K()
		pick(k, k.VCMPPS, k.VCMPPD)(greaterEqual, bound[i], d[i], far, both)
		far = both
	}
	pick(k, k.KORTESTW, k.KORTESTB)(far, far) // carry: all ones
	k.JCC(operand.LabelRef("careful"))
}

// careful returns the values of vector i of a block, 0 at the near places, which it notes.
func (g *gaussianKernel) careful(i int, d, bound reg.VecVirtual, by *mask) reg.VecVirtual {
	k := g.k
	k.Comment(fmt.Sprintf("Vector %d: exp(alpha d), and 0 where d is below its bound.", i))
	near := k.compare(notGreaterEqual, bound, d)
	if by != nil && k.wide {
		k.KANDW(by.k, near.k, near.k)
	} else if by != nil {
		k.and(by.v, near.v, near.v)
	}
	g.note(near, i)
	v := []reg.VecVirtual{d}
	a := g.arguments(v)
	if k.wide {
		e := g.wideExp(v, a)[0]
		pick(k, k.VXORPS, k.VXORPD)(e, e, near.k, e)
		return e
	}
	e := g.carefulExp(v, a)[0]
	pick(k, k.VANDNPS, k.VANDNPD)(e, near.v, e)
	return e
}

// note appends the places of vector i that near selects. y is still at the block's first element.
func (g *gaussianKernel) note(near mask, i int) {
	k := g.k
	k.Comment("The places of these are noted.")
	bits, first, at := k.bits(near), k.GP64(), k.GP64()
	next, end := k.newLabel("note"), k.newLabel("noted")
	k.TESTQ(bits, bits)
	k.JZ(operand.LabelRef(end))
	k.MOVQ(g.y, first)
	k.SUBQ(k.scalarArg("y"), first)
	k.SHRQ(operand.U8(k.shift), first)
	k.ADDQ(operand.U32(i*k.lanes()), first)
	k.Label(next)
	k.TZCNTQ(bits, at)
	k.ADDQ(first, at)
	k.MOVL(at.As32(), operand.Mem{Base: g.near, Index: g.count, Scale: 4})
	k.INCQ(g.count)
	k.BLSRQ(bits, bits)
	k.JNZ(operand.LabelRef(next))
	k.Label(end)
}
