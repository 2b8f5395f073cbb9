package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The tables of one query. Sums of eight vectors of centroids are under way at once, which covers the latency of the
// additions.
var (
	pqTableL2 = tableSource("tableL2", "TableL2", true)
	pqTableIP = tableSource("tableIP", "TableIP", false)
)

func tableSource(name, entry string, squares bool) source {
	return source{
		family: "pq", name: name, entry: entry, elems: plain, sig: "(dsub, ksub int, q, ct, dst *float32)",
		emit: func(k *kernel) {
			t := &tableKernel{k: k, squares: squares, dsub: k.arg("dsub"), ksub: k.arg("ksub"), q: k.arg("q"),
				ct: k.arg("ct"), dst: k.arg("dst"), row: k.GP64()}
			t.k.MOVQ(t.ksub, t.row)
			t.k.SHLQ(operand.U8(2), t.row)
			if k.wide { // 256 centroids in one pass, so that ct is read as it lies
				t.centroids(16)
			}
			t.centroids(8)
			t.centroids(8 / t.k.lanes())
			t.k.done()
		},
	}
}

type tableKernel struct {
	k                           *kernel
	squares                     bool
	dsub, ksub, q, ct, dst, row reg.GPVirtual
}

// centroids treats that many vectors of centroids at a time.
func (t *tableKernel) centroids(vecs int) {
	vecs = max(vecs, 1)
	here := fmt.Sprintf("by%d", vecs)
	lanes := operand.U32(vecs * t.k.lanes())
	t.k.SUBQ(lanes, t.ksub)
	t.k.JB(operand.LabelRef(here + "end"))
	t.k.section(here, counted(vecs, "vector")+" of centroids at a time.")
	acc := t.k.vecs(vecs)
	t.k.zero(acc...)
	q, ct, n := t.k.GP64(), t.k.GP64(), t.k.GP64()
	t.k.MOVQ(t.q, q)
	t.k.MOVQ(t.ct, ct)
	t.k.MOVQ(t.dsub, n)
	t.k.TESTQ(n, n)
	t.k.JZ(operand.LabelRef(here + "store"))
	t.k.section(here+"loop", "A coordinate.")
	v := t.k.vec()
	t.k.bcast(t.k.at(q, 0), v)
	for i, a := range acc {
		m := t.k.at(ct, i*t.k.lanes())
		if t.squares {
			e := t.k.vec()
			t.k.sub(m, v, e)
			t.k.fma(e, e, a)
		} else {
			t.k.fma(m, v, a)
		}
	}
	t.k.ADDQ(operand.Imm(4), q)
	t.k.ADDQ(t.row, ct)
	t.k.DECQ(n)
	t.k.JNZ(operand.LabelRef(here + "loop"))
	t.k.section(here+"store", "The entries.")
	for i, a := range acc {
		t.k.store(a, t.k.at(t.dst, i*t.k.lanes()))
	}
	t.k.ADDQ(operand.U32(vecs*t.k.bytes), t.ct)
	t.k.ADDQ(operand.U32(vecs*t.k.bytes), t.dst)
	t.k.SUBQ(lanes, t.ksub)
	t.k.JAE(operand.LabelRef(here))
	t.k.Label(here + "end")
	t.k.ADDQ(lanes, t.ksub)
}
