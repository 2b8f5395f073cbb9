package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqPack transposes four coordinates of 16 points at a time: 128 bits of a point go into one quarter of a vector, so
// that no shuffle crosses a quarter. The last four coordinates overlap those before where their number is no multiple
// of four.
var pqPack = source{
	family: "pq", name: "pack", entry: "Pack", elems: plain,
	sig: "(blocks, dsub int, x *float32, ldx int, dst *float32)",
	emit: func(k *kernel) {
		p := &packKernel{k: k, blocks: k.arg("blocks"), dsub: k.arg("dsub"), x: k.arg("x"), ld: k.bytesArg("ldx"),
			dst: k.arg("dst"), ld3: k.GP64()}
		p.emit()
	},
}

type packKernel struct {
	k                             *kernel
	blocks, dsub, x, ld, ld3, dst reg.GPVirtual
}

func (p *packKernel) emit() {
	p.k.TESTQ(p.blocks, p.blocks)
	p.k.JZ(operand.LabelRef("end"))
	p.k.TESTQ(p.dsub, p.dsub)
	p.k.JZ(operand.LabelRef("end"))
	p.k.LEAQ(operand.Mem{Base: p.ld, Index: p.ld, Scale: 2}, p.ld3)
	p.k.section("block", "The next 16 points.")
	p.k.CMPQ(p.dsub, operand.Imm(4))
	p.k.JB(operand.LabelRef("few"))

	p.k.Comment("Every fourth row has a pointer.")
	rows := make([]reg.GPVirtual, 4)
	for i := range rows {
		rows[i] = p.k.GP64()
		if i == 0 {
			p.k.MOVQ(p.x, rows[0])
		} else {
			p.k.LEAQ(operand.Mem{Base: rows[i-1], Index: p.ld, Scale: 4}, rows[i])
		}
	}
	left := p.k.GP64()
	p.k.MOVQ(p.dsub, left)
	p.k.SUBQ(operand.Imm(4), left)
	p.k.section("four", "Four coordinates, transposed.")
	p.transpose(rows)
	for _, r := range rows {
		p.k.ADDQ(operand.Imm(16), r)
	}
	p.k.ADDQ(operand.U32(4*4*lanesPQ), p.dst)
	p.k.SUBQ(operand.Imm(4), left)
	p.k.JAE(operand.LabelRef("four"))
	p.k.ADDQ(operand.Imm(4), left)
	p.k.JZ(operand.LabelRef("next"))
	p.k.Comment("The last four overlap those before.")
	p.k.SUBQ(operand.Imm(4), left) // how far to go back, negative
	for _, r := range rows {
		p.k.LEAQ(operand.Mem{Base: r, Index: left, Scale: 4}, r)
	}
	p.k.SHLQ(operand.U8(6), left)
	p.k.ADDQ(left, p.dst)
	p.transpose(rows)
	p.k.ADDQ(operand.U32(4*4*lanesPQ), p.dst)

	p.k.section("next", "To the next points.")
	step := p.k.GP64()
	p.k.MOVQ(p.ld, step)
	p.k.SHLQ(operand.U8(4), step)
	p.k.ADDQ(step, p.x)
	p.k.DECQ(p.blocks)
	p.k.JNZ(operand.LabelRef("block"))
	p.k.Label("end")
	p.k.done()

	p.k.section("few", "Fewer than four coordinates: number by number.")
	p.few()
}

// transpose writes four coordinates of the block, of which rows are the points 0, 4, 8 and 12.
func (p *packKernel) transpose(rows []reg.GPVirtual) {
	parts := len(rows) * 16 / p.k.bytes // vectors for 16 points
	of := len(rows) / parts             // pointers for each
	for part := range parts {
		v := p.k.vecs(4)
		for i := range v { // point i, i+4, i+8, i+12
			for q := range of {
				m := p.point(rows[part*of+q], i)
				switch {
				case q == 0 && p.k.wide:
					p.k.VBROADCASTF32X4(m, v[i])
				case q == 0:
					p.k.VBROADCASTF128(m, v[i])
				case p.k.wide:
					p.k.VINSERTF32X4(operand.Imm(uint64(q)), m, v[i], v[i])
				default:
					p.k.VINSERTF128(operand.Imm(uint64(q)), m, v[i], v[i])
				}
			}
		}
		t := p.k.vecs(4)
		p.k.VUNPCKLPS(v[1], v[0], t[0])
		p.k.VUNPCKHPS(v[1], v[0], t[1])
		p.k.VUNPCKLPS(v[3], v[2], t[2])
		p.k.VUNPCKHPS(v[3], v[2], t[3])
		for c := range 4 {
			w, a, b := p.k.vec(), t[c/2], t[2+c/2]
			if c%2 == 0 {
				p.k.VUNPCKLPD(b, a, w)
			} else {
				p.k.VUNPCKHPD(b, a, w)
			}
			p.k.store(w, p.k.at(p.dst, c*lanesPQ+part*p.k.lanes()))
		}
	}
}

// point is the memory of a point i < 4 rows below r.
func (p *packKernel) point(r reg.GPVirtual, i int) operand.Mem {
	switch i {
	case 0:
		return operand.Mem{Base: r}
	case 3:
		return operand.Mem{Base: r, Index: p.ld3, Scale: 1}
	}
	return operand.Mem{Base: r, Index: p.ld, Scale: uint8(i)}
}

// few treats a block of fewer than four coordinates, number by number.
func (p *packKernel) few() {
	t, row, v := p.k.GP64(), p.k.GP64(), p.k.GP32()
	p.k.XORL(t.As32(), t.As32())
	p.k.Label("coordinate")
	p.k.LEAQ(operand.Mem{Base: p.x, Index: t, Scale: 4}, row)
	for l := range lanesPQ {
		p.k.MOVL(operand.Mem{Base: row}, v)
		p.k.MOVL(v, p.k.at(p.dst, l))
		p.k.ADDQ(p.ld, row)
	}
	p.k.ADDQ(operand.Imm(4*lanesPQ), p.dst)
	p.k.INCQ(t)
	p.k.CMPQ(t, p.dsub)
	p.k.JB(operand.LabelRef("coordinate"))
	p.k.JMP(operand.LabelRef("next"))
}
