package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumabove adds x - t where x > t, and counts. Up to two vectors take no accumulators. More go four at a time, then by
// single ones, then a masked one.
var sumabove = source{
	family: "reduce", name: "sumabove", entry: "SumAbove", sig: "(x *T, n int, t T) (sum T, count int)",
	emit: func(k *kernel) {
		s := &sumAbove{k: k, x: k.arg("x"), n: k.arg("n"), t: k.vec()}
		s.emit()
	},
}

type sumAbove struct {
	k           *kernel
	x, n, count reg.GPVirtual
	t           reg.VecVirtual
	acc         []reg.VecVirtual
}

func (s *sumAbove) emit() {
	s.k.bcast(s.k.scalarArg("t"), s.t)
	s.k.CMPQ(s.n, operand.Imm(uint64(s.k.lanes())))
	s.k.JA(operand.LabelRef("over1"))
	s.k.TESTQ(s.n, s.n)
	s.k.JZ(operand.LabelRef("empty")) // a load by a mask of no lanes may fault
	s.k.Comment("At most one vector.")
	by := s.k.maskOf(s.n)
	v, count := s.k.excess(s.x, 0, s.t, &by)
	s.k.sumLanes(v, s.k.bytes)
	s.ret(v, count)
	s.k.Label("empty")
	none := s.k.vec()
	s.k.zero(none)
	s.ret(none, s.n)
	s.k.section("over1", "A vector, and one under a mask.")
	s.k.CMPQ(s.n, operand.Imm(uint64(2*s.k.lanes())))
	s.k.JA(operand.LabelRef("over2"))
	v, count = s.k.excess(s.x, 0, s.t, nil)
	s.k.SUBQ(operand.Imm(uint64(s.k.lanes())), s.n)
	by = s.k.maskOf(s.n)
	w, more := s.k.excess(s.x, s.k.lanes(), s.t, &by)
	s.k.add(w, v, v)
	s.k.ADDQ(more, count)
	s.k.sumLanes(v, s.k.bytes)
	s.ret(v, count)
	s.k.section("over2", "More than two vectors.")
	s.many()
}

// excess returns max(x - t, 0) of the vector disp elements behind x, or of the lanes that by selects, and how many of
// its elements are above t.
func (k *kernel) excess(x reg.GPVirtual, disp int, t reg.VecVirtual, by *mask) (v reg.VecVirtual, count reg.GPVirtual) {
	v = k.vec()
	if by == nil {
		k.load(k.at(x, disp), v)
	} else {
		k.loadMasked(k.at(x, disp), *by, v)
	}
	above := k.above(v, t, by)
	if k.wide {
		pick(k, k.VSUBPS_Z, k.VSUBPD_Z)(t, v, above.k, v)
	} else {
		k.sub(t, v, v)
		k.and(above.v, v, v)
	}
	count = k.bits(above)
	k.POPCNTL(count.As32(), count.As32())
	return v, count
}

// ret returns the sum in v's lane 0, and the count.
func (s *sumAbove) ret(v reg.VecVirtual, count reg.GPVirtual) {
	to, err := s.k.ReturnIndex(1).Resolve()
	if err != nil {
		panic(err)
	}
	s.k.MOVQ(count, to.Addr)
	s.k.ret(v)
}

// many treats more than two vectors.
func (s *sumAbove) many() {
	s.acc, s.count = s.k.vecs(4), s.k.GP64()
	s.k.XORL(s.count.As32(), s.count.As32())
	s.k.zero(s.acc...)
	for _, vecs := range []int{4, 1} {
		loop, lanes := fmt.Sprintf("by%d", vecs), operand.U32(vecs*s.k.lanes())
		s.k.SUBQ(lanes, s.n)
		s.k.JB(operand.LabelRef(loop + "end"))
		s.k.section(loop, counted(vecs, "vector")+" at a time: x - t where x > t, and how many.")
		for i := range vecs {
			v := s.k.vec()
			s.k.load(s.k.at(s.x, i*s.k.lanes()), v)
			s.term(s.acc[i], v, nil)
		}
		s.k.ADDQ(operand.U32(vecs*s.k.bytes), s.x)
		s.k.SUBQ(lanes, s.n)
		s.k.JAE(operand.LabelRef(loop))
		s.k.Label(loop + "end")
		s.k.ADDQ(lanes, s.n)
	}
	s.k.JZ(operand.LabelRef("total"))
	s.k.Comment("The rest, under a mask.")
	v, by := s.k.vec(), s.k.maskOf(s.n)
	s.k.loadMasked(s.k.at(s.x, 0), by, v)
	s.term(s.acc[3], v, &by)
	s.k.section("total", "The sum across chains and lanes.")
	s.k.add(s.acc[1], s.acc[0], s.acc[0])
	s.k.add(s.acc[3], s.acc[2], s.acc[2])
	s.k.add(s.acc[2], s.acc[0], s.acc[0])
	s.k.sumLanes(s.acc[0], s.k.bytes)
	s.ret(s.acc[0], s.count)
}

// term adds what v has above t to acc, of all lanes or of those selected. v is destroyed.
func (s *sumAbove) term(acc, v reg.VecVirtual, by *mask) {
	above := s.k.above(v, s.t, by)
	s.k.sub(s.t, v, v)
	if s.k.wide {
		pick(s.k, s.k.VADDPS, s.k.VADDPD)(v, acc, above.k, acc)
	} else {
		s.k.and(above.v, v, v)
		s.k.add(v, acc, acc)
	}
	bits := s.k.bits(above)
	s.k.POPCNTL(bits.As32(), bits.As32())
	s.k.ADDQ(bits, s.count)
}

// above returns the mask of the lanes, of all or of those selected, where v > t.
func (k *kernel) above(v operand.Op, t reg.VecVirtual, by *mask) mask {
	if by == nil {
		return k.compare(lessThan, v, t)
	}
	if k.wide {
		m := k.K()
		pick(k, k.VCMPPS, k.VCMPPD)(lessThan, v, t, by.k, m)
		return mask{k: m}
	}
	m := k.compare(lessThan, v, t)
	k.and(by.v, m.v, m.v)
	return m
}
