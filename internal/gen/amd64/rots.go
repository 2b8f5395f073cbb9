package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rots applies a sequence of plane rotations to pairs of neighbouring rows. It goes down strips of columns: what a
// rotation leaves in the second of its rows stays in registers for the next rotation, so each row is read once and
// written once.
var rots = source{
	family: "blas", name: "rots", entry: "Rots", sig: "(m, n int, c, s, a *T, lda int)",
	emit: func(k *kernel) {
		r := &rotsKernel{k: k, m: k.arg("m"), n: k.arg("n"), c: k.arg("c"), s: k.arg("s"), a: k.arg("a"),
			lda: k.bytesArg("lda")}
		r.emit()
	},
}

type rotsKernel struct {
	k                  *kernel
	m, n, c, s, a, lda reg.GPVirtual
}

func (r *rotsKernel) emit() {
	const vecs = 4
	r.k.TESTQ(r.m, r.m)
	r.k.JZ(operand.LabelRef("done"))
	r.k.SUBQ(operand.U32(vecs*r.k.lanes()), r.n)
	r.k.JB(operand.LabelRef("narrow"))
	r.k.section("wide", "A strip of 4 vectors of columns.")
	r.strip("wide", vecs, r.k.bytes)
	r.k.SUBQ(operand.U32(vecs*r.k.lanes()), r.n)
	r.k.JAE(operand.LabelRef("wide"))
	r.k.section("narrow", "The rest by the bits of n, in narrower strips.")
	r.k.ADDQ(operand.U32(vecs*r.k.lanes()), r.n)
	for bytes := vecs / 2 * r.k.bytes; bytes >= r.k.size; bytes /= 2 {
		here := fmt.Sprintf("part%d", bytes)
		r.k.TESTQ(operand.U32(bytes/r.k.size), r.n)
		r.k.JZ(operand.LabelRef(here + "end"))
		r.strip(here, max(bytes/r.k.bytes, 1), min(bytes, r.k.bytes))
		r.k.Label(here + "end")
	}
	r.k.Label("done")
	r.k.done()
}

// strip rotates as many columns as fill the given number of vectors, of which that many bytes are used, and moves a
// behind them.
func (r *rotsKernel) strip(here string, vecs, bytes int) {
	p, at, left := r.k.GP64(), r.k.GP64(), r.k.GP64()
	r.k.MOVQ(r.a, p)
	r.k.MOVQ(r.m, left)
	r.k.XORQ(at, at)
	upper := make([]reg.VecVirtual, vecs) // the row that the next rotation shares with the last one
	for i := range upper {
		upper[i] = r.k.part(bytes)
		r.k.loadPart(operand.Mem{Base: p, Disp: i * bytes}, upper[i], bytes)
	}
	r.k.section(here+"row", "row = c upper + s lower, and the next upper = c lower - s upper.")
	c, s := r.k.vec(), r.k.vec()
	r.k.bcast(operand.Mem{Base: r.c, Index: at, Scale: uint8(r.k.size)}, c)
	r.k.bcast(operand.Mem{Base: r.s, Index: at, Scale: uint8(r.k.size)}, s)
	for i, v := range upper {
		c, s := r.k.like(c, v), r.k.like(s, v)
		lower, out := r.k.part(bytes), r.k.part(bytes)
		r.k.loadPart(operand.Mem{Base: p, Index: r.lda, Scale: 1, Disp: i * bytes}, lower, bytes)
		r.k.mul(c, v, out)
		r.k.fma(s, lower, out)
		r.k.storePart(out, operand.Mem{Base: p, Disp: i * bytes}, bytes)
		r.k.mul(c, lower, lower)
		pick(r.k, r.k.VFNMADD213PS, r.k.VFNMADD213PD)(lower, s, v) // v = c lower - s v
	}
	r.k.ADDQ(r.lda, p)
	r.k.INCQ(at)
	r.k.DECQ(left)
	r.k.JNZ(operand.LabelRef(here + "row"))
	for i, v := range upper {
		r.k.storePart(v, operand.Mem{Base: p, Disp: i * bytes}, bytes)
	}
	r.k.ADDQ(operand.U32(vecs*bytes), r.a)
}
