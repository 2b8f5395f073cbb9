package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What the forms of package box's kernels do with vectors of labels.

// each calls f for each vector in registers, or else within a loop and for what is left behind it.
func (b *box) each(f func(p *boxPart)) {
	if b.vectors > 0 {
		for _, p := range b.parts {
			f(p)
		}
		return
	}
	k, lanes := b.k, b.k.lanes()
	loop, test, single, end := k.newLabel("loop"), k.newLabel("test"), k.newLabel("single"), k.newLabel("end")
	last := k.GP64()
	k.XORL(b.at.As32(), b.at.As32())
	k.LEAQ(operand.Mem{Base: b.m, Disp: -2 * lanes}, last)
	k.JMP(operand.LabelRef(test))
	k.section(loop, "Two vectors at a time.")
	f(b.parts[0])
	f(b.parts[1])
	k.ADDQ(operand.Imm(uint64(2*lanes)), b.at)
	k.Label(test)
	k.CMPQ(b.at, last)
	k.JLE(operand.LabelRef(loop))
	k.ADDQ(operand.Imm(uint64(lanes)), last)
	k.CMPQ(b.at, last)
	k.JG(operand.LabelRef(single))
	f(b.parts[0])
	k.ADDQ(operand.Imm(uint64(lanes)), b.at)
	k.Label(single)
	k.CMPQ(b.at, b.m)
	k.JE(operand.LabelRef(end))
	k.Comment("The last labels, under a mask.")
	f(&boxPart{masked: true})
	k.Label(end)
}

// mem is the vector's place in an array.
func (b *box) mem(array reg.GPVirtual, p *boxPart) operand.Mem {
	m := operand.Mem{Base: array, Disp: p.first * b.k.size}
	if b.vectors == 0 {
		m.Index, m.Scale = b.at, uint8(b.k.size)
	}
	return m
}

// load reads all of a vector of labels: behind the last 0, of which nothing comes.
func (b *box) load(p *boxPart) {
	k := b.k
	for _, r := range []struct {
		from reg.GPVirtual
		to   *reg.VecVirtual
	}{{b.c, &p.c}, {b.a, &p.a}, {b.lo, &p.lo}, {b.hi, &p.hi}} {
		*r.to = k.vec()
		b.read(r.from, p, *r.to)
	}
	p.q = k.vec()
	if !p.masked {
		k.sub(b.mem(b.s, p), p.c, p.q)
		return
	}
	b.read(b.s, p, p.q)
	k.sub(p.q, p.c, p.q)
}

func (b *box) read(array reg.GPVirtual, p *boxPart, v reg.VecVirtual) {
	if p.masked {
		b.k.loadMasked(b.mem(array, p), b.rest, v)
	} else {
		b.k.load(b.mem(array, p), v)
	}
}

// write writes all of v that belongs to labels.
func (b *box) write(v reg.VecVirtual, array reg.GPVirtual, p *boxPart) {
	k, to := b.k, b.mem(array, p)
	switch {
	case !p.masked:
		k.store(v, to)
	case k.wide:
		k.storeMasked(v, b.rest, to)
	default:
		at, copied := k.GP64(), k.vec()
		k.LEAQ(to, at)
		k.VMOVAPS(v, copied)
		k.storeBits(copied, k.bytes, b.m, at)
	}
}

// newSum begins a sum, total ends it: in the lowest lane.
func (b *box) newSum() boxSum {
	s := boxSum(b.k.vecs(min(2, len(b.parts))))
	b.k.zero(s...)
	return s
}

func (b *box) chain(s boxSum, p *boxPart) reg.VecVirtual { return s[p.first/b.k.lanes()%2] }

func (b *box) total(s boxSum) reg.VecVirtual {
	if len(s) > 1 {
		b.k.add(s[1], s[0], s[0])
	}
	b.k.sumLanes(s[0], b.k.bytes)
	return s[0]
}

// result returns the lowest lane of v, as float64, which it leaves in the register that it answers.
func (b *box) result(i int, v reg.VecVirtual) reg.Register {
	if !b.k.f64 {
		b.k.VCVTSS2SD(v.AsX(), b.zero.AsX(), v.AsX())
	}
	b.k.VMOVSD(v.AsX(), b.address(i))
	return v.AsX()
}

func (b *box) address(result int) operand.Mem { return b.k.resultAt(result) }

// resultAt is the memory of a result.
func (k *kernel) resultAt(i int) operand.Mem {
	r, err := k.ReturnIndex(i).Resolve()
	if err != nil {
		panic(err)
	}
	return r.Addr
}

// nothing is the mask of no lane.
func (b *box) nothing() mask {
	if b.k.wide {
		m := b.k.K()
		b.k.KXORW(m, m, m)
		return mask{k: m}
	}
	m := b.k.vec()
	b.k.zero(m)
	return mask{v: m}
}

// outcome is 1 where some moved, 0 otherwise.
func (b *box) outcome(moved mask) reg.GPVirtual {
	v := b.k.bits(moved)
	b.k.NEGQ(v)
	b.k.SBBQ(v, v)
	b.k.NEGQ(v)
	return v
}

func (b *box) oneHalf() operand.Mem {
	if b.k.f64 {
		return b.k.global("half64", func() { b.k.AppendDatum(operand.U64(math.Float64bits(0.5))) })
	}
	return b.k.global("half32", func() { b.k.AppendDatum(operand.U32(math.Float32bits(0.5))) })
}

// fnma is acc -= a*b.
func (k *kernel) fnma(a, b, acc operand.Op) { pick(k, k.VFNMADD231PS, k.VFNMADD231PD)(a, b, acc) }
