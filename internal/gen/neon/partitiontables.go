package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// tables stores four keys of 32 bits at a time, ordered by a table lookup, whose indices it finds for four vectors at
// once.
type tables struct {
	p               *partitioner
	orders          X
	below           []V // which lanes of the vectors are not above the pivot
	order, part     V
	weights, pivot  V // 16 times the bit of each byte's lane
	offsets, counts X // in orders, and of lanes not above the pivot, a byte for each vector
	offset          X
}

func (p *partitioner) byTables() (store func(v []V), write func()) {
	k := p.k
	base, write := k.byteTable("orders", orders())
	t := &tables{p: p, orders: base, below: k.vs(atOnce), order: k.vs(1)[0], part: k.vs(1)[0], weights: k.vs(1)[0],
		pivot: k.scalar("pivot"), offsets: k.x(), counts: k.x(), offset: k.x()}
	k.Op("MOVD", a64.Constant(0x8040201080402010), t.offsets)
	k.Op("VDUP", t.offsets, t.weights.As(a64.D2))
	return t.store, write
}

// orders has for each set of lanes the bytes of a vector, the lanes of the set first.
func orders() (table []byte) {
	for set := range 16 {
		for _, first := range []int{1, 0} {
			for lane := range 4 {
				for b := range 4 {
					if set>>lane&1 == first {
						table = append(table, byte(4*lane+b))
					}
				}
			}
		}
	}
	return table
}

// store puts one, two or four vectors to both ends.
func (t *tables) store(v []V) {
	k, p := t.p.k, t.p
	k.Comment("Which lanes are not above the pivot, and the orders that have them first.")
	for i := range v {
		k.CMGE(k.arr, t.below[i], t.pivot, v[i])
	}
	a := t.narrow(len(v))
	k.andBits(a, a, t.weights)
	k.Op("VADDP", a.Bits(), a.Bits(), a.Bits())
	k.Op("VADDP", a.Bits(), a.Bits(), a.Bits())
	k.Op("VMOV", a.Int(0), t.offsets)
	k.Op("VCNT", a.Bits(), a.Bits())
	k.Op("VMOV", a.Int(0), t.counts)
	for i := range v {
		k.Op("UBFX", imm(8*i), t.offsets, imm(8), t.offset)
		k.Op("UBFX", imm(8*i), t.counts, imm(8), p.count)
		k.Op("ADD", t.orders, t.offset, t.offset)
		k.Op("FMOVQ", a64.Mem(t.offset, 0), t.order)
		k.Op("VTBL", t.order.Bits(), a64.List(v[i:i+1]), t.part.Bits())
		p.put(i, "FMOVQ", t.part)
	}
	k.Op("SUB", imm(vectorBytes*len(v)), p.between, p.between)
}

// narrow makes a byte of each lane's comparison, all of them in the register that it returns. Where there are fewer
// than four vectors, the bytes behind theirs are copies.
func (t *tables) narrow(vectors int) V {
	k, b := t.p.k, t.below
	last := vectors - 1
	k.Op("VUZP1", b[min(1, last)].Words(), b[0].Words(), b[0].Words())
	upper := b[0]
	if vectors == 4 {
		upper = b[2]
		k.Op("VUZP1", b[3].Words(), b[2].Words(), b[2].Words())
	}
	k.Op("VUZP1", upper.Bits(), b[0].Bits(), b[0].Bits())
	return b[0]
}
