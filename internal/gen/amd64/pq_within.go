package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqWithin expects few hits, as pqBelow does. It compares squares, so that it needs no root.
var pqWithin = source{
	family: "pq", name: "within", entry: "Within", elems: plain,
	sig: "(n int, s *uint16, kept *float32, limit *float32, first uint32, dst *uint32) int",
	emit: func(k *kernel) {
		w := &withinKernel{k: k, s: k.arg("s"), kept: k.arg("kept"), limit: k.arg("limit"), noSign: k.vec()}
		n, dst, start, first := k.arg("n"), k.arg("dst"), k.GP64(), k.GP64()
		k.Load(k.Param("first"), first.As32())
		w.begin()
		k.MOVQ(dst, start)
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("end"))
		k.section("loop", "16 codes, and a bit for each that may be within the limit.")
		hits := w.hits()
		k.TESTQ(hits, hits)
		k.JZ(operand.LabelRef("next"))
		k.section("hit", "Hit by hit.")
		at := k.GP64()
		k.TZCNTQ(hits, at)
		k.ADDQ(first, at)
		k.MOVL(at.As32(), operand.Mem{Base: dst})
		k.ADDQ(operand.Imm(4), dst)
		k.BLSRQ(hits, hits)
		k.JNZ(operand.LabelRef("hit"))
		k.Label("next")
		k.ADDQ(operand.Imm(2*lanesPQ), w.s)
		k.ADDQ(operand.Imm(4*lanesPQ), w.kept)
		k.ADDQ(operand.Imm(lanesPQ), first)
		k.SUBQ(operand.Imm(lanesPQ), n)
		k.JNZ(operand.LabelRef("loop"))
		k.section("end", "How many.")
		k.SUBQ(start, dst)
		k.SHRQ(operand.U8(2), dst)
		k.Store(dst, k.ReturnIndex(0))
		k.done()
	},
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
)

type withinKernel struct {
	k              *kernel
	s, kept, limit reg.GPVirtual
	fields         [limitFields]reg.VecVirtual // AVX2: not all, for want of registers
	noSign         reg.VecVirtual
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
	k.Comment("t = (Origin - Step s) scale + Part half.")
	t, sum, u, norm := k.vec(), k.vec(), k.vec(), k.vec()
	k.VPMOVZXWD(operand.Mem{Base: w.s, Disp: 2 * lanes}, sum)
	k.VCVTDQ2PS(sum, sum)
	x := u
	k.VMOVAPS(w.field(limitOrigin), x)
	k.VFNMADD231PS(w.field(limitStep), sum, x)
	k.mul(number(3), w.field(limitPart), t)
	k.fma(number(2), x, t)
	k.load(number(0), u)
	k.load(number(1), norm)
	s.most, s.cosine, s.along, s.square = k.vec(), k.vec(), k.vec(), k.vec()
	k.mul(w.field(limitKappa), norm, s.most)
	k.fma(u, u, norm)

	k.Comment("w = Square - t², and Kappa e w + Tiny.")
	width := sum
	k.VMOVAPS(w.field(limitSquare), width)
	k.VFNMADD231PS(t, t, width)
	k.VFMADD213PS(w.field(limitTiny), width, s.most) // most = most width + tiny

	k.Comment("t |t| (u² + e), and u Aligned u.")
	k.and(w.noSign, t, s.cosine)
	k.mul(t, s.cosine, s.cosine)
	k.mul(norm, s.cosine, s.cosine)
	k.mul(w.field(limitAligned), u, s.along)
	k.mul(u, s.along, s.along)

	k.Comment("g = Base + Norms (u² + e) - u t, and g |g|.")
	g := norm
	k.VFMADD213PS(w.field(limitBase), w.field(limitNorms), g) // g = g norms + base
	k.VFNMADD231PS(u, t, g)
	k.and(w.noSign, g, s.square)
	k.mul(g, s.square, s.square)
	return s
}
