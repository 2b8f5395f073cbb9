package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// convert writes floats as keys, keys as floats, or copies.
var convert = source{
	family: "sort", name: "convert", entry: "Convert", sig: "(dst, src *T, n int, form int)", elems: keyElems,
	emit: func(k *kernel) {
		dst, src, n := k.arg("dst"), k.arg("src"), k.arg("n")
		f := k.keyForm(k.arg("form"))
		for _, c := range []struct {
			label string
			bit   uint64
			do    func(v ...reg.VecVirtual)
		}{
			{"load", formLoad, func(v ...reg.VecVirtual) { k.mapKeys(f, v...) }},
			{"store", formStore, func(v ...reg.VecVirtual) { k.unmapKeys(f, v...) }},
			{"copy", 0, func(...reg.VecVirtual) {}},
		} {
			next := "not" + c.label
			if c.bit != 0 {
				k.TESTQ(operand.U32(c.bit), f.form)
				k.JZ(operand.LabelRef(next))
			}
			k.convertLoop(c.label, dst, src, n, c.do)
			k.done()
			k.Label(next)
		}
	},
}

// convertLoop applies do to n elements: four vectors at a time, one, and the rest.
func (k *kernel) convertLoop(label string, dst, src, n reg.GPVirtual, do func(v ...reg.VecVirtual)) {
	for _, vecs := range []int{4, 1} {
		here := label + map[int]string{4: "four", 1: "one"}[vecs]
		k.SUBQ(operand.U32(vecs*k.lanes()), n)
		k.JB(operand.LabelRef(here + "end"))
		k.section(here, counted(vecs, "vector")+" at a time.")
		v := k.vecs(vecs)
		for i := range v {
			k.iload(k.at(src, i*k.lanes()), v[i])
		}
		do(v...)
		for i := range v {
			k.istore(v[i], k.at(dst, i*k.lanes()))
		}
		k.forward(vecs*k.bytes, src, dst)
		k.SUBQ(operand.U32(vecs*k.lanes()), n)
		k.JAE(operand.LabelRef(here))
		k.Label(here + "end")
		k.ADDQ(operand.U32(vecs*k.lanes()), n)
	}
	k.Comment("The rest, under a mask.")
	by, v := k.maskOf(n), k.vec()
	if k.wide {
		pick(k, k.VMOVDQU32_Z, k.VMOVDQU64_Z)(k.at(src, 0), by.k, v)
		do(v)
		pick(k, k.VMOVDQU32, k.VMOVDQU64)(v, by.k, k.at(dst, 0))
		return
	}
	pick(k, k.VPMASKMOVD, k.VPMASKMOVQ)(k.at(src, 0), by.v, v)
	do(v)
	pick(k, k.VPMASKMOVD, k.VPMASKMOVQ)(v, by.v, k.at(dst, 0))
}
