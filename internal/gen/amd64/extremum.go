package main

import (
	"fmt"

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
// VMAXPS forgets a NaN that is followed by a number. One comparison finds a NaN in either of two vectors; adding them up, which
// keeps every NaN too, takes twice as many instructions.
type extremum struct {
	*kernel
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
	e := &extremum{kernel: k, arg: arg, better: lessThan, best: pick(k, k.VMAXPS, k.VMAXPD)}
	bits := pick(k, uint64(0xff800000), uint64(0xfff0000000000000)) // -Inf
	name := "minus_inf"
	if least {
		e.better, e.best = greaterThan, pick(k, k.VMINPS, k.VMINPD)
		bits, name = pick(k, uint64(0x7f800000), uint64(0x7ff0000000000000)), "inf"
	}
	e.worst = k.global(fmt.Sprintf("%s%d", name, 8*k.size), func() {
		k.AppendDatum(pick[operand.Constant](k, operand.U32(bits), operand.U64(bits)))
	})
	e.x, e.n, e.acc = k.arg("x"), k.arg("n"), k.vec()
	return e
}

func (e *extremum) emit() {
	e.bcast(e.worst, e.acc)
	e.CMPQ(e.n, operand.Imm(uint64(e.lanes())))
	e.JBE(operand.LabelRef("short"))
	if e.arg {
		e.block, e.now = e.vec(), e.vec()
		e.step = e.vec()
		e.zero(e.block, e.now)
	}
	if e.wide {
		for range 4 {
			m := e.K()
			e.KXNORW(m, m, m)
			e.ordered = append(e.ordered, mask{k: m})
		}
	} else {
		m := e.vec()
		e.VPCMPEQD(m, m, m)
		e.ordered = []mask{{v: m}}
	}
	e.CMPQ(e.n, operand.U32(blockVecs*e.lanes()))
	e.JB(operand.LabelRef("medium"))
	e.pass("block", blockVecs)
	e.result("block", blockVecs)
	e.Label("medium")
	e.pass("vector", 1)
	e.result("vector", 1)
	e.Label("short")
	e.short()
}

// pass goes over x in blocks of vecs vectors, the last of which may overlap the one before.
func (e *extremum) pass(here string, vecs int) {
	p, last := e.GP64(), e.GP64()
	e.MOVQ(e.x, p)
	e.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(e.size), Disp: -vecs * e.bytes}, last)
	if e.arg {
		e.spread(operand.U32(vecs*e.lanes()), e.step)
	}
	e.Label(here + "loop")
	best := e.tree(p, vecs)
	if e.arg {
		e.remember(best)
	}
	e.best(best, e.acc, e.acc)
	e.forward(vecs*e.bytes, p)
	e.CMPQ(p, last)
	e.JBE(operand.LabelRef(here + "loop"))
	e.ADDQ(operand.U32(vecs*e.bytes), last)
	e.CMPQ(p, last)
	e.JEQ(operand.LabelRef(here + "passed"))
	e.SUBQ(operand.U32(vecs*e.bytes), last)
	e.MOVQ(last, p)
	if e.arg {
		start := e.GP64()
		e.LEAQ(operand.Mem{Base: e.n, Disp: -vecs * e.lanes()}, start)
		e.spread(start, e.now)
	}
	e.JMP(operand.LabelRef(here + "loop"))
	e.Label(here + "passed")
}

// tree returns the best of vecs vectors lane by lane, and takes note of any NaN among them, two vectors at a time.
func (e *extremum) tree(p reg.GPVirtual, vecs int) (best reg.VecVirtual) {
	var pending []reg.VecVirtual
	for i := range vecs {
		v := e.vec()
		e.load(e.vector(p, i), v)
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

// note books a NaN in v or w. With AVX-512 a comparison under a mask is also the conjunction, but slow to follow another: pairs
// of a block have each its own mask, and single vectors take a separate conjunction.
func (e *extremum) note(number int, v, w reg.VecVirtual) {
	f := pick(e.kernel, e.VCMPPS, e.VCMPPD)
	switch n := e.ordered[number%len(e.ordered)]; {
	case !e.wide:
		t := e.vec()
		f(ordered, w, v, t)
		e.and(t, n.v, n.v)
	case v == w:
		t := e.K()
		f(ordered, w, v, t)
		e.KANDW(t, n.k, n.k)
	default:
		f(ordered, w, v, n.k, n.k)
	}
}

// vector is vector i behind p.
func (e *extremum) vector(p reg.Register, i int) operand.Mem { return e.at(p, i*e.lanes()) }

// result returns what a pass in blocks of vecs vectors has found.
func (e *extremum) result(here string, vecs int) {
	all := e.ordered[0]
	for _, m := range e.ordered[1:] {
		if e.wide {
			e.KANDW(m.k, all.k, all.k)
		} else {
			e.and(m.v, all.v, all.v)
		}
	}
	numbers := e.bits(all)
	e.CMPL(numbers.As32(), operand.U32(1<<e.lanes()-1))
	e.JNE(operand.LabelRef(here + "search"))
	if e.arg {
		e.find(here, vecs)
	} else {
		e.across(e.acc)
		e.ret(e.acc)
	}
	e.Label(here + "search")
	e.firstNaN(here)
}

// firstNaN returns the first NaN, or its place. There is one.
func (e *extremum) firstNaN(here string) {
	p, last, v := e.GP64(), e.GP64(), e.vec()
	e.MOVQ(e.x, p)
	e.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(e.size), Disp: -e.bytes}, last)
	e.Label(here + "nan")
	e.load(e.vector(p, 0), v)
	found := e.bits(e.compare(unordered, v, v))
	e.TESTL(found.As32(), found.As32())
	e.JNZ(operand.LabelRef(here + "found"))
	e.forward(e.bytes, p)
	e.CMPQ(p, last)
	e.CMOVQHI(last, p)
	e.JMP(operand.LabelRef(here + "nan"))
	e.Label(here + "found")
	if e.arg {
		e.TZCNTL(found.As32(), found.As32())
		e.SUBQ(e.x, p)
		e.SHRQ(operand.U8(e.shift), p)
		e.ADDQ(p, found)
		e.retInt(found)
	} else {
		e.sumLanes(v, e.bytes) // brings a NaN to the lowest lane
		e.ret(v)
	}
}

// across spreads the best of v's lanes to all of them.
func (e *extremum) across(v reg.VecVirtual) {
	t := e.vec()
	if e.wide {
		for _, order := range []operand.U8{0x4e, 0xb1} { // halves, then quarters change places
			e.VSHUFF64X2(order, v, v, t)
			e.best(t, v, v)
		}
	} else {
		e.VPERM2F128(operand.U8(1), v, v, t)
		e.best(t, v, v)
	}
	if e.f64 {
		e.VPERMILPD(operand.U8(0x55), v, t)
		e.best(t, v, v)
		return
	}
	for _, order := range []operand.U8{0x4e, 0xb1} {
		e.VPERMILPS(order, v, t)
		e.best(t, v, v)
	}
}

// short treats n <= lanes elements. The lanes behind them hold the worst value, which is not better than any.
func (e *extremum) short() {
	e.TESTQ(e.n, e.n)
	e.JZ(operand.LabelRef("empty"))
	by, v, best := e.maskOf(e.n), e.acc, e.vec()
	if e.wide {
		pick(e.kernel, e.VMOVUPS, e.VMOVUPD)(e.vector(e.x, 0), by.k, v)
	} else {
		w := e.vec()
		e.loadMasked(e.vector(e.x, 0), by, w)
		pick(e.kernel, e.VBLENDVPS, e.VBLENDVPD)(by.v, w, v, v)
	}
	nan := e.bits(e.compare(unordered, v, v))
	pick(e.kernel, e.VMOVAPS, e.VMOVAPD)(v, best)
	e.across(best)
	if e.arg {
		at := e.bits(e.compare(equal, v, best))
		e.TESTL(nan.As32(), nan.As32())
		e.CMOVLNE(nan.As32(), at.As32())
		e.TZCNTL(at.As32(), at.As32())
		e.retInt(at)
		e.Label("empty")
		e.retInt(operand.I32(-1))
		return
	}
	e.TESTL(nan.As32(), nan.As32())
	e.JNZ(operand.LabelRef("shortnan"))
	e.ret(best)
	e.Label("shortnan")
	e.add(best, v, v)
	e.sumLanes(v, e.bytes)
	e.Label("empty")
	e.ret(v)
}
