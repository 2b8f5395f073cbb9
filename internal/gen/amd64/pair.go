package main

import (
	"math"
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The scans of package asm/pair: a vector of partners at a time, each lane with its own best. No sum is fused with a
// product that rounds, so that the bits are the twin's. A step that is NaN stays that through every VMAXPS and VMINPS,
// which return the operand that comes first here where one is NaN.

var pairScan = source{
	family: "pair", name: "scan", entry: "Scan", sig: "(row, q, f, x *T, n int, p *T) (best int, gain, d T)",
	emit:   func(k *kernel) { emitPairScan(k, false) },
	beside: []source{pairScanMixed, pairScanKinks},
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

// The fields of pair.Scan and of pair.Kinks, in order.
var (
	scanFields  = []string{"A", "Least", "B", "P", "L0", "L1", "L2", "U0", "U1", "U2"}
	kinksFields = []string{"A", "Least", "B", "L0", "L1", "U0", "U1", "C", "K", "L", "First", "Second"}
)

type pairScanner struct {
	k            *kernel
	kinks        bool
	row, q, f, x reg.GPVirtual
	p, at        reg.GPVirtual
	fields       []string
	held         map[string]reg.VecVirtual // with AVX-512, and so are one and half: AVX2 has too few registers
	one, half    reg.VecVirtual
	lead         *leader
	step         reg.VecVirtual // of the best of each lane
}

// scanAhead is how many bytes of the row are asked for ahead: it comes from memory, all else from a cache.
const scanAhead = 8192

func emitPairScan(k *kernel, kinks bool) {
	s := &pairScanner{k: k, kinks: kinks, row: k.arg("row"), q: k.arg("q"), f: k.arg("f"), x: k.arg("x"), p: k.arg("p")}
	n := k.arg("n")
	s.fields = scanFields
	if kinks {
		s.fields = kinksFields
	}
	if k.wide {
		held := map[string]reg.VecVirtual{}
		for _, name := range s.fields {
			held[name] = s.the(name)
		}
		s.held, s.one, s.half = held, k.vec(), k.vec()
		k.load(k.everywhere(1), s.one)
		k.load(k.everywhere(0.5), s.half)
	}
	s.lead, s.step = k.newLeader(false, k.plusZero()), k.vec()
	k.zero(s.step)
	s.at = k.GP64()
	s.each(n)
	s.result()
}

// the returns a parameter in all lanes.
func (s *pairScanner) the(name string) reg.VecVirtual {
	if v, ok := s.held[name]; ok {
		return v
	}
	v := s.k.vec()
	s.k.bcast(s.k.at(s.p, slices.Index(s.fields, name)), v)
	return v
}

// read loads a vector of an array, which is data or not.
func (s *pairScanner) read(array reg.GPVirtual, data bool, rest *mask, v reg.VecVirtual) {
	k := s.k
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
}

// partners is a vector of them, from the first part of its work to the second: with AVX-512 two take turns, so that a
// division is done when its quotient is wanted, and the CPU's queues do not fill with what waits for it.
type partners struct {
	a, b, x  reg.VecVirtual
	quotient reg.VecVirtual // b/a, or with kinks 1/a
}

func (s *pairScanner) newPartners() *partners {
	k := s.k
	return &partners{k.vec(), k.vec(), k.vec(), k.vec()}
}

// begin reads the vector at hand, of which rest selects some, or nil all.
func (s *pairScanner) begin(v *partners, rest *mask) {
	k, r := s.k, s.k.vec()
	k.Comment("a = max(Least, A + q - 2 row), b = f + B + P x, and b/a; with kinks P = 0, and 1/a.")
	s.read(s.q, true, rest, v.a)
	s.read(s.row, true, rest, r)
	s.read(s.f, false, rest, v.b)
	s.read(s.x, false, rest, v.x)
	if rest == nil {
		k.PREFETCHT0(operand.Mem{Base: s.row, Index: s.at, Scale: uint8(k.dataSize()), Disp: scanAhead})
	}
	s.plus(s.the("A"), v.a)
	k.add(r, r, r)
	k.sub(r, v.a, v.a)
	pick(k, k.VMAXPS, k.VMAXPD)(v.a, s.the("Least"), v.a)
	s.plus(s.the("B"), v.b)
	if !s.kinks {
		s.plus(s.linear("P", v.x), v.b)
	}
	over := v.b
	if s.kinks {
		over = s.one
		if over == nil {
			over = v.quotient
			k.load(k.everywhere(1), over)
		}
	}
	pick(k, k.VDIVPS, k.VDIVPD)(v.a, over, v.quotient)
}

// end takes what begin has read.
func (s *pairScanner) end(v *partners, rest *mask) {
	k := s.k
	largest, smallest := pick(k, k.VMAXPS, k.VMAXPD), pick(k, k.VMINPS, k.VMINPD)
	var c *chain
	step := v.quotient
	if s.kinks {
		c = s.newChain(v.x)
		step = k.vec()
		c.best(v.b, v.quotient, step)
	}
	k.Comment("The step within its box.")
	lo, hi := s.bounds(v.x)
	largest(s.the("L0"), lo, lo)
	smallest(s.the("U0"), hi, hi)
	largest(step, lo, step)
	smallest(step, hi, step)

	k.Comment("gain = step (b - a/2 step), less the step's cost; each lane keeps its best.")
	half, gain := v.a, v.b
	k.mul(s.halves(), half, half)
	k.mul(step, half, half)
	k.sub(half, gain, gain)
	k.mul(gain, step, gain)
	if s.kinks {
		k.sub(c.cost(step), gain, gain)
	}
	if rest != nil {
		k.keep(*rest, gain)
	}
	k.insert(step, s.lead.note(gain), s.step)
	s.lead.next(k.laneCounts())
}

// bounds returns those that depend on x.
func (s *pairScanner) bounds(x reg.VecVirtual) (lo, hi reg.VecVirtual) {
	if s.kinks {
		lo, hi = s.k.vec(), x
		s.k.add(s.the("L1"), x, lo)
		s.plus(s.the("U1"), hi)
		return lo, hi
	}
	lo, hi = s.linear("L1", x), s.linear("U1", x)
	s.plus(s.the("L2"), lo)
	s.plus(s.the("U2"), hi)
	return lo, hi
}

// linear returns a parameter times x.
func (s *pairScanner) linear(name string, x reg.VecVirtual) reg.VecVirtual {
	v := s.k.vec()
	s.k.mul(s.the(name), x, v)
	return v
}

// halves is 1/2 in all lanes.
func (s *pairScanner) halves() operand.Op {
	if s.half != nil {
		return s.half
	}
	return s.k.everywhere(0.5)
}

// each goes through n partners.
func (s *pairScanner) each(n reg.GPVirtual) {
	k, lanes := s.k, uint64(s.k.lanes())
	k.XORL(s.at.As32(), s.at.As32())
	rest, left := k.newLabel("rest"), k.GP64()
	k.MOVQ(n, left)
	parts := []*partners{s.newPartners()}
	if k.wide {
		parts = append(parts, s.newPartners())
	}
	begin := func(v *partners, none string) {
		k.SUBQ(operand.Imm(lanes), left)
		k.JB(operand.LabelRef(none))
		s.begin(v, nil)
		k.ADDQ(operand.Imm(lanes), s.at)
	}
	loop := k.newLabel("loop")
	if k.wide {
		first, second := k.newLabel("first"), k.newLabel("second")
		begin(parts[0], rest)
		k.section(loop, "Two vectors take turns: while one begins, the other one ends.")
		begin(parts[1], first)
		s.end(parts[0], nil)
		begin(parts[0], second)
		s.end(parts[1], nil)
		k.JMP(operand.LabelRef(loop))
		k.Label(second)
		s.end(parts[1], nil)
		k.JMP(operand.LabelRef(rest))
		k.Label(first)
		s.end(parts[0], nil)
	} else {
		k.section(loop, "A vector.")
		begin(parts[0], rest)
		s.end(parts[0], nil)
		k.JMP(operand.LabelRef(loop))
	}
	k.Label(rest)
	done := k.newLabel("done")
	k.ANDQ(operand.Imm(lanes-1), n)
	k.JZ(operand.LabelRef(done))
	k.Comment("The rest, under a mask.")
	by := k.maskOf(n)
	s.begin(parts[0], &by)
	s.end(parts[0], &by)
	k.Label(done)
}

// plus is d += a, and minus d -= a: with AVX-512 by the units that multiply, for maxima and minima keep those busy that
// add. A product with 1 rounds nothing.
func (s *pairScanner) plus(a, d reg.VecVirtual) {
	if s.one != nil {
		s.k.fma(s.one, a, d)
	} else {
		s.k.add(a, d, d)
	}
}

func (s *pairScanner) minus(a, d reg.VecVirtual) {
	if s.one != nil {
		s.k.fnma(s.one, a, d)
	} else {
		s.k.sub(a, d, d)
	}
}

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
	k.section(none, "No partner gains.")
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
