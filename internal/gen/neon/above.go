package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// A comparison gives ones, which are -1 as integers, where an element is above t: they select what is added, and count.
var sumabove = source{"reduce", "sumabove", "SumAbove", "(x *T, n int, t T) (sum T, count int)", func(k *kernel) {
	const sums = 4
	x, n, t := k.arg("x"), k.arg("n"), k.scalar("t")
	acc, counts, v, above := k.vs(sums), k.vs(sums), k.vs(sums), k.vs(1)[0]
	k.zero(acc...)
	k.zero(counts...)
	k.Comment("x - t where x > t, and how many.")
	k.stream(n, sums, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			k.fillUp(p, v[r.first], t)
			r.each(func(i int) {
				k.FCMGT(k.arr, above, v[i], t)
				k.FSUB(k.arr, v[i], v[i], t)
				k.Op("VAND", above.Bits(), v[i].Bits(), v[i].Bits())
				k.add(acc[i], acc[i], v[i])
				k.Op("VSUB", above.As(k.arr), counts[i].As(k.arr), counts[i].As(k.arr))
			})
		}
	}, nil)
	k.Comment("The sum and the count across chains and lanes.")
	for w := sums / 2; w > 0; w /= 2 {
		for i := range w {
			k.add(acc[i], acc[i], acc[i+w])
			k.Op("VADD", counts[i+w].As(k.arr), counts[i].As(k.arr), counts[i].As(k.arr))
		}
	}
	k.across(acc[0], acc[0])
	k.Op(k.move, acc[0], k.param("sum"))
	count, high := k.x(), k.x()
	if k.size == 4 {
		k.Op("VUADDLV", counts[0].Ints(), a64.Symbol(fmt.Sprintf("V%d", counts[0])))
		k.Op("VMOV", counts[0].Lane(a64.D2, 0), count)
	} else {
		k.Op("VMOV", counts[0].Lane(a64.D2, 0), count)
		k.Op("VMOV", counts[0].Lane(a64.D2, 1), high)
		k.Op("ADD", high, count, count)
	}
	k.Op("MOVD", count, k.param("count"))
	k.Op("RET")
}}

// clip selects rather than takes a maximum, which would make 0 of -0 at a bound of 0.
var clip = source{"reduce", "clip", "Clip", "(dst, x *T, n int, lo, hi T)", func(k *kernel) {
	const unroll = 8
	dst, x, n, lo, hi := k.arg("dst"), k.arg("x"), k.arg("n"), k.scalar("lo"), k.scalar("hi")
	v, beyond := k.vs(unroll), k.vs(1)[0]
	k.Comment("lo where x < lo, hi where x > hi.")
	k.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			r.each(func(i int) {
				k.FCMGT(k.arr, beyond, lo, v[i])
				k.Op("VBIT", beyond.Bits(), lo.Bits(), v[i].Bits())
				k.FCMGT(k.arr, beyond, v[i], hi)
				k.Op("VBIT", beyond.Bits(), hi.Bits(), v[i].Bits())
			})
			k.store(r, v, dst)
		}
	}, nil)
	k.Op("RET")
}}

// compress drops 16 elements at once when their maximum is not above t, as is the rule; else it writes each one, and
// the next over it unless it is to stay.
var compress = source{"reduce", "compress", "Compress", "(x *T, n int, t T, val *T, idx *int32) int", func(k *kernel) {
	x, n, t, val, idx := k.arg("x"), k.arg("n"), k.scalar("t"), k.arg("val"), k.arg("idx")
	i, start, next, nextIdx := k.x(), k.x(), k.x(), k.x()
	v, top := k.vs(16/k.lanes()), k.vs(1)[0]
	k.Op("MOVD", imm(0), i)
	k.Op("MOVD", idx, start)
	loop, rest, done := k.NewLabel("loop"), k.NewLabel("rest"), k.NewLabel("done")
	compare := pickOp(k, "FCMPS", "FCMPD")
	keep := func() { // element i, at x
		k.Op(k.move+".P", a64.Mem(x, k.size), top)
		k.Op(k.move, top, a64.Mem(val, 0))
		k.Op("MOVW", i, a64.Mem(idx, 0))
		k.Op("ADD", imm(k.size), val, next)
		k.Op("ADD", imm(4), idx, nextIdx)
		k.Op("ADD", imm(1), i, i)
		k.Op(compare, t, top)                        // top - t
		k.Op("CSEL", a64.Cond("GT"), next, val, val) // GT: greater, not unordered
		k.Op("CSEL", a64.Cond("GT"), nextIdx, idx, idx)
	}
	k.Op("SUBS", imm(16), n, n)
	k.Op("BLT", rest)
	k.section(loop, "16 elements: nothing where their maximum is not above t.")
	k.maximum(top, v, x)
	k.Op(compare, t, top)
	some, on := k.NewLabel("some"), k.NewLabel("on")
	k.Op("BHI", some) // greater or unordered
	k.Op("ADD", imm(16*k.size), x, x)
	k.Op("ADD", imm(16), i, i)
	k.Op("B", on)
	k.section(some, "Each is written, and the next over it unless it stays.")
	for range 16 {
		keep()
	}
	k.Bind(on)
	k.Op("SUBS", imm(16), n, n)
	k.Op("BGE", loop)
	k.Bind(rest)
	k.Op("ADDS", imm(16), n, n)
	k.Op("BEQ", done)
	one := k.NewLabel("one")
	k.section(one, "The rest, one by one.")
	keep()
	k.Op("SUBS", imm(1), n, n)
	k.Op("BNE", one)
	k.section(done, "How many.")
	k.Op("SUB", start, idx, idx)
	k.Op("LSR", imm(2), idx, idx)
	k.Op("MOVD", idx, k.param("ret"))
	k.Op("RET")
}}
