package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What the forms of package hinge's kernel do with one vector of classes.

// lanes is the number of classes in a vector.
func (h *hinge) lanes() int { return h.k.bytes / 8 }

// each calls f for each vector, or once within a loop; with AVX2 once more for what is left behind it.
func (h *hinge) each(f func(p *hingePart)) {
	k, p := h.k, h.parts[0]
	if h.vectors > 0 {
		for _, p := range h.parts {
			f(p)
		}
		return
	}
	loop, test, end, last := k.newLabel("loop"), k.newLabel("test"), k.newLabel("end"), k.GP64()
	k.XORL(h.at.As32(), h.at.As32())
	k.VMOVDQU(k.classNumbers(0), h.numbers.AsY())
	if k.wide {
		k.VMOVDQU64(k.classNumbers(0), h.numbers)
	}
	k.MOVQ(h.m, last)
	if !k.wide { // whole vectors only
		k.ANDQ(operand.I32(-4), last)
		k.JMP(operand.LabelRef(test))
	}
	k.Label(loop)
	f(p)
	k.VPADDQ(h.step(), h.numbers, h.numbers)
	k.ADDQ(operand.Imm(uint64(h.lanes())), h.at)
	k.Label(test)
	k.CMPQ(h.at, last)
	k.JB(operand.LabelRef(loop))
	if k.wide {
		return
	}
	k.CMPQ(h.at, h.m)
	k.JE(operand.LabelRef(end))
	k.Comment("The last classes, fewer than a vector.")
	p.isRest = true
	f(p)
	p.isRest = false
	k.Label(end)
}

// step is a vector of the number of lanes.
func (h *hinge) step() operand.Mem {
	lanes := h.lanes()
	return h.k.global(fmt.Sprintf("step%d", lanes), func() {
		for range lanes {
			h.k.AppendDatum(operand.U64(lanes))
		}
	})
}

// mem is the vector's place among elements of the given size.
func (h *hinge) mem(base reg.GPVirtual, p *hingePart, size int) operand.Mem {
	m := operand.Mem{Base: base, Disp: p.first * size}
	if h.vectors == 0 {
		m.Index, m.Scale = h.at, uint8(size)
	}
	return m
}

// isY is the lane of y, valid are the lanes of classes.
func (h *hinge) isY(p *hingePart) mask {
	if !h.k.wide {
		m := h.k.vec()
		h.k.VPCMPEQQ(p.numbers, h.vy, m)
		return mask{v: m}
	}
	return h.compareNumbers(0, h.vy, p)
}

func (h *hinge) valid(p *hingePart) mask { return h.compareNumbers(6, h.vm, p) } // m not <= number

func (h *hinge) compareNumbers(predicate uint64, v reg.VecVirtual, p *hingePart) mask {
	m := h.k.K()
	h.k.VPCMPQ(operand.Imm(predicate), p.numbers, v, m)
	return mask{k: m}
}

// load reads scores and dual variables, and adds their products to dot.
func (h *hinge) load(p *hingePart, dot reg.VecVirtual) {
	k, y := h.k, h.isY(p)
	h.widen(h.a, p, p.a)
	h.widen(h.s, p, p.s)
	if dot != nil {
		k.VFMADD231PD(p.s, p.a, dot)
	}
	if k.wide {
		others := k.K()
		k.KANDNB(h.valid(p).k, y.k, others)
		k.VBLENDMPD(p.s, h.lowest, others, p.s)
		return
	}
	k.VBLENDVPD(y.v, h.lowest, p.s, p.s)
	if p.isRest {
		k.VBLENDVPD(h.rest[1].v, p.s, h.lowest, p.s)
	}
}

// widen reads elements, 0 behind the last.
func (h *hinge) widen(base reg.GPVirtual, p *hingePart, to reg.VecVirtual) {
	k, from := h.k, h.mem(base, p, h.k.size)
	switch {
	case k.wide && k.f64:
		k.VMOVUPD_Z(from, h.valid(p).k, to)
	case k.wide:
		k.VCVTPS2PD_Z(from, h.valid(p).k, to)
	case p.isRest:
		k.loadMasked(from, h.rest[0], k.narrow(to))
		if !k.f64 {
			k.VCVTPS2PD(k.narrow(to), to)
		}
	case k.f64:
		k.VMOVUPD(from, to)
	default:
		k.VCVTPS2PD(from, to)
	}
}

// scalar reads an element.
func (h *hinge) scalar(base, i reg.GPVirtual, to reg.VecVirtual) {
	from := operand.Mem{Base: base, Index: i, Scale: uint8(h.k.size)}
	if h.k.f64 {
		h.k.VMOVSD(from, to)
	} else {
		h.k.VCVTSS2SD(from, h.zero.AsX(), to)
	}
}

// keep and recall carry u from one loop to the next: float64, and x as elements.
func (h *hinge) keep(p *hingePart) {
	if h.vectors == 0 {
		h.k.VMOVUPD(p.u, h.mem(h.u, p, 8))
	}
}

func (h *hinge) recall(p *hingePart) {
	if h.vectors == 0 {
		h.k.VMOVUPD(h.mem(h.u, p, 8), p.u)
	}
}

// begin, add and end sum u over lanes. What end returns says which: their masks, or in a loop their number.
func (h *hinge) begin() {
	if h.vectors == 0 {
		h.k.zero(h.sum)
		h.count = h.k.GP64()
		h.k.XORL(h.count.As32(), h.count.As32())
	}
}

func (h *hinge) add(p *hingePart) {
	k, chain := h.k, h.sum
	if p.first%16 != 0 {
		chain = h.other
	}
	switch {
	case h.vectors > 0 && p.first < 16:
		k.VMOVAPD_Z(p.u, p.in.k, chain)
		return
	case h.vectors > 0:
		k.VADDPD(p.u, chain, p.in.k, chain)
		return
	case k.wide:
		k.VADDPD(p.u, h.sum, p.in.k, h.sum)
	default:
		counted := k.vec()
		k.VANDPD(p.in.v, p.u, counted)
		k.VADDPD(counted, h.sum, h.sum)
	}
	lanes := h.double.bits(p.in)
	k.POPCNTL(lanes.As32(), lanes.As32())
	k.ADDQ(lanes, h.count)
}

func (h *hinge) end() reg.GPVirtual {
	k := h.k
	if h.vectors == 0 {
		return h.count
	}
	if h.vectors > 1 {
		k.VADDPD(h.other, h.sum, h.sum)
	}
	var masks []reg.Register
	for _, p := range h.parts {
		masks = append(masks, p.in.k)
	}
	for join := k.KUNPCKBW; len(masks) > 1; join = k.KUNPCKWD {
		var joined []reg.Register
		for ; len(masks) > 1; masks = masks[2:] {
			both := k.K()
			join(masks[0], masks[1], both)
			joined = append(joined, both)
		}
		masks = append(joined, masks...)
	}
	set := k.GP64()
	k.KMOVD(masks[0], set.As32())
	return set
}

// nothing is the mask of no lane.
func (h *hinge) nothing() mask {
	if h.k.wide {
		m := h.k.K()
		h.k.KXORW(m, m, m)
		return mask{k: m}
	}
	m := h.k.vec()
	h.k.zero(m)
	return mask{v: m}
}

// move writes a = -x, or ay for y, and its difference, and notes where that is not 0.
func (h *hinge) move(p *hingePart, ay reg.VecVirtual, moved mask) {
	k, x, a, to := h.k, h.k.narrow(p.u), h.k.narrow(p.a), h.mem(h.a, p, h.k.size)
	k.sub(x, k.narrow(h.zero), x)
	y := h.isY(p)
	if k.wide {
		valid, different := h.valid(p), k.K()
		k.loadMasked(to, valid, a)
		pick(k, k.VMOVAPS, k.VMOVAPD)(k.narrow(ay), y.k, x)
		pick(k, k.VCMPPS, k.VCMPPD)(operand.Imm(4), a, x, valid.k, different) // != or NaN
		k.KORW(different, moved.k, moved.k)
		k.storeMasked(x, valid, to)
		k.sub(a, x, a)
	} else {
		if !k.f64 { // lanes of 64 bits to lanes of 32
			high := k.XMM()
			k.VEXTRACTF128(operand.Imm(1), y.v, high)
			k.VSHUFPS(operand.Imm(0x88), high, y.v.AsX(), y.v.AsX())
		}
		isY := k.narrow(y.v)
		pick(k, k.VBLENDVPS, k.VBLENDVPD)(isY, k.narrow(ay), x, x)
		if p.isRest {
			k.loadMasked(to, h.rest[0], a)
			at := k.GP64()
			k.LEAQ(to, at)
			written := k.vec()
			k.VMOVAPD(p.u, written)
			k.storeBits(written, h.lanes()*k.size, h.m, at)
		} else {
			k.load(to, a)
			k.store(x, to)
		}
		different := k.narrow(y.v)
		pick(k, k.VCMPPS, k.VCMPPD)(operand.Imm(4), a, x, different)
		k.VORPS(different, k.narrow(moved.v), k.narrow(moved.v))
		k.sub(a, x, a)
	}
	k.store(a, h.mem(h.delta, p, k.size))
}

// outcome is 1 where some moved, 0 otherwise.
func (h *hinge) outcome(moved mask) reg.GPVirtual {
	v := h.k.GP64()
	if h.k.wide {
		h.k.KMOVW(moved.k, v.As32())
	} else {
		h.k.VMOVMSKPS(moved.v, v.As32())
	}
	h.k.NEGQ(v)
	h.k.SBBQ(v, v)
	h.k.NEGQ(v)
	return v
}
