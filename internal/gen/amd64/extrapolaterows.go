package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// extrapolateRows has a form for rows of one masked vector, with AVX-512 one for two, which stay in registers from the
// test for a difference to the move. Longer rows are read anew for the move.
var extrapolateRows = source{
	family: "box", name: "extrapolaterows", entry: "ExtrapolateRows",
	sig: "(a, last, free *T, lda, ldl, m, n int, beta T, most *T, moved *uint8) (rows int)",
	emit: func(k *kernel) {
		m, forms, most := k.arg("m"), 1, k.lanes()-1 // without AVX-512 no whole vector is written by parts
		if k.wide {
			forms, most = 2, k.lanes()
		}
		for vectors := 1; vectors <= forms; vectors++ {
			more := fmt.Sprintf("more%d", vectors)
			k.CMPQ(m, operand.U32(vectors*most))
			k.JA(operand.LabelRef(more))
			k.Comment("Rows in " + counted(vectors, "vector") + ", which stay in registers.")
			newRowExtrapolation(k, m, vectors).emit()
			k.Label(more)
		}
		k.Comment("Longer rows, which are read anew for the move.")
		newRowExtrapolation(k, m, 0).emit()
	},
}

// rowExtrapolation is one form: of a box kernel it has a's place, the vectors of a row, and how to go through them. Of
// a boxPart c is the last value, q what is neither clipped nor rounded away.
type rowExtrapolation struct {
	box
	last, free, most, moved reg.GPVirtual
	beta, outside           reg.VecVirtual
	noSign                  reg.VecVirtual
}

func newRowExtrapolation(k *kernel, m reg.GPVirtual, vectors int) *rowExtrapolation {
	r := &rowExtrapolation{box: box{k: k, vectors: vectors, m: m, a: k.arg("a"), zero: k.vec()},
		last: k.arg("last"), free: k.arg("free"), most: k.arg("most"), moved: k.arg("moved"),
		beta: k.vec(), outside: k.vec(), noSign: k.vec()}
	k.bcast(k.scalarArg("beta"), r.beta)
	k.bcast(r.rounding(), r.outside)
	k.bcast(k.absMaskTable(), r.noSign)
	k.zero(r.zero)
	rest := k.GP64()
	for i := range max(2, vectors) {
		r.parts = append(r.parts, &boxPart{first: i * k.lanes()})
	}
	if vectors > 0 {
		r.parts = r.parts[:vectors]
		last := r.parts[vectors-1]
		last.masked = true
		k.LEAQ(operand.Mem{Base: m, Disp: -last.first}, rest)
	} else {
		r.at = k.GP64()
		k.MOVQ(m, rest)
		k.ANDQ(operand.Imm(uint64(k.lanes()-1)), rest)
	}
	r.rest = k.maskOf(rest)
	return r
}

// rounding is the part of itself by which a number may be off.
func (r *rowExtrapolation) rounding() operand.Mem {
	if r.k.f64 {
		return r.k.global("rounding64", func() { r.k.AppendDatum(operand.U64(math.Float64bits(0x1p-51))) })
	}
	return r.k.global("rounding32", func() { r.k.AppendDatum(operand.U32(math.Float32bits(0x1p-22))) })
}

func (r *rowExtrapolation) emit() {
	k := r.k
	label := func(name string) string { return fmt.Sprintf("%sOf%d", name, r.vectors) }
	loop, still, next := label("loop"), label("still"), label("next")
	leaves, end := label("leaves"), label("end")
	rows, n := k.GP64(), k.arg("n")
	k.XORL(rows.As32(), rows.As32())
	k.TESTQ(n, n)
	k.JLE(operand.LabelRef(end))
	k.section(loop, "The next row: does it differ from last?")
	differs, clipped := r.nothing(), r.nothing()
	r.each(func(p *boxPart) {
		r.read2(p)
		r.note(differs, k.compare(4, p.c, p.a)) // != or NaN
	})
	bits := k.bits(differs)
	k.TESTL(bits.As32(), bits.As32())
	k.JZ(operand.LabelRef(still))
	k.Comment("It does: free = a + beta (a - last), a = clip(free), last = a as it was.")
	r.each(func(p *boxPart) {
		if r.vectors == 0 {
			r.read2(p)
		}
		r.extrapolate(p, clipped)
	})
	k.Comment("Was more than rounding clipped?")
	bits = k.bits(clipped)
	k.TESTL(bits.As32(), bits.As32())
	k.JNZ(operand.LabelRef(leaves))
	k.MOVB(operand.U8(1), operand.Mem{Base: r.moved, Index: rows, Scale: 1})
	k.section(next, "To the next row.")
	for _, p := range []struct {
		stride string
		row    reg.GPVirtual
	}{{"lda", r.a}, {"ldl", r.last}} {
		stride := k.arg(p.stride)
		k.LEAQ(operand.Mem{Base: p.row, Index: stride, Scale: uint8(k.size)}, p.row)
	}
	k.INCQ(rows)
	k.CMPQ(rows, n)
	k.JL(operand.LabelRef(loop))
	k.Label(end)
	k.retInt(rows)

	k.section(still, "It does not.")
	k.MOVB(operand.U8(0), operand.Mem{Base: r.moved, Index: rows, Scale: 1})
	k.JMP(operand.LabelRef(next))

	k.section(leaves, "It leaves its box: outcome 2, and the rows end here.")
	k.MOVB(operand.U8(2), operand.Mem{Base: r.moved, Index: rows, Scale: 1})
	k.INCQ(rows)
	k.retInt(rows)
}

// read2 reads a vector of a row and what it was last: behind the end 0, which never moves.
func (r *rowExtrapolation) read2(p *boxPart) {
	p.a, p.c = r.k.vec(), r.k.vec()
	r.read(r.a, p, p.a)
	r.read(r.last, p, p.c)
}

// note adds to a mask.
func (r *rowExtrapolation) note(all, some mask) {
	if r.k.wide {
		r.k.KORW(some.k, all.k, all.k)
	} else {
		r.k.VORPS(some.v, all.v, all.v)
	}
}

// extrapolate writes a vector, clipped and not, and notes the lanes where the two differ by more than rounding.
func (r *rowExtrapolation) extrapolate(p *boxPart, clipped mask) {
	k := r.k
	p.q = k.vec()
	k.sub(p.c, p.a, p.q)
	k.mul(r.beta, p.q, p.q)
	k.add(p.a, p.q, p.q)

	k.Comment("lo = -most where a or last is negative, hi = most where one is positive, 0 elsewhere.")
	p.hi, p.lo = k.vec(), k.vec()
	r.read(r.most, p, p.hi)
	k.sub(p.hi, r.zero, p.lo)
	r.keep(p.lo, k.either(k.compare(lessThan, r.zero, p.a), k.compare(lessThan, r.zero, p.c)))
	r.keep(p.hi, k.either(k.compare(greaterThan, r.zero, p.a), k.compare(greaterThan, r.zero, p.c)))
	r.write(p.a, r.last, p)
	x := p.a
	r.clip(p.q, p, x)
	r.write(x, r.box.a, p)
	r.write(p.q, r.free, p)

	k.Comment("clipped, where |x - free| is above rounding |free|.")
	off, size := p.lo, p.hi
	k.sub(p.q, x, off)
	k.and(r.noSign, off, off)
	k.and(r.noSign, p.q, size)
	k.mul(r.outside, size, size)
	r.note(clipped, k.compare(notAtMost, size, off))
}

// keep clears the other lanes.
func (r *rowExtrapolation) keep(v reg.VecVirtual, lanes mask) {
	if r.k.wide {
		pick(r.k, r.k.VMOVAPS_Z, r.k.VMOVAPD_Z)(v, lanes.k, v)
	} else {
		r.k.and(lanes.v, v, v)
	}
}

// notAtMost is the predicate not a <= b, true for NaN, without a signal.
const notAtMost = operand.U8(0x16)
