package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A narrow matrix whose rows follow each other without a gap (n <= 16 columns, lda = n: a model of ten classes) wastes
// a vector for each short row. Packed kernels read it as one long vector instead: with g = gcd(n, lanes), V = n/g
// vectors hold exactly R = lanes/g rows, and from each such period to the next the same lanes meet the same column.
// Lane l of vector v belongs to row (lanes v + l) / n of the period, by which x is permuted.
//
// V is odd; V = 1, a power of two of columns, has short chains and little to gain and is left to the plain loops.
const packedMax = 7

// packed describes one period during the emission of a loop over periods.
type packed struct {
	k    *kernel
	rows reg.GPVirtual // R
	byR  mask          // of R lanes
	row  []reg.VecVirtual
	col  []reg.VecVirtual // only if asked for
}

// ifPacked emits body once for each V; where no V fits or m < 4R, execution goes on behind it
// all, and so it does after a body.
func (k *kernel) ifPacked(here string, m, n, lda reg.GPVirtual, withCols bool, body func(p *packed, here string)) {
	t := k.GP64()
	k.MOVQ(n, t)
	k.SHLQ(operand.U8(k.shift), t)
	k.CMPQ(t, lda)
	k.JNE(operand.LabelRef(here + "unpacked"))
	g, v, r := k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(n, g)
	k.ORQ(operand.U32(k.lanes()), g)
	k.TZCNTQ(g, g) // log2 of gcd(n, lanes)
	k.SHRXQ(g, n, v)
	k.MOVQ(operand.U32(k.lanes()), r)
	k.SHRXQ(g, r, r)
	k.LEAQ(operand.Mem{Base: r, Index: r, Scale: 1}, t)
	k.ADDQ(t, t)
	k.CMPQ(m, t)
	k.JB(operand.LabelRef(here + "unpacked"))
	all := &packed{k: k, rows: r, byR: k.maskOf(r), row: k.vecs(packedMax)}
	if withCols {
		all.col = k.vecs(packedMax)
	}
	k.CMPQ(v, operand.Imm(3))
	k.JB(operand.LabelRef(here + "unpacked"))
	k.CMPQ(v, operand.Imm(packedMax))
	k.JA(operand.LabelRef(here + "unpacked"))
	all.indices(n, func(vectors int) {
		if vectors == 3 || vectors == 5 {
			k.CMPQ(v, operand.Imm(uint64(vectors)))
			k.JE(operand.LabelRef(fmt.Sprintf("%sv%d", here, vectors)))
		}
	})
	for V := packedMax; V >= 3; V -= 2 {
		k.section(fmt.Sprintf("%sv%d", here, V), fmt.Sprintf("Periods of %d vectors.", V))
		p := *all
		p.row = all.row[:V]
		if withCols {
			p.col = all.col[:V]
		}
		body(&p, fmt.Sprintf("%speriod%d", here, V))
		if V > 3 {
			k.JMP(operand.LabelRef(here + "unpacked"))
		}
	}
	k.Label(here + "unpacked")
}

// indices computes for each lane the row (and column) in the period: the quotient (and rest) of its position by n. The
// positions lie below 128, so that a division of position + 1/2 cannot round to the next integer. Behind each
// vector it calls done.
func (p *packed) indices(n reg.GPVirtual, done func(vectors int)) {
	pos, width, half := p.k.vec(), p.k.vec(), p.k.vec()
	p.k.Comment("For each lane the row in the period: the quotient of its place by n.")
	p.k.load(p.k.positions(), pos)
	pick(p.k, p.k.VCVTSI2SSQ, p.k.VCVTSI2SDQ)(n, width.AsX(), width.AsX())
	pick(p.k, p.k.VBROADCASTSS, p.k.VBROADCASTSD)(width.AsX(), width)
	p.k.bcast(p.k.half(), half)
	lanes := p.k.vec()
	p.k.bcast(p.k.laneCount(), lanes)
	for v, row := range p.row {
		q := p.k.vec()
		p.k.add(half, pos, q)
		pick(p.k, p.k.VDIVPS, p.k.VDIVPD)(width, q, q)
		pick(p.k, p.k.VCVTTPS2DQ, p.k.VCVTTPD2QQ)(q, row)
		if p.col != nil {
			pick(p.k, p.k.VCVTDQ2PS, p.k.VCVTQQ2PD)(row, q)
			pick(p.k, p.k.VFNMADD213PS, p.k.VFNMADD213PD)(pos, width, q) // position - row * n
			pick(p.k, p.k.VCVTTPS2DQ, p.k.VCVTTPD2QQ)(q, p.col[v])
		}
		done(v + 1)
		if v+1 < len(p.row) {
			p.k.add(lanes, pos, pos)
		}
	}
}

// columns returns y[:n] permuted as the columns of a period lie. With float64 two vectors hold up to 16 of them.
func (p *packed) columns(y, n reg.GPVirtual) []reg.VecVirtual {
	by, low := p.k.maskOf(n), p.k.vec()
	p.k.loadMasked(p.k.at(y, 0), by, low)
	if !p.k.f64 {
		for _, col := range p.col {
			p.k.permute(low, col, col)
		}
		return p.col
	}
	high := p.k.vec()
	rest := mask{k: p.k.K()}
	p.k.KSHIFTRW(operand.Imm(8), by.k, rest.k)
	p.k.loadMasked(p.k.at(y, 8), rest, high)
	for _, col := range p.col {
		p.k.VPERMI2PD(high, low, col)
	}
	return p.col
}

// permute sets dst to the lanes of v named by index.
func (k *kernel) permute(v, index, dst reg.Register) { pick(k, k.VPERMPS, k.VPERMPD)(v, index, dst) }

// each emits the loop over periods: x's part of the period is at hand as a vector. It leaves m, a and x at the rest.
func (p *packed) each(here string, m, a, x reg.GPVirtual, body func(x reg.VecVirtual)) {
	xs, bytes := p.k.vec(), p.k.GP64()
	p.k.MOVQ(p.rows, bytes)
	p.k.SHLQ(operand.U8(p.k.shift), bytes)
	p.k.SUBQ(p.rows, m)
	p.k.section(here+"loop", "A period.")
	p.k.loadMasked(p.k.at(x, 0), p.byR, xs)
	body(xs)
	p.k.ADDQ(bytes, x)
	p.k.ADDQ(operand.U32(len(p.row)*p.k.bytes), a)
	p.k.SUBQ(p.rows, m)
	p.k.JAE(operand.LabelRef(here + "loop"))
	p.k.ADDQ(p.rows, m)
}

// positions holds 0, 1, 2, ... as floating-point numbers, half 1/2, laneCount the number of lanes.
func (k *kernel) positions() operand.Mem {
	m := &k.position[k.shift-2]
	if *m == nil {
		g := k.StaticGlobal(fmt.Sprintf("positions%d", 8*k.size))
		k.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 64 / k.size {
			k.AppendDatum(k.number(float64(i)))
		}
		k.AppendDatum(k.number(0.5))
		k.AppendDatum(k.number(float64(64 / k.size)))
		*m = &g
	}
	return **m
}

func (k *kernel) half() operand.Mem      { return k.positions().Offset(64) }
func (k *kernel) laneCount() operand.Mem { return k.positions().Offset(64 + k.size) }

// number is a constant of the element type.
func (k *kernel) number(v float64) operand.Constant {
	if k.f64 {
		return operand.F64(v)
	}
	return operand.F32(v)
}
