package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks emits the loop over n elements: f treats one vector, a block of vectors, or the lanes of one that by selects.
// It destroys n.
func (k *kernel) blocks(n reg.GPVirtual, block int, f func(count int, by *mask)) {
	lanes := k.lanes()
	k.SUBQ(operand.U32(block*lanes), n)
	k.JB(operand.LabelRef("below"))
	k.section("loop", fmt.Sprintf("Blocks of %d vectors.", block))
	f(block, nil)
	k.SUBQ(operand.U32(block*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	k.Label("below")
	k.ADDQ(operand.U32((block-1)*lanes), n) // one is subtracted still
	k.JNC(operand.LabelRef("tail"))
	k.section("single", "Single vectors.")
	f(1, nil)
	k.SUBQ(operand.U32(lanes), n)
	k.JAE(operand.LabelRef("single"))
	k.Label("tail")
	k.ADDQ(operand.U32(lanes), n)
	k.JZ(operand.LabelRef("done"))
	k.Comment("The rest, under a mask.")
	by := k.maskOf(n)
	f(1, &by)
	k.Label("done")
}

// loadVectors fills v from the elements at p, or from those that by selects.
func (k *kernel) loadVectors(p reg.GPVirtual, by *mask, v ...reg.VecVirtual) {
	for i, v := range v {
		if by != nil {
			k.loadMasked(k.at(p, 0), *by, v)
		} else {
			k.load(k.at(p, i*k.lanes()), v)
		}
	}
}

// deliver stores the values v at y, or if the argument add is not 0 adds them there, times the argument weight and
// rounded, and steps forward.
func (k *kernel) deliver(v []reg.VecVirtual, y reg.GPVirtual, by *mask) {
	store, weight, old := k.newLabel("store"), k.vec(), k.vecs(len(v))
	k.CMPQ(k.scalarArg("add"), operand.Imm(0))
	k.JEQ(operand.LabelRef(store))
	k.bcast(k.scalarArg("weight"), weight)
	k.loadVectors(y, by, old...)
	for i, v := range v {
		k.mul(weight, v, v)
		k.add(old[i], v, v)
	}
	k.Label(store)
	for i, v := range v {
		if by != nil {
			k.storeMasked(v, *by, k.at(y, 0))
		} else {
			k.store(v, k.at(y, i*k.lanes()))
		}
	}
	k.forward(len(v)*k.bytes, y)
}
