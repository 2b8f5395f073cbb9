package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqScan8 looks up bytes. With VBMI a table is four registers: VPERMI2B chooses among 128 entries, two of them and the
// code's top bit among 256. With AVX2 it is 16 shuffles of 16 entries each and a tree that chooses among their results.
var pqScan8 = source{
	family: "pq", name: "scan8", entry: "Scan8", elems: plain, vbmi: true,
	sig: "(blocks, m int, table, codes *uint8, dst *uint16)",
	emit: func(k *kernel) {
		s := &scan8Kernel{kernel: k, blocks: k.arg("blocks"), m: k.arg("m"), table: k.arg("table"), codes: k.arg("codes"), dst: k.arg("dst")}
		k.TESTQ(s.blocks, s.blocks)
		k.JZ(operand.LabelRef("end"))
		if k.wide {
			s.permute()
		} else {
			s.shuffle()
		}
		k.Label("end")
		k.done()
	},
}

type scan8Kernel struct {
	*kernel
	blocks, m, table, codes, dst reg.GPVirtual
}

// permute takes a block of 256 codes at a time.
func (s *scan8Kernel) permute() {
	s.Label("block")
	sums := s.wordSums(4)
	table, left := s.GP64(), s.GP64()
	s.MOVQ(s.table, table)
	s.MOVQ(s.m, left)
	s.TESTQ(left, left)
	s.JZ(operand.LabelRef("store"))
	s.Label("part")
	t := s.vecs(4)
	for i, v := range t {
		s.loadBytes(operand.Mem{Base: table, Disp: 64 * i}, v)
	}
	for i, sum := range sums {
		low, high, upper := s.ZMM(), s.ZMM(), s.K()
		s.loadBytes(operand.Mem{Base: s.codes, Disp: 64 * i}, low)
		s.VPMOVB2M(low, upper)
		s.VMOVDQA64(low, high)
		s.VPERMI2B(t[1], t[0], low)
		s.VPERMI2B(t[3], t[2], high)
		s.VMOVDQU8(high, upper, low)
		sum.add(s.kernel, low)
	}
	s.ADDQ(operand.U32(256), table)
	s.ADDQ(operand.U32(blockPQ), s.codes)
	s.DECQ(left)
	s.JNZ(operand.LabelRef("part"))
	s.Label("store")
	for i, sum := range sums {
		sum.store(s.kernel, operand.Mem{Base: s.dst, Disp: 128 * i})
	}
	s.ADDQ(operand.U32(2*blockPQ), s.dst)
	s.DECQ(s.blocks)
	s.JNZ(operand.LabelRef("block"))
}

// shuffle takes 32 codes at a time.
func (s *scan8Kernel) shuffle() {
	s.Label("block")
	piece := s.GP64()
	s.MOVQ(operand.U32(blockPQ/32), piece)
	s.Label("piece")
	sum := s.wordSums(1)[0]
	table, codes, left := s.GP64(), s.GP64(), s.GP64()
	s.MOVQ(s.table, table)
	s.MOVQ(s.codes, codes)
	s.MOVQ(s.m, left)
	s.TESTQ(left, left)
	s.JZ(operand.LabelRef("store"))
	s.Label("part")
	bits := s.vecs(4) // the top bits of their bytes are bits 4 to 7 of the code
	index := s.nibbles()
	s.loadBytes(operand.Mem{Base: codes}, bits[3])
	for b := range 3 {
		s.VPSLLW(operand.Imm(uint64(3-b)), bits[3], bits[b])
	}
	s.andBytes(index, bits[3], index)
	sum.add(s.kernel, s.choose(table, index, bits, 0, 4))
	s.ADDQ(operand.U32(256), table)
	s.ADDQ(operand.U32(blockPQ), codes)
	s.DECQ(left)
	s.JNZ(operand.LabelRef("part"))
	s.Label("store")
	sum.store(s.kernel, operand.Mem{Base: s.dst})
	s.ADDQ(operand.Imm(64), s.dst)
	s.ADDQ(operand.Imm(32), s.codes)
	s.DECQ(piece)
	s.JNZ(operand.LabelRef("piece"))
	rest := s.GP64() // of the block: its other parts
	s.LEAQ(operand.Mem{Base: s.m, Disp: -1}, rest)
	s.SHLQ(operand.U8(8), rest)
	s.ADDQ(rest, s.codes)
	s.DECQ(s.blocks)
	s.JNZ(operand.LabelRef("block"))
}

// choose looks up among 1<<depth tables of 16 bytes from number first on.
func (s *scan8Kernel) choose(table reg.GPVirtual, index reg.VecVirtual, bits []reg.VecVirtual, first, depth int) reg.VecVirtual {
	if depth == 0 {
		t := s.quarterTable(operand.Mem{Base: table, Disp: 16 * first})
		s.VPSHUFB(index, t, t)
		return t
	}
	low := s.choose(table, index, bits, first, depth-1)
	high := s.choose(table, index, bits, first+1<<(depth-1), depth-1)
	s.VPBLENDVB(bits[depth-1], high, low, low)
	return low
}
