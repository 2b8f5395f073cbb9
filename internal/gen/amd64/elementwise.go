package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var scal = source{
	family: "blas", name: "scal", entry: "Scal", storeBound: true, sig: "(alpha T, x *T, n int)",
	emit: func(k *kernel) {
		alpha := k.vec()
		k.bcast(k.scalarArg("alpha"), alpha)
		k.elementwise("", "x", func(k *kernel, v reg.Register, _ operand.Op) { k.mul(k.like(alpha, v), v, v) })
	},
}

var axpy = source{
	family: "blas", name: "axpy", entry: "Axpy", storeBound: true, sig: "(alpha T, x, y *T, n int)",
	emit: emitAxpy,
}

func emitAxpy(k *kernel) {
	alpha := k.vec()
	k.bcast(k.scalarArg("alpha"), alpha)
	k.elementwise("x", "y", func(k *kernel, v reg.Register, x operand.Op) { k.fmaData(x, k.like(alpha, v), v) })
}

// clip keeps what is neither below lo nor above hi: of equal or unordered operands VMAXPS and VMINPS return the second.
var clip = source{
	family: "reduce", name: "clip", entry: "Clip", storeBound: true, sig: "(dst, x *T, n int, lo, hi T)",
	emit: func(k *kernel) {
		lo, hi := k.vec(), k.vec()
		k.bcast(k.scalarArg("lo"), lo)
		k.bcast(k.scalarArg("hi"), hi)
		k.overwrites = true
		k.elementwise("x", "dst", func(k *kernel, v reg.Register, x operand.Op) {
			pick(k, k.VMAXPS, k.VMAXPD)(x, k.like(lo, v), v)
			pick(k, k.VMINPS, k.VMINPD)(v, k.like(hi, v), v)
		})
	},
}

// add and its sisters set dst = x op y: one operand is loaded, the other one is read by the instruction.
var (
	add = twoOperands("add", "Add", (*kernel).add)
	mul = twoOperands("mul", "Mul", (*kernel).mul)
)

func twoOperands(name, entry string, op func(k *kernel, a, b, d operand.Op)) source {
	return source{
		family: "blas", name: name, entry: entry, storeBound: true, sig: "(dst, x, y *T, n int)",
		emit: func(k *kernel) {
			k.base = k.arg("x")
			k.elementwise("y", "dst", func(k *kernel, v reg.Register, y operand.Op) { op(k, y, v, v) })
		},
	}
}

var sqrt = source{
	family: "blas", name: "sqrt", entry: "Sqrt", sig: "(dst, x *T, n int)",
	emit: func(k *kernel) {
		k.overwrites = true
		k.elementwise("x", "dst", func(k *kernel, v reg.Register, x operand.Op) { pick(k, k.VSQRTPS, k.VSQRTPD)(x, v) })
	},
}

// update changes v, a register of the destination or of k.base, by x, memory of the same width. In a kernel that
// overwrites v holds nothing yet.
type update func(k *kernel, v reg.Register, x operand.Op)

// peelFrom is the number of vectors from which it pays to align the destination first: stores that cross cache lines
// take twice as long.
const peelFrom = 16

// elementwise emits the loop that updates each element of one vector by the same element of another (or of none).
//
// The ends are done in halves, quarters and so on of a vector, not by masks: a load that follows a masked store too
// soon waits until the store has reached the cache, and callers add to the same short vector again and again.
func (k *kernel) elementwise(from, to string, f update) {
	x := reg.GPVirtual(nil)
	if from != "" {
		x = k.arg(from)
	}
	y, n := k.arg(to), k.arg("n")
	lanes := k.lanes()
	k.Comment("By the number of vectors: fewer than 2, fewer than 8, fewer than 16, or y is aligned first.")
	k.CMPQ(n, operand.U32(2*lanes))
	k.JB(operand.LabelRef("one"))
	k.CMPQ(n, operand.U32(8*lanes))
	k.JB(operand.LabelRef("four"))
	k.CMPQ(n, operand.U32(peelFrom*lanes))
	k.JB(operand.LabelRef("aligned"))
	k.TESTQ(operand.U32(k.bytes-1), y)
	k.JNZ(operand.LabelRef("misaligned"))
	k.section("aligned", "Blocks of 8 vectors.")
	k.SUBQ(operand.U32(8*lanes), n)
	k.Label("loop")
	k.updates(8, x, y, f)
	k.SUBQ(operand.U32(8*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	k.ADDQ(operand.U32(8*lanes), n)
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest by the bits of n: 4 vectors, 2, 1.")
	for _, b := range []struct {
		vecs int
		here string
	}{{4, "four"}, {2, ""}, {1, "one"}} {
		if b.here != "" {
			k.Label(b.here)
		}
		skip := fmt.Sprintf("below%d", b.vecs)
		k.TESTQ(operand.U32(b.vecs*lanes), n)
		k.JZ(operand.LabelRef(skip))
		k.updates(b.vecs, x, y, f)
		k.Label(skip)
	}
	k.Comment("Less than a vector: half of it, a quarter, and so on to one element.")
	k.ANDQ(operand.U32(lanes-1), n)
	k.JZ(operand.LabelRef("done"))
	k.parts("last", x, y, n, f)
	k.Label("done")
	k.done()

	k.section("misaligned", "The elements before y's first boundary of a vector.")
	count := k.GP64()
	k.MOVQ(y, count)
	k.NEGQ(count)
	k.ANDQ(operand.U32(k.bytes-1), count)
	k.SHRQ(operand.U8(k.shift), count)
	k.SUBQ(count, n)
	k.parts("peel", x, y, count, f)
	k.JMP(operand.LabelRef("aligned"))
}

// loadsFrom is where an update loads from: the destination y itself unless the kernel has a base.
func (k *kernel) loadsFrom(y reg.GPVirtual) reg.GPVirtual {
	if k.base != nil {
		return k.base
	}
	return y
}

// updates treats vecs full vectors and steps forward.
func (k *kernel) updates(vecs int, x, y reg.GPVirtual, f update) {
	for i := range vecs {
		v := k.vec()
		if !k.overwrites {
			k.load(k.at(k.loadsFrom(y), i*k.lanes()), v)
		}
		if x == nil {
			f(k, v, nil)
		} else {
			f(k, v, k.atData(x, i*k.lanes()))
		}
		k.store(v, k.at(y, i*k.lanes()))
	}
	k.forward(k.dataBytes(vecs*k.bytes), x)
	k.forward(vecs*k.bytes, y, k.base)
}

// updatePart updates the first bytes, fewer than a vector, of y and steps forward.
func (k *kernel) updatePart(bytes int, x, y reg.GPVirtual, f update) {
	v := k.part(bytes)
	if !k.overwrites {
		k.loadPart(k.at(k.loadsFrom(y), 0), v, bytes)
	}
	switch {
	case x == nil:
		f(k, v, nil)
	case bytes < 16: // an operand in memory would be read at 16 bytes
		w := k.XMM()
		k.loadPart(k.atData(x, 0), w, k.dataBytes(bytes))
		f(k, v, w)
	default:
		f(k, v, k.atData(x, 0))
	}
	k.storePart(v, k.at(y, 0), bytes)
	k.forward(k.dataBytes(bytes), x)
	k.forward(bytes, y, k.base)
}

// parts treats n elements, fewer than a vector, in half a vector, a quarter, and so on to a single element. It goes on
// as soon as none is left.
func (k *kernel) parts(label string, x, y, n reg.GPVirtual, f update) {
	for bytes := k.bytes / 2; bytes >= k.size; bytes /= 2 {
		skip := fmt.Sprintf("%s%d", label, bytes)
		k.TESTQ(operand.U32(bytes/k.size), n)
		k.JZ(operand.LabelRef(skip))
		k.updatePart(bytes, x, y, f)
		if bytes > k.size {
			k.ANDQ(operand.U32(bytes/k.size-1), n)
			k.JZ(operand.LabelRef(label + "end"))
		}
		k.Label(skip)
	}
	k.Label(label + "end")
}

// part returns a fresh register of the width for that many bytes.
func (k *kernel) part(bytes int) reg.VecVirtual {
	switch bytes {
	case 64:
		return k.ZMM()
	case 32:
		return k.YMM()
	}
	return k.XMM()
}

// forward moves pointers that many bytes.
func (k *kernel) forward(bytes int, p ...reg.GPVirtual) {
	for _, p := range p {
		if p != nil {
			k.ADDQ(operand.U32(bytes), p)
		}
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
