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
		s := &sumAbove{kernel: k, x: k.arg("x"), n: k.arg("n"), t: k.vec(), count: k.GP64(), acc: k.vecs(4)}
		s.emit()
	},
}

type sumAbove struct {
	*kernel
	x, n, count reg.GPVirtual
	t           reg.VecVirtual
	acc         []reg.VecVirtual
}

func (s *sumAbove) emit() {
	s.bcast(s.scalarArg("t"), s.t)
	s.XORL(s.count.As32(), s.count.As32())
	s.zero(s.acc...)
	for _, vecs := range []int{4, 1} {
		loop, lanes := fmt.Sprintf("by%d", vecs), operand.U32(vecs*s.lanes())
		s.SUBQ(lanes, s.n)
		s.JB(operand.LabelRef(loop + "end"))
		s.Label(loop)
		for i := range vecs {
			v := s.vec()
			s.load(s.at(s.x, i*s.lanes()), v)
			s.term(s.acc[i], v, nil)
		}
		s.ADDQ(operand.U32(vecs*s.bytes), s.x)
		s.SUBQ(lanes, s.n)
		s.JAE(operand.LabelRef(loop))
		s.Label(loop + "end")
		s.ADDQ(lanes, s.n)
	}
	s.JZ(operand.LabelRef("total"))
	v, by := s.vec(), s.maskOf(s.n)
	s.loadMasked(s.at(s.x, 0), by, v)
	s.term(s.acc[3], v, &by)
	s.Label("total")
	s.add(s.acc[1], s.acc[0], s.acc[0])
	s.add(s.acc[3], s.acc[2], s.acc[2])
	s.add(s.acc[2], s.acc[0], s.acc[0])
	s.sumLanes(s.acc[0], s.bytes)
	count, err := s.ReturnIndex(1).Resolve()
	if err != nil {
		panic(err)
	}
	s.MOVQ(s.count, count.Addr)
	s.ret(s.acc[0])
}

// term adds what v has above t to acc, of all lanes or of those selected. v is destroyed.
func (s *sumAbove) term(acc, v reg.VecVirtual, by *mask) {
	above := s.above(v, s.t, by)
	s.sub(s.t, v, v)
	if s.wide {
		pick(s.kernel, s.VADDPS, s.VADDPD)(v, acc, above.k, acc)
	} else {
		s.and(above.v, v, v)
		s.add(v, acc, acc)
	}
	bits := s.bits(above)
	s.POPCNTL(bits.As32(), bits.As32())
	s.ADDQ(bits, s.count)
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
