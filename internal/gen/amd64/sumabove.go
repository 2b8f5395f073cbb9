package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lessThan is the predicate a < b, false for NaN, without a signal.
const lessThan = operand.U8(0x11)

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
	bits := s.GP64()
	if above := s.above(v, s.t, by); s.wide {
		s.sub(s.t, v, v)
		pick(s.kernel, s.VADDPS, s.VADDPD)(v, acc, above.k, acc)
		s.KMOVW(above.k, bits.As32())
	} else {
		s.sub(s.t, v, v)
		s.and(above.v, v, v)
		s.add(v, acc, acc)
		pick(s.kernel, s.VMOVMSKPS, s.VMOVMSKPD)(above.v, bits.As32())
	}
	s.POPCNTL(bits.As32(), bits.As32())
	s.ADDQ(bits, s.count)
}

// above returns the mask of the lanes, of all or of those selected, where v > t.
func (k *kernel) above(v operand.Op, t reg.VecVirtual, by *mask) mask {
	compare := pick(k, k.VCMPPS, k.VCMPPD)
	if k.wide {
		m := k.K()
		if by == nil {
			compare(lessThan, v, t, m)
		} else {
			compare(lessThan, v, t, by.k, m)
		}
		return mask{k: m}
	}
	m := k.YMM()
	compare(lessThan, v, t, m)
	if by != nil {
		k.and(by.v, m, m)
	}
	return mask{v: m}
}
