package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

const (
	lanesPQ = 16  // points of a block
	blockPQ = 256 // codes of a block
)

// pqAssign holds 16 points against four centroids at a time: 16 sums in registers. Distances are not negative, so that
// their bits compare as integers.
var pqAssign = source{"pq", "assign", "Assign",
	"(blocks, dsub, ksub int, xt, ct *float32, codes *uint8, stride int, dist *float32) uint32", func(k *kernel) {
		const vectors, centroids = lanesPQ / 4, 4
		blocks, dsub, ksub := k.arg("blocks"), k.arg("dsub"), k.arg("ksub")
		xt, ct, codes, stride, dist := k.arg("xt"), k.arg("ct"), k.arg("codes"), k.arg("stride"), k.arg("dist")
		row, x, c, t, j, result, p := k.x(), k.x(), k.x(), k.x(), k.x(), k.x(), k.x()
		var acc [centroids][]V
		for i := range acc {
			acc[i] = k.vs(vectors)
		}
		points, best, index, centroid, e := k.vs(vectors), k.vs(vectors), k.vs(vectors), k.vs(1)[0], k.vs(2)
		end := k.NewLabel("end")
		k.Op("MOVD", imm(0), result)
		k.Op("CBZ", blocks, end)
		k.Op("LSL", imm(2), ksub, row)
		k.Comment("The next 16 points.")
		k.repeat("block", blocks, func() {
			for v := range vectors {
				k.zero(index[v])
				k.Op("VCMEQ", index[v].Ints(), index[v].Ints(), best[v].Ints())
			}
			k.Op("MOVD", imm(0), j)
			group := k.NewLabel("centroids")
			k.section(group, "Squared distances to the next 4 centroids.")
			for _, a := range acc {
				k.zero(a...)
			}
			k.Op("MOVD", xt, x)
			k.Op("ADD", a64.Shifted(j, 2), ct, c)
			k.Op("MOVD", dsub, t)
			k.repeat("coordinates", t, func() {
				k.loads(points, x, 0)
				k.Op("ADD", imm(4*lanesPQ), x, x)
				for i, a := range acc {
					k.Op("ADD", imm(4*i), c, p)
					k.Op("VLD1R", a64.Mem(p, 0), a64.IntsList(centroid))
					for v := range vectors {
						k.FSUB(a64.S4, e[v%2], points[v], centroid)
						k.fma(a[v], e[v%2], e[v%2])
					}
				}
				k.Op("ADD", row, c, c)
			})
			k.Comment("The nearest so far, and its number.")
			for _, a := range acc {
				k.Op("VDUP", j, centroid.Ints())
				for v := range vectors {
					k.Op("VUMIN", a[v].Ints(), best[v].Ints(), a[v].Ints())
					k.Op("VCMEQ", a[v].Ints(), best[v].Ints(), e[v%2].Ints()) // the best so far stays
					k.Op("VBIF", e[v%2].Bits(), centroid.Bits(), index[v].Bits())
					k.Op("VORR", a[v].Bits(), a[v].Bits(), best[v].Bits())
				}
				k.Op("ADD", imm(1), j, j)
			}
			k.Op("CMP", ksub, j)
			k.Op("BLT", group)

			k.Comment("The least distances, the codes, and the largest of the distances.")
			k.stores(best, dist, 0)
			k.Op("ADD", imm(4*lanesPQ), dist, dist)
			k.Op("LSL", imm(6), dsub, t)
			k.Op("ADD", t, xt, xt)
			k.narrow(index)
			for l := range lanesPQ {
				k.Op("VMOV", index[0].Byte(l), t)
				k.Op("MOVB", t, a64.Mem(codes, 0))
				k.Op("ADD", stride, codes, codes)
			}
			k.Op("VUMAX", best[1].Ints(), best[0].Ints(), best[0].Ints())
			k.Op("VUMAX", best[3].Ints(), best[2].Ints(), best[2].Ints())
			k.Op("VUMAX", best[2].Ints(), best[0].Ints(), best[0].Ints())
			for i := range 4 {
				k.Op("VMOV", best[0].Int(i), t)
				k.Op("CMP", result, t)
				k.Op("CSEL", a64.Cond("HI"), t, result, result)
			}
		})
		k.Bind(end)
		k.Op("MOVW", result, k.param("ret"))
		k.Op("RET")
	}}

// narrow leaves the lowest bytes of 16 integers of 32 bits in v[0].
func (k *kernel) narrow(v []V) {
	k.Op("VUZP1", v[1].Words(), v[0].Words(), v[0].Words())
	k.Op("VUZP1", v[3].Words(), v[2].Words(), v[2].Words())
	k.Op("VUZP1", v[2].Bits(), v[0].Bits(), v[0].Bits())
}
