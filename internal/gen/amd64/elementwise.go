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

// update changes v, a register of the destination, by x, memory of the same width.
type update func(k *kernel, v reg.Register, x operand.Op)

// peelFrom is the number of vectors from which it pays to align the destination first: stores that cross cache lines take
// twice as long.
const peelFrom = 16

// elementwise emits the loop that updates each element of one vector by the same element of another (or of none).
//
// The ends are done in halves, quarters and so on of a vector, not by masks: a load that follows a masked store too soon
// waits until the store has reached the cache, and callers add to the same short vector again and again.
func (k *kernel) elementwise(from, to string, f update) {
	x := reg.GPVirtual(nil)
	if from != "" {
		x = k.arg(from)
	}
	y, n := k.arg(to), k.arg("n")
	lanes := k.lanes()
	k.CMPQ(n, operand.U32(peelFrom*lanes))
	k.JB(operand.LabelRef("short"))
	k.peel(x, y, n, f)
	k.SUBQ(operand.U32(8*lanes), n)
	k.Label("loop")
	k.updates(8, x, y, f)
	k.SUBQ(operand.U32(8*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	k.ADDQ(operand.U32(8*lanes), n)
	k.Label("short")
	k.parts("last", 8*k.bytes, x, y, n, f)
	k.done()
}

// updates treats vecs full vectors and steps forward.
func (k *kernel) updates(vecs int, x, y reg.GPVirtual, f update) {
	for i := range vecs {
		k.updatePart(k.vec(), k.bytes, x, y, i*k.bytes, f)
	}
	k.forward(vecs*k.bytes, x, y)
}

// updatePart updates the first bytes of the register v, disp bytes behind y.
func (k *kernel) updatePart(v reg.Register, bytes int, x, y reg.GPVirtual, disp int, f update) {
	to := operand.Mem{Base: y, Disp: disp}
	k.loadPart(to, v, bytes)
	switch {
	case x == nil:
		f(k, v, nil)
	case bytes < 16: // an operand in memory would be read at 16 bytes
		w := k.XMM()
		k.loadPart(operand.Mem{Base: x, Disp: disp}, w, bytes)
		f(k, v, w)
	default:
		f(k, v, operand.Mem{Base: x, Disp: disp})
	}
	k.storePart(v, to, bytes)
}

// parts treats n elements, fewer than 2 max bytes, in blocks of max bytes, half of it, and so on to a single element.
func (k *kernel) parts(label string, maxBytes int, x, y, n reg.GPVirtual, f update) {
	for bytes := maxBytes; bytes >= k.size; bytes /= 2 {
		skip := fmt.Sprintf("%s%d", label, bytes)
		k.TESTQ(operand.U32(bytes/k.size), n)
		k.JZ(operand.LabelRef(skip))
		if vecs := bytes / k.bytes; vecs > 0 {
			k.updates(vecs, x, y, f)
		} else {
			k.updatePart(k.part(bytes), bytes, x, y, 0, f)
			k.forward(bytes, x, y)
		}
		k.Label(skip)
	}
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

func (k *kernel) forward(bytes int, p ...reg.GPVirtual) {
	for _, p := range p {
		if p != nil {
			k.ADDQ(operand.U32(bytes), p)
		}
	}
}

// peel treats the elements before y's first boundary of a vector.
func (k *kernel) peel(x, y, n reg.GPVirtual, f update) {
	count := k.GP64()
	k.MOVQ(y, count)
	k.NEGQ(count)
	k.ANDQ(operand.U32(k.bytes-1), count)
	k.JZ(operand.LabelRef("aligned"))
	k.SHRQ(operand.U8(k.shift), count)
	k.SUBQ(count, n)
	k.parts("peel", k.bytes/2, x, y, count, f)
	k.Label("aligned")
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
