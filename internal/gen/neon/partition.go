package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// partition copies the keys up to the pivot to one place and those above to another. Each vector is stored to both, its
// wanted lanes first; the next store overwrites the others. A store ends no later than the elements read so far, so
// that either place may be the source, and none needs room beyond n.
var partition = source{"sort", "partition", "Partition", "(low, high, src *T, n int, pivot T) int", func(k *kernel) {
	p := &partitioner{k: k, low: k.arg("low"), high: k.arg("high"), src: k.arg("src"), n: k.arg("n"), pivot: k.x(),
		below: k.x(), toLow: k.x(), toHigh: k.x()}
	load := pickOp(k, "MOVW", "MOVD") // or store, a key in a general register
	k.Op(load, k.param("pivot"), p.pivot)
	k.Op("MOVD", imm(0), p.below)
	write := func() {}
	if k.size == 4 {
		write = p.byTables()
	} else {
		p.byPairs()
	}
	done, key := k.NewLabel("done"), k.x()
	k.Op("CBZ", p.n, done)
	k.repeat("one", p.n, func() {
		k.Op(load+".P", a64.Mem(p.src, k.size), key)
		p.places()
		k.Op(load, key, a64.Mem(p.toLow, 0))
		k.Op(load, key, a64.Mem(p.toHigh, 0))
		k.Op("ADD", imm(k.size), p.high, p.high)
		k.Op("CMP", p.pivot, key)
		k.Op("CINC", a64.Cond("LE"), p.below, p.below)
	})
	k.Bind(done)
	k.Op("MOVD", p.below, k.param("ret"))
	k.Op("RET")
	write()
}}

type partitioner struct {
	k              *kernel
	low, high, src X // high is where the next key would go if all so far were above the pivot
	n, pivot       X
	below          X // how many keys went to low
	toLow, toHigh  X
}

// places finds where the next keys go.
func (p *partitioner) places() {
	p.k.Op("ADD", a64.Shifted(p.below, p.k.shift()), p.low, p.toLow)
	p.k.Op("SUB", a64.Shifted(p.below, p.k.shift()), p.high, p.toHigh)
}

// byPairs splits two keys of 64 bits at a time, in general registers: both are stored to both places, exchanged where
// the first one would be in the way. It leaves fewer than eight.
func (p *partitioner) byPairs() {
	const pairs = 4
	k := p.k
	a, b, x, y := k.x(), k.x(), k.x(), k.x()
	p.loop(2*pairs, func() {
		for i := range pairs {
			k.Op("LDP", a64.Mem(p.src, vectorBytes*i), a64.PairX(a, b))
			p.places()
			k.Op("CMP", p.pivot, a)
			k.Op("CSEL", a64.Cond("GT"), b, a, x)
			k.Op("CSEL", a64.Cond("GT"), a, b, y)
			k.Op("CINC", a64.Cond("LE"), p.below, p.below)
			k.Op("CMP", p.pivot, b)
			k.Op("CINC", a64.Cond("LE"), p.below, p.below)
			k.Op("STP", a64.PairX(x, y), a64.Mem(p.toLow, 0))
			k.Op("STP", a64.PairX(y, x), a64.Mem(p.toHigh, vectorBytes*i))
		}
		k.Op("ADD", imm(vectorBytes*pairs), p.src, p.src)
		k.Op("ADD", imm(vectorBytes*pairs), p.high, p.high)
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
	s := &splitter{p: p, table: table, v: k.vs(4), below: k.vs(4), part: k.vs(2), order: k.vs(2),
		weights: k.vs(1)[0], pivot: k.scalar("pivot"), offsets: k.x(), counts: k.x(), offset: k.x(),
		count: k.x()}
	k.Op("MOVD", a64.Constant(0x8040201080402010), s.offsets)
	k.Op("VDUP", s.offsets, s.weights.As(a64.D2))
	for _, vectors := range []int{4, 1} {
		p.loop(4*vectors, func() { s.split(vectors) })
	}
	return write
}

// orders has for each set of lanes up to the pivot the bytes of a vector's lanes in two orders: those first, and the
// others first.
func orders() (table []byte) {
	for set := range 16 {
		for _, first := range []int{1, 0, 0, 1} {
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
	v, below        []V
	part, order     []V
	weights, pivot  V // 16 times the bit of each byte's lane
	offsets, counts X // half of that in the table, and of lanes up to the pivot, a byte for each vector
	offset, count   X
}

func (s *splitter) split(vectors int) {
	k, p := s.p.k, s.p
	k.loads(s.v[:vectors], p.src, 0)
	for i := range vectors {
		k.CMGE(k.arr, s.below[i], s.pivot, s.v[i])
	}
	s.narrow(vectors)
	a := s.below[0]
	k.andBits(a, a, s.weights)
	k.Op("VADDP", a.Bits(), a.Bits(), a.Bits())
	k.Op("VADDP", a.Bits(), a.Bits(), a.Bits())
	k.Op("VMOV", a.Int(0), s.offsets)
	k.Op("VCNT", a.Bits(), a.Bits())
	k.Op("VMOV", a.Int(0), s.counts)
	for i := range vectors {
		k.Op("UBFX", imm(8*i), s.offsets, imm(8), s.offset)
		k.Op("UBFX", imm(8*i), s.counts, imm(8), s.count)
		k.Op("ADD", a64.Shifted(s.offset, 1), s.table, s.offset)
		k.loads(s.order, s.offset, 0)
		for j, o := range s.order {
			k.Op("VTBL", o.Bits(), a64.List(s.v[i:i+1]), s.part[j].Bits())
		}
		p.places()
		k.Op("ADD", s.count, p.below, p.below)
		k.Op("FMOVQ", s.part[0], a64.Mem(p.toLow, 0))
		k.Op("FMOVQ", s.part[1], a64.Mem(p.toHigh, vectorBytes*i))
	}
	k.Op("ADD", imm(vectorBytes*vectors), p.src, p.src)
	k.Op("ADD", imm(vectorBytes*vectors), p.high, p.high)
}

// narrow makes a byte of each lane's comparison, all of them in the first register. Of one vector there are four
// copies.
func (s *splitter) narrow(vectors int) {
	k, a := s.p.k, s.below
	if vectors == 1 {
		k.Op("VUZP1", a[0].Words(), a[0].Words(), a[0].Words())
		k.Op("VUZP1", a[0].Bits(), a[0].Bits(), a[0].Bits())
		return
	}
	k.Op("VUZP1", a[1].Words(), a[0].Words(), a[0].Words())
	k.Op("VUZP1", a[3].Words(), a[2].Words(), a[2].Words())
	k.Op("VUZP1", a[2].Bits(), a[0].Bits(), a[0].Bits())
}
