package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// Strips of columns: what a rotation leaves in the second of its rows stays in registers for the next.
var rots = source{"blas", "rots", "Rots", "(m, n int, c, s, a *T, lda int)", func(k *kernel) {
	const unroll = 4
	m, n, c, s, a, stride := k.arg("m"), k.arg("n"), k.arg("c"), k.arg("s"), k.arg("a"), k.arg("lda")
	pc, ps, row, next, left := k.x(), k.x(), k.x(), k.x(), k.x()
	upper, lower, out, turned := k.vs(unroll), k.vs(unroll), k.vs(unroll), k.vs(unroll)
	cs := k.vs(2)
	done := k.NewLabel("done")
	k.unlessPositive(m, done)
	k.unlessPositive(n, done)
	k.Op("LSL", imm(k.shift()), stride, stride)
	k.stream(n, unroll, func(p piece) {
		loop := k.NewLabel("rotation")
		for _, reg := range [][2]X{{c, pc}, {s, ps}, {a, row}, {m, left}} {
			k.Op("MOVD", reg[0], reg[1])
		}
		for _, r := range p.runs() {
			k.load(r.stay(), upper, row)
		}
		k.section(loop, "row = c upper + s lower, and the next upper = c lower - s upper.")
		for i, from := range []X{pc, ps} {
			k.Op(k.move+".P", a64.Mem(from, k.size), cs[i])
			k.Op("VDUP", cs[i].Lane(k.arr, 0), cs[i].As(k.arr))
		}
		k.Op("ADD", stride, row, next)
		for _, r := range p.runs() {
			r = r.stay()
			k.load(r, lower, next)
			r.each(func(i int) {
				k.mul(out[i], upper[i], cs[0])
				k.mul(turned[i], lower[i], cs[0])
				k.fma(out[i], lower[i], cs[1])
				k.Op("VFMLS", cs[1].As(k.arr), upper[i].As(k.arr), turned[i].As(k.arr))
				k.Op("VORR", turned[i].Bits(), turned[i].Bits(), upper[i].Bits())
			})
			k.store(r, out, row)
		}
		k.Op("MOVD", next, row)
		k.Op("SUBS", imm(1), left, left)
		k.Op("BNE", loop)
		for _, r := range p.runs() {
			k.store(r.stay(), upper, row)
		}
		k.Op("ADD", imm(p.size()), a, a)
	}, nil)
	k.Bind(done)
	k.Op("RET")
}}
