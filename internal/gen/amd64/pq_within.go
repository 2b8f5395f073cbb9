package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqWithin and pqWithinTails expect few hits, as pqBelow does. They compare squares, so that they need no root.
var (
	pqWithin = source{
		family: "pq", name: "within", entry: "Within", elems: plain,
		sig: "(n int, s *uint16, kept *float32, limit *float32, first uint32, dst *uint32) int",
		emit: func(k *kernel) {
			(&withinKernel{k: k, s: k.arg("s"), kept: k.arg("kept"), limit: k.arg("limit"), noSign: k.vec()}).emit()
		},
	}
	pqWithinTails = source{
		family: "pq", name: "withintails", entry: "WithinTails", elems: plain,
		sig: "(n int, s *int32, kept, slope, tail *float32, tails int, limit *float32, first uint32, dst *uint32) int",
		emit: func(k *kernel) {
			(&withinKernel{k: k, s: k.arg("s"), kept: k.arg("kept"), limit: k.arg("limit"), noSign: k.vec(),
				slope: k.arg("slope"), tail: k.arg("tail"), tails: k.arg("tails")}).emit()
		},
	}
)

func (w *withinKernel) emit() {
	k := w.k
	n, dst, start, first := k.arg("n"), k.arg("dst"), k.GP64(), k.GP64()
	k.Load(k.Param("first"), first.As32())
	w.begin()
	k.MOVQ(dst, start)
	k.TESTQ(n, n)
	k.JZ(operand.LabelRef("end"))
	k.section("loop", "16 codes: a bit for each that may be within the limit.")
	hits := w.hits()
	k.TESTQ(hits, hits)
	k.JZ(operand.LabelRef("next"))
	k.section("hit", "The places of the bits.")
	at := k.GP64()
	k.TZCNTQ(hits, at)
	k.ADDQ(first, at)
	k.MOVL(at.As32(), operand.Mem{Base: dst})
	k.ADDQ(operand.Imm(4), dst)
	k.BLSRQ(hits, hits)
	k.JNZ(operand.LabelRef("hit"))
	k.section("next", "The next 16.")
	k.ADDQ(operand.Imm(uint64(w.sumBytes()*lanesPQ)), w.s)
	k.ADDQ(operand.Imm(4*lanesPQ), w.kept)
	if w.slope != nil {
		k.ADDQ(operand.Imm(4*lanesPQ), w.slope)
		k.ADDQ(operand.Imm(4*lanesPQ), w.tail)
	}
	k.ADDQ(operand.Imm(lanesPQ), first)
	k.SUBQ(operand.Imm(lanesPQ), n)
	k.JNZ(operand.LabelRef("loop"))
	k.Label("end")
	k.SUBQ(start, dst)
	k.SHRQ(operand.U8(2), dst)
	k.Store(dst, k.ReturnIndex(0))
	k.done()
}

// The fields of a Limit.
const (
	limitOrigin = iota
	limitStep
	limitPart
	limitSquare
	limitBase
	limitNorms
	limitKappa
	limitTiny
	limitAligned
	limitFields
	limitShift = limitFields // of a TailLimit, and behind it the tails
)

type withinKernel struct {
	k              *kernel
	s, kept, limit reg.GPVirtual

	slope, tail, tails reg.GPVirtual // nil: the slope is u, there are no tails, and sums have 16 bits

	fields [limitFields]reg.VecVirtual // AVX2: not all, for want of registers
	noSign reg.VecVirtual
}

func (w *withinKernel) begin() {
	w.k.bcast(w.k.absMaskTable(), w.noSign)
	for i := range w.fields {
		if w.k.wide || i < limitBase {
			w.fields[i] = w.load(i)
		}
	}
}

func (w *withinKernel) load(field int) reg.VecVirtual {
	v := w.k.vec()
	w.k.bcast(operand.Mem{Base: w.limit, Disp: 4 * field}, v)
	return v
}

// field is a field in all lanes, which nobody may write to.
func (w *withinKernel) field(i int) reg.VecVirtual {
	if w.k.wide || i < limitBase {
		return w.fields[i]
	}
	return w.load(i)
}

// hits returns a bit for each of the next 16 codes that may be within the limit.
func (w *withinKernel) hits() reg.GPVirtual {
	bits := w.k.GP64()
	if w.k.wide {
		m := w.k.K()
		aligned := w.k.K()
		s := w.sides(0)
		w.k.VCMPPS(notGreater, s.most, s.square, m)
		w.k.VCMPPS(greater, s.along, s.cosine, aligned)
		w.k.KORW(aligned, m, m)
		w.k.KMOVW(m, bits.As32())
		return bits
	}
	halves := []reg.GPVirtual{bits, w.k.GP64()}
	for h, half := range halves {
		s := w.sides(h)
		w.k.VCMPPS(notGreater, s.most, s.square, s.square)
		w.k.VCMPPS(greater, s.along, s.cosine, s.cosine)
		w.k.VORPS(s.cosine, s.square, s.square)
		w.k.VMOVMSKPS(s.square, half.As32())
	}
	w.k.SHLQ(operand.Imm(8), halves[1])
	w.k.ORQ(halves[1], bits)
	return bits
}

const greater = operand.U8(0x1e) // of VCMPPS, quiet: a NaN is not

// sides are what is compared: square, unless greater than most, and cosine, if greater than along.
type sides struct{ square, most, cosine, along reg.VecVirtual }

// sides are the sides for vector h of the next 16.
func (w *withinKernel) sides(h int) (s sides) {
	k := w.k
	lanes := h * k.lanes()
	number := func(of int) operand.Mem { return k.at(w.kept, of*blockPQ+lanes) }
	t, sum, u, norm := k.vec(), k.vec(), k.vec(), k.vec()
	sums := operand.Mem{Base: w.s, Disp: w.sumBytes() * lanes}
	x := u
	if w.slope != nil {
		k.VCVTDQ2PS(sums, sum)
	} else {
		k.VPMOVZXWD(sums, sum)
		k.VCVTDQ2PS(sum, sum)
	}
	k.VMOVAPS(w.field(limitOrigin), x)
	k.VFNMADD231PS(w.field(limitStep), sum, x)
	if w.slope != nil {
		k.VMOVAPS(w.load(limitShift), t)
	} else {
		k.mul(number(3), w.field(limitPart), t)
	}
	k.fma(number(2), x, t)
	k.load(number(0), u)
	k.load(number(1), norm)
	s.most, s.cosine, s.along, s.square = k.vec(), k.vec(), k.vec(), k.vec()
	k.mul(w.field(limitKappa), norm, s.most)
	k.fma(u, u, norm)

	width := sum
	k.VMOVAPS(w.field(limitSquare), width)
	k.VFNMADD231PS(t, t, width)
	k.VFMADD213PS(w.field(limitTiny), width, s.most) // most = most width + tiny

	k.and(w.noSign, t, s.cosine)
	k.mul(t, s.cosine, s.cosine)
	k.mul(norm, s.cosine, s.cosine)
	k.mul(w.field(limitAligned), u, s.along)
	k.mul(u, s.along, s.along)

	g := norm
	k.VFMADD213PS(w.field(limitBase), w.field(limitNorms), g) // g = g norms + base
	if w.slope != nil {
		k.VFNMADD231PS(k.at(w.slope, lanes), t, g)
		w.addTails(h, g)
	} else {
		k.VFNMADD231PS(u, t, g)
	}
	k.and(w.noSign, g, s.square)
	k.mul(g, s.square, s.square)
	return s
}

// sumBytes is the size of a sum.
func (w *withinKernel) sumBytes() int {
	if w.slope != nil {
		return 4
	}
	return 2
}

// addTails adds to g what tails r make of it: r (norms r - the limit's).
func (w *withinKernel) addTails(h int, g reg.VecVirtual) {
	k := w.k
	loop, end := k.newLabel("tail"), k.newLabel("tailsend")
	of, limit, left := k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(w.tails, left)
	k.LEAQ(k.at(w.tail, h*k.lanes()), of)
	k.LEAQ(k.at(w.limit, limitShift+1), limit)
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef(end))
	k.section(loop, "A tail: r (norms r - the limit's).")
	r, more := k.vec(), k.vec()
	k.load(operand.Mem{Base: of}, r)
	k.bcast(operand.Mem{Base: limit}, more)
	k.VFMSUB231PS(w.field(limitNorms), r, more) // more = norms r - more
	k.fma(r, more, g)
	k.forward(4, limit)
	k.forward(4*blockPQ, of)
	k.DECQ(left)
	k.JNZ(operand.LabelRef(loop))
	k.Label(end)
}
