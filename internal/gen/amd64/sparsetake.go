package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Elements are fetched one by one here too: see sparse.go.

var sparseTake = source{
	family: "sparse", name: "take", entry: "Take", sig: "(dst, x *T, idx *int, n int)", emit: emitTake,
}

var sparseMixedTake = source{
	family: "sparse", name: "mixedtake", entry: "MixedTake", elems: mixed,
	sig: "(dst *float64, x *float32, idx *int, n int)", emit: ofSingle(emitTake),
}

// emitTake goes by vectors of 16 bytes of x, four at a time, then by elements.
func emitTake(k *kernel) {
	dst, x, idx, n := k.arg("dst"), k.arg("x"), k.arg("idx"), k.arg("n")
	lanes := 16 / k.dataSize()
	for _, count := range []int{4 * lanes, lanes, 1} {
		loop := k.newLabel("loop")
		end, step := k.newLabel("end"), operand.Imm(uint64(count))
		k.SUBQ(step, n)
		k.JB(operand.LabelRef(end))
		k.section(loop, counted(count, "element")+" at a time.")
		for first := 0; first < count; first += lanes {
			some := min(lanes, count-first)
			v := k.taken(x, idx, first, some)
			switch {
			case k.single && some == 1:
				k.VCVTSS2SD(v, v, v)
			case k.single:
				wide := k.YMM()
				k.VCVTPS2PD(v, wide)
				v = wide
			}
			if some == 1 {
				k.storePart(v, k.at(dst, first), k.size)
			} else {
				k.store(v, k.at(dst, first))
			}
		}
		k.ADDQ(operand.Imm(uint64(8*count)), idx)
		k.ADDQ(operand.Imm(uint64(k.size*count)), dst)
		k.SUBQ(step, n)
		k.JAE(operand.LabelRef(loop))
		k.Label(end)
		k.ADDQ(step, n)
	}
	k.done()
}

// taken returns some elements of x, those at the indices from first on.
func (k *kernel) taken(x, idx reg.GPVirtual, first, some int) reg.VecVirtual {
	v := k.XMM()
	for i := range some {
		j := k.GP64()
		k.MOVQ(operand.Mem{Base: idx, Disp: 8 * (first + i)}, j)
		m := operand.Mem{Base: x, Index: j, Scale: uint8(k.dataSize())}
		switch {
		case i == 0:
			k.loadPart(m, v, k.dataSize())
		case k.dataSize() == 8:
			k.VMOVHPD(m, v, v)
		default:
			k.VINSERTPS(operand.U8(16*i), m, v, v)
		}
	}
	return v
}
