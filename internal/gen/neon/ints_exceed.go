package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// intsExceed drops 16 places at once where the largest difference is not above least, as is the rule. Otherwise a bit
// for each place is made, and the bits are taken one by one.
var intsExceed = source{"ints", "exceed", "Exceed", "(n int, p, half *int32, least int32, idx *int32) int",
	func(k *kernel) {
		n, p, half, idx, least, i := k.arg("n"), k.arg("p"), k.arg("half"), k.arg("idx"), k.x(), k.x()
		start, bits, at := k.x(), k.x(), k.x()
		d, halves, top, floor, weights := k.vs(4), k.vs(4), k.vs(2), k.vs(1)[0], k.vs(1)[0]
		k.Op("MOVW", k.param("least"), least)
		k.Op("VDUP", least, floor.Ints())
		k.Op("MOVD", a64.Constant(0x8040201008040201), bits)
		k.Op("VDUP", bits, weights.Doubles())
		k.Op("MOVD", idx, start)
		k.Op("MOVD", imm(0), i)
		loop, bit, on, rest, one, done := k.NewLabel("loop"), k.NewLabel("bit"), k.NewLabel("on"), k.NewLabel("rest"),
			k.NewLabel("one"), k.NewLabel("done")
		k.Op("SUBS", imm(16), n, n)
		k.Op("BLT", rest)
		k.section(loop, "16 places: nothing where no difference is above least.")
		for _, r := range block(4).runs() {
			k.load(r, d, p)
			k.load(r, halves, half)
		}
		for j := range d {
			k.Op("VSUB", halves[j].Ints(), d[j].Ints(), d[j].Ints())
		}
		k.SMAX(top[0], d[0], d[1])
		k.SMAX(top[1], d[2], d[3])
		k.SMAX(top[0], top[0], top[1])
		k.CMGT(a64.S4, top[0], top[0], floor)
		k.Op("VMOV", top[0].Double(0), bits)
		k.Op("VMOV", top[0].Double(1), at)
		k.Op("ORR", at, bits, bits)
		k.Op("CBZ", bits, on)
		k.Comment("A bit for each place above: bytes of ones, their weights, sums of neighbours.")
		for _, v := range d {
			k.CMGT(a64.S4, v, v, floor)
		}
		k.Op("VUZP1", d[1].Words(), d[0].Words(), d[0].Words())
		k.Op("VUZP1", d[3].Words(), d[2].Words(), d[2].Words())
		k.Op("VUZP1", d[2].Bits(), d[0].Bits(), d[0].Bits())
		k.Op("VAND", weights.Bits(), d[0].Bits(), d[0].Bits())
		for range 3 {
			k.Op("VADDP", d[0].Bits(), d[0].Bits(), d[0].Bits())
		}
		k.Op("VMOV", d[0].Double(0), bits)
		k.Op("AND", imm(0xffff), bits, bits)
		k.section(bit, "Bit by bit, the lowest first.")
		k.Op("RBIT", bits, at)
		k.Op("CLZ", at, at)
		k.Op("ADD", i, at, at)
		k.Op("MOVW.P", at, a64.Mem(idx, 4))
		k.Op("SUB", imm(1), bits, at)
		k.Op("ANDS", at, bits, bits)
		k.Op("BNE", bit)
		k.Bind(on)
		k.Op("ADD", imm(16), i, i)
		k.Op("SUBS", imm(16), n, n)
		k.Op("BGE", loop)
		k.Bind(rest)
		k.Op("ADDS", imm(16), n, n)
		k.Op("BEQ", done)
		k.section(one, "The rest, one by one: each is written, and the next over it unless it stays.")
		k.Op("MOVW.P", a64.Mem(p, 4), bits)
		k.Op("MOVW.P", a64.Mem(half, 4), at)
		k.Op("SUBW", at, bits, bits)
		k.Op("MOVW", i, a64.Mem(idx, 0))
		k.Op("ADD", imm(4), idx, at)
		k.Op("CMPW", least, bits) // bits - least
		k.Op("CSEL", a64.Cond("GT"), at, idx, idx)
		k.Op("ADD", imm(1), i, i)
		k.Op("SUBS", imm(1), n, n)
		k.Op("BNE", one)
		k.section(done, "How many.")
		k.Op("SUB", start, idx, idx)
		k.Op("LSR", imm(2), idx, idx)
		k.Op("MOVD", idx, k.param("ret"))
		k.Op("RET")
	}}
