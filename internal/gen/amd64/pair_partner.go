package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairProject writes the projected gradient and finds its largest number.
var pairProject = source{
	family: "pair", name: "project", entry: "Project", sig: "(dst, slope, x, end *T, n int) (at int, most T)",
	elems: elems[1:], storeBound: true, emit: emitPairProject,
}

func emitPairProject(k *kernel) {
	dst, g, x, end, n := k.arg("dst"), k.arg("slope"), k.arg("x"), k.arg("end"), k.arg("n")
	zero, noSign, left := k.vec(), k.vec(), k.GP64()
	k.zero(zero)
	k.bcast(k.absMaskTable(), noSign)
	k.MOVQ(n, left)
	lead := k.newLeader(false, k.plusZero())
	k.Comment("The slope, 0 where x is at the end that it leads to; the largest number of dst.")
	k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
		mem := func(p reg.GPVirtual) operand.Mem { return operand.Mem{Base: p, Index: at, Scale: uint8(k.size)} }
		v, stop, top, free := k.vec(), k.vec(), k.vec(), k.vec()
		for i, to := range []reg.VecVirtual{v, stop, free} {
			if from := mem([]reg.GPVirtual{g, end, x}[i]); rest == nil {
				k.load(from, to)
			} else {
				k.loadMasked(from, *rest, to)
			}
		}
		k.VMAXPD(stop, zero, top) // an end that is NaN stays that: of two the one that comes first here
		k.VMINPD(stop, zero, stop)
		k.insert(top, k.compare(greaterThan, zero, v), stop)
		k.keep(k.compare(notEqual, stop, free), v)
		switch {
		case rest == nil:
			k.store(v, mem(dst))
		case k.wide:
			k.storeMasked(v, *rest, mem(dst))
		default:
			to := k.GP64()
			k.LEAQ(mem(dst), to)
			k.move(v, top)
			k.storeBits(top, k.bytes, left, to)
		}
		k.and(noSign, v, v)
		lead.note(v)
		lead.next(k.laneCounts())
	})
	lead.result()
}

// pairPartner finds the partner of an unbounded step. No product is fused with a sum, so that the bits are the twin's.
var pairPartner = source{
	family: "pair", name: "partner", entry: "Partner",
	sig: "(row, q, slope *T, n int, a, gk, parted T) (best int, gain T)", elems: elems[1:], emit: emitPairPartner,
	beside: []source{pairPartnerMixed, pairProject},
}

var pairPartnerMixed = source{
	family: "pair", name: "partnermixed", entry: "PartnerMixed",
	sig:   "(row, q *float32, slope *float64, n int, a, gk, parted float64) (best int, gain float64)",
	elems: mixed, emit: ofSingle(emitPairPartner),
}

// partnerAhead is how many bytes of the row are asked for ahead: it comes from memory, all else from a cache.
const partnerAhead = 8192

func emitPairPartner(k *kernel) {
	row, q, g, n := k.arg("row"), k.arg("q"), k.arg("slope"), k.arg("n")
	scalars := k.vecs(5)
	a, parted, square, twice, zero := scalars[0], scalars[1], scalars[2], scalars[3], scalars[4]
	k.bcast(k.scalarArg("a"), a)
	k.bcast(k.scalarArg("parted"), parted)
	k.bcast(k.scalarArg("gk"), twice)
	k.mul(twice, twice, square)
	k.add(twice, twice, twice)
	k.zero(zero)
	lead := k.newLeader(false, k.plusZero())
	k.Comment("det = a kll - kl², and the gain (gk² kll - 2 gk gl kl + a gl²)/det,",
		"0 where det is not above parted a kll, or gl = 0.")
	k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
		data := func(p reg.GPVirtual) operand.Mem {
			return operand.Mem{Base: p, Index: at, Scale: uint8(k.dataSize())}
		}
		from := operand.Mem{Base: g, Index: at, Scale: uint8(k.size)}
		kl, kll, gl, det, t := k.vec(), k.vec(), k.vec(), k.vec(), k.vec()
		if rest == nil {
			k.PREFETCHT0(data(row).Offset(partnerAhead))
			k.loadData(data(row), kl)
			k.loadData(data(q), kll)
			k.load(from, gl)
		} else {
			k.loadDataMasked(data(row), *rest, kl)
			k.loadDataMasked(data(q), *rest, kll)
			k.loadMasked(from, *rest, gl)
		}
		k.mul(a, kll, det) // product
		k.mul(parted, det, t)
		own := k.vec()
		k.mul(kl, kl, own)
		k.sub(own, det, det)
		far := k.both(k.compare(greaterThan, t, det), k.compare(notEqual, zero, gl))
		k.mul(square, kll, kll)
		k.mul(twice, gl, t)
		k.mul(kl, t, t)
		k.mul(gl, gl, gl)
		k.mul(a, gl, gl)
		k.add(gl, kll, kll)
		k.sub(t, kll, kll)
		k.VDIVPD(det, kll, kll)
		k.keep(far, kll)
		lead.note(kll)
		lead.next(k.laneCounts())
	})
	lead.result()
}

// result returns the index of the best and that, -1 and 0 where nothing has led from 0.
func (l *leader) result() {
	k := l.k
	at, _ := l.index()
	some, zero := k.newLabel("some"), k.vec()
	k.zero(zero)
	k.VUCOMISD(zero.AsX(), l.best.AsX())
	k.Comment("-1 where nothing has led.")
	k.JA(operand.LabelRef(some))
	k.MOVQ(operand.I32(-1), at)
	k.Label(some)
	k.MOVQ(at, k.result(0))
	k.VMOVSD(l.best.AsX(), k.result(1))
	k.done()
}
