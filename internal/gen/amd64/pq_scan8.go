package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqScan8 looks up bytes. With VBMI a table is four registers: VPERMI2B chooses among 128 entries, two of them and the
// code's top bit among 256. With AVX2 it is 16 shuffles of 16 entries each and a tree that chooses among their results.
var pqScan8 = source{
	family: "pq", name: "scan8", entry: "Scan8", elems: plain, forms: []tier{vbmi, tiers[1]},
	sig: "(blocks, m int, table, codes *uint8, dst *uint16)",
	emit: func(k *kernel) {
		s := &scan8Kernel{k: k, blocks: k.arg("blocks"), m: k.arg("m"), table: k.arg("table"), codes: k.arg("codes"),
			dst: k.arg("dst")}
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

// ahead is how far the scan prefetches, in bytes: codes come from beyond the second cache.
const ahead = 2048

type scan8Kernel struct {
	k                            *kernel
	blocks, m, table, codes, dst reg.GPVirtual
}

// permute takes a block of 256 codes at a time.
func (s *scan8Kernel) permute() {
	s.k.section("block", "A block of 256 codes.")
	sums := s.k.wordSums(4)
	table, left := s.k.GP64(), s.k.GP64()
	s.k.MOVQ(s.table, table)
	s.k.MOVQ(s.m, left)
	s.k.TESTQ(left, left)
	s.k.JZ(operand.LabelRef("store"))
	s.k.section("part",
		"A part of each code: its entry in both halves of the table, one of which the top bit chooses.")
	t := s.k.vecs(4)
	for i, v := range t {
		s.k.loadBytes(operand.Mem{Base: table, Disp: 64 * i}, v)
	}
	for i, sum := range sums {
		low, high, upper := s.k.ZMM(), s.k.ZMM(), s.k.K()
		s.k.PREFETCHT0(operand.Mem{Base: s.codes, Disp: 64*i + ahead})
		s.k.loadBytes(operand.Mem{Base: s.codes, Disp: 64 * i}, low)
		s.k.VPMOVB2M(low, upper)
		s.k.VMOVDQA64(low, high)
		s.k.VPERMI2B(t[1], t[0], low)
		s.k.VPERMI2B(t[3], t[2], high)
		s.k.VMOVDQU8(high, upper, low)
		sum.add(s.k, low)
	}
	s.k.ADDQ(operand.U32(256), table)
	s.k.ADDQ(operand.U32(blockPQ), s.codes)
	s.k.DECQ(left)
	s.k.JNZ(operand.LabelRef("part"))
	s.k.section("store", "The sums, as 16 bits.")
	for i, sum := range sums {
		sum.store(s.k, operand.Mem{Base: s.dst, Disp: 128 * i})
	}
	s.k.ADDQ(operand.U32(2*blockPQ), s.dst)
	s.k.DECQ(s.blocks)
	s.k.JNZ(operand.LabelRef("block"))
}

// shuffle takes 32 codes at a time.
func (s *scan8Kernel) shuffle() {
	s.k.section("block", "A block of 256 codes.")
	piece := s.k.GP64()
	s.k.MOVQ(operand.U32(blockPQ/32), piece)
	s.k.section("piece", "32 codes.")
	sum := s.k.wordSums(1)[0]
	table, codes, left := s.k.GP64(), s.k.GP64(), s.k.GP64()
	s.k.MOVQ(s.table, table)
	s.k.MOVQ(s.codes, codes)
	s.k.MOVQ(s.m, left)
	s.k.TESTQ(left, left)
	s.k.JZ(operand.LabelRef("store"))
	s.k.section("part",
		"A part of each code: its entry in 16 pieces of the table, one of which the upper bits choose.")
	bits := s.k.vecs(4) // the top bits of their bytes are bits 4 to 7 of the code
	index := s.k.nibbles()
	s.k.loadBytes(operand.Mem{Base: codes}, bits[3])
	for b := range 3 {
		s.k.VPSLLW(operand.Imm(uint64(3-b)), bits[3], bits[b])
	}
	s.k.andBytes(index, bits[3], index)
	sum.add(s.k, s.choose(table, index, bits, 0, 4))
	s.k.ADDQ(operand.U32(256), table)
	s.k.ADDQ(operand.U32(blockPQ), codes)
	s.k.DECQ(left)
	s.k.JNZ(operand.LabelRef("part"))
	s.k.section("store", "The sums, as 16 bits.")
	sum.store(s.k, operand.Mem{Base: s.dst})
	s.k.ADDQ(operand.Imm(64), s.dst)
	s.k.ADDQ(operand.Imm(32), s.codes)
	s.k.DECQ(piece)
	s.k.JNZ(operand.LabelRef("piece"))
	rest := s.k.GP64() // of the block: its other parts
	s.k.LEAQ(operand.Mem{Base: s.m, Disp: -1}, rest)
	s.k.SHLQ(operand.U8(8), rest)
	s.k.ADDQ(rest, s.codes)
	s.k.DECQ(s.blocks)
	s.k.JNZ(operand.LabelRef("block"))
}

// choose looks up among 1<<depth tables of 16 bytes from number first on.
func (s *scan8Kernel) choose(table reg.GPVirtual, index reg.VecVirtual, bits []reg.VecVirtual, first,
	depth int) reg.VecVirtual {
	if depth == 0 {
		t := s.k.quarterTable(operand.Mem{Base: table, Disp: 16 * first})
		s.k.VPSHUFB(index, t, t)
		return t
	}
	low := s.choose(table, index, bits, first, depth-1)
	high := s.choose(table, index, bits, first+1<<(depth-1), depth-1)
	s.k.VPBLENDVB(bits[depth-1], high, low, low)
	return low
}
