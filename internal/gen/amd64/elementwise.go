package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var scal = source{
	family: "blas", name: "scal", entry: "Scal", sig: "(alpha T, x *T, n int)",
	emit: func(k *kernel) {
		alpha := k.vec()
		k.bcast(k.scalarArg("alpha"), alpha)
		k.elementwise("", "x", func(k *kernel, v reg.Register, _ operand.Op) { k.mul(k.like(alpha, v), v, v) })
	},
}

var axpy = source{
	family: "blas", name: "axpy", entry: "Axpy", sig: "(alpha T, x, y *T, n int)",
	emit: func(k *kernel) {
		alpha := k.vec()
		k.bcast(k.scalarArg("alpha"), alpha)
		k.elementwise("x", "y", func(k *kernel, v reg.Register, x operand.Op) { k.fma(x, k.like(alpha, v), v) })
	},
}

// update changes v, a vector of the destination, by x: memory, or a register where v is a part of a vector.
type update func(k *kernel, v reg.Register, x operand.Op)

// peelFrom is the number of vectors from which it pays to align the destination: stores that cross cache lines take
// twice as long, but aligning costs a masked step.
const peelFrom = 16

// elementwise emits the loop that updates each element of one vector by the same element of another (or of none).
func (k *kernel) elementwise(from, to string, f update) {
	x := reg.GPVirtual(nil)
	if from != "" {
		x = k.arg(from)
	}
	y, n := k.arg(to), k.arg("n")
	lanes := k.lanes()
	if k.wide {
		k.CMPQ(n, operand.Imm(uint64(lanes)))
		k.JBE(operand.LabelRef("tail"))
		k.CMPQ(n, operand.U32(peelFrom*lanes))
		k.JB(operand.LabelRef("blocks"))
		k.peel(x, y, n, f)
		k.Label("blocks")
	}
	k.SUBQ(operand.U32(8*lanes), n)
	k.JB(operand.LabelRef("last"))
	k.Label("loop")
	k.updates(8, x, y, f)
	k.SUBQ(operand.U32(8*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	k.Label("last")
	k.ADDQ(operand.U32(8*lanes), n)
	for _, vecs := range []int{4, 2, 1} {
		skip := fmt.Sprintf("below%d", vecs)
		k.TESTQ(operand.U32(vecs*lanes), n)
		k.JZ(operand.LabelRef(skip))
		k.updates(vecs, x, y, f)
		k.Label(skip)
	}
	k.ANDQ(operand.U32(lanes-1), n)
	k.Label("tail")
	k.tail(x, y, n, f)
	k.done()
}

// updates treats vecs full vectors and steps forward.
func (k *kernel) updates(vecs int, x, y reg.GPVirtual, f update) {
	for i := range vecs {
		v := k.vec()
		k.load(k.at(y, i*k.lanes()), v)
		if x == nil {
			f(k, v, nil)
		} else {
			f(k, v, k.at(x, i*k.lanes()))
		}
		k.store(v, k.at(y, i*k.lanes()))
	}
	k.forward(vecs*k.bytes, x, y)
}

func (k *kernel) forward(bytes int, p ...reg.GPVirtual) {
	for _, p := range p {
		if p != nil {
			k.ADDQ(operand.U32(bytes), p)
		}
	}
}

// peel treats the elements before y's first boundary of a vector.
func (k *kernel) peel(x, y, n reg.GPVirtual, f update) {
	bytes, count := k.GP64(), k.GP64()
	k.MOVQ(y, bytes)
	k.NEGQ(bytes)
	k.ANDQ(operand.U32(k.bytes-1), bytes)
	k.JZ(operand.LabelRef("blocks"))
	k.MOVQ(bytes, count)
	k.SHRQ(operand.U8(k.shift), count)
	k.maskedUpdate(x, y, k.maskOf(count), f)
	k.SUBQ(count, n)
	k.ADDQ(bytes, y)
	if x != nil {
		k.ADDQ(bytes, x)
	}
}

func (k *kernel) maskedUpdate(x, y reg.GPVirtual, by mask, f update) {
	v, w := k.vec(), operand.Op(nil)
	k.loadMasked(k.at(y, 0), by, v)
	if x != nil {
		r := k.vec()
		k.loadMasked(k.at(x, 0), by, r)
		w = r
	}
	f(k, v, w)
	k.storeMasked(v, by, k.at(y, 0))
}

// tail treats the last n < lanes elements (n <= lanes with masks): one masked vector, or without masks a half, a quarter
// and an eighth of a vector, since AVX2's masked stores are slow.
func (k *kernel) tail(x, y, n reg.GPVirtual, f update) {
	if k.wide {
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("done"))
		k.maskedUpdate(x, y, k.maskOf(n), f)
		k.Label("done")
		return
	}
	for bytes := 16; bytes >= k.size; bytes /= 2 {
		skip := fmt.Sprintf("tail%d", bytes)
		k.TESTQ(operand.U32(bytes/k.size), n)
		k.JZ(operand.LabelRef(skip))
		v, w := k.XMM(), operand.Op(nil)
		k.loadPart(k.at(y, 0), v, bytes)
		if x != nil {
			r := k.XMM()
			k.loadPart(k.at(x, 0), r, bytes)
			w = r
		}
		f(k, v, w)
		k.storePart(v, k.at(y, 0), bytes)
		k.forward(bytes, x, y)
		k.Label(skip)
	}
}

// loadPart reads 4 or 8 bytes and zeroes the rest, or reads a whole register.
func (k *kernel) loadPart(m operand.Mem, v reg.Register, bytes int) {
	switch bytes {
	case 4:
		k.VMOVSS(m, v)
	case 8:
		k.VMOVSD(m, v)
	default:
		k.load(m, v)
	}
}

func (k *kernel) storePart(v reg.Register, m operand.Mem, bytes int) {
	switch bytes {
	case 4:
		k.VMOVSS(v, m)
	case 8:
		k.VMOVSD(v, m)
	default:
		k.store(v, m)
	}
}

// like returns r at the width of v.
func (k *kernel) like(r reg.Vec, v reg.Register) reg.Register {
	switch v.Size() {
	case 16:
		return r.AsX()
	case 32:
		return r.AsY()
	}
	return r.AsZ()
}
