package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rots applies a sequence of plane rotations to pairs of neighbouring rows. It goes down strips of columns: what a rotation
// leaves in the second of its rows stays in registers for the next rotation, so each row is read once and written once.
var rots = source{
	family: "blas", name: "rots", entry: "Rots", sig: "(m, n int, c, s, a *T, lda int)",
	emit: func(k *kernel) {
		r := &rotsKernel{kernel: k, m: k.arg("m"), n: k.arg("n"), c: k.arg("c"), s: k.arg("s"), a: k.arg("a"), lda: k.bytesArg("lda")}
		r.emit()
	},
}

type rotsKernel struct {
	*kernel
	m, n, c, s, a, lda reg.GPVirtual
}

func (r *rotsKernel) emit() {
	const vecs = 4
	r.TESTQ(r.m, r.m)
	r.JZ(operand.LabelRef("done"))
	r.SUBQ(operand.U32(vecs*r.lanes()), r.n)
	r.JB(operand.LabelRef("narrow"))
	r.Label("wide")
	r.strip("wide", vecs, r.bytes)
	r.SUBQ(operand.U32(vecs*r.lanes()), r.n)
	r.JAE(operand.LabelRef("wide"))
	r.Label("narrow")
	r.ADDQ(operand.U32(vecs*r.lanes()), r.n)
	for bytes := vecs / 2 * r.bytes; bytes >= r.size; bytes /= 2 {
		here := fmt.Sprintf("part%d", bytes)
		r.TESTQ(operand.U32(bytes/r.size), r.n)
		r.JZ(operand.LabelRef(here + "end"))
		r.strip(here, max(bytes/r.bytes, 1), min(bytes, r.bytes))
		r.Label(here + "end")
	}
	r.Label("done")
	r.done()
}

// strip rotates as many columns as fill the given number of vectors, of which that many bytes are used, and moves a behind
// them.
func (r *rotsKernel) strip(here string, vecs, bytes int) {
	p, at, left := r.GP64(), r.GP64(), r.GP64()
	r.MOVQ(r.a, p)
	r.MOVQ(r.m, left)
	r.XORQ(at, at)
	upper := make([]reg.VecVirtual, vecs) // the row that the next rotation shares with the last one
	for i := range upper {
		upper[i] = r.part(bytes)
		r.loadPart(operand.Mem{Base: p, Disp: i * bytes}, upper[i], bytes)
	}
	r.Label(here + "row")
	c, s := r.vec(), r.vec()
	r.bcast(operand.Mem{Base: r.c, Index: at, Scale: uint8(r.size)}, c)
	r.bcast(operand.Mem{Base: r.s, Index: at, Scale: uint8(r.size)}, s)
	for i, v := range upper {
		c, s := r.like(c, v), r.like(s, v)
		lower, out := r.part(bytes), r.part(bytes)
		r.loadPart(operand.Mem{Base: p, Index: r.lda, Scale: 1, Disp: i * bytes}, lower, bytes)
		r.mul(c, v, out)
		r.fma(s, lower, out)
		r.storePart(out, operand.Mem{Base: p, Disp: i * bytes}, bytes)
		r.mul(c, lower, lower)
		pick(r.kernel, r.VFNMADD213PS, r.VFNMADD213PD)(lower, s, v) // v = c lower - s v
	}
	r.ADDQ(r.lda, p)
	r.INCQ(at)
	r.DECQ(left)
	r.JNZ(operand.LabelRef(here + "row"))
	for i, v := range upper {
		r.storePart(v, operand.Mem{Base: p, Disp: i * bytes}, bytes)
	}
	r.ADDQ(operand.U32(vecs*bytes), r.a)
}
