package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The scans of package asm/pair: a vector of partners at a time, each lane with its own best. Nothing is fused, so that the
// bits are those of the twin. A step that is NaN stays that through every VMAXPS and VMINPS, which return the operand that
// comes first here where one is NaN.

var pairScan = source{
	family: "pair", name: "scan", entry: "Scan", sig: "(row, q, f, x *T, n int, p *T) (best int, gain, d T)",
	emit: func(k *kernel) { emitPairScan(k, false) },
}

var pairScanMixed = source{
	family: "pair", name: "scanmixed", entry: "ScanMixed",
	sig:   "(row, q *float32, f, x *float64, n int, p *float64) (best int, gain, d float64)",
	elems: mixed, emit: ofSingle(func(k *kernel) { emitPairScan(k, false) }),
}

var pairScanKinks = source{
	family: "pair", name: "scankinks", entry: "ScanKinks", sig: "(row, q, f, x *T, n int, p *T) (best int, gain, d T)",
	emit: func(k *kernel) { emitPairScan(k, true) },
}

// The fields of pair.Scan and pair.Kinks in order, and what is made of them.
const (
	scanA = iota
	scanLeast
	scanB
	scanP
	scanL0
	scanL1
	scanL2
	scanU0
	scanU1
	scanU2
	scanC
	scanK
	scanL
	scanFirst
	scanSecond
	scanFields
)

type pairScanner struct {
	k            *kernel
	kinks        bool
	row, q, f, x reg.GPVirtual
	p, at        reg.GPVirtual
	held         [scanFields]reg.VecVirtual // with AVX-512: AVX2 has too few registers
	lead         *leader
	step         reg.VecVirtual // of the best of each lane
}

// scanAhead is how many bytes of the row are asked for ahead: it comes from memory, all else from a cache.
const scanAhead = 2048

func emitPairScan(k *kernel, kinks bool) {
	s := &pairScanner{k: k, kinks: kinks, row: k.arg("row"), q: k.arg("q"), f: k.arg("f"), x: k.arg("x"), p: k.arg("p")}
	n := k.arg("n")
	if k.wide {
		for i := range s.held {
			if kinks || i <= scanU2 {
				s.held[i] = k.vec()
				k.bcast(s.field(i), s.held[i])
			}
		}
	}
	s.lead, s.step = k.newLeader(false, k.plusZero()), k.vec()
	k.zero(s.step)
	k.eachVectorAt(n, func(at reg.GPVirtual, rest *mask) {
		s.at = at
		s.vector(rest)
		s.lead.next(k.laneCounts())
	})
	s.result()
}

func (s *pairScanner) field(i int) operand.Mem { return s.k.at(s.p, i) }

// the returns a parameter in all lanes.
func (s *pairScanner) the(i int) reg.VecVirtual {
	if s.held[i] != nil {
		return s.held[i]
	}
	v := s.k.vec()
	s.k.bcast(s.field(i), v)
	return v
}

// read loads a vector of an array, which is data or not.
func (s *pairScanner) read(array reg.GPVirtual, data bool, rest *mask) reg.VecVirtual {
	k, v := s.k, s.k.vec()
	m := operand.Mem{Base: array, Index: s.at, Scale: uint8(k.size)}
	if data {
		m.Scale = uint8(k.dataSize())
	}
	switch {
	case data && rest != nil:
		k.loadDataMasked(m, *rest, v)
	case data:
		k.loadData(m, v)
	case rest != nil:
		k.loadMasked(m, *rest, v)
	default:
		k.load(m, v)
	}
	return v
}

// vector takes a vector of partners, of which rest selects, or nil all.
func (s *pairScanner) vector(rest *mask) {
	k := s.k
	if rest == nil {
		k.PREFETCHT0(operand.Mem{Base: s.row, Index: s.at, Scale: uint8(k.dataSize()), Disp: scanAhead})
	}
	largest, smallest := pick(k, k.VMAXPS, k.VMAXPD), pick(k, k.VMINPS, k.VMINPD)
	a, r := s.read(s.q, true, rest), s.read(s.row, true, rest)
	k.add(s.the(scanA), a, a)
	k.add(r, r, r)
	k.sub(r, a, a)
	largest(a, s.the(scanLeast), a)
	x, b := s.read(s.x, false, rest), s.read(s.f, false, rest)
	k.add(s.the(scanB), b, b)
	k.add(s.linear(scanP, x), b, b)
	lo, hi := s.linear(scanL1, x), s.linear(scanU1, x)
	k.add(s.the(scanL2), lo, lo)
	largest(s.the(scanL0), lo, lo)
	k.add(s.the(scanU2), hi, hi)
	smallest(s.the(scanU0), hi, hi)

	var c *chain
	step := k.vec()
	if s.kinks {
		c = s.newChain(x)
		c.best(a, b, step)
	} else {
		pick(k, k.VDIVPS, k.VDIVPD)(a, b, step)
	}
	largest(step, lo, step)
	smallest(step, hi, step)

	gain := k.vec()
	k.mul(s.half(), step, gain)
	k.mul(gain, a, gain)
	k.sub(gain, b, gain)
	k.mul(gain, step, gain)
	if s.kinks {
		k.sub(c.cost(step), gain, gain)
	}
	if rest != nil {
		k.keep(*rest, gain)
	}
	k.insert(step, s.lead.note(gain), s.step)
}

// linear returns a parameter times x.
func (s *pairScanner) linear(i int, x reg.VecVirtual) reg.VecVirtual {
	v := s.k.vec()
	s.k.mul(s.the(i), x, v)
	return v
}

// half is 1/2 in all lanes.
func (s *pairScanner) half() operand.Op { return s.k.everywhere(0.5) }

// result returns the best partner.
func (s *pairScanner) result() {
	k := s.k
	at, where := s.lead.index()
	none := k.newLabel("none")
	zero := k.vec()
	k.zero(zero)
	pick(k, k.VUCOMISS, k.VUCOMISD)(zero.AsX(), s.lead.best.AsX())
	k.JBE(operand.LabelRef(none))
	k.MOVQ(at, k.result(0))
	k.keep(where, s.step)
	k.sumLanes(s.step, k.bytes)
	pick(k, k.VMOVSS, k.VMOVSD)(s.lead.best.AsX(), k.result(1))
	pick(k, k.VMOVSS, k.VMOVSD)(s.step.AsX(), k.result(2))
	k.done()
	k.Label(none)
	k.MOVQ(operand.I32(-1), at)
	k.MOVQ(at, k.result(0))
	pick(k, k.VMOVSS, k.VMOVSD)(zero.AsX(), k.result(1))
	pick(k, k.VMOVSS, k.VMOVSD)(zero.AsX(), k.result(2))
	k.done()
}

// everywhere is a vector of a number, in memory.
func (k *kernel) everywhere(v float64) operand.Mem {
	name := map[bool]string{false: "f32", true: "f64"}[k.f64]
	return k.global(map[float64]string{0.5: "halves", 1: "ones_"}[v]+name, func() {
		for range 64 / k.size {
			if k.f64 {
				k.AppendDatum(operand.U64(math.Float64bits(v)))
			} else {
				k.AppendDatum(operand.U32(math.Float32bits(float32(v))))
			}
		}
	})
}

// plusZero is the number 0.
func (k *kernel) plusZero() operand.Mem {
	return k.global("zero64", func() { k.AppendDatum(operand.U64(0)) })
}
