package main

import "math"

var pairMove = source{"pair", "move", "Move", "(f, rk, rl *T, n int, d T)", emitPairMove}

var pairMoveMixed = source{"pair", "movemixed", "MoveMixed", "(f *float64, rk, rl *float32, n int, d float64)",
	ofSingle(emitPairMove)}

// emitPairMove adds d (rk - rl) to f: no product is fused with a sum, so that the bits are the twin's.
func emitPairMove(k *kernel) {
	const unroll = 4
	f, rk, rl, n, d := k.arg("f"), k.arg("rk"), k.arg("rl"), k.arg("n"), k.scalar("d")
	y, v, w := k.vs(unroll), k.vs(unroll), k.vs(unroll)
	k.Comment("f += d (rk - rl).")
	k.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.loadData(r, v, rk)
			k.loadData(r, w, rl)
			k.load(r, y, f)
			r.each(func(i int) {
				k.FSUB(k.arr, v[i], v[i], w[i])
				k.mul(v[i], v[i], d)
				k.add(y[i], y[i], v[i])
			})
			k.storeBack(r, y, f)
		}
	}, nil)
	k.Op("RET")
}

// pairExtremes puts an infinity in the place of what is on the wrong side.
var pairExtremes = source{"pair", "extremes", "Extremes", "(f, x *T, n int, p, lo, hi T) (least T, at int, most T)",
	func(k *kernel) {
		f, x, n, p, lo, hi := k.arg("f"), k.arg("x"), k.arg("n"), k.scalar("p"), k.scalar("lo"), k.scalar("hi")
		low, v := k.newLeader(math.Inf(1)), k.vs(7)
		top, bottom, most, vx, g, t, mask := v[0], v[1], v[2], v[3], v[4], v[5], v[6]
		k.constant(top, math.Inf(1))
		k.constant(bottom, math.Inf(-1))
		k.constant(most, math.Inf(-1))
		k.Comment("g = f + p x: the least where x < hi, the most where x > lo.")
		k.stream(n, 1, func(piece piece) {
			for _, r := range piece.runs() {
				k.load(r, []V{vx}, x)
				k.load(r, []V{g}, f)
				k.mul(t, p, vx)
				k.add(g, g, t)
				k.Op("VMOV", top.Bits(), t.Bits())
				k.FCMGT(k.arr, mask, hi, vx)
				k.insert(t, g, mask)
				low.note(t, piece, true)
				k.FCMGT(k.arr, mask, vx, lo)
				k.FCMGT(k.arr, t, g, most)
				k.andBits(mask, mask, t)
				k.fillUp(piece, mask, low.zero)
				k.insert(most, g, mask)
				low.next(piece)
			}
		}, nil)
		at, some := low.index(true), k.NewLabel("some")
		k.Comment("Index -1 where there is none.")
		k.Op("FCMPD", top, low.best) // best - top
		k.Op("BLT", some)
		k.Op("MOVD", imm(-1), at)
		k.Bind(some)
		k.Comment("The most of all lanes.")
		k.FMAXPScalar(most, most)
		k.Op("FMOVD", low.best, k.param("least"))
		k.Op("MOVD", at, k.param("at"))
		k.Op("FMOVD", most, k.param("most"))
		k.Op("RET")
	}}
