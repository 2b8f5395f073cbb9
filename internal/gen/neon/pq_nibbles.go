package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// pqNibbles looks up two entries for each byte of a code: a code has four bytes in a group, and each of their halves a
// table of 16: four tables are one of 64, bits 4 and 5 of the index a byte's place.
var pqNibbles = source{"pq", "nibbles", "Nibbles",
	"(n, groups int, codes, tables *uint8, shift uint, dst *int32)", func(k *kernel) {
		s := nibblesKernel{fours: k.fours("tables"), low: k.vs(4), high: k.vs(4)}
		rest, r := k.vs(6), k.x()
		s.mask, s.places, s.ones, s.code, s.index, s.index2 = rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]
		k.Op("MOVD", imm(15), r)
		k.Op("VDUP", r, s.mask.Bits())
		k.Op("MOVD", a64.Constant(0x30201000), r)
		k.Op("VDUP", r, s.places.Ints())
		k.Op("MOVD", imm(1), r)
		k.Op("VDUP", r, s.ones.Bits())
		s.emit(func(V) {}, func() {
			k.loads(s.low, s.data, 0)
			k.loads(s.high, s.data, 64)
			k.Op("ADD", imm(128), s.data, s.data)
		}, s.add)
	}}

type nibblesKernel struct {
	*fours
	low, high           []V // tables
	mask, places, ones  V
	code, index, index2 V
}

// add adds the entries of the four codes at p to their sums.
func (s *nibblesKernel) add(sum V, p a64.Operand) {
	s.Op("FMOVQ", p, s.code)
	s.Op("VAND", s.mask.Bits(), s.code.Bits(), s.index.Bits())
	s.Op("VUSHR", imm(4), s.code.Bits(), s.index2.Bits())
	for i, table := range [][]V{s.low, s.high} {
		index := []V{s.index, s.index2}[i]
		s.Op("VORR", s.places.Bits(), index.Bits(), index.Bits())
		s.Op("VTBL", index.Bits(), a64.List(table), index.Bits())
		if s.dotProd {
			s.UDOT(sum, index, s.ones)
		}
	}
	if !s.dotProd {
		s.UADDLP(s.index, s.index)
		s.UADALPBytes(s.index, s.index2)
		s.UADALP(sum, s.index)
	}
}
