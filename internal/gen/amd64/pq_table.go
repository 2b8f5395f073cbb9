package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The tables of one query. Sums of eight vectors of centroids are under way at once, which covers the latency of the additions.
var (
	pqTableL2 = tableSource("tableL2", "TableL2", true)
	pqTableIP = tableSource("tableIP", "TableIP", false)
)

func tableSource(name, entry string, squares bool) source {
	return source{
		family: "pq", name: name, entry: entry, elems: plain, sig: "(dsub, ksub int, q, ct, dst *float32)",
		emit: func(k *kernel) {
			t := &tableKernel{kernel: k, squares: squares, dsub: k.arg("dsub"), ksub: k.arg("ksub"), q: k.arg("q"), ct: k.arg("ct"), dst: k.arg("dst"), row: k.GP64()}
			t.MOVQ(t.ksub, t.row)
			t.SHLQ(operand.U8(2), t.row)
			t.centroids(8)
			t.centroids(8 / t.lanes())
			t.done()
		},
	}
}

type tableKernel struct {
	*kernel
	squares                     bool
	dsub, ksub, q, ct, dst, row reg.GPVirtual
}

// centroids treats that many vectors of centroids at a time.
func (t *tableKernel) centroids(vecs int) {
	vecs = max(vecs, 1)
	here := fmt.Sprintf("by%d", vecs)
	lanes := operand.U32(vecs * t.lanes())
	t.SUBQ(lanes, t.ksub)
	t.JB(operand.LabelRef(here + "end"))
	t.Label(here)
	acc := t.vecs(vecs)
	t.zero(acc...)
	q, ct, n := t.GP64(), t.GP64(), t.GP64()
	t.MOVQ(t.q, q)
	t.MOVQ(t.ct, ct)
	t.MOVQ(t.dsub, n)
	t.TESTQ(n, n)
	t.JZ(operand.LabelRef(here + "store"))
	t.Label(here + "loop")
	v := t.vec()
	t.bcast(t.at(q, 0), v)
	for i, a := range acc {
		m := t.at(ct, i*t.lanes())
		if t.squares {
			e := t.vec()
			t.sub(m, v, e)
			t.fma(e, e, a)
		} else {
			t.fma(m, v, a)
		}
	}
	t.ADDQ(operand.Imm(4), q)
	t.ADDQ(t.row, ct)
	t.DECQ(n)
	t.JNZ(operand.LabelRef(here + "loop"))
	t.Label(here + "store")
	for i, a := range acc {
		t.store(a, t.at(t.dst, i*t.lanes()))
	}
	t.ADDQ(operand.U32(vecs*t.bytes), t.ct)
	t.ADDQ(operand.U32(vecs*t.bytes), t.dst)
	t.SUBQ(lanes, t.ksub)
	t.JAE(operand.LabelRef(here))
	t.Label(here + "end")
	t.ADDQ(lanes, t.ksub)
}
