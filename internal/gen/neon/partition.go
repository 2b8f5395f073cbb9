package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// partition copies the keys up to the pivot to one place and those above to another. Each vector is stored to both, its
// wanted lanes first; the next store overwrites the others. A store ends no later than the elements read so far, so
// that either place may be the source, and none needs room beyond n.
var partition = source{"sort", "partition", "Partition", "(low, high, src *T, n int, pivot T) int", func(k *kernel) {
	p := &partitioner{k: k, low: k.arg("low"), high: k.arg("high"), src: k.arg("src"), n: k.arg("n"), pivot: k.x(),
		start: k.x(), count: k.x()}
	k.Op(p.move(), k.param("pivot"), p.pivot)
	k.Op("MOVD", p.low, p.start)
	write := func() {}
	if k.size == 4 {
		write = p.byTables()
	} else {
		p.byPairs()
	}
	one, done := k.NewLabel("one"), k.NewLabel("done")
	k.Op("CBZ", p.n, done)
	k.Bind(one)
	key := k.x()
	k.Op(p.move()+".P", a64.Mem(p.src, k.size), key)
	k.Op("CMP", p.pivot, key)
	k.Op("CSET", a64.Cond("GT"), p.count)
	k.Op(p.move()+".P", key, a64.Mem(p.low, k.size))
	k.Op(p.move(), key, a64.Mem(p.high, 0))
	p.forward()
	k.Op("SUBS", imm(1), p.n, p.n)
	k.Op("BNE", one)
	k.Bind(done)
	k.Op("SUB", p.start, p.low, p.low)
	k.Op("LSR", imm(k.shift()), p.low, p.low)
	k.Op("MOVD", p.low, k.param("ret"))
	k.Op("RET")
	write()
}}

type partitioner struct {
	k              *kernel
	low, high, src X
	n, pivot       X
	start          X // of low
	count          X // of what was above the pivot
}

// move loads or stores a key in a general register.
func (p *partitioner) move() string { return pickOp(p.k, "MOVW", "MOVD") }

// forward puts the pointers behind the keys that stay: the store to low has moved it by all that it wrote.
func (p *partitioner) forward() {
	p.k.Op("SUB", a64.Shifted(p.count, p.k.shift()), p.low, p.low)
	p.k.Op("ADD", a64.Shifted(p.count, p.k.shift()), p.high, p.high)
}

// byPairs splits two keys of 64 bits at a time, in general registers: both are stored to both places, exchanged where
// the first one would be in the way. It leaves fewer than eight.
func (p *partitioner) byPairs() {
	const pairs = 4
	k := p.k
	a, b, x, y := k.x(), k.x(), k.x(), k.x()
	p.loop(2*pairs, func() {
		for range pairs {
			k.Op("LDP.P", a64.Mem(p.src, 16), a64.PairX(a, b))
			k.Op("CMP", p.pivot, a)
			k.Op("CSEL", a64.Cond("GT"), b, a, x)
			k.Op("CSEL", a64.Cond("GT"), a, b, y)
			k.Op("CSET", a64.Cond("GT"), p.count)
			k.Op("CMP", p.pivot, b)
			k.Op("CINC", a64.Cond("GT"), p.count, p.count)
			k.Op("STP.P", a64.PairX(x, y), a64.Mem(p.low, 16))
			k.Op("STP", a64.PairX(y, x), a64.Mem(p.high, 0))
			p.forward()
		}
	})
}

// loop runs body while there are that many keys, and leaves in n how many are left.
func (p *partitioner) loop(keys int, body func()) {
	loop, end := p.k.NewLabel("loop"), p.k.NewLabel("end")
	p.k.Op("SUBS", imm(keys), p.n, p.n)
	p.k.Op("BLT", end)
	p.k.Op("PCALIGN", imm(16))
	p.k.Bind(loop)
	body()
	p.k.Op("SUBS", imm(keys), p.n, p.n)
	p.k.Op("BGE", loop)
	p.k.Bind(end)
	p.k.Op("ADD", imm(keys), p.n, p.n)
}

// byTables splits four keys of 32 bits at a time by table lookups, whose indices it finds for four vectors at once. It
// leaves fewer than four.
func (p *partitioner) byTables() (write func()) {
	k := p.k
	table, write := k.byteTable("orders", orders())
	s := &splitter{p: p, table: table, v: k.vs(4), above: k.vs(4), part: k.vs(2), order: k.vs(2),
		weights: k.vs(1)[0], pivot: k.scalar("pivot"), offsets: k.x(), counts: k.x(), offset: k.x()}
	k.Op("MOVD", a64.Constant(0x8040201080402010), s.offsets)
	k.Op("VDUP", s.offsets, s.weights.As(a64.D2))
	for _, vectors := range []int{4, 1} {
		p.loop(4*vectors, func() { s.split(vectors) })
	}
	return write
}

// orders has for each set of lanes above the pivot the bytes of a vector's lanes in two orders: those up to the pivot
// first, and those above it first.
func orders() (table []byte) {
	for set := range 16 {
		for _, first := range []int{0, 1, 1, 0} {
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

type splitter struct {
	p               *partitioner
	table           X // of orders
	v, above        []V
	part, order     []V
	weights, pivot  V // 16 times the bit of each byte's lane
	offsets, counts X // half of that in the table, and of lanes above the pivot, a byte for each vector
	offset          X
}

func (s *splitter) split(vectors int) {
	k := s.p.k
	if vectors == 1 {
		k.Op("FMOVQ.P", a64.Mem(s.p.src, 16), s.v[0])
	} else {
		k.Op("FLDPQ.P", a64.Mem(s.p.src, 64), a64.Pair(s.v[0], s.v[1]))
		k.Op("FLDPQ", a64.Mem(s.p.src, 32-64), a64.Pair(s.v[2], s.v[3]))
	}
	for i := range vectors {
		k.CMGT(k.arr, s.above[i], s.v[i], s.pivot)
	}
	a := s.above[0]
	s.narrow(vectors)
	k.Op("VAND", s.weights.Bits(), a.Bits(), a.Bits())
	k.Op("VADDP", a.Bits(), a.Bits(), a.Bits())
	k.Op("VADDP", a.Bits(), a.Bits(), a.Bits())
	k.Op("VMOV", a.Int(0), s.offsets)
	k.Op("VCNT", a.Bits(), a.Bits())
	k.Op("VMOV", a.Int(0), s.counts)
	for i := range vectors {
		k.Op("UBFX", imm(8*i), s.offsets, imm(8), s.offset)
		k.Op("UBFX", imm(8*i), s.counts, imm(8), s.p.count)
		k.Op("ADD", a64.Shifted(s.offset, 1), s.table, s.offset)
		k.loads(s.order, s.offset, 0)
		for j, o := range s.order {
			k.Op("VTBL", o.Bits(), a64.List(s.v[i:i+1]), s.part[j].Bits())
		}
		k.Op("FMOVQ.P", s.part[0], a64.Mem(s.p.low, 16))
		k.Op("FMOVQ", s.part[1], a64.Mem(s.p.high, 0))
		s.p.forward()
	}
}

// narrow makes a byte of each lane's comparison, all of them in the first register. Lanes of vectors that are not there
// are copies.
func (s *splitter) narrow(vectors int) {
	k, a := s.p.k, s.above
	if vectors == 1 {
		k.Op("VUZP1", a[0].Words(), a[0].Words(), a[0].Words())
		k.Op("VUZP1", a[0].Bits(), a[0].Bits(), a[0].Bits())
		return
	}
	k.Op("VUZP1", a[1].Words(), a[0].Words(), a[0].Words())
	k.Op("VUZP1", a[3].Words(), a[2].Words(), a[2].Words())
	k.Op("VUZP1", a[2].Bits(), a[0].Bits(), a[0].Bits())
}
