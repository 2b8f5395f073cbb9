package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hingeLower, hingeMove and hingeSum sum in float64, and so go through float32 in vectors of half the width.
var hingeLower = source{
	family: "hinge", name: "lower", entry: "Lower", sig: "(x *T, n int, most T) (sum float64)",
	emit: func(k *kernel) {
		b := newBlockSum(k)
		x, n, most := k.arg("x"), k.arg("n"), b.k.vec()
		k.bcast(k.scalarArg("most"), most)
		k.Comment("x = min(x, most), and its sum.")
		b.k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
			v := b.k.vec()
			b.read(x, at, rest, v)
			pick(k, k.VMINPS, k.VMINPD)(v, most, v) // NaN comes first here, and is returned
			b.write(v, x, at, rest)
			b.add(v)
		})
		b.total()
		k.done()
	},
}

var hingeMove = source{
	family: "hinge", name: "move", entry: "Move", sig: "(a, x, delta *T, n int) (sum float64, moved int)",
	emit: func(k *kernel) {
		b := newBlockSum(k)
		a, x, delta, n := k.arg("a"), k.arg("x"), k.arg("delta"), k.arg("n")
		sizes, noSign, sign := b.k.vec(), b.k.vec(), b.k.vec()
		k.bcast(k.absMaskTable(), noSign)
		b.k.zero(sizes)
		k.bcast(k.signTable(), sign)
		k.Comment("a = -x, delta = its change; the sums of x and of |delta|.")
		b.k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
			v, old := b.k.vec(), b.k.vec()
			b.read(x, at, rest, v)
			b.read(a, at, rest, old)
			b.add(v)
			k.VXORPS(sign, v, v)
			b.k.sub(old, v, old)
			b.write(v, a, at, rest)
			b.write(old, delta, at, rest)
			b.k.and(noSign, old, old)
			b.k.add(old, sizes, sizes) // above 0, or NaN, where one is not 0
		})
		b.total()
		k.Comment("Has a variable moved?")
		b.k.sumLanes(sizes, b.k.bytes)
		moved, yes, zero := k.GP64(), k.newLabel("moved"), b.k.vec()
		b.k.zero(zero)
		k.MOVQ(operand.I32(1), moved)
		pick(k, k.VUCOMISS, k.VUCOMISD)(zero.AsX(), sizes.AsX())
		k.JPS(operand.LabelRef(yes)) // NaN
		k.JNE(operand.LabelRef(yes))
		k.XORL(moved.As32(), moved.As32())
		k.Label(yes)
		k.MOVQ(moved, k.result(1))
		k.done()
	},
}

var hingeSum = source{
	family: "hinge", name: "sum", entry: "Sum", sig: "(x *T, n int) (sum float64)",
	emit: func(k *kernel) {
		b := newBlockSum(k)
		x, n := k.arg("x"), k.arg("n")
		k.Comment("The sum of x.")
		b.k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
			v := b.k.vec()
			b.read(x, at, rest, v)
			b.add(v)
		})
		b.total()
		k.done()
	},
}

// hingeTarget rounds each product and sum by itself, as Go does on amd64.
var hingeTarget = source{
	family: "hinge", name: "target", entry: "Target", sig: "(b, a, s *T, n int, margin, inv, rho, sum T)",
	emit: func(k *kernel) {
		b, to, a, s, n := &blockSum{k: k}, k.arg("b"), k.arg("a"), k.arg("s"), k.arg("n")
		c := k.vecs(4)
		for i, name := range []string{"margin", "inv", "rho", "sum"} {
			k.bcast(k.scalarArg(name), c[i])
		}
		k.Comment("b = (s + margin) inv - rho a + sum.")
		k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
			v, x := k.vec(), k.vec()
			b.read(s, at, rest, v)
			k.add(c[0], v, v)
			k.mul(c[1], v, v)
			b.read(a, at, rest, x)
			k.mul(c[2], x, x)
			k.sub(x, v, v)
			k.add(c[3], v, v)
			b.write(v, to, at, rest)
		})
		k.done()
	},
}

// blockSum is a pass over arrays under construction: k for the elements, double for the sum, as many lanes wide.
type blockSum struct {
	k, double *kernel
	sum       reg.VecVirtual
}

func newBlockSum(k *kernel) *blockSum {
	elements, double := k, *k
	if !k.f64 {
		elements, double.elem = k.halved(), elems[1]
	}
	b := &blockSum{k: elements, double: &double}
	b.sum = double.vec()
	double.zero(b.sum)
	return b
}

func (b *blockSum) mem(p, at reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: p, Index: at, Scale: uint8(b.k.size)}
}

func (b *blockSum) read(p, at reg.GPVirtual, rest *mask, v reg.VecVirtual) {
	if rest == nil {
		b.k.load(b.mem(p, at), v)
	} else {
		b.k.loadMasked(b.mem(p, at), *rest, v)
	}
}

func (b *blockSum) write(v reg.VecVirtual, p, at reg.GPVirtual, rest *mask) {
	if rest == nil {
		b.k.store(v, b.mem(p, at))
	} else {
		b.k.storeMasked(v, *rest, b.mem(p, at))
	}
}

// add adds v to the sum.
func (b *blockSum) add(v reg.VecVirtual) {
	if !b.k.f64 {
		wide := b.double.vec()
		b.k.VCVTPS2PD(v, wide)
		v = wide
	}
	b.double.add(v, b.sum, b.sum)
}

// total writes the sum to the first result.
func (b *blockSum) total() {
	b.k.Comment("The sum across the lanes.")
	b.double.sumLanes(b.sum, b.double.bytes)
	b.k.VMOVSD(b.sum.AsX(), b.k.result(0))
}

// signTable is the sign bit of one element.
func (k *kernel) signTable() operand.Mem {
	if k.f64 {
		return k.global("sign64", func() { k.AppendDatum(operand.U64(1 << 63)) })
	}
	return k.global("sign32", func() { k.AppendDatum(operand.U32(1 << 31)) })
}
