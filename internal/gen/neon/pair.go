package main

import (
	"slices"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The scans of package asm/pair: a vector of partners at a time, each lane with its own best. No product is fused with
// a sum, so that the bits are the twin's. FMAX and FMIN keep a step that is NaN, which then has no gain.

const pairScanSig = "(row, q, f, x *T, n int, p *T) (best int, gain, d T)"

var pairScan = source{"pair", "scan", "Scan", pairScanSig, func(k *kernel) { emitPairScan(k, false) }}

var pairScanMixed = source{"pair", "scanmixed", "ScanMixed",
	"(row, q *float32, f, x *float64, n int, p *float64) (best int, gain, d float64)",
	ofSingle(func(k *kernel) { emitPairScan(k, false) })}

var pairScanKinks = source{"pair", "scankinks", "ScanKinks", pairScanSig, func(k *kernel) { emitPairScan(k, true) }}

// The fields of pair.Scan and of pair.Kinks, in order.
var (
	scanFields  = []string{"A", "Least", "B", "P", "L0", "L1", "L2", "U0", "U1", "U2"}
	kinksFields = []string{"A", "Least", "B", "L0", "L1", "U0", "U1", "C", "K", "L", "First", "Second"}
)

// pairScanner is a scan under construction, its temporary registers each for what it is named by.
type pairScanner struct {
	k                         *kernel
	fields                    []string
	params                    []V
	half, one                 V
	lead                      *leader
	step                      V // of the best of each lane
	a, b, x, r, d, lo, hi     V
	t, m, left, right, middle V // with kinks
}

func emitPairScan(k *kernel, kinks bool) {
	row, q, f, x, n, p := k.arg("row"), k.arg("q"), k.arg("f"), k.arg("x"), k.arg("n"), k.arg("p")
	s := &pairScanner{k: k, fields: scanFields}
	temporary := []*V{&s.half, &s.step, &s.a, &s.b, &s.x, &s.r, &s.d, &s.lo, &s.hi}
	if kinks {
		s.fields = kinksFields
		s.one = k.vs(1)[0]
		temporary = append(temporary, &s.t, &s.m)
	}
	for _, v := range temporary {
		*v = k.vs(1)[0]
	}
	s.left, s.right, s.middle = s.lo, s.hi, s.r // which are free before bounds
	for i := range s.fields {
		v := k.vs(1)[0]
		k.Op(k.move, a64.Mem(p, i*k.size), v)
		k.Op("VDUP", v.Lane(k.arr, 0), v.As(k.arr))
		s.params = append(s.params, v)
	}
	k.constant(s.half, 0.5)
	if kinks {
		k.constant(s.one, 1)
	}
	s.lead = k.newLeader(0)
	k.zero(s.step)
	k.stream(n, 1, func(piece piece) {
		for _, r := range piece.runs() {
			k.loadData(r, []V{s.a}, q)
			k.loadData(r, []V{s.r}, row)
			k.load(r, []V{s.b}, f)
			k.load(r, []V{s.x}, x)
			s.vector(piece, kinks)
		}
	}, nil)
	s.result()
}

func (s *pairScanner) the(name string) V { return s.params[slices.Index(s.fields, name)] }

// vector takes the partners that have been read.
func (s *pairScanner) vector(p piece, kinks bool) {
	k := s.k
	k.Comment("a = max(Least, A + q - 2 row), b = f + B.")
	k.add(s.a, s.the("A"), s.a)
	k.add(s.r, s.r, s.r)
	k.FSUB(k.arr, s.a, s.a, s.r)
	k.FMAX(k.arr, s.a, s.a, s.the("Least"))
	k.add(s.b, s.the("B"), s.b)
	if kinks {
		s.chain()
		k.add(s.lo, s.x, s.the("L1"))
		k.add(s.hi, s.x, s.the("U1"))
	} else {
		k.Comment("b += P x, and the step b/a.")
		k.mul(s.d, s.the("P"), s.x)
		k.add(s.b, s.b, s.d)
		k.FDIV(k.arr, s.d, s.b, s.a)
		k.mul(s.lo, s.the("L1"), s.x)
		k.add(s.lo, s.lo, s.the("L2"))
		k.mul(s.hi, s.the("U1"), s.x)
		k.add(s.hi, s.hi, s.the("U2"))
	}
	k.Comment("The step within its box.")
	k.FMAX(k.arr, s.lo, s.lo, s.the("L0"))
	k.FMIN(k.arr, s.hi, s.hi, s.the("U0"))
	k.FMAX(k.arr, s.d, s.d, s.lo)
	k.FMIN(k.arr, s.d, s.d, s.hi)

	gain := s.b
	k.Comment("gain = step (b - a/2 step), less the step's cost; each lane keeps its best.")
	k.mul(s.a, s.a, s.half)
	k.mul(s.a, s.a, s.d)
	k.FSUB(k.arr, gain, s.b, s.a)
	k.mul(gain, gain, s.d)
	if kinks { // C max(m, K - D, t + D)
		k.Comment("The cost C max(m, K - step, t + step).")
		k.FSUB(k.arr, s.a, s.the("K"), s.d)
		k.FMAX(k.arr, s.m, s.m, s.a)
		k.add(s.t, s.t, s.d)
		k.FMAX(k.arr, s.m, s.m, s.t)
		k.mul(s.m, s.m, s.the("C"))
		k.FSUB(k.arr, gain, gain, s.m)
	}
	k.insert(s.step, s.d, s.lead.note(gain, p, false))
	s.lead.next(p)
}

// chain leaves in d the best step without its box, min(g3, max(KL, min(g1, max(KR, g2)))), and t and m.
func (s *pairScanner) chain() {
	k, mask := s.k, s.lead.mask
	k.Comment("t = L - x; m = First, or Second where t is not below First.")
	k.FSUB(k.arr, s.t, s.the("L"), s.x)
	k.FCMGE(k.arr, mask, s.t, s.the("First"))
	k.Op("VMOV", s.the("First").Bits(), s.m.Bits())
	k.insert(s.m, s.the("Second"), mask)
	k.Comment("The kinks K - m and m - t, and their middle where they cross.")
	k.FSUB(k.arr, s.left, s.the("K"), s.m)
	k.FSUB(k.arr, s.right, s.m, s.t)
	k.add(s.middle, s.left, s.right)
	k.mul(s.middle, s.middle, s.half)
	k.FCMGT(k.arr, mask, s.left, s.right)
	k.insert(s.left, s.middle, mask)
	k.insert(s.right, s.middle, mask)

	inverse, g := s.middle, mask
	k.Comment("min(g3, max(KL, min(g1, max(KR, g2)))), where g1, g2, g3 = b/a, (b - C)/a, (b + C)/a.")
	k.FDIV(k.arr, inverse, s.one, s.a)
	k.FSUB(k.arr, s.d, s.b, s.the("C"))
	k.mul(s.d, s.d, inverse)
	k.FMAX(k.arr, s.d, s.right, s.d)
	k.mul(g, s.b, inverse)
	k.FMIN(k.arr, s.d, g, s.d)
	k.FMAX(k.arr, s.d, s.left, s.d)
	k.add(g, s.b, s.the("C"))
	k.mul(g, g, inverse)
	k.FMIN(k.arr, s.d, g, s.d)
}

// result returns the best partner.
func (s *pairScanner) result() {
	k, none, at := s.k, s.k.NewLabel("none"), s.lead.index(false)
	best := s.lead.best
	k.Op(pickOp(k, "FCMPS", "FCMPD"), s.lead.zero, best)
	k.Op("BLE", none)
	k.andBits(s.step, s.step, s.lead.mask)
	k.across(s.step, s.step)
	k.Op("MOVD", at, k.param("best"))
	k.Op(k.move, best, k.param("gain"))
	k.Op(k.move, s.step, k.param("d"))
	k.Op("RET")
	k.section(none, "No partner gains.")
	k.Op("MOVD", imm(-1), at)
	k.Op("MOVD", at, k.param("best"))
	k.Op(k.move, s.lead.zero, k.param("gain"))
	k.Op(k.move, s.lead.zero, k.param("d"))
	k.Op("RET")
}
