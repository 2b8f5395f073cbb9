package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// projPrune is projMaxima, a bound that is made of them in registers, and projAbove with positions, in one call: for
// vectors of a hundred elements three calls and a search by branches take longer than all of the rest. AVX-512 only.
var projPrune = source{
	family: "proj", name: "prune", entry: "Prune",
	sig: "(cand *T, index *int32, m, a, dst *T, n, k int, p *float32) int",
	emit: func(k *kernel) {
		if !k.wide {
			k.smallReturn(-1)
			return
		}
		p, order, t := k.arg("p"), k.arg("k"), k.ZMM()
		k.VBROADCASTSS(operand.Mem{Base: p, Disp: pruneLimit}, t)
		k.TESTQ(order, order)
		k.JZ(operand.LabelRef("bounded"))
		k.Comment("The maxima of 16 classes, the largest of them, v, and the bound.")
		k.pruneBound(p, order, t)
		k.Label("bounded")
		if k.f64 {
			k.VCVTPS2PD(t.AsY(), t)
		}
		k.collect(t)
	},
}

// The layout of p: see package proj.
const pruneLimit, pruneMost, pruneKth, pruneConst = 0, 4, 8, 12

// pruneBound replaces t, which is the limit, by the bound. Rounding and conversions to float32 take less than 2^-21 of
// each term, and what underflows less than 2^-100.
func (k *kernel) pruneBound(p, order reg.GPVirtual, t reg.VecVirtual) {
	maxima := k.classMaxima(k.arg("a"), k.arg("n"))
	m, x := k.arg("m"), maxima[0]
	for i, v := range maxima {
		k.store(v, k.at(m, i*k.lanes()))
	}
	if k.f64 {
		x = k.ZMM()
		high := k.ZMM()
		k.VCVTPD2PS(maxima[0], x.AsY())
		k.VCVTPD2PS(maxima[1], high.AsY())
		k.VINSERTF64X4(operand.Imm(1), high.AsY(), x, x)
	}
	narrow := *k
	narrow.elem = elems[0]
	most, kth := k.ZMM(), k.ZMM()
	k.VMOVAPS(x, most)
	narrow.across(most, k.VMAXPS)
	k.VMOVAPS(most, kth)
	k.CMPQ(order, operand.Imm(1))
	k.JE(operand.LabelRef("first"))

	k.Comment("c, the k-th largest maximum: the rank of a lane is the number of larger ones,",
		"and it is the least of those whose rank is below k.")
	rank, ones, bound, y := k.ZMM(), k.ZMM(), k.ZMM(), k.ZMM()
	k.zero(rank)
	k.VPTERNLOGD(operand.U8(0xff), ones, ones, ones) // -1
	k.VPBROADCASTD(order.As32(), bound)
	for turn := 1; turn < 16; turn++ {
		larger := k.K()
		k.VALIGND(operand.U8(turn), x, x, y)
		k.VCMPPS(operand.U8(0x11), y, x, larger) // x < y
		k.VPSUBD(ones, rank, larger, rank)
	}
	top := k.K()
	k.VPCMPD(operand.U8(1), bound, rank, top)
	k.VBROADCASTSS(narrow.infinity(), kth)
	k.VMOVAPS(x, top, kth)
	narrow.across(kth, k.VMINPS)

	k.section("first",
		"low = max(0, min(limit, x v + y c + z)), and the bound is c - low, less what rounding takes.")
	low, size := k.ZMM(), k.ZMM()
	k.VBROADCASTSS(operand.Mem{Base: p, Disp: pruneConst}, low)
	k.VFMADD231PS_BCST(operand.Mem{Base: p, Disp: pruneKth}, kth, low)
	k.VFMADD231PS_BCST(operand.Mem{Base: p, Disp: pruneMost}, most, low)
	k.VMINPS(t, low, low) // the limit where that is NaN
	none := k.ZMM()
	k.zero(none)
	k.VMAXPS(none, low, low)
	k.VPANDD_BCST(k.words("abs32", 0x7fffffff), kth, size)
	k.VADDPS(low, size, size)
	k.VSUBPS(low, kth, t)
	k.VFNMADD231PS_BCST(k.words("slack32", 0x35800000), size, t) // 2^-20
	k.VSUBPS_BCST(k.words("tiny32", 0x0d800000), t, t)           // 2^-100
}

// words is a constant of 32-bit words.
func (k *kernel) words(name string, w ...uint32) operand.Mem {
	return k.global(name, func() {
		for _, w := range w {
			k.AppendDatum(operand.U32(w))
		}
	})
}

// collect copies to cand the elements that are not below t, to index their positions, and returns their number.
func (k *kernel) collect(t reg.VecVirtual) {
	cand, index, a, n, count := k.arg("cand"), k.arg("index"), k.arg("a"), k.arg("n"), k.GP64()
	at, step, step4, lanes := k.ZMM(), k.ZMM(), k.ZMM(), k.lanes()
	var iota []uint32
	for i := range 16 {
		iota = append(iota, uint32(i))
	}
	k.VMOVDQU32(k.words("iota32", iota...), at)
	k.VPBROADCASTD(k.words(fmt.Sprintf("step%d", lanes), uint32(lanes)), step)
	k.VPSLLD(operand.U8(2), step, step4)
	k.XORL(count.As32(), count.As32())
	keep := func(x reg.VecVirtual, above reg.Register) {
		bits, where, few := k.GP32(), k.ZMM(), k.newLabel("few")
		k.KMOVW(above, bits)
		pick(k, k.VCOMPRESSPS_Z, k.VCOMPRESSPD_Z)(x, above, x)
		k.POPCNTL(bits, bits)
		to, place := operand.Mem{Base: cand, Index: count, Scale: uint8(k.size)}, operand.Mem{Base: index, Index: count,
			Scale: 4}
		if k.f64 {
			k.VPCOMPRESSD_Z(at.AsY(), above, where.AsY())
			k.store(x.AsY(), to)
		} else {
			k.VPCOMPRESSD_Z(at, above, where)
			k.store(x.AsX(), to)
		}
		k.VMOVDQU(where.AsX(), place)
		k.CMPL(bits, operand.Imm(4))
		k.JBE(operand.LabelRef(few)) // four as a rule: stores of whole vectors cross lines
		k.store(x, to)
		if k.f64 {
			k.VMOVDQU32(where.AsY(), place)
		} else {
			k.VMOVDQU32(where, place)
		}
		k.Label(few)
		k.ADDQ(bits.As64(), count)
	}
	compare := pick(k, k.VCMPPS, k.VCMPPD)
	for _, vecs := range []int{4, 1} {
		loop := fmt.Sprintf("keep%d", vecs)
		k.SUBQ(operand.U32(vecs*lanes), n)
		k.JB(operand.LabelRef(loop + "end"))
		k.section(loop, counted(vecs, "vector")+" at a time: what is not below t, and where it is.")
		above := make([]mask, vecs)
		for i := range above {
			above[i].k = k.K()
			compare(notGreater, k.at(a, i*lanes), t, above[i].k)
		}
		if vecs > 1 {
			k.unlessSome(above, loop+"none")
		}
		for i, m := range above {
			x := k.vec()
			k.load(k.at(a, i*lanes), x)
			keep(x, m.k)
			k.VPADDD(step, at, at)
		}
		k.ADDQ(operand.U32(vecs*k.bytes), a)
		k.SUBQ(operand.U32(vecs*lanes), n)
		k.JAE(operand.LabelRef(loop))
		if vecs > 1 {
			k.JMP(operand.LabelRef(loop + "end"))
			k.section(loop+"none", "None of four vectors.")
			k.VPADDD(step4, at, at)
			k.ADDQ(operand.U32(vecs*k.bytes), a)
			k.SUBQ(operand.U32(vecs*lanes), n)
			k.JAE(operand.LabelRef(loop))
		}
		k.Label(loop + "end")
		k.ADDQ(operand.U32(vecs*lanes), n)
	}
	k.JZ(operand.LabelRef("collected"))
	k.Comment("The rest, under a mask.")
	by, x, above := k.maskOf(n), k.vec(), k.K()
	k.loadMasked(k.at(a, 0), by, x)
	compare(notGreater, x, t, by.k, above)
	keep(x, above)
	k.Label("collected")
	k.clearUnlessMany(count)
	k.retInt(count)
}

// clearUnlessMany sets dst, if there is one, to zero where count is at most 16.
func (k *kernel) clearUnlessMany(count reg.GPVirtual) {
	dst, n, zero, bytes := k.arg("dst"), k.bytesArg("n"), k.ZMM(), operand.U32(k.bytes)
	k.Comment("dst = 0 where 16 or fewer are kept.")
	k.CMPQ(count, operand.Imm(16))
	k.JA(operand.LabelRef("end"))
	k.TESTQ(dst, dst)
	k.JZ(operand.LabelRef("end"))
	k.zero(zero)
	k.SUBQ(bytes, n)
	k.JB(operand.LabelRef("short"))
	k.store(zero, operand.Mem{Base: dst, Index: n, Scale: 1}) // the last vector, which may overlap
	k.Label("clear")
	k.store(zero, operand.Mem{Base: dst})
	k.ADDQ(bytes, dst)
	k.SUBQ(bytes, n)
	k.JA(operand.LabelRef("clear"))
	k.JMP(operand.LabelRef("end"))
	k.Label("short")
	k.ADDQ(bytes, n)
	k.SHRQ(operand.U8(k.shift), n)
	k.storeMasked(zero, k.maskOf(n), operand.Mem{Base: dst})
	k.Label("end")
}
