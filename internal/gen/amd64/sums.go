package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var dot = source{
	family: "blas", name: "dot", entry: "Dot", sig: "(x, y *T, n int) T",
	emit: emitDot,
}

func emitDot(k *kernel) {
	reduction(k, true, nil, func(k *kernel, acc, v reg.Register, y operand.Op) { k.fma(y, v, acc) })
}

var sqdist = source{
	family: "blas", name: "sqdist", entry: "SqDist", sig: "(x, y *T, n int) T",
	emit: func(k *kernel) {
		reduction(k, true, nil, func(k *kernel, acc, v reg.Register, y operand.Op) {
			k.sub(y, v, v)
			k.fma(v, v, acc)
		})
	},
}

var sqnorm = source{
	family: "blas", name: "sqnorm", entry: "SqNorm", sig: "(x *T, n int) T",
	emit: func(k *kernel) {
		reduction(k, false, nil, func(k *kernel, acc, v reg.Register, _ operand.Op) { k.fma(v, v, acc) })
	},
}

var sum = source{
	family: "blas", name: "sum", entry: "Sum", sig: "(x *T, n int) T",
	emit: func(k *kernel) {
		k.direct = true
		reduction(k, false, nil, func(k *kernel, acc, _ reg.Register, x operand.Op) { k.add(x, acc, acc) })
	},
}

var abssum = source{
	family: "blas", name: "abssum", entry: "AbsSum", sig: "(x *T, n int) T",
	emit: func(k *kernel) {
		k.direct = true
		noSign := k.vec()
		reduction(k, false, func(k *kernel) { k.bcast(k.absMaskTable(), noSign) },
			func(k *kernel, acc, v reg.Register, x operand.Op) {
				k.and(x, k.like(noSign, v), v)
				k.add(v, acc, acc)
			})
	},
}

// absMaskTable is one element with all bits but the sign.
func (k *kernel) absMaskTable() operand.Mem {
	m := &k.absMask[k.shift-2]
	if *m == nil {
		name, bits := "no_sign32", operand.Constant(operand.U32(math.MaxInt32))
		if k.f64 {
			name, bits = "no_sign64", operand.U64(math.MaxInt64)
		}
		g := k.StaticGlobal(name)
		k.DataAttributes(attr.RODATA | attr.NOPTR)
		k.AppendDatum(bits)
		*m = &g
	}
	return **m
}
