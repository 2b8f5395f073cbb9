package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var pairMove = source{
	family: "pair", name: "move", entry: "Move", sig: "(f, rk, rl *T, n int, d T)", storeBound: true,
	emit: emitPairMove,
}

var pairMoveMixed = source{
	family: "pair", name: "movemixed", entry: "MoveMixed", sig: "(f *float64, rk, rl *float32, n int, d float64)",
	storeBound: true, elems: mixed, emit: ofSingle(emitPairMove),
}

// moveAhead is how many bytes of the rows are asked for ahead.
const moveAhead = 8192

// emitPairMove adds d (rk - rl) to f: no product is fused with a sum, so that the bits are the twin's.
func emitPairMove(k *kernel) {
	f, rk, rl, d, n := k.arg("f"), k.arg("rk"), k.arg("rl"), k.vec(), k.arg("n")
	k.bcast(k.scalarArg("d"), d)
	left := k.GP64()
	k.MOVQ(n, left)
	k.Comment("f += d (rk - rl).")
	k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
		data := func(p reg.GPVirtual) operand.Mem {
			return operand.Mem{Base: p, Index: at, Scale: uint8(k.dataSize())}
		}
		to := operand.Mem{Base: f, Index: at, Scale: uint8(k.size)}
		v, w, y := k.vec(), k.vec(), k.vec()
		if rest == nil {
			k.PREFETCHT0(data(rl).Offset(moveAhead))
			k.loadData(data(rk), v)
			k.loadData(data(rl), w)
			k.load(to, y)
		} else {
			k.loadDataMasked(data(rk), *rest, v)
			k.loadDataMasked(data(rl), *rest, w)
			k.loadMasked(to, *rest, y)
		}
		k.sub(w, v, v)
		k.mul(d, v, v)
		k.add(v, y, y)
		switch {
		case rest == nil:
			k.store(y, to)
		case k.wide:
			k.storeMasked(y, *rest, to)
		default:
			end := k.GP64()
			k.LEAQ(to, end)
			k.storeBits(y, k.bytes, left, end)
		}
	})
	k.done()
}

// pairExtremes computes every g once, and puts an infinity in its place where x is on the wrong side.
var pairExtremes = source{
	family: "pair", name: "extremes", entry: "Extremes",
	sig: "(f, x *T, n int, p, lo, hi T) (least T, at int, most T)", elems: elems[1:], emit: emitPairExtremes,
}

func emitPairExtremes(k *kernel) {
	f, x, n := k.arg("f"), k.arg("x"), k.arg("n")
	scalars := k.vecs(5)
	p, lo, hi, top, bottom := scalars[0], scalars[1], scalars[2], scalars[3], scalars[4]
	for i, m := range []operand.Mem{k.scalarArg("p"), k.scalarArg("lo"), k.scalarArg("hi"), k.infinity(), k.lowest()} {
		k.bcast(m, scalars[i])
	}
	low, most := k.newLeader(true, k.infinity()), k.vec()
	k.move(bottom, most)
	k.Comment("g = f + p x: the least where x < hi, the most where x > lo.")
	k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
		mem := func(p reg.GPVirtual) operand.Mem { return operand.Mem{Base: p, Index: at, Scale: uint8(k.size)} }
		v, g := k.vec(), k.vec()
		if rest == nil {
			k.load(mem(x), v)
			k.load(mem(f), g)
		} else {
			k.loadMasked(mem(x), *rest, v)
			k.loadMasked(mem(f), *rest, g)
		}
		t := k.vec()
		k.mul(p, v, t)
		k.add(t, g, g)
		below, above := k.compare(lessThan, hi, v), k.compare(greaterThan, lo, v)
		if rest != nil {
			below, above = k.both(below, *rest), k.both(above, *rest)
		}
		k.move(top, t)
		k.insert(g, below, t)
		low.note(t)
		k.move(bottom, t)
		k.insert(g, above, t)
		k.VMAXPD(most, t, most)
		low.next(k.laneCounts())
	})
	at, _ := low.index()
	k.Comment("Index -1 where there is none.")
	none := k.newLabel("some")
	k.VUCOMISD(top.AsX(), low.best.AsX())
	k.JB(operand.LabelRef(none))
	k.MOVQ(operand.I32(-1), at)
	k.Label(none)
	k.VMOVSD(low.best.AsX(), k.result(0))
	k.MOVQ(at, k.result(1))
	k.Comment("The most of all lanes.")
	k.across(most, k.VMAXPD)
	k.VMOVSD(most.AsX(), k.result(2))
	k.done()
}

// both is the mask of the lanes that a and b select.
func (k *kernel) both(a, b mask) mask {
	if k.wide {
		m := mask{k: k.K()}
		k.KANDW(a.k, b.k, m.k)
		return m
	}
	m := mask{v: k.vec()}
	k.and(a.v, b.v, m.v)
	return m
}
