package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// intsExceed and intsExceedLine drop 16 places at once where the largest difference is not above least, as is the rule.
// Otherwise a bit for each place is made, and the bits are taken one by one. Differences of intsExceedLine are
// float32's, whose bits are taken for integers: one is above 0 where the number is.
var (
	intsExceed = source{"ints", "exceed", "Exceed", "(n int, p, half *int32, least int32, idx *int32) int",
		func(k *kernel) {
			e := newExceed(k, "half")
			k.Op("MOVW", k.param("least"), e.least)
			k.Op("VDUP", e.least, e.floor.Ints())
			e.difference = func(v, half V) { k.Op("VSUB", half.Ints(), v.Ints(), v.Ints()) }
			e.emit()
		}}
	intsExceedLine = source{"ints", "exceedLine", "ExceedLine",
		"(n int, p *int32, z *float32, slope, floor float32, idx *int32) int",
		func(k *kernel) {
			e, slope, floor := newExceed(k, "z"), k.vs(1)[0], k.vs(1)[0]
			for i, v := range []V{slope, floor} {
				k.Op("FMOVS", k.param([]string{"slope", "floor"}[i]), v)
				k.Op("VDUP", v.Int(0), v.Ints())
			}
			k.Op("MOVD", imm(0), e.least)
			k.zero(e.floor)
			e.difference = func(v, z V) {
				k.FMUL(a64.S4, z, z, slope)
				k.FADD(a64.S4, z, z, floor)
				k.SCVTF(a64.S4, v, v)
				k.FSUB(a64.S4, v, v, z)
			}
			e.emit()
		}}
)

type exceedKernel struct {
	k            *kernel
	n, p, z, idx X
	least        X
	floor        V            // least
	difference   func(v, z V) // v -= what a p must exceed, of z
}

func newExceed(k *kernel, z string) *exceedKernel {
	return &exceedKernel{k: k, n: k.arg("n"), p: k.arg("p"), z: k.arg(z), idx: k.arg("idx"), least: k.x(),
		floor: k.vs(1)[0]}
}

func (e *exceedKernel) emit() {
	k, n, p, z, idx := e.k, e.n, e.p, e.z, e.idx
	i, start, bits, at := k.x(), k.x(), k.x(), k.x()
	d, other, top, weights := k.vs(4), k.vs(4), k.vs(2), k.vs(1)[0]
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
		k.load(r, other, z)
	}
	for j := range d {
		e.difference(d[j], other[j])
	}
	k.SMAX(top[0], d[0], d[1])
	k.SMAX(top[1], d[2], d[3])
	k.SMAX(top[0], top[0], top[1])
	k.CMGT(a64.S4, top[0], top[0], e.floor)
	k.Op("VMOV", top[0].Double(0), bits)
	k.Op("VMOV", top[0].Double(1), at)
	k.Op("ORR", at, bits, bits)
	k.Op("CBZ", bits, on)
	e.bits(d, weights, bits)
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
	k.Op("FMOVS.P", a64.Mem(p, 4), d[0])
	k.Op("FMOVS.P", a64.Mem(z, 4), other[0])
	e.difference(d[0], other[0])
	k.Op("FMOVS", d[0], bits)
	k.Op("MOVW", i, a64.Mem(idx, 0))
	k.Op("ADD", imm(4), idx, at)
	k.Op("CMPW", e.least, bits) // bits - least
	k.Op("CSEL", a64.Cond("GT"), at, idx, idx)
	k.Op("ADD", imm(1), i, i)
	k.Op("SUBS", imm(1), n, n)
	k.Op("BNE", one)
	k.section(done, "How many.")
	k.Op("SUB", start, idx, idx)
	k.Op("LSR", imm(2), idx, idx)
	k.Op("MOVD", idx, k.param("ret"))
	k.Op("RET")
}

// bits sets a register to a bit for each of the 16 differences d that is above least. It destroys d.
func (e *exceedKernel) bits(d []V, weights V, bits X) {
	k := e.k
	k.Comment("A bit for each place above: bytes of ones, their weights, sums of neighbours.")
	for _, v := range d {
		k.CMGT(a64.S4, v, v, e.floor)
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
}
