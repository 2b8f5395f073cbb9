package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqPack transposes four coordinates of 16 points at a time: 128 bits of a point go into one quarter of a vector, so that no
// shuffle crosses a quarter. The last four coordinates overlap those before where their number is no multiple of four.
var pqPack = source{
	family: "pq", name: "pack", entry: "Pack", elems: plain,
	sig: "(blocks, dsub int, x *float32, ldx int, dst *float32)",
	emit: func(k *kernel) {
		p := &packKernel{kernel: k, blocks: k.arg("blocks"), dsub: k.arg("dsub"), x: k.arg("x"), ld: k.bytesArg("ldx"), dst: k.arg("dst"), ld3: k.GP64()}
		p.emit()
	},
}

type packKernel struct {
	*kernel
	blocks, dsub, x, ld, ld3, dst reg.GPVirtual
}

func (p *packKernel) emit() {
	p.TESTQ(p.blocks, p.blocks)
	p.JZ(operand.LabelRef("end"))
	p.TESTQ(p.dsub, p.dsub)
	p.JZ(operand.LabelRef("end"))
	p.LEAQ(operand.Mem{Base: p.ld, Index: p.ld, Scale: 2}, p.ld3)
	p.Label("block")
	p.CMPQ(p.dsub, operand.Imm(4))
	p.JB(operand.LabelRef("few"))

	// Every fourth row has a pointer.
	rows := make([]reg.GPVirtual, 4)
	for i := range rows {
		rows[i] = p.GP64()
		if i == 0 {
			p.MOVQ(p.x, rows[0])
		} else {
			p.LEAQ(operand.Mem{Base: rows[i-1], Index: p.ld, Scale: 4}, rows[i])
		}
	}
	left := p.GP64()
	p.MOVQ(p.dsub, left)
	p.SUBQ(operand.Imm(4), left)
	p.Label("four")
	p.transpose(rows)
	for _, r := range rows {
		p.ADDQ(operand.Imm(16), r)
	}
	p.ADDQ(operand.U32(4*4*lanesPQ), p.dst)
	p.SUBQ(operand.Imm(4), left)
	p.JAE(operand.LabelRef("four"))
	p.ADDQ(operand.Imm(4), left)
	p.JZ(operand.LabelRef("next"))
	p.SUBQ(operand.Imm(4), left) // how far to go back, negative
	for _, r := range rows {
		p.LEAQ(operand.Mem{Base: r, Index: left, Scale: 4}, r)
	}
	p.SHLQ(operand.U8(6), left)
	p.ADDQ(left, p.dst)
	p.transpose(rows)
	p.ADDQ(operand.U32(4*4*lanesPQ), p.dst)

	p.Label("next")
	step := p.GP64()
	p.MOVQ(p.ld, step)
	p.SHLQ(operand.U8(4), step)
	p.ADDQ(step, p.x)
	p.DECQ(p.blocks)
	p.JNZ(operand.LabelRef("block"))
	p.Label("end")
	p.done()

	p.Label("few")
	p.few()
}

// transpose writes four coordinates of the block, of which rows are the points 0, 4, 8 and 12.
func (p *packKernel) transpose(rows []reg.GPVirtual) {
	parts := len(rows) * 16 / p.bytes // vectors for 16 points
	of := len(rows) / parts           // pointers for each
	for part := range parts {
		v := p.vecs(4)
		for i := range v { // point i, i+4, i+8, i+12
			for q := range of {
				m := p.point(rows[part*of+q], i)
				switch {
				case q == 0 && p.wide:
					p.VBROADCASTF32X4(m, v[i])
				case q == 0:
					p.VBROADCASTF128(m, v[i])
				case p.wide:
					p.VINSERTF32X4(operand.Imm(uint64(q)), m, v[i], v[i])
				default:
					p.VINSERTF128(operand.Imm(uint64(q)), m, v[i], v[i])
				}
			}
		}
		t := p.vecs(4)
		p.VUNPCKLPS(v[1], v[0], t[0])
		p.VUNPCKHPS(v[1], v[0], t[1])
		p.VUNPCKLPS(v[3], v[2], t[2])
		p.VUNPCKHPS(v[3], v[2], t[3])
		for c := range 4 {
			w, a, b := p.vec(), t[c/2], t[2+c/2]
			if c%2 == 0 {
				p.VUNPCKLPD(b, a, w)
			} else {
				p.VUNPCKHPD(b, a, w)
			}
			p.store(w, p.at(p.dst, c*lanesPQ+part*p.lanes()))
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
	t, row, v := p.GP64(), p.GP64(), p.GP32()
	p.XORL(t.As32(), t.As32())
	p.Label("coordinate")
	p.LEAQ(operand.Mem{Base: p.x, Index: t, Scale: 4}, row)
	for l := range lanesPQ {
		p.MOVL(operand.Mem{Base: row}, v)
		p.MOVL(v, p.at(p.dst, l))
		p.ADDQ(p.ld, row)
	}
	p.ADDQ(operand.Imm(4*lanesPQ), p.dst)
	p.INCQ(t)
	p.CMPQ(t, p.dsub)
	p.JB(operand.LabelRef("coordinate"))
	p.JMP(operand.LabelRef("next"))
}
