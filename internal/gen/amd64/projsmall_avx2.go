package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// smallNarrow is the kernel of small problems with AVX2: kinds 0 and 4, up to 16 elements in two vectors of float32 or
// four of float64. It does what simplex does, and leaves at once where the sets guessed are not the threshold's.
func smallNarrow(k *kernel) {
	p, n, a, kind := k.arg("p"), k.arg("n"), k.arg("a"), k.arg("kind")
	param := func(offset int) operand.Mem { return operand.Mem{Base: p, Disp: offset} }
	k.CMPQ(n, operand.Imm(16))
	k.JA(operand.LabelRef("unsolved"))
	k.TESTQ(operand.U32(3), kind) // 0 and 4
	k.JNZ(operand.LabelRef("unsolved"))

	k.Comment("The elements, and sum_i max(a_i, a_j) of each.")
	x := k.padded(a, n)
	sums := k.maxSumsOf(a, n, x)

	k.Comment("The positive elements: p_j < r where the sum is below r + n a_j,",
		"rho p_j < a_j where it is below (n + 1/rho) a_j.")
	count, r, set := k.vec(), k.vec(), k.GP32()
	k.broadcastInt(n, count)
	k.broadcastNumber(param(smallR), r)
	inverse := k.vec()
	k.broadcastNumber(k.one(), inverse)
	rho := k.vec()
	k.broadcastNumber(param(smallRho), rho)
	pick(k, k.VDIVPS, k.VDIVPD)(rho, inverse, inverse)
	k.add(count, inverse, inverse)
	var inside []reg.VecVirtual
	k.XORL(set, set)
	for i := range x {
		bound, other := k.vec(), k.vec()
		pick(k, k.VMOVAPS, k.VMOVAPD)(r, bound)
		k.fma(count, x[i], bound)
		done := k.newLabel("unbiased")
		k.TESTQ(kind, kind)
		k.JNZ(operand.LabelRef(done))
		k.mul(inverse, x[i], other)
		pick(k, k.VMINPS, k.VMINPD)(other, bound, bound)
		k.Label(done)
		m := k.compare(0x11, bound, sums[i])
		inside = append(inside, m.v)
		k.gather(m, i, set)
	}
	size, first := k.GP32(), k.GP64()
	k.POPCNTL(set, size)
	k.JZ(operand.LabelRef("unsolved"))
	k.TZCNTL(set, first.As32())

	k.Comment("From here on all is float64, minus c, the first of the set.")
	v, masks := k.wideLanes(x, inside)
	c, sum, y := k.YMM(), k.YMM(), k.YMM()
	k.broadcastDouble(operand.Mem{Base: a, Index: first, Scale: uint8(k.size)}, c)
	for i := range v {
		k.VSUBPD(c, v[i], v[i])
		if i == 0 {
			k.VANDPD(masks[i], v[i], sum)
			continue
		}
		k.VANDPD(masks[i], v[i], y)
		k.VADDPD(y, sum, sum)
	}
	k.VEXTRACTF128(operand.Imm(1), sum, y.AsX())
	k.VADDPD(y.AsX(), sum.AsX(), sum.AsX())
	k.VPERMILPD(operand.Imm(1), sum.AsX(), y.AsX())
	k.VADDSD(y.AsX(), sum.AsX(), sum.AsX())
	k.Comment("t = (s - r)/m, with the bias the larger of that and (rho s - c)/(rho m + 1).")
	t, table, limit, bias := k.YMM(), k.GP64(), k.XMM(), k.XMM()
	k.LEAQ(k.inverses(), table)
	k.VMOVSD(param(smallR), limit)
	k.VMOVSD(param(smallRho), bias)
	k.VSUBSD(limit, sum.AsX(), t.AsX())
	k.VMULSD(operand.Mem{Base: table, Index: size.As64(), Scale: 8}, t.AsX(), t.AsX())
	k.TESTQ(kind, kind)
	k.JNZ(operand.LabelRef("threshold"))
	m, inv := k.XMM(), k.XMM()
	k.VXORPD(m, m, m)
	k.VCVTSI2SDL(size, m, m)
	k.VMOVSD(k.one(), inv)
	k.VFMADD213SD(inv, bias, m)
	k.VFMSUB213SD(c.AsX(), bias, sum.AsX())
	k.VDIVSD(m, sum.AsX(), sum.AsX())
	k.VMAXSD(sum.AsX(), t.AsX(), t.AsX())
	k.Label("threshold")

	k.Comment("c, t, T = c + t, U = r and lambda = max(0, T - rho r).")
	total, lambda, zero := k.XMM(), k.XMM(), k.YMM()
	k.VADDSD(c.AsX(), t.AsX(), total)
	k.VMOVSD(c.AsX(), param(smallC))
	k.VMOVSD(t.AsX(), param(smallShift))
	k.VMOVSD(total, param(smallT))
	k.VMOVSD(limit, param(smallU))
	k.VXORPD(zero, zero, zero)
	k.VMOVAPD(total, lambda)
	k.TESTQ(kind, kind)
	k.JNZ(operand.LabelRef("lambda"))
	k.VFNMADD231SD(limit, bias, lambda)
	k.VMAXSD(zero.AsX(), lambda, lambda)
	k.Label("lambda")
	k.VMOVSD(lambda, param(smallLambda))

	k.Comment("The set is right when it is what exceeds t. Only one element can be at the cap.")
	found, u, full := k.GP32(), k.YMM(), k.YMM()
	k.VBROADCASTSD(t.AsX(), t)
	k.VBROADCASTSD(limit, u)
	k.XORL(found, found)
	h := *k
	h.elem = elems[1]
	for i := range v {
		k.VSUBPD(t, v[i], v[i])
		m := h.compare(0x1e, zero, v[i])
		h.gather(m, i, found)
		m = h.compare(0x1d, u, v[i])
		if i == 0 {
			k.VMOVAPD(m.v, full)
		} else {
			k.VORPD(m.v, full, full)
		}
		k.VMAXPD(v[i], zero, v[i])
		k.VMINPD(v[i], u, v[i])
	}
	k.CMPL(found, set)
	k.JNE(operand.LabelRef("unsolved"))
	k.Comment("The counts, and dst.")
	atCap := k.GP32()
	k.VMOVMSKPD(full, atCap)
	k.POPCNTL(atCap, atCap)
	k.SUBL(atCap, size)
	k.MOVL(atCap, param(smallCounts))
	k.MOVL(size, param(smallCounts+4))
	k.storeNarrow(v, n)
	k.smallReturn(1)
	k.section("unsolved", "Not solved.")
	k.smallReturn(0)
}

// padded reads n elements into 16 lanes, -Inf behind them.
func (k *kernel) padded(a, n reg.GPVirtual) []reg.VecVirtual {
	x, low, zero, most := k.vecs(16/k.lanes()), k.vec(), k.GP64(), k.GP64()
	k.bcast(k.lowest(), low)
	k.XORL(zero.As32(), zero.As32())
	k.MOVL(operand.U32(k.lanes()), most.As32())
	for i := range x {
		here := k.GP64()
		k.LEAQ(operand.Mem{Base: n, Disp: -i * k.lanes()}, here)
		k.TESTQ(here, here)
		k.CMOVQLT(zero, here)
		k.CMPQ(here, most)
		k.CMOVQGT(most, here)
		m := k.maskOf(here)
		k.loadMasked(k.at(a, i*k.lanes()), m, x[i])
		pick(k, k.VBLENDVPS, k.VBLENDVPD)(m.v, x[i], low, x[i])
	}
	return x
}

// maxSumsOf returns sum_i max(a_i, x_j), NaN where an element is.
func (k *kernel) maxSumsOf(a, n reg.GPVirtual, x []reg.VecVirtual) []reg.VecVirtual {
	sums, at, left := k.vecs(len(x)), k.GP64(), k.GP64()
	k.zero(sums...)
	k.MOVQ(a, at)
	k.MOVQ(n, left)
	k.Label("sums")
	element := k.vec()
	k.bcast(operand.Mem{Base: at}, element)
	for i := range x {
		m := k.vec()
		pick(k, k.VMAXPS, k.VMAXPD)(element, x[i], m)
		k.add(m, sums[i], sums[i])
	}
	k.ADDQ(operand.Imm(uint64(k.size)), at)
	k.DECQ(left)
	k.JNZ(operand.LabelRef("sums"))
	return sums
}

// gather joins the mask of the i-th vector to bits.
func (k *kernel) gather(m mask, i int, bits reg.GPVirtual) {
	b := k.bits(m).As32()
	if i > 0 {
		k.SHLL(operand.U8(i*k.lanes()), b)
	}
	k.ORL(b, bits)
}

// broadcastInt broadcasts n as a number of the element type.
func (k *kernel) broadcastInt(n reg.GPVirtual, v reg.VecVirtual) {
	k.VXORPS(v.AsX(), v.AsX(), v.AsX())
	if k.f64 {
		k.VCVTSI2SDQ(n, v.AsX(), v.AsX())
		k.VBROADCASTSD(v.AsX(), v)
		return
	}
	k.VCVTSI2SSQ(n, v.AsX(), v.AsX())
	k.VBROADCASTSS(v.AsX(), v)
}

// broadcastNumber broadcasts a float64 in memory as a number of the element type.
func (k *kernel) broadcastNumber(m operand.Mem, v reg.VecVirtual) {
	if k.f64 {
		k.VBROADCASTSD(m, v)
		return
	}
	k.VXORPS(v.AsX(), v.AsX(), v.AsX())
	k.VCVTSD2SS(m, v.AsX(), v.AsX())
	k.VBROADCASTSS(v.AsX(), v)
}

// broadcastDouble broadcasts an element as float64.
func (k *kernel) broadcastDouble(m operand.Mem, v reg.VecVirtual) {
	if k.f64 {
		k.VBROADCASTSD(m, v)
		return
	}
	k.VBROADCASTSS(m, v.AsX())
	k.VCVTPS2PD(v.AsX(), v)
}

// wideLanes turns lanes and masks into lanes and masks of float64.
func (k *kernel) wideLanes(x, masks []reg.VecVirtual) (v, m []reg.VecVirtual) {
	if k.f64 {
		return x, masks
	}
	for i := range x {
		for half := range 2 {
			from, sign := x[i].AsX(), masks[i].AsX()
			if half == 1 {
				from, sign = k.XMM(), k.XMM()
				k.VEXTRACTF128(operand.Imm(1), x[i], from)
				k.VEXTRACTF128(operand.Imm(1), masks[i], sign)
			}
			wide, wideMask := k.YMM(), k.YMM()
			k.VCVTPS2PD(from, wide)
			k.VPMOVSXDQ(sign, wideMask)
			v, m = append(v, wide), append(m, wideMask)
		}
	}
	return v, m
}

// storeNarrow writes the first n of 16 lanes of float64, which it destroys.
func (k *kernel) storeNarrow(v []reg.VecVirtual, n reg.GPVirtual) {
	dst, left := k.arg("dst"), k.GP64()
	k.MOVQ(n, left)
	if !k.f64 {
		for i := 0; i < len(v); i += 2 {
			k.VCVTPD2PSY(v[i], v[i].AsX())
			k.VCVTPD2PSY(v[i+1], v[i+1].AsX())
			k.VINSERTF128(operand.Imm(1), v[i+1].AsX(), v[i], v[i])
		}
		v = []reg.VecVirtual{v[0], v[2]}
	}
	end := k.newLabel("stored")
	for i, y := range v {
		part := k.newLabel("part")
		k.SUBQ(operand.Imm(uint64(k.lanes())), left)
		k.JB(operand.LabelRef(part))
		k.store(y, k.at(dst, i*k.lanes()))
		if i < len(v)-1 {
			next := k.newLabel("next")
			k.JMP(operand.LabelRef(next))
			k.Label(part)
			k.ADDQ(operand.Imm(uint64(i*k.lanes()*k.size)), dst)
			k.storeBits(y, k.bytes, n, dst)
			k.JMP(operand.LabelRef(end))
			k.Label(next)
			continue
		}
		k.JMP(operand.LabelRef(end))
		k.Label(part)
		k.ADDQ(operand.Imm(uint64(i*k.lanes()*k.size)), dst)
		k.storeBits(y, k.bytes, n, dst)
	}
	k.Label(end)
}
