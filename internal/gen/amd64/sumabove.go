package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumabove adds x - t where x > t, and counts. Four vectors at a time, then single ones, then a masked one.
var sumabove = source{
	family: "reduce", name: "sumabove", entry: "SumAbove", sig: "(x *T, n int, t T) (sum T, count int)",
	emit: func(k *kernel) {
		s := &sumAbove{k: k, x: k.arg("x"), n: k.arg("n"), t: k.vec(), count: k.GP64(), acc: k.vecs(4)}
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
	s.k.XORL(s.count.As32(), s.count.As32())
	s.k.zero(s.acc...)
	for _, vecs := range []int{4, 1} {
		loop, lanes := fmt.Sprintf("by%d", vecs), operand.U32(vecs*s.k.lanes())
		s.k.SUBQ(lanes, s.n)
		s.k.JB(operand.LabelRef(loop + "end"))
		s.k.Label(loop)
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
	v, by := s.k.vec(), s.k.maskOf(s.n)
	s.k.loadMasked(s.k.at(s.x, 0), by, v)
	s.term(s.acc[3], v, &by)
	s.k.Label("total")
	s.k.add(s.acc[1], s.acc[0], s.acc[0])
	s.k.add(s.acc[3], s.acc[2], s.acc[2])
	s.k.add(s.acc[2], s.acc[0], s.acc[0])
	s.k.sumLanes(s.acc[0], s.k.bytes)
	count, err := s.k.ReturnIndex(1).Resolve()
	if err != nil {
		panic(err)
	}
	s.k.MOVQ(s.count, count.Addr)
	s.k.ret(s.acc[0])
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
