package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Problems of 17 elements to eight vectors, all in registers, become problems of up to 16: the largest elements of 16
// classes bound the threshold from below, and what is not below the bound moves together. Package project says why of
// each bound.

// many leaves the lanes as load does, and in smallKept the elements that they hold, one bit each. Element i is of class
// i mod 16.
func (s *small) many() {
	lanes := s.lanes()
	x := s.vecs(8)
	bits, present := s.GP64(), s.GP64()
	// The maxima are 16 float32 or two vectors of float64.
	max := pick(s.kernel, s.VMAXPS, s.VMAXPD)
	maxima := s.vecs(16 / lanes)
	s.Comment("The elements, and the maxima of 16 classes: element i is of class i mod 16.")
	s.MOVQ(operand.I32(-1), bits)
	s.BZHIQ(s.n, bits, present)
	for i, v := range x {
		s.unlessEnd(i, "manyloaded")
		if lanes*i == 64 {
			left := s.GP64()
			s.LEAQ(operand.Mem{Base: s.n, Disp: -64}, left)
			s.MOVQ(operand.I32(-1), bits)
			s.BZHIQ(left, bits, present)
		}
		m := maxima[i%len(maxima)]
		if i < len(maxima) {
			s.kernel.load(s.at(s.a, i*lanes), v)
			pick(s.kernel, s.VMOVAPS, s.VMOVAPD)(v, m)
			continue
		}
		here := s.K()
		s.MOVQ(present, bits)
		s.SHRQ(operand.U8(i*lanes%64), bits)
		s.KMOVW(bits.As32(), here)
		s.bcast(s.lowest(), v)
		pick(s.kernel, s.VMOVUPS, s.VMOVUPD)(s.at(s.a, i*lanes), here, v)
		max(v, m, m)
	}
	s.Label("manyloaded")
	s.Comment("A bound below the threshold.")
	bound, tries := s.bound(maxima), s.GP64()
	s.MOVQ(operand.U32(3), tries)

	s.section("manyagain",
		"NaN and what is not below the bound is kept, moved to the front and from there to its place.")
	packed, off := s.pack(x, bound)
	s.CMPQ(off, operand.Imm(16))
	s.JBE(operand.LabelRef("manyfew"))
	s.DECQ(tries)
	s.JZ(operand.LabelRef("unsolved"))
	s.Comment("Too many: a higher bound.")
	s.refine(x, bound, off)
	s.JMP(operand.LabelRef("manyagain"))
	s.section("manyfew", "At most 16.")
	s.LEAQ(s.param(smallScratch), s.a)
	// Loops take the elements by fours: what varies from call to call is bad for branches.
	s.MOVQ(operand.I32(-1), bits)
	s.BZHIL(off.As32(), bits.As32(), bits.As32())
	s.KMOVW(bits.As32(), s.all)
	s.LEAQ(operand.Mem{Base: off, Disp: 3}, s.n)
	s.ANDQ(operand.I32(-4), s.n)
	for i, v := range packed {
		s.kernel.store(v, s.at(s.a, i*lanes))
	}
	if s.f64 {
		s.centered()
	} else {
		s.VMOVAPS(packed[0], s.raw)
	}
}

// unlessEnd leaves the unrolled loop over vectors before the i-th if that has no elements; the first 17 are there.
func (s *small) unlessEnd(i int, end string) {
	if at := i * s.lanes(); at > 16 {
		s.CMPQ(s.n, operand.U32(at))
		s.JBE(operand.LabelRef(end))
	}
}

// bound returns in all lanes a number that no threshold is below, of the problem whose maxima of classes are given; for
// kind 2 one that is not above the k-th largest element either.
func (s *small) bound(maxima []reg.VecVirtual) reg.VecVirtual {
	max := pick(s.kernel, s.VMAXPS, s.VMAXPD)
	most := s.ZMM()
	pick(s.kernel, s.VMOVAPS, s.VMOVAPD)(maxima[0], most)
	for _, m := range maxima[1:] {
		max(m, most, most)
	}
	s.across(most, max)
	b, lost, x, kind, tiny := s.ZMM(), s.XMM(), s.XMM(), s.arg("kind"), s.XMM()
	if s.f64 {
		s.CMPQ(kind, operand.Imm(kindSimplex))
		s.JE(operand.LabelRef("boundsimplex"))
		s.CMPQ(kind, operand.Imm(kindEqual))
		s.JE(operand.LabelRef("boundequal"))
	} else {
		s.boundBySingle(kind, most, b)
		s.widest(most)
	}
	s.Comment("At most k elements are above T + u: the k-th largest maximum less u.")
	s.CMPQ(s.arg("k"), operand.Imm(16))
	s.JA(operand.LabelRef("unsolved"))
	kth := s.kthOf(maxima)
	s.widest(kth)
	s.CMPQ(kind, operand.Imm(kindTopK))
	s.JE(operand.LabelRef("boundtopk"))
	s.VSUBSD(s.param(smallCap), kth.AsX(), b.AsX()) // at most k elements are above T + u
	s.CMPQ(kind, operand.Imm(kindCapped))
	s.JE(operand.LabelRef("boundzero"))
	s.JMP(operand.LabelRef("bound"))

	s.section("boundtopk", "Kind 2: kth - min(limit, ((k - 1) most + kth)/share).")
	s.VMOVSD(s.param(smallK), x)
	s.VSUBSD(s.one(), x, x)
	s.VFMADD132SD(most.AsX(), kth.AsX(), x)
	s.VMOVSD(s.one(), lost)
	s.VDIVSD(s.param(smallShare), lost, lost)
	s.VMULSD(lost, x, x)
	s.VMINSD(s.param(smallCap), x, x)
	s.VMAXSD(s.zero.AsX(), x, x)
	s.VSUBSD(x, kth.AsX(), b.AsX())
	if s.f64 {
		s.JMP(operand.LabelRef("bound"))
		s.section("boundsimplex",
			"Kind 0: x <= r, T >= rho x and T >= 0, so that T >= max(most - r, most rho/(1 + rho)).")
		s.VMOVSD(s.param(smallRho), x)
		s.VADDSD(s.one(), x, lost)
		s.VDIVSD(lost, x, x)
		s.VMULSD(x, most.AsX(), x)
		s.VSUBSD(s.param(smallR), most.AsX(), b.AsX())
		s.VMAXSD(x, b.AsX(), b.AsX())
		s.JMP(operand.LabelRef("boundzero"))
		s.section("boundequal", "Kind 4: most - r.")
		s.VSUBSD(s.param(smallR), most.AsX(), b.AsX())
	}
	s.section("bound", "Less what rounding may have added.")
	s.lower(b, most)
	s.JMP(operand.LabelRef("boundedabove"))
	s.section("boundzero", "The same, where what is positive is above 0.")
	s.lower(b, most)
	s.VMOVSD(s.denormal(), tiny)
	s.VMAXSD(tiny, b.AsX(), b.AsX())
	s.Label("boundedabove")
	s.broadcastBound(b, b)
	s.Label("bounded")
	return b
}

// lower takes from b what rounding may have added: 2^-48 (|most| + r). The result is kept, as the elements left may
// allow a threshold below it, where all that is positive is at the cap.
func (s *small) lower(b, most reg.VecVirtual) {
	x := s.XMM()
	s.VSUBSD(most.AsX(), s.zero.AsX(), x)
	s.VMAXSD(most.AsX(), x, x)
	s.VADDSD(s.param(smallR), x, x)
	s.VFNMADD231SD(s.rounding(), x, b.AsX())
	s.VMOVSD(b.AsX(), s.param(smallBound))
}

// denormal is the smallest positive element.
func (k *kernel) denormal() operand.Mem {
	least := math.SmallestNonzeroFloat32
	if k.f64 {
		least = math.SmallestNonzeroFloat64
	}
	return k.global("denormal"+k.elem.suffix, func() { k.AppendDatum(operand.U64(math.Float64bits(least))) })
}

// rounding is 2^-48.
func (k *kernel) rounding() operand.Mem {
	return k.global("rounding64", func() { k.AppendDatum(operand.U64(math.Float64bits(0x1p-48))) })
}

// widest turns the lowest lane into float64.
func (s *small) widest(v reg.VecVirtual) {
	if !s.f64 {
		s.VCVTSS2SD(v.AsX(), v.AsX(), v.AsX())
	}
}

// kthOf returns the k-th largest of the maxima, in the lowest lane at least.
func (s *small) kthOf(maxima []reg.VecVirtual) reg.VecVirtual {
	s.Comment("The k-th largest of the maxima, which k - 1 exceed.")
	ones, last, bound, k := s.ZMM(), s.ZMM(), s.ZMM(), s.arg("k")
	larger := s.vecs(len(maxima))
	for i, m := range maxima {
		s.kernel.store(m, s.at(s.p, smallScratch/s.size+i*s.lanes()))
		s.clear(larger[i])
	}
	s.VPBROADCASTD(s.minusOne(), ones)
	broadcast := func(v reg.VecVirtual) {
		if s.f64 {
			s.VPBROADCASTQ(k, v)
		} else {
			s.VPBROADCASTD(k.As32(), v)
		}
	}
	broadcast(bound)
	s.DECQ(k)
	broadcast(last)
	for i := range 16 {
		for j, v := range maxima {
			m := s.K()
			pick(s.kernel, s.VCMPPS_BCST, s.VCMPPD_BCST)(operand.U8(0x11), s.at(s.p, smallScratch/s.size+i), v, m)
			pick(s.kernel, s.VPSUBD, s.VPSUBQ)(ones, larger[j], m, larger[j])
		}
	}
	kth, is := s.ZMM(), make([]reg.Register, len(maxima))
	compare := pick(s.kernel, s.VPCMPD, s.VPCMPQ)
	for i := range maxima {
		is[i] = s.K()
		compare(operand.U8(0), last, larger[i], is[i])
	}
	if s.f64 {
		s.VCOMPRESSPD_Z(maxima[1], is[1], kth)
		s.VCOMPRESSPD(maxima[0], is[0], kth)
	} else {
		s.VCOMPRESSPS_Z(maxima[0], is[0], kth)
	}
	found := s.newLabel("kth")
	s.KORTESTW(is[0], is[len(is)-1])
	s.JNZ(operand.LabelRef(found))
	s.Comment("Ties: the least of those with fewer than k above them.")
	min := pick(s.kernel, s.VMINPS, s.VMINPD)
	pick(s.kernel, s.VMOVAPS, s.VMOVAPD)(maxima[0], kth)
	s.across(kth, pick(s.kernel, s.VMAXPS, s.VMAXPD))
	for i, m := range maxima {
		compare(operand.U8(1), bound, larger[i], is[i])
		min(m, kth, is[i], kth)
	}
	s.across(kth, min)
	s.Label(found)
	return kth
}
