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
	notEqual    = operand.U8(4) // true for NaN
	ordered     = operand.U8(7) // neither is NaN
	unordered   = operand.U8(3) // one is NaN
)

// extremum finds the largest element (or the smallest, or where it is), or the first NaN. By length:
//
//	n <= 8 lanes  the first and the last 1, 2 or 4 vectors, which together are all of x and may overlap; vectors are
//	              narrower where n is below lanes
//	longer        blocks of 8 vectors, the last of which ends with x and may overlap the one before
//
// An element that is seen twice changes no extremum.
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
	e.x, e.n = k.arg("x"), k.arg("n")
	return e
}

func (e *extremum) emit() {
	e.k.CMPQ(e.n, operand.U32(blockVecs*e.k.lanes()))
	e.k.JA(operand.LabelRef("block"))
	e.k.CMPQ(e.n, operand.U32(e.k.lanes()))
	e.k.JBE(operand.LabelRef("narrow"))
	for vecs := 1; vecs < blockVecs; vecs *= 2 {
		over := fmt.Sprintf("over%d", vecs)
		if 2*vecs < blockVecs {
			e.k.CMPQ(e.n, operand.U32(2*vecs*e.k.lanes()))
			e.k.JA(operand.LabelRef(over))
		}
		e.ends(e.k, vecs)
		e.k.Label(over)
	}
	e.k.Label("narrow")
	for bytes := e.k.bytes / 2; bytes >= 2*e.k.size; bytes /= 2 {
		below := fmt.Sprintf("below%d", bytes)
		e.k.CMPQ(e.n, operand.U32(bytes/e.k.size))
		if bytes == 2*e.k.size {
			e.k.JB(operand.LabelRef(below))
		} else {
			e.k.JBE(operand.LabelRef(below))
		}
		k := *e.k
		k.bytes = bytes
		e.ends(&k, 1)
		e.k.Label(below)
	}
	e.single()
	e.k.section("block", "More than 8 vectors: blocks, of which the last one ends with x.")
	e.blocks()
	e.k.section("nan", "The first NaN.")
	e.firstNaN()
}

// ends treats n elements by the first and the last vecs vectors of the width of k, of 8 bytes by vectors of 16 that
// hold all twice.
func (e *extremum) ends(k *kernel, vecs int) {
	load, bytes := k.load, k.bytes
	if bytes == 8 {
		load = func(m operand.Mem, v reg.Register) { k.VMOVDDUP(m, v) }
	}
	k.Comment(fmt.Sprintf("Vectors of %d bytes: the first %d and the last %d.", bytes, vecs, vecs))
	q := k.GP64()
	k.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(k.size), Disp: -vecs * bytes}, q)
	first, last, nans := k.vecs(vecs), k.vecs(vecs), make([]mask, vecs)
	for i := range vecs {
		load(operand.Mem{Base: e.x, Disp: i * bytes}, first[i])
		load(operand.Mem{Base: q, Disp: i * bytes}, last[i])
		nans[i] = k.compare(unordered, last[i], first[i])
	}
	k.jumpIfAny(nans, "nan")
	k.Comment("The best of all vectors and lanes.")
	best := k.vecs(vecs)
	for i := range vecs {
		e.best(last[i], first[i], best[i])
	}
	for n := vecs / 2; n > 0; n /= 2 {
		for i := range n {
			e.best(best[i+n], best[i], best[i])
		}
	}
	k.across(best[0], e.best)
	if !e.arg {
		k.ret(best[0])
		return
	}
	k.Comment("The first place where x equals it.")
	at, other := k.GP64(), k.GP64()
	word := func(p reg.GPVirtual, v []reg.VecVirtual) reg.GPVirtual {
		if vecs == 1 {
			return k.bits(k.compare(equal, v[0], best[0]))
		}
		return e.equalBits(p, 0, vecs, best[0])
	}
	k.TZCNTQ(word(q, last), other)
	k.LEAQ(operand.Mem{Base: e.n, Index: other, Scale: 1, Disp: -vecs * bytes / k.size}, other)
	k.TZCNTQ(word(e.x, first), at) // sets the carry if there is none
	k.CMOVQCS(other, at)
	k.retInt(at)
}

// jumpIfAny jumps if a mask, one of those given, selects a lane.
func (k *kernel) jumpIfAny(m []mask, to string) {
	for n := len(m) / 2; n > 0; n /= 2 {
		for i := range n {
			if k.wide {
				k.KORW(m[i+n].k, m[i].k, m[i].k)
			} else {
				k.VORPS(m[i+n].v, m[i].v, m[i].v)
			}
		}
	}
	if k.wide {
		k.KORTESTW(m[0].k, m[0].k)
	} else {
		k.VTESTPS(m[0].v, m[0].v)
	}
	k.JNZ(operand.LabelRef(to))
}

// single treats one element or none.
func (e *extremum) single() {
	e.k.Comment("One element or none.")
	if e.arg {
		e.k.LEAQ(operand.Mem{Base: e.n, Disp: -1}, e.n)
		e.k.retInt(e.n)
		return
	}
	v := e.k.XMM()
	load := pick(e.k, e.k.VMOVSS, e.k.VMOVSD)
	load(e.worst, v)
	e.k.TESTQ(e.n, e.n)
	e.k.JZ(operand.LabelRef("empty"))
	load(e.vector(e.x, 0), v)
	e.k.Label("empty")
	e.k.ret(v.(reg.Vec))
}

// blocks treats more than 8 vectors.
func (e *extremum) blocks() {
	e.acc = e.k.vec()
	e.k.bcast(e.worst, e.acc)
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
	e.pass()
	e.k.Comment("Has a lane met a NaN?")
	all := e.ordered[0]
	for _, m := range e.ordered[1:] {
		e.k.KANDW(m.k, all.k, all.k)
	}
	numbers := e.k.bits(all)
	e.k.CMPL(numbers.As32(), operand.U32(1<<e.k.lanes()-1))
	e.k.JNE(operand.LabelRef("nan"))
	if e.arg {
		e.find()
		return
	}
	e.k.Comment("The best of all lanes.")
	e.k.across(e.acc, e.best)
	e.k.ret(e.acc)
}

// pass goes over x in blocks, the last of which may overlap the one before.
func (e *extremum) pass() {
	const vecs = blockVecs
	p, last := e.k.GP64(), e.k.GP64()
	e.k.MOVQ(e.x, p)
	e.k.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(e.k.size), Disp: -vecs * e.k.bytes}, last)
	if e.arg {
		e.spread(operand.U32(vecs*e.k.lanes()), e.step)
	}
	e.k.section("loop", "A block of 8 vectors: the best of each lane, and whether one is NaN.")
	best := e.tree(p)
	if e.arg {
		e.remember(best)
	}
	e.best(best, e.acc, e.acc)
	e.k.forward(vecs*e.k.bytes, p)
	e.k.CMPQ(p, last)
	e.k.JBE(operand.LabelRef("loop"))
	e.k.Comment("The last block ends with x, and may overlap the one before.")
	e.k.ADDQ(operand.U32(vecs*e.k.bytes), last)
	e.k.CMPQ(p, last)
	e.k.JEQ(operand.LabelRef("passed"))
	e.k.SUBQ(operand.U32(vecs*e.k.bytes), last)
	e.k.MOVQ(last, p)
	if e.arg {
		start := e.k.GP64()
		e.k.LEAQ(operand.Mem{Base: e.n, Disp: -vecs * e.k.lanes()}, start)
		e.spread(start, e.now)
	}
	e.k.JMP(operand.LabelRef("loop"))
	e.k.Label("passed")
}

// tree returns the best of a block lane by lane, and takes note of any NaN in it, two vectors at a time.
func (e *extremum) tree(p reg.GPVirtual) (best reg.VecVirtual) {
	var pending []reg.VecVirtual
	for i := range blockVecs {
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
	return pending[0]
}

// note books a NaN in v or w. With AVX-512 a comparison under a mask is also the conjunction, but slow to follow
// another: pairs of a block have each its own mask.
func (e *extremum) note(number int, v, w reg.VecVirtual) {
	f, n := pick(e.k, e.k.VCMPPS, e.k.VCMPPD), e.ordered[number%len(e.ordered)]
	if e.k.wide {
		f(ordered, w, v, n.k, n.k)
		return
	}
	t := e.k.vec()
	f(ordered, w, v, t)
	e.k.and(t, n.v, n.v)
}

// vector is vector i behind p.
func (e *extremum) vector(p reg.Register, i int) operand.Mem { return e.k.at(p, i*e.k.lanes()) }

// firstNaN returns the first NaN, or its place. There is one.
func (e *extremum) firstNaN() {
	p, last, v := e.k.GP64(), e.k.GP64(), e.k.vec()
	e.k.MOVQ(e.x, p)
	e.k.LEAQ(operand.Mem{Base: e.x, Index: e.n, Scale: uint8(e.k.size), Disp: -e.k.bytes}, last)
	e.k.Label("search")
	e.k.CMPQ(p, last)
	e.k.JA(operand.LabelRef("one"))
	e.k.load(e.vector(p, 0), v)
	e.k.forward(e.k.bytes, p)
	e.k.jumpIfAny([]mask{e.k.compare(unordered, v, v)}, "within")
	e.k.JMP(operand.LabelRef("search"))
	e.k.Label("within")
	e.k.SUBQ(operand.U32(e.k.bytes), p)
	e.k.Label("one")
	e.k.forward(e.k.size, p)
	pick(e.k, e.k.VMOVSS, e.k.VMOVSD)(operand.Mem{Base: p, Disp: -e.k.size}, v.AsX())
	pick(e.k, e.k.VUCOMISS, e.k.VUCOMISD)(v.AsX(), v.AsX())
	e.k.JPC(operand.LabelRef("one"))
	if !e.arg {
		e.k.ret(v)
		return
	}
	e.k.SUBQ(e.x, p)
	e.k.SHRQ(operand.U8(e.k.shift), p)
	e.k.DECQ(p)
	e.k.retInt(p)
}
