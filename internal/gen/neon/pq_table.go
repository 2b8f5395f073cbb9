package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// pqPack transposes four coordinates of four points at a time. The last four coordinates overlap those before where
// their number is no multiple of four.
var pqPack = source{"pq", "pack", "Pack", "(blocks, dsub int, x *float32, ldx int, dst *float32)", func(k *kernel) {
	blocks, dsub, x, ld, dst := k.arg("blocks"), k.arg("dsub"), k.arg("x"), k.arg("ldx"), k.arg("dst")
	left, at, p, v := k.x(), k.x(), k.x(), k.x()
	rows, t := k.vs(4), k.vs(4)
	end, few, next, block := k.NewLabel("end"), k.NewLabel("few"), k.NewLabel("next"), k.NewLabel("block")
	four := func() {
		k.Op("MOVD", at, p)
		for group := range lanesPQ / 4 {
			for _, r := range rows {
				k.Op("FMOVQ", a64.Mem(p, 0), r)
				k.Op("ADD", ld, p, p)
			}
			for i, name := range []string{"VTRN1", "VTRN2", "VTRN1", "VTRN2"} {
				a, b := rows[i/2*2], rows[i/2*2+1]
				k.Op(name, b.Ints(), a.Ints(), t[i].Ints())
			}
			for c := range 4 {
				k.Op([]string{"VTRN1", "VTRN2"}[c/2], t[2+c%2].Doubles(), t[c%2].Doubles(), rows[c].Doubles())
				k.Op("FMOVQ", rows[c], a64.Mem(dst, 4*lanesPQ*c+16*group))
			}
		}
		k.Op("ADD", imm(16), at, at)
		k.Op("ADD", imm(4*4*lanesPQ), dst, dst)
	}
	k.Op("CBZ", blocks, end)
	k.Op("CBZ", dsub, end)
	k.Op("LSL", imm(2), ld, ld)
	k.section(block, "The next 16 points.")
	k.Op("MOVD", x, at)
	k.Op("SUBS", imm(4), dsub, left)
	k.Op("BLT", few)
	loop := k.NewLabel("four")
	k.section(loop, "Four coordinates, transposed.")
	four()
	k.Op("SUBS", imm(4), left, left)
	k.Op("BGE", loop)
	k.Op("ADDS", imm(4), left, left)
	k.Op("BEQ", next)
	k.Comment("The last four overlap those before.")
	k.Op("SUB", imm(4), left, left) // how far to go back, negative
	k.Op("ADD", a64.Shifted(left, 2), at, at)
	k.Op("ADD", a64.Shifted(left, 6), dst, dst)
	four()
	k.section(next, "To the next points.")
	k.Op("ADD", a64.Shifted(ld, 4), x, x)
	k.Op("SUBS", imm(1), blocks, blocks)
	k.Op("BNE", block)
	k.Bind(end)
	k.Op("RET")

	k.section(few, "Fewer than four coordinates: number by number.")
	k.Op("MOVD", dsub, left)
	k.repeat("coordinate", left, func() {
		k.Op("MOVD", at, p)
		for l := range lanesPQ {
			k.Op("MOVWU", a64.Mem(p, 0), v)
			k.Op("MOVW", v, a64.Mem(dst, 4*l))
			k.Op("ADD", ld, p, p)
		}
		k.Op("ADD", imm(4), at, at)
		k.Op("ADD", imm(4*lanesPQ), dst, dst)
	})
	k.Op("B", next)
}}

var (
	pqTableL2 = tableSource("tableL2", "TableL2", true)
	pqTableIP = tableSource("tableIP", "TableIP", false)
)

// tableSource is the table of one query, 32 centroids at a time, then 16.
func tableSource(name, entry string, squares bool) source {
	return source{"pq", name, entry, "(dsub, ksub int, q, ct, dst *float32)", func(k *kernel) {
		dsub, ksub, q, ct, dst := k.arg("dsub"), k.arg("ksub"), k.arg("q"), k.arg("ct"), k.arg("dst")
		row, x, c, t := k.x(), k.x(), k.x(), k.x()
		all, centroids, v := k.vs(8), k.vs(8), k.vs(1)[0]
		k.Op("LSL", imm(2), ksub, row)
		for _, vectors := range []int{8, 4} {
			acc, e := all[:vectors], centroids[:vectors]
			loop, done, store := k.NewLabel("centroids"), k.NewLabel("rest"), k.NewLabel("store")
			k.Op("SUBS", imm(4*vectors), ksub, ksub)
			k.Op("BLT", done)
			k.section(loop, counted(vectors, "vector")+" of centroids at a time.")
			k.zero(acc...)
			k.Op("MOVD", q, x)
			k.Op("MOVD", ct, c)
			k.Op("MOVD", dsub, t)
			k.Op("CBZ", dsub, store)
			k.Comment("A coordinate.")
			k.repeat("coordinates", t, func() {
				k.Op("VLD1R", a64.Mem(x, 0), a64.IntsList(v))
				k.Op("ADD", imm(4), x, x)
				k.loads(e, c, 0)
				k.Op("ADD", row, c, c)
				for i, a := range acc {
					if squares {
						k.FSUB(a64.S4, e[i], v, e[i])
						k.fma(a, e[i], e[i])
					} else {
						k.fma(a, v, e[i])
					}
				}
			})
			k.section(store, "The entries.")
			k.stores(acc, dst, 0)
			k.Op("ADD", imm(16*vectors), dst, dst)
			k.Op("ADD", imm(16*vectors), ct, ct)
			k.Op("SUBS", imm(4*vectors), ksub, ksub)
			k.Op("BGE", loop)
			k.Bind(done)
			k.Op("ADD", imm(4*vectors), ksub, ksub)
		}
		k.Op("RET")
	}}
}

// pqQuantize makes bytes of 16 entries at a time.
var pqQuantize = source{"pq", "quantize", "Quantize",
	"(n int, x *float32, origin, factor float32, limit uint32, dst *uint8)", func(k *kernel) {
		n, x, dst, most := k.arg("n"), k.arg("x"), k.arg("dst"), k.x()
		origin, factor, limit, v := k.scalar("origin"), k.scalar("factor"), k.vs(1)[0], k.vs(4)
		k.Op("MOVWU", k.param("limit"), most)
		k.Op("VDUP", most, limit.Ints())
		end, loop := k.NewLabel("end"), k.NewLabel("loop")
		k.Op("CBZ", n, end)
		k.section(loop, "16 entries: min(limit, (x - origin) factor), cut to integers, as bytes.")
		k.loads(v, x, 0)
		for _, v := range v {
			k.FSUB(a64.S4, v, v, origin)
			k.mul(v, v, factor)
			k.FCVTZS(a64.S4, v, v)
			k.Op("VUMIN", limit.Ints(), v.Ints(), v.Ints())
		}
		k.narrow(v)
		k.Op("FMOVQ", v[0], a64.Mem(dst, 0))
		k.Op("ADD", imm(4*lanesPQ), x, x)
		k.Op("ADD", imm(lanesPQ), dst, dst)
		k.Op("SUBS", imm(lanesPQ), n, n)
		k.Op("BNE", loop)
		k.Bind(end)
		k.Op("RET")
	}}
