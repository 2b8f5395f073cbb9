package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const halvesSig = "(x, y *uint16, n int) float32"

var dotB16 = source{
	family: "half", name: "dotb16", entry: "DotB16", sig: halvesSig, elems: plain, forms: dpForms,
	emit: func(k *kernel) { reduceHalves(newHalf(k, false, false), 1, (*half).dotTerm) },
}

var dotH16 = source{
	family: "half", name: "doth16", entry: "DotH16", sig: halvesSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { reduceHalves(newHalf(k, true, false), 1, (*half).dotTerm) },
}

var sqdistB16 = source{
	family: "half", name: "sqdistb16", entry: "SqDistB16", sig: halvesSig, elems: plain, forms: bfloatForms,
	emit: func(k *kernel) { reduceHalves(newHalf(k, false, false), 1, (*half).distanceTerm) },
}

var sqdistH16 = source{
	family: "half", name: "sqdisth16", entry: "SqDistH16", sig: halvesSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { reduceHalves(newHalf(k, true, false), 1, (*half).distanceTerm) },
}

const cosineSig = "(x, y *uint16, n int) (xy, xx, yy float32)"

var cosB16 = source{
	family: "half", name: "cosb16", entry: "CosB16", sig: cosineSig, elems: plain, forms: dpForms,
	emit: func(k *kernel) { reduceHalves(newHalf(k, false, false), 3, (*half).cosineTerm) },
}

var cosH16 = source{
	family: "half", name: "cosh16", entry: "CosH16", sig: cosineSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { reduceHalves(newHalf(k, true, false), 3, (*half).cosineTerm) },
}

// halfTerm adds the terms of x and y to one accumulator of each sum. It may destroy x and y.
type halfTerm func(h *half, x, y reg.VecVirtual, acc []reg.VecVirtual)

func (h *half) dotTerm(x, y reg.VecVirtual, acc []reg.VecVirtual) { h.multiply(x, y, acc[0]) }

func (h *half) distanceTerm(x, y reg.VecVirtual, acc []reg.VecVirtual) {
	h.k.sub(y, x, x)
	h.k.fma(x, x, acc[0])
}

func (h *half) cosineTerm(x, y reg.VecVirtual, acc []reg.VecVirtual) {
	h.multiply(x, y, acc[0])
	h.multiply(x, x, acc[1])
	h.multiply(y, y, acc[2])
}

// halfSums is a loop over two vectors of halves: some sums, each in as many chains as cover the latency.
type halfSums struct {
	*half
	x, y, n reg.GPVirtual
	acc     [][]reg.VecVirtual // by chain, then by sum
	term    halfTerm
}

// reduceHalves emits the sums of terms over x and y. As in reduction a loop of units into all chains comes first, then
// fewer and fewer units into half of them, and what is left of a unit.
func reduceHalves(h *half, sums int, term halfTerm) {
	chains := 8
	if sums > 1 {
		chains = 4
		if !h.k.wide {
			chains = 2
		}
	}
	s := &halfSums{half: h, x: h.k.arg("x"), y: h.k.arg("y"), n: h.k.arg("n"), term: term}
	for range chains {
		s.acc = append(s.acc, h.k.vecs(sums))
	}
	h.prepare()
	units, low := chains/h.parts(), chains/2
	all := units * h.unit()
	if h.k.wide {
		h.k.CMPQ(s.n, operand.Imm(uint64(2*h.unit())))
		h.k.JBE(operand.LabelRef("short"))
	}
	for _, a := range s.acc[:low] {
		h.zero(a...)
	}
	h.k.CMPQ(s.n, operand.U32(all))
	h.k.JB(operand.LabelRef("halves"))
	for _, a := range s.acc[low:] {
		h.zero(a...)
	}
	h.k.SUBQ(operand.U32(all), s.n)
	h.k.section("loop",
		fmt.Sprintf("%s of %d elements, into %d chains.", counted(units, "unit"), h.unit(), chains))
	s.units(units, chains)
	h.k.SUBQ(operand.U32(all), s.n)
	h.k.JAE(operand.LabelRef("loop"))
	h.k.Comment("The upper half of the chains to the lower.")
	for c := range low {
		for i, v := range s.acc[c] {
			h.k.add(s.acc[c+low][i], v, v)
		}
	}
	h.k.ADDQ(operand.U32(all), s.n)
	h.k.JZ(operand.LabelRef("total"))
	h.k.section("halves", "The rest by the bits of n: units.")
	for v := units / 2; v > 0; v /= 2 {
		skip := fmt.Sprintf("below%d", v)
		h.k.TESTQ(operand.U32(v*h.unit()), s.n)
		h.k.JZ(operand.LabelRef(skip))
		s.units(v, low)
		h.k.Label(skip)
	}
	s.rest(s.acc[low-1])
	h.k.Label("total")
	s.total(low)
	if h.k.wide {
		s.short()
	}
}

// short treats two units at most (AVX-512): one if there is more than that, and the rest, in two chains.
func (s *halfSums) short() {
	s.k.section("short", "At most two units: one, and the rest under a mask.")
	s.zero(s.acc[0]...)
	s.k.CMPQ(s.n, operand.Imm(uint64(s.unit())))
	s.k.JBE(operand.LabelRef("last"))
	s.units(1, 1)
	s.k.SUBQ(operand.Imm(uint64(s.unit())), s.n)
	s.k.Label("last")
	by := s.maskOf(s.n)
	x, y := s.loadMasked(words(s.x, 0), by), s.loadMasked(words(s.y, 0), by)
	s.zero(s.acc[1]...)
	for p := range x {
		s.term(s.half, x[p], y[p], s.acc[1])
	}
	s.total(2)
}

// units adds that many units, their parts to the chains in turn.
func (s *halfSums) units(units, chains int) {
	for u := range units {
		x, y := s.load(words(s.x, u*s.unit())), s.load(words(s.y, u*s.unit()))
		for p := range x {
			s.term(s.half, x[p], y[p], s.acc[(u*len(x)+p)%chains])
		}
	}
	s.k.forward(2*units*s.unit(), s.x, s.y)
}

// rest adds what is left of a unit.
func (s *halfSums) rest(acc []reg.VecVirtual) {
	if s.k.wide {
		s.k.ANDQ(operand.U32(s.unit()-1), s.n)
		s.k.JZ(operand.LabelRef("total"))
		s.k.Comment("The last elements, under a mask.")
		by := s.maskOf(s.n)
		x, y := s.loadMasked(words(s.x, 0), by), s.loadMasked(words(s.y, 0), by)
		for p := range x {
			s.term(s.half, x[p], y[p], acc)
		}
		return
	}
	s.k.TESTQ(operand.U32(s.unit()-1), s.n)
	s.k.JZ(operand.LabelRef("total"))
	s.k.Comment("The last elements, by the bits of n.")
	for e := s.unit() / 2; e > 0; e /= 2 {
		skip := fmt.Sprintf("no%d", e)
		s.k.TESTQ(operand.U32(e), s.n)
		s.k.JZ(operand.LabelRef(skip))
		x, y := s.ordered().loadPiece(words(s.x, 0), e), s.ordered().loadPiece(words(s.y, 0), e)
		s.term(s.half, x, y, acc)
		if e > 1 {
			s.k.forward(2*e, s.x, s.y)
		}
		s.k.Label(skip)
	}
}

// ordered is h with its elements in order.
func (h *half) ordered() *half { return newHalf(h.k, h.f16, true) }

// total returns the sums, of the first chains.
func (s *halfSums) total(chains int) {
	s.k.Comment("The sums across chains and lanes.")
	for c := chains / 2; c > 0; c /= 2 {
		for j := range c {
			for i, v := range s.acc[j] {
				s.k.add(s.acc[j+c][i], v, v)
			}
		}
	}
	for i, v := range s.acc[0] {
		s.k.sumLanes(v, s.k.bytes)
		b, err := s.k.ReturnIndex(i).Resolve()
		if err != nil {
			panic(err)
		}
		s.k.VMOVSS(v.AsX(), b.Addr)
	}
	s.k.done()
}
