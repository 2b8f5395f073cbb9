package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var maximum = source{family: "reduce", name: "max", entry: "Max", sig: "(x *T, n int) T",
	emit: func(k *kernel) { newExtremum(k, false, false).emit() }}

var minimum = source{family: "reduce", name: "min", entry: "Min", sig: "(x *T, n int) T",
	emit: func(k *kernel) { newExtremum(k, true, false).emit() }}

var argmax = source{family: "reduce", name: "argmax", entry: "ArgMax", sig: "(x *T, n int) int",
	emit: func(k *kernel) { newExtremum(k, false, true).emit() }}

var argmin = source{family: "reduce", name: "argmin", entry: "ArgMin", sig: "(x *T, n int) int",
	emit: func(k *kernel) { newExtremum(k, true, true).emit() }}

const (
	lessThan    = operand.U8(0x11) // predicates a < b and a > b, false for NaN, without a signal
	greaterThan = operand.U8(0x1e)
	equal       = operand.U8(0)
	notEqual    = operand.U8(4) // true for NaN
	ordered     = operand.U8(7) // neither is NaN
	unordered   = operand.U8(3) // one is NaN
)

// extremum finds the largest element (or the smallest, or where it is), or the first NaN. Three shapes by length:
//
//	n <= lanes    one masked vector
//	n < 8 lanes   vector by vector
//	longer        blocks of 8 vectors
//
// The last vector or block ends with x and may overlap the one before, which changes no extremum.
//
// VMAXPS forgets a NaN that is followed by a number. One comparison finds a NaN in either of two vectors; adding them
// up, which keeps every NaN too, takes twice as many instructions.
type extremum struct {
	k          *kernel
	arg        bool
	best       func(ops ...operand.Op) // VMAXPS or its kin
	better     operand.U8              // the predicate old < new, or old > new
	worst      operand.Mem
	x, n       reg.GPVirtual
	acc        reg.VecVirtual
	ordered    []mask         // lanes without a NaN so far; of float64 the low half of a mask register
	step       reg.VecVirtual // from block to block
	block, now reg.VecVirtual // for each lane where the block begins that raised it last; where the one at hand begins
}

const blockVecs = 8

func newExtremum(k *kernel, least, arg bool) *extremum {
	e := &extremum{k: k, arg: arg, better: lessThan, best: pick(k, k.VMAXPS, k.VMAXPD)}
	e.worst = k.lowest()
	if least {
		e.better, e.best, e.worst = greaterThan, pick(k, k.VMINPS, k.VMINPD), k.infinity()
	}
	e.x, e.n, e.acc = k.arg("x"), k.arg("n"), k.vec()
	return e
}

func (e *extremum) emit() {
	e.k.bcast(e.worst, e.acc)
	e.k.CMPQ(e.n, operand.Imm(uint64(e.k.lanes())))
	e.k.JBE(operand.LabelRef("short"))
	if e.arg {
		e.block, e.now = e.k.vec(), e.k.vec()
		e.step = e.k.vec()
		e.k.zero(e.block, e.now)
	}
	if e.k.wide {
		for range 4 {
			m := e.k.K()
			e.k.KXNORW(m, m, m)
			e.ordered = append(e.ordered, mask{k: m})
		}
	} else {
		m := e.k.vec()
		e.k.VPCMPEQD(m, m, m)
		e.ordered = []mask{{v: m}}
	}
	e.k.CMPQ(e.n, operand.U32(blockVecs*e.k.lanes()))
	e.k.JB(operand.LabelRef("medium"))
	e.pass("block", blockVecs)
	e.result("block", blockVecs)
	e.k.Label("medium")
	e.pass("vector", 1)
	e.result("vector", 1)
	e.k.Label("short")
	e.short()
}

// pass goes over x in blocks of vecs vectors, the last of which may overlap the one before.
func (e *extremum) pass(here string, vecs int) {
	p, last := e.k.GP64(), e.k.GP64()
	e.k.MOVQ(e.x, p)
	e.k.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(e.k.size), Disp: -vecs * e.k.bytes}, last)
	if e.arg {
		e.spread(operand.U32(vecs*e.k.lanes()), e.step)
	}
	e.k.Label(here + "loop")
	best := e.tree(p, vecs)
	if e.arg {
		e.remember(best)
	}
	e.best(best, e.acc, e.acc)
	e.k.forward(vecs*e.k.bytes, p)
	e.k.CMPQ(p, last)
	e.k.JBE(operand.LabelRef(here + "loop"))
	e.k.ADDQ(operand.U32(vecs*e.k.bytes), last)
	e.k.CMPQ(p, last)
	e.k.JEQ(operand.LabelRef(here + "passed"))
	e.k.SUBQ(operand.U32(vecs*e.k.bytes), last)
	e.k.MOVQ(last, p)
	if e.arg {
		start := e.k.GP64()
		e.k.LEAQ(operand.Mem{Base: e.n, Disp: -vecs * e.k.lanes()}, start)
		e.spread(start, e.now)
	}
	e.k.JMP(operand.LabelRef(here + "loop"))
	e.k.Label(here + "passed")
}

// tree returns the best of vecs vectors lane by lane, and takes note of any NaN among them, two vectors at a time.
func (e *extremum) tree(p reg.GPVirtual, vecs int) (best reg.VecVirtual) {
	var pending []reg.VecVirtual
	for i := range vecs {
		v := e.k.vec()
		e.k.load(e.vector(p, i), v)
		pending = append(pending, v)
		for w := 2; (i+1)%w == 0; w *= 2 { // a pair is complete
			l := len(pending)
			if w == 2 {
				e.note(i/2, pending[l-2], v)
			}
			e.best(pending[l-1], pending[l-2], pending[l-2])
			pending = pending[:l-1]
		}
	}
	if vecs == 1 {
		e.note(0, pending[0], pending[0])
	}
	return pending[0]
}

// note books a NaN in v or w. With AVX-512 a comparison under a mask is also the conjunction, but slow to follow
// another: pairs of a block have each its own mask, and single vectors take a separate conjunction.
func (e *extremum) note(number int, v, w reg.VecVirtual) {
	f := pick(e.k, e.k.VCMPPS, e.k.VCMPPD)
	switch n := e.ordered[number%len(e.ordered)]; {
	case !e.k.wide:
		t := e.k.vec()
		f(ordered, w, v, t)
		e.k.and(t, n.v, n.v)
	case v == w:
		t := e.k.K()
		f(ordered, w, v, t)
		e.k.KANDW(t, n.k, n.k)
	default:
		f(ordered, w, v, n.k, n.k)
	}
}

// vector is vector i behind p.
func (e *extremum) vector(p reg.Register, i int) operand.Mem { return e.k.at(p, i*e.k.lanes()) }

// result returns what a pass in blocks of vecs vectors has found.
func (e *extremum) result(here string, vecs int) {
	all := e.ordered[0]
	for _, m := range e.ordered[1:] {
		if e.k.wide {
			e.k.KANDW(m.k, all.k, all.k)
		} else {
			e.k.and(m.v, all.v, all.v)
		}
	}
	numbers := e.k.bits(all)
	e.k.CMPL(numbers.As32(), operand.U32(1<<e.k.lanes()-1))
	e.k.JNE(operand.LabelRef(here + "search"))
	if e.arg {
		e.find(here, vecs)
	} else {
		e.k.across(e.acc, e.best)
		e.k.ret(e.acc)
	}
	e.k.Label(here + "search")
	e.firstNaN(here)
}

// firstNaN returns the first NaN, or its place. There is one.
func (e *extremum) firstNaN(here string) {
	p, last, v := e.k.GP64(), e.k.GP64(), e.k.vec()
	e.k.MOVQ(e.x, p)
	e.k.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(e.k.size), Disp: -e.k.bytes}, last)
	e.k.Label(here + "nan")
	e.k.load(e.vector(p, 0), v)
	found := e.k.bits(e.k.compare(unordered, v, v))
	e.k.TESTL(found.As32(), found.As32())
	e.k.JNZ(operand.LabelRef(here + "found"))
	e.k.forward(e.k.bytes, p)
	e.k.CMPQ(p, last)
	e.k.CMOVQHI(last, p)
	e.k.JMP(operand.LabelRef(here + "nan"))
	e.k.Label(here + "found")
	if e.arg {
		e.k.TZCNTL(found.As32(), found.As32())
		e.k.SUBQ(e.x, p)
		e.k.SHRQ(operand.U8(e.k.shift), p)
		e.k.ADDQ(p, found)
		e.k.retInt(found)
	} else {
		e.k.sumLanes(v, e.k.bytes) // brings a NaN to the lowest lane
		e.k.ret(v)
	}
}

// short treats n <= lanes elements. The lanes behind them hold the worst value, which is not better than any.
func (e *extremum) short() {
	e.k.TESTQ(e.n, e.n)
	e.k.JZ(operand.LabelRef("empty"))
	by, v, best := e.k.maskOf(e.n), e.acc, e.k.vec()
	if e.k.wide {
		pick(e.k, e.k.VMOVUPS, e.k.VMOVUPD)(e.vector(e.x, 0), by.k, v)
	} else {
		w := e.k.vec()
		e.k.loadMasked(e.vector(e.x, 0), by, w)
		pick(e.k, e.k.VBLENDVPS, e.k.VBLENDVPD)(by.v, w, v, v)
	}
	nan := e.k.bits(e.k.compare(unordered, v, v))
	pick(e.k, e.k.VMOVAPS, e.k.VMOVAPD)(v, best)
	e.k.across(best, e.best)
	if e.arg {
		at := e.k.bits(e.k.compare(equal, v, best))
		e.k.TESTL(nan.As32(), nan.As32())
		e.k.CMOVLNE(nan.As32(), at.As32())
		e.k.TZCNTL(at.As32(), at.As32())
		e.k.retInt(at)
		e.k.Label("empty")
		e.k.retInt(operand.I32(-1))
		return
	}
	e.k.TESTL(nan.As32(), nan.As32())
	e.k.JNZ(operand.LabelRef("shortnan"))
	e.k.ret(best)
	e.k.Label("shortnan")
	e.k.add(best, v, v)
	e.k.sumLanes(v, e.k.bytes)
	e.k.Label("empty")
	e.k.ret(v)
}
