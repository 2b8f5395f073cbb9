package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// step adds the terms of one vector to acc. x is at hand in v; y is memory, or for a masked vector a register. In
// kernels of one argument y is v, or in direct kernels memory of x, and v is free.
type step func(k *kernel, acc, v reg.Register, y operand.Op)

// reduction emits a sum of terms over x (and y). Four shapes by length:
//
//	n <= lanes     one masked vector, no wider than needed, since narrow ones sum faster
//	n <= 2 lanes   a vector and a masked one, one accumulator
//	n < 8 lanes    halving: 4 vectors, 2, 1, a masked one, into four accumulators
//	longer         a loop of 8 vectors into eight accumulators (latency 4, two units), then halving
//
// The path of long vectors has as few taken branches as it can: each costs the front end a cycle or two.
func reduction(k *kernel, two bool, prepare func(k *kernel), term step) {
	x, y := k.arg("x"), reg.GPVirtual(nil)
	if two {
		y = k.arg("y")
	}
	n := k.arg("n")
	if prepare != nil {
		prepare(k)
	}
	lanes := k.lanes()
	k.CMPQ(n, operand.Imm(uint64(lanes)))
	k.JA(operand.LabelRef("long"))
	k.sumShort(x, y, n, term)
	k.section("long", "A vector and one under a mask.")
	k.CMPQ(n, operand.Imm(uint64(2*lanes)))
	k.JA(operand.LabelRef("longer"))
	k.sumTwo(x, y, n, term)
	k.section("longer", "More than two vectors.")
	acc := k.vecs(8)
	k.zero(acc[:4]...)
	k.CMPQ(n, operand.U32(8*lanes))
	k.JB(operand.LabelRef("halves"))
	k.zero(acc[4:]...)
	k.CMPQ(n, operand.U32(peelFrom*lanes))
	k.JA(operand.LabelRef("peel"))
	k.Label("aligned")
	k.SUBQ(operand.U32(8*lanes), n)
	k.section("loop", "Blocks of 8 vectors, each to a sum of its own.")
	k.terms(acc, x, y, term)
	k.SUBQ(operand.U32(8*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	for i := range 4 {
		k.add(acc[i+4], acc[i], acc[i])
	}
	k.ADDQ(operand.U32(8*lanes), n)
	k.JZ(operand.LabelRef("total"))

	k.section("halves", "The rest by the bits of n: 4 vectors, 2, 1, and one under a mask.")
	for _, h := range []struct{ vecs, from int }{{4, 0}, {2, 0}, {1, 2}} {
		skip := fmt.Sprintf("below%d", h.vecs)
		k.TESTQ(operand.U32(h.vecs*lanes), n)
		k.JZ(operand.LabelRef(skip))
		k.terms(acc[h.from:h.from+h.vecs], x, y, term)
		k.Label(skip)
	}
	k.ANDQ(operand.U32(lanes-1), n)
	k.JZ(operand.LabelRef("total"))
	k.masked(acc[3], x, y, k.maskOf(n), term)
	k.section("total", "The sum across chains and lanes.")
	k.add(acc[1], acc[0], acc[0])
	k.add(acc[3], acc[2], acc[2])
	k.add(acc[2], acc[0], acc[0])
	k.sumLanes(acc[0], k.bytes)
	k.ret(acc[0])

	k.section("peel", "The elements before the first boundary of a vector, under a mask.")
	k.TESTQ(operand.U32(k.bytes-1), k.wider(x, y))
	k.JZ(operand.LabelRef("aligned"))
	k.peelMasked(acc[7], x, y, n, term)
	k.JMP(operand.LabelRef("aligned"))
}

// sumTwo returns the sum over lanes < n <= 2 lanes elements.
func (k *kernel) sumTwo(x, y, n reg.GPVirtual, term step) {
	acc := k.vec()
	k.zero(acc)
	k.terms([]reg.VecVirtual{acc}, x, y, term)
	k.SUBQ(operand.U32(k.lanes()), n)
	k.masked(acc, x, y, k.maskOf(n), term)
	k.sumLanes(acc, k.bytes)
	k.ret(acc)
}

// peelMasked adds the terms before the first boundary of a vector of x, or of y where x is half as wide: where x and y
// are misaligned alike both gain.
func (k *kernel) peelMasked(acc reg.VecVirtual, x, y, n reg.GPVirtual, term step) {
	bytes, count := k.GP64(), k.GP64()
	k.MOVQ(k.wider(x, y), bytes)
	k.NEGQ(bytes)
	k.ANDQ(operand.U32(k.bytes-1), bytes)
	k.MOVQ(bytes, count)
	k.SHRQ(operand.U8(k.shift), count)
	k.masked(acc, x, y, k.maskOf(count), term)
	k.SUBQ(count, n)
	if k.single {
		k.LEAQ(operand.Mem{Base: x, Index: count, Scale: uint8(k.dataSize())}, x)
	} else {
		k.ADDQ(bytes, x)
	}
	if y != nil {
		k.ADDQ(bytes, y)
	}
}

// terms adds len(acc) full vectors, one to each accumulator, and steps forward.
func (k *kernel) terms(acc []reg.VecVirtual, x, y reg.GPVirtual, term step) {
	for i, a := range acc {
		if k.direct {
			term(k, a, k.vec(), k.at(x, i*k.lanes()))
			continue
		}
		v := k.vec()
		k.loadData(k.atData(x, i*k.lanes()), v)
		if y == nil {
			term(k, a, v, v)
		} else {
			term(k, a, v, k.at(y, i*k.lanes()))
		}
	}
	k.forward(k.dataBytes(len(acc)*k.bytes), x)
	if y != nil {
		k.ADDQ(operand.U32(len(acc)*k.bytes), y)
	}
}

// masked adds the selected lanes to acc, at the width of acc.
func (k *kernel) masked(acc reg.Register, x, y reg.GPVirtual, by mask, term step) {
	v := k.sameWidth(acc)
	k.loadDataMasked(k.atData(x, 0), by, v)
	if y == nil {
		term(k, acc, v, v)
		return
	}
	w := k.sameWidth(acc)
	k.loadMasked(k.at(y, 0), by, w)
	term(k, acc, v, w)
}

func (k *kernel) sameWidth(v reg.Register) reg.Register {
	switch v.Size() {
	case 16:
		return k.XMM()
	case 32:
		return k.YMM()
	}
	return k.ZMM()
}

// sumShort returns the sum over n <= lanes elements.
func (k *kernel) sumShort(x, y, n reg.GPVirtual, term step) {
	by := k.maskOf(n)
	for bytes := k.bytes; bytes >= 16; bytes /= 2 {
		next := fmt.Sprintf("within%d", bytes/2)
		if bytes > 16 {
			k.CMPQ(n, operand.Imm(uint64(bytes/2/k.size)))
			k.JBE(operand.LabelRef(next))
		} else { // a load by a mask of no lanes may fault
			k.TESTQ(n, n)
			k.JZ(operand.LabelRef("empty"))
		}
		k.Comment("At most " + counted(bytes/k.size, "element") + ", under a mask.")
		acc := k.vec()
		k.zero(acc)
		k.masked(map[int]reg.Register{16: acc.AsX(), 32: acc.AsY(), 64: acc}[bytes], x, y, by, term)
		k.sumLanes(acc, bytes)
		k.ret(acc)
		if bytes > 16 {
			k.Label(next)
		}
	}
	k.section("empty", "No element.")
	acc := k.vec()
	k.zero(acc)
	k.ret(acc)
}

// sumLanes leaves the sum of the lanes of v's first bytes in its lane 0.
func (k *kernel) sumLanes(v reg.VecVirtual, bytes int) {
	t := k.vec()
	if bytes == 64 {
		k.VEXTRACTF64X4(operand.Imm(1), v, t.AsY())
		k.add(t.AsY(), v.AsY(), v.AsY())
	}
	if bytes >= 32 {
		if k.wide {
			k.VEXTRACTF32X4(operand.Imm(1), v.AsY(), t.AsX()) // reaches all 32 registers
		} else {
			k.VEXTRACTF128(operand.Imm(1), v.AsY(), t.AsX())
		}
		k.add(t.AsX(), v.AsX(), v.AsX())
	}
	k.VPERMILPD(operand.Imm(1), v.AsX(), t.AsX())
	k.add(t.AsX(), v.AsX(), v.AsX())
	if !k.f64 {
		k.VMOVSHDUP(v.AsX(), t.AsX())
		k.add(t.AsX(), v.AsX(), v.AsX())
	}
}
