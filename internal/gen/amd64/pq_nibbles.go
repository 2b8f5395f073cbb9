package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pqNibbles looks up two entries for each byte of a code: a code has four bytes in a group, and each of their halves a
// table of 16. VBMI and VNNI together look up a vector of groups at once and add four entries to each sum. The other
// forms put the bytes of each place of a group side by side first.
var pqNibbles = source{
	family: "pq", name: "nibbles", entry: "Nibbles", elems: plain, forms: []tier{vbmiVNNI, tiers[0], tiers[1]},
	sig: "(n, groups int, codes, tables *uint8, shift uint, dst *int32)",
	emit: func(k *kernel) {
		s := &nibblesKernel{k: k, n: k.arg("n"), shift: k.XMM()}
		s.groups, s.codes, s.tables, s.dst = k.arg("groups"), k.arg("codes"), k.arg("tables"), k.arg("dst")
		by := k.arg("shift")
		k.VMOVQ(by, s.shift)
		if k.also != "" {
			s.permute()
		} else {
			s.shuffle()
		}
		k.done()
	},
}

type nibblesKernel struct {
	k                             *kernel
	n, groups, codes, tables, dst reg.GPVirtual
	shift                         reg.VecVirtual
}

// each goes through the codes, some at a time.
func (s *nibblesKernel) each(codes int, comment string, body func()) {
	k := s.k
	loop, done := fmt.Sprintf("by%d", codes), fmt.Sprintf("by%dend", codes)
	k.SUBQ(operand.U32(codes), s.n)
	k.JB(operand.LabelRef(done))
	k.section(loop, comment)
	body()
	k.ADDQ(operand.U32(4*codes), s.codes)
	k.ADDQ(operand.U32(4*codes), s.dst)
	k.SUBQ(operand.U32(codes), s.n)
	k.JAE(operand.LabelRef(loop))
	k.Label(done)
	k.ADDQ(operand.U32(codes), s.n)
}

// permute looks up by VPERMB: four tables of 16 entries are one of 64, bits 4 and 5 of the index a byte's place.
func (s *nibblesKernel) permute() {
	k := s.k
	half, places, ones := k.everyByte("halves", 0x0f0f0f0f), k.everyByte("places", 0x30201000),
		k.everyByte("ones8", 0x01010101)
	const andOr = operand.U8(0xea) // of VPTERNLOGD: first & second | third
	for _, vecs := range []int{16, 4, 1} {
		s.each(16*vecs, fmt.Sprintf("%d codes, 16 in a vector.", 16*vecs), func() {
			sums := k.vecs(vecs)
			for i, sum := range sums {
				k.load(operand.Mem{Base: s.dst, Disp: i * k.bytes}, sum)
				k.VPSLLD(s.shift, sum, sum)
			}
			codes, tables, left := k.GP64(), k.GP64(), k.GP64()
			here := fmt.Sprintf("groups%d", vecs)
			k.MOVQ(s.codes, codes)
			k.MOVQ(s.tables, tables)
			k.MOVQ(s.groups, left)
			k.TESTQ(left, left)
			k.JZ(operand.LabelRef(here + "end"))
			k.section(here, "A group: the entries of lower and upper halves, four of each to a sum.")
			t := k.vecs(2)
			for h, v := range t {
				k.loadBytes(operand.Mem{Base: tables, Disp: 64 * h}, v)
			}
			for i, sum := range sums {
				low, high := k.vec(), k.vec()
				k.loadBytes(operand.Mem{Base: codes, Disp: i * k.bytes}, low)
				k.VPSRLW(operand.Imm(4), low, high)
				for h, index := range []reg.VecVirtual{low, high} {
					k.VPTERNLOGD(andOr, places, half, index)
					k.VPERMB(t[h], index, index)
					k.VPDPBUSD(ones, index, sum)
				}
			}
			k.forward(128, tables)
			k.forward(4*blockPQ, codes)
			k.DECQ(left)
			k.JNZ(operand.LabelRef(here))
			k.Label(here + "end")
			for i, sum := range sums {
				k.store(sum, operand.Mem{Base: s.dst, Disp: i * k.bytes})
			}
		})
	}
}

// mostNibbles is the number of groups whose entries, eight a group, add up in 16 bits.
const mostNibbles = 32

// shuffle takes four vectors at a time, the last codes in narrow ones.
func (s *nibblesKernel) shuffle() {
	byPlace := s.k.global("byplace", func() {
		for range 4 {
			for _, w := range []uint32{0x0c080400, 0x0d090501, 0x0e0a0602, 0x0f0b0703} {
				s.k.AppendDatum(operand.U32(w))
			}
		}
	})
	for _, bytes := range []int{s.k.bytes, 16} {
		k := *s.k
		k.bytes, k.wide = bytes, bytes == 64
		s.each(bytes, fmt.Sprintf("%d codes, in four vectors.", bytes), func() { s.fourVectors(&k, byPlace) })
	}
}

func (s *nibblesKernel) fourVectors(k *kernel, byPlace operand.Mem) {
	at := func(p reg.Register, i int) operand.Mem { return operand.Mem{Base: p, Disp: i * k.bytes} }
	name := func(label string) string { return fmt.Sprintf("%s%d", label, k.bytes) }
	half, place := k.nibbles(), k.vec()
	k.loadBytes(byPlace, place)
	for i := range 4 {
		sum := k.vec()
		k.loadBytes(at(s.dst, i), sum)
		k.VPSLLD(s.shift, sum, sum)
		s.k.store(sum, at(s.dst, i))
	}
	codes, tables, groups, left := k.GP64(), k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(s.codes, codes)
	k.MOVQ(s.tables, tables)
	k.MOVQ(s.groups, groups)
	k.section(name("some"), fmt.Sprintf("Up to %d groups, whose sums fit 16 bits.", mostNibbles))
	k.TESTQ(groups, groups)
	k.JZ(operand.LabelRef(name("end")))
	k.MOVQ(operand.U32(mostNibbles), left)
	k.CMPQ(groups, left)
	k.CMOVQCS(groups, left)
	k.SUBQ(left, groups)
	sums := k.wordSums(1)[0]
	k.section(name("groups"), "A group: its four places, then for each the entries of both halves.")
	for p, v := range s.places(k, codes, place) {
		high := k.vec()
		k.VPSRLW(operand.Imm(4), v, high)
		for h, index := range []reg.VecVirtual{v, high} {
			k.andBytes(half, index, index)
			table, from := k.vec(), operand.Mem{Base: tables, Disp: 64*h + 16*p}
			if k.bytes > 16 {
				table = k.quarterTable(from)
			} else {
				k.loadBytes(from, table)
			}
			k.VPSHUFB(index, table, table)
			sums.add(k, table)
		}
	}
	k.forward(128, tables)
	k.forward(4*blockPQ, codes)
	k.DECQ(left)
	k.JNZ(operand.LabelRef(name("groups")))
	k.Comment("Bytes 4i to 4i+3 of each quarter are codes of vector i.")
	s.addWords(k, sums, at)
	k.JMP(operand.LabelRef(name("some")))
	k.Label(name("end"))
}

// places returns the bytes of the four places of a group: in each quarter four of each of the four vectors.
func (s *nibblesKernel) places(k *kernel, codes reg.GPVirtual, place reg.VecVirtual) []reg.VecVirtual {
	v, t, p := k.vecs(4), k.vecs(4), k.vecs(4)
	for i, v := range v {
		k.loadBytes(operand.Mem{Base: codes, Disp: i * k.bytes}, v)
		k.VPSHUFB(place, v, v)
	}
	for i := range 2 {
		k.VPUNPCKLDQ(v[2*i+1], v[2*i], t[2*i])
		k.VPUNPCKHDQ(v[2*i+1], v[2*i], t[2*i+1])
	}
	for i := range 2 {
		k.VPUNPCKLQDQ(t[2+i], t[i], p[2*i])
		k.VPUNPCKHQDQ(t[2+i], t[i], p[2*i+1])
	}
	return p
}

// addWords adds the sums to dst, by their bytes' order.
func (s *nibblesKernel) addWords(k *kernel, sums wordSums, at func(p reg.Register, i int) operand.Mem) {
	t, zero := k.vec(), k.vec()
	k.VPSLLW(operand.Imm(8), sums.odd, t)
	k.VPSUBW(t, sums.all, sums.all)
	k.zero(zero)
	for h, unpack := range []func(...operand.Op){k.VPUNPCKLWD, k.VPUNPCKHWD} {
		words := k.vec()
		unpack(sums.odd, sums.all, words)
		for i, widen := range []func(...operand.Op){k.VPUNPCKLWD, k.VPUNPCKHWD} {
			sum := k.vec()
			widen(zero, words, sum)
			k.VPADDD(at(s.dst, 2*h+i), sum, sum)
			s.k.store(sum, at(s.dst, 2*h+i))
		}
	}
}
