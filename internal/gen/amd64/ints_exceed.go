package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// intsExceed expects few places: four vectors of differences are dropped at once where their maximum is not above
// least. Differences of intsExceedLine are float32's, whose bits are taken for integers: one is above 0 where the
// number is. AVX-512 compresses the places of others in a register and stores whole vectors, as compress does: a store
// begins no further on than its vector was read, so that it stays within n places. AVX2 takes the bits one by one.
var intsExceed = source{
	family: "ints", name: "exceed", entry: "Exceed", sig: "(n int, p, half *int32, least int32, idx *int32) int",
	elems: plain,
	emit: func(k *kernel) {
		e := newExceed(k, "half")
		k.bcast(k.scalarArg("least"), e.least)
		e.difference = func(v reg.VecVirtual, half operand.Op) { k.VPSUBD(half, v, v) }
		e.emit()
	},
	beside: []source{intsExceedLine},
}

var intsExceedLine = source{
	family: "ints", name: "exceedLine", entry: "ExceedLine", elems: plain,
	sig: "(n int, p *int32, z *float32, slope, floor float32, idx *int32) int",
	emit: func(k *kernel) {
		e, slope, floor := newExceed(k, "z"), k.vec(), k.vec()
		k.bcast(k.scalarArg("slope"), slope)
		k.bcast(k.scalarArg("floor"), floor)
		k.zero(e.least)
		e.difference = func(v reg.VecVirtual, z operand.Op) {
			line := k.vec()
			k.mul(z, slope, line)
			k.add(floor, line, line)
			k.VCVTDQ2PS(v, v)
			k.sub(line, v, v)
		}
		e.emit()
	},
}

type exceedKernel struct {
	k            *kernel
	n, p, z      reg.GPVirtual
	idx          reg.GPVirtual
	i, count     reg.GPVirtual // places seen, places found
	least, where reg.VecVirtual
	difference   func(v reg.VecVirtual, z operand.Op) // v -= what a p must exceed, of z
}

func newExceed(k *kernel, z string) *exceedKernel {
	return &exceedKernel{k: k, n: k.arg("n"), p: k.arg("p"), z: k.arg(z), idx: k.arg("idx"), i: k.GP64(),
		count: k.GP64(), least: k.vec()}
}

func (e *exceedKernel) emit() {
	k := e.k
	if k.wide {
		e.where = k.vec()
		k.VMOVDQU32(k.counting(), e.where)
	}
	k.XORL(e.i.As32(), e.i.As32())
	k.XORL(e.count.As32(), e.count.As32())
	for _, vecs := range []int{4, 1} {
		loop, lanes := fmt.Sprintf("by%d", vecs), operand.U32(vecs*k.lanes())
		k.SUBQ(lanes, e.n) // n counts what is left
		k.JB(operand.LabelRef(loop + "end"))
		k.section(loop, counted(vecs, "vector")+" at a time: nothing where no difference is above least.")
		d := k.vecs(vecs)
		for j, v := range d {
			k.load(e.at(e.p, j), v)
			e.difference(v, e.at(e.z, j))
		}
		e.found(d, loop, nil)
		k.ADDQ(lanes, e.i)
		k.SUBQ(lanes, e.n)
		k.JAE(operand.LabelRef(loop))
		k.Label(loop + "end")
		k.ADDQ(lanes, e.n)
	}
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest, under a mask.")
	by, d, z := k.maskOf(e.n), k.vec(), k.vec()
	k.loadMasked(e.at(e.p, 0), by, d)
	k.loadMasked(e.at(e.z, 0), by, z)
	e.difference(d, z)
	e.found([]reg.VecVirtual{d}, "rest", &by)
	k.Label("done")
	k.retInt(e.count)
}

// at is vector j of those that begin at place i.
func (e *exceedKernel) at(p reg.GPVirtual, j int) operand.Mem {
	return operand.Mem{Base: p, Index: e.i, Scale: 4, Disp: j * e.k.bytes}
}

// found appends the places of the differences above least, from place i on. Of a partial vector, by selects the lanes.
func (e *exceedKernel) found(d []reg.VecVirtual, here string, by *mask) {
	k, top := e.k, d[0]
	if len(d) > 1 {
		other := k.vec()
		top = k.vec()
		k.VPMAXSD(d[0], d[1], top)
		k.VPMAXSD(d[2], d[3], other)
		k.VPMAXSD(other, top, top)
	}
	if k.wide {
		if len(d) > 1 {
			any := k.K()
			k.VPCMPGTD(e.least, top, any)
			k.KORTESTW(any, any)
			k.JZ(operand.LabelRef(here + "none"))
		}
		for j, v := range d {
			e.compressed(v, j, by)
		}
	} else {
		if len(d) > 1 {
			k.VPCMPGTD(e.least, top, top)
			k.VTESTPS(top, top)
			k.JZ(operand.LabelRef(here + "none"))
		}
		e.oneByOne(e.bits(d, by), here)
	}
	k.Label(here + "none")
}

// compressed appends the places of vector j.
func (e *exceedKernel) compressed(d reg.VecVirtual, j int, by *mask) {
	k, m, place, bits := e.k, e.k.K(), e.k.vec(), e.k.GP64()
	to := operand.Mem{Base: e.idx, Index: e.count, Scale: 4}
	k.LEAL(operand.Mem{Base: e.i, Disp: j * k.lanes()}, bits.As32())
	k.VPBROADCASTD(bits.As32(), place)
	k.VPADDD(e.where, place, place)
	if by == nil {
		k.VPCMPGTD(e.least, d, m)
	} else {
		k.VPCMPGTD(e.least, d, by.k, m)
	}
	k.VPCOMPRESSD_Z(place, m, place)
	if by == nil {
		k.VMOVDQU32(place, to)
	} else {
		k.VMOVDQU32(place, by.k, to)
	}
	k.KMOVW(m, bits.As32())
	k.POPCNTL(bits.As32(), bits.As32())
	k.ADDQ(bits, e.count)
}

// bits returns a bit for each difference above least.
func (e *exceedKernel) bits(d []reg.VecVirtual, by *mask) reg.GPVirtual {
	k, bits := e.k, e.k.GP64()
	for j := len(d) - 1; j >= 0; j-- {
		m := bits
		if j < len(d)-1 {
			m = k.GP64()
		}
		k.VPCMPGTD(e.least, d[j], d[j])
		if by != nil {
			k.VPAND(by.v, d[j], d[j])
		}
		k.VMOVMSKPS(d[j], m.As32())
		if m != bits {
			k.SHLL(operand.U8(k.lanes()), bits.As32())
			k.ORL(m.As32(), bits.As32())
		}
	}
	return bits
}

// oneByOne appends the places of bits, counted from i.
func (e *exceedKernel) oneByOne(bits reg.GPVirtual, here string) {
	k, at := e.k, e.k.GP64()
	k.TESTL(bits.As32(), bits.As32())
	k.JZ(operand.LabelRef(here + "none"))
	k.Label(here + "bit")
	k.TZCNTL(bits.As32(), at.As32())
	k.ADDL(e.i.As32(), at.As32())
	k.MOVL(at.As32(), operand.Mem{Base: e.idx, Index: e.count, Scale: 4})
	k.INCQ(e.count)
	k.BLSRL(bits.As32(), bits.As32())
	k.JNZ(operand.LabelRef(here + "bit"))
}
