package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// pqScan adds entries one by one into four sums that take turns.
var pqScan = source{"pq", "scan", "Scan", "(n, m int, table *float32, codes *uint8, dst *float32)", func(k *kernel) {
	n, m, table, codes, dst := k.arg("n"), k.arg("m"), k.arg("table"), k.arg("codes"), k.arg("dst")
	at, left, part := k.x(), k.x(), k.x()
	sums, v := k.vs(4), k.vs(1)[0]
	end := k.NewLabel("end")
	look := func(j int) {
		k.Op("MOVBU", a64.Mem(codes, j), part)
		k.Op("ADD", a64.Shifted(part, 2), at, part)
		k.Op("FMOVS", a64.Mem(part, j*1024), v)
		k.Op("FADDS", v, sums[j], sums[j])
	}
	k.Op("CBZ", n, end)
	k.Comment("The next code.")
	k.repeat("code", n, func() {
		rest, four, sum := k.NewLabel("rest"), k.NewLabel("four"), k.NewLabel("sum")
		k.zero(sums...)
		k.Op("MOVD", table, at)
		k.Op("SUBS", imm(4), m, left)
		k.Op("BLT", rest)
		k.section(four, "Four parts: an entry of each.")
		for j := range 4 {
			look(j)
		}
		k.Op("ADD", imm(4), codes, codes)
		k.Op("ADD", imm(4*1024), at, at)
		k.Op("SUBS", imm(4), left, left)
		k.Op("BGE", four)
		k.section(rest, "The last parts.")
		k.Op("ADD", imm(4), left, left)
		for j := range 3 {
			k.Op("CMP", imm(j), left)
			k.Op("BEQ", sum)
			look(j)
		}
		k.section(sum, "The sum of the chains.")
		k.Op("ADD", left, codes, codes)
		k.Op("FADDS", sums[2], sums[0], sums[0])
		k.Op("FADDS", sums[3], sums[1], sums[1])
		k.Op("FADDS", sums[1], sums[0], sums[0])
		k.Op("FMOVS", sums[0], a64.Mem(dst, 0))
		k.Op("ADD", imm(4), dst, dst)
	})
	k.Bind(end)
	k.Op("RET")
}}

// eachPiece goes through blocks of 256 codes, 64 at a time: the sums of all parts of a code, each part added by add,
// which gets the address of the part's table and the address of its 64 codes.
func (k *kernel) eachPiece(parts string, tableBytes int, add func(sums []V, table, codes X)) {
	const vectors = 4
	blocks, m, table, codes, dst := k.arg("blocks"), k.arg(parts), k.arg("table"), k.arg("codes"), k.arg("dst")
	piece, t, c, left := k.x(), k.x(), k.x(), k.x()
	sums := k.vs(2 * vectors)
	end := k.NewLabel("end")
	k.Op("CBZ", blocks, end)
	k.Comment("A block of 256 codes.")
	k.repeat("block", blocks, func() {
		k.Op("MOVD", imm(blockPQ/(16*vectors)), piece)
		k.Comment("64 codes.")
		k.repeat("piece", piece, func() {
			store := k.NewLabel("store")
			k.zero(sums...)
			k.Op("MOVD", table, t)
			k.Op("MOVD", codes, c)
			k.Op("MOVD", m, left)
			k.Op("CBZ", left, store)
			k.Comment("A part of each code.")
			k.repeat("part", left, func() {
				add(sums, t, c)
				k.Op("ADD", imm(tableBytes), t, t)
				k.Op("ADD", imm(blockPQ), c, c)
			})
			k.section(store, "The sums, as 16 bits.")
			k.stores(sums, dst, 0)
			k.Op("ADD", imm(32*vectors), dst, dst)
			k.Op("ADD", imm(16*vectors), codes, codes)
		})
		k.Op("SUB", imm(1), m, left) // behind the block's other parts
		k.Op("ADD", a64.Shifted(left, 8), codes, codes)
	})
	k.Bind(end)
	k.Op("RET")
}

// widen adds 16 bytes to 16 sums.
func (k *kernel) widen(sums []V, v V) {
	k.Op("VUADDW", v.LowBytes(), sums[0].Words(), sums[0].Words())
	k.Op("VUADDW2", v.Bits(), sums[1].Words(), sums[1].Words())
}

// pqScan8 looks up 64 entries at a time in four registers; the four quarters of a table take turns, and each leaves
// alone what lies beyond it.
var pqScan8 = source{"pq", "scan8", "Scan8", "(blocks, m int, table, codes *uint8, dst *uint16)", func(k *kernel) {
	table, step, index, found, r := k.vs(16), k.vs(1)[0], k.vs(1)[0], k.vs(1)[0], k.x()
	k.Op("MOVD", imm(64), r)
	k.Op("VDUP", r, step.Bits())
	k.eachPiece("m", 256, func(sums []V, t, codes X) {
		k.loads(table, t, 0)
		for v := range len(sums) / 2 {
			k.Op("FMOVQ", a64.Mem(codes, 16*v), index)
			k.Op("VTBL", index.Bits(), a64.List(table[:4]), found.Bits())
			for quarter := 1; quarter < 4; quarter++ {
				k.Op("VSUB", step.Bits(), index.Bits(), index.Bits())
				k.Op("VTBX", index.Bits(), a64.List(table[4*quarter:][:4]), found.Bits())
			}
			k.widen(sums[2*v:], found)
		}
	})
}}

// pqScan4 looks up two parts of a code from each byte, and widens their sum, which fits a byte.
var pqScan4 = source{"pq", "scan4", "Scan4", "(blocks, pairs int, table, codes *uint8, dst *uint16)", func(k *kernel) {
	table, nibbles, low, high, r := k.vs(2), k.vs(1)[0], k.vs(1)[0], k.vs(1)[0], k.x()
	k.Op("MOVD", imm(15), r)
	k.Op("VDUP", r, nibbles.Bits())
	k.eachPiece("pairs", 32, func(sums []V, t, codes X) {
		k.loads(table, t, 0)
		for v := range len(sums) / 2 {
			k.Op("FMOVQ", a64.Mem(codes, 16*v), low)
			k.Op("VUSHR", imm(4), low.Bits(), high.Bits())
			k.Op("VAND", nibbles.Bits(), low.Bits(), low.Bits())
			k.Op("VTBL", low.Bits(), a64.List(table[:1]), low.Bits())
			k.Op("VTBL", high.Bits(), a64.List(table[1:]), high.Bits())
			k.Op("VADD", high.Bits(), low.Bits(), low.Bits())
			k.widen(sums[2*v:], low)
		}
	})
}}

// pqBelow compares 16 numbers at once, and looks at each of them only where one passes.
var pqBelow = source{"pq", "below", "Below", "(n int, s *uint16, limit uint32, dst *uint32) int", func(k *kernel) {
	n, s, dst, most, start, i, left := k.arg("n"), k.arg("s"), k.arg("dst"), k.x(), k.x(), k.x(), k.x()
	v, w, limit, m := k.vs(2), k.vs(2), k.vs(1)[0], []X{k.x(), k.x()}
	loop, each, next, rest, end := k.NewLabel("loop"), k.NewLabel("each"), k.NewLabel("next"), k.NewLabel("rest"),
		k.NewLabel("end")
	k.Op("MOVWU", k.param("limit"), most)
	k.Op("VDUP", most, limit.Words())
	k.Op("MOVD", dst, start)
	k.Op("MOVD", imm(0), i)
	k.section(loop, "16 numbers: is one at most limit?")
	k.Op("CMP", imm(16), n)
	k.Op("BLT", rest)
	k.loads(v, s, 0)
	for h := range v {
		k.Op("VUMIN", limit.Words(), v[h].Words(), w[h].Words())
		k.Op("VCMEQ", v[h].Words(), w[h].Words(), w[h].Words())
	}
	k.Op("VORR", w[1].Bits(), w[0].Bits(), w[0].Bits())
	for h := range m {
		k.Op("VMOV", w[0].Double(h), m[h])
	}
	k.Op("ORR", m[1], m[0], m[0])
	k.Op("MOVD", imm(16), left)
	k.Op("SUB", imm(16), n, n)
	k.Op("CBNZ", m[0], each)
	k.Op("ADD", imm(32), s, s)
	k.Op("ADD", imm(16), i, i)
	k.Op("B", loop)

	k.section(rest, "Fewer than 16.")
	k.Op("CBZ", n, end)
	k.Op("MOVD", n, left)
	k.Op("MOVD", imm(0), n)
	k.section(each, "Number by number.")
	k.Op("MOVHU", a64.Mem(s, 0), m[0])
	k.Op("CMP", most, m[0])
	k.Op("BHI", next)
	k.Op("MOVW", i, a64.Mem(dst, 0))
	k.Op("ADD", imm(4), dst, dst)
	k.Bind(next)
	k.Op("ADD", imm(2), s, s)
	k.Op("ADD", imm(1), i, i)
	k.Op("SUBS", imm(1), left, left)
	k.Op("BNE", each)
	k.Op("B", loop)
	k.section(end, "How many.")
	k.Op("SUB", start, dst, dst)
	k.Op("LSR", imm(2), dst, dst)
	k.Op("MOVD", dst, k.param("ret"))
	k.Op("RET")
}}
