package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// extrapolate sums in float64, and so goes through float32 in vectors of half the width. It waits for memory.
var extrapolate = source{
	family: "box", name: "extrapolate", entry: "Extrapolate",
	sig: "(w, last *T, n int, beta T) (before, after float64)",
	emit: func(k *kernel) {
		n, e := k.arg("n"), newExtrapolation(k)
		lanes, part := e.k.lanes(), operand.U32(2*e.k.lanes())
		e.k.zero(append(e.before, e.after...)...)
		k.SUBQ(part, n)
		k.JB(operand.LabelRef("single"))
		k.section("loop", "Two vectors: w + beta (w - last), last = w; the squares of both.")
		e.add(0, nil)
		e.add(1, nil)
		k.ADDQ(operand.U32(2*e.k.bytes), e.w)
		k.ADDQ(operand.U32(2*e.k.bytes), e.last)
		k.SUBQ(part, n)
		k.JAE(operand.LabelRef("loop"))
		k.section("single", "One vector.")
		k.TESTQ(operand.U32(lanes), n)
		k.JZ(operand.LabelRef("rest"))
		e.add(0, nil)
		k.ADDQ(operand.U32(e.k.bytes), e.w)
		k.ADDQ(operand.U32(e.k.bytes), e.last)
		k.section("rest", "The rest, under a mask.")
		k.ANDQ(operand.U32(lanes-1), n)
		k.JZ(operand.LabelRef("total"))
		by := k.maskOf(n)
		e.add(1, &by)
		k.section("total", "The sums across chains and lanes.")
		e.total(e.before, 0)
		e.total(e.after, 1)
		k.done()
	},
}

// extrapolation is the kernel under construction: k for the elements, double for sums as many lanes wide.
type extrapolation struct {
	k, double     *kernel
	w, last       reg.GPVirtual
	beta          reg.VecVirtual
	before, after []reg.VecVirtual // chains of additions, in which the vectors take turns
}

func newExtrapolation(k *kernel) *extrapolation {
	elements, double := k, *k
	if !k.f64 {
		elements, double.elem = k.halved(), elems[1]
	}
	e := &extrapolation{k: elements, double: &double, w: k.arg("w"), last: k.arg("last"), beta: elements.vec(),
		before: double.vecs(2), after: double.vecs(2)}
	k.bcast(k.scalarArg("beta"), e.beta)
	return e
}

// add moves vector i, or the lanes that by selects of it at the place of the first one.
func (e *extrapolation) add(i int, by *mask) {
	k, v, step := e.k, e.k.vec(), e.k.vec()
	w, last := k.at(e.w, i*k.lanes()), k.at(e.last, i*k.lanes())
	if by == nil {
		k.load(w, v)
		k.sub(last, v, step)
	} else {
		w, last = k.at(e.w, 0), k.at(e.last, 0)
		k.loadMasked(w, *by, v)
		k.loadMasked(last, *by, step)
		k.sub(step, v, step)
	}
	k.mul(e.beta, step, step)
	k.add(step, v, step)
	if by == nil {
		k.store(v, last)
		k.store(step, w)
	} else {
		k.storeMasked(v, *by, last)
		k.storeMasked(step, *by, w)
	}
	e.square(v, e.before[i])
	e.square(step, e.after[i])
}

// square adds the squares of v to the sum.
func (e *extrapolation) square(v, sum reg.VecVirtual) {
	if !e.k.f64 {
		wide := e.double.vec()
		e.k.VCVTPS2PD(v, wide)
		v = wide
	}
	e.double.fma(v, v, sum)
}

// total writes a sum to a result.
func (e *extrapolation) total(sum []reg.VecVirtual, result int) {
	e.double.add(sum[1], sum[0], sum[0])
	e.double.sumLanes(sum[0], e.double.bytes)
	to, err := e.k.ReturnIndex(result).Resolve()
	if err != nil {
		panic(err)
	}
	e.k.VMOVSD(sum[0].AsX(), to.Addr)
}
