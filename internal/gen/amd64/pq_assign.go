package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanesPQ points share a block; they lie in the lanes of one vector or two, and a centroid's coordinates are broadcast.
const lanesPQ = 16

// pqAssign keeps, for 16 points, the sums of several centroids at once, then lets them compete: distances are not
// negative, so their bits compare as integers, which more units can do than compare floating-point numbers. No distance
// is ever written to memory but the least.
var pqAssign = source{
	family: "pq", name: "assign", entry: "Assign", elems: plain,
	sig: "(blocks, dsub, ksub int, xt, ct *float32, codes *uint8, stride int, dist *float32) uint32",
	emit: func(k *kernel) {
		a := &assignKernel{k: k, centroids: 4, vectors: 2}
		if k.wide {
			a.centroids, a.vectors = 8, 1
		}
		a.emit()
	},
}

type assignKernel struct {
	k                  *kernel
	centroids, vectors int // at once; vectors of points
	dsub, row, x       reg.GPVirtual
	best, index        []reg.VecVirtual
	numbers, ct, left  reg.GPVirtual
	acc                [][]reg.VecVirtual // by centroid and vector
}

func (a *assignKernel) emit() {
	blocks := a.k.arg("blocks")
	a.dsub, a.row = a.k.arg("dsub"), a.k.bytesArg("ksub")
	a.x = a.k.arg("xt")
	ct, codes, stride, dist := a.k.arg("ct"), a.k.arg("codes"), a.k.arg("stride"), a.k.arg("dist")
	worst := a.k.AllocLocal(a.k.bytes) // AVX2 has no register to spare for it
	w := a.k.vec()
	a.k.zero(w)
	a.k.store(w, worst)
	a.k.TESTQ(blocks, blocks)
	a.k.JZ(operand.LabelRef("end"))

	a.k.section("block", "The next 16 points.")
	a.best, a.index = a.k.vecs(a.vectors), a.k.vecs(a.vectors)
	for v := range a.vectors {
		a.k.zero(a.index[v])
		a.k.ones(a.best[v])
	}
	a.numbers, a.ct, a.left = a.k.GP64(), a.k.GP64(), a.k.GP64()
	a.k.LEAQ(a.k.countUp(), a.numbers)
	a.k.MOVQ(ct, a.ct)
	a.k.MOVQ(a.row, a.left)
	a.k.section("centroids", fmt.Sprintf("Squared distances to the next %d centroids.", a.centroids))
	a.distances()
	a.k.Comment("The nearest so far, and its number.")
	a.compete()
	a.k.ADDQ(operand.Imm(uint64(4*a.centroids)), a.numbers)
	a.k.ADDQ(operand.Imm(uint64(4*a.centroids)), a.ct)
	a.k.SUBQ(operand.Imm(uint64(4*a.centroids)), a.left)
	a.k.JNZ(operand.LabelRef("centroids"))

	a.k.Comment("The least distances, the largest of them, and the codes.")
	w = a.k.vec()
	a.k.load(worst, w)
	for v := range a.vectors {
		a.k.VPMAXUD(a.best[v], w, w)
		a.k.store(a.best[v], a.k.at(dist, v*a.k.lanes()))
	}
	a.k.store(w, worst)
	a.k.ADDQ(operand.Imm(4*lanesPQ), dist)
	a.writeCodes(codes, stride)
	points := a.k.GP64()
	a.k.MOVQ(a.dsub, points)
	a.k.SHLQ(operand.U8(6), points)
	a.k.ADDQ(points, a.x)
	a.k.DECQ(blocks)
	a.k.JNZ(operand.LabelRef("block"))

	a.k.section("end", "The largest of the least distances.")
	w = a.k.vec()
	a.k.load(worst, w)
	a.k.retMax(w)
}

// ones sets all bits.
func (k *kernel) ones(v reg.VecVirtual) {
	if k.wide {
		k.VPTERNLOGD(operand.Imm(0xff), v, v, v)
	} else {
		k.VPCMPEQD(v, v, v)
	}
}

// distances computes the distances of the next centroids to all points of the block.
func (a *assignKernel) distances() {
	a.acc = make([][]reg.VecVirtual, a.centroids)
	for c := range a.acc {
		a.acc[c] = a.k.vecs(a.vectors)
	}
	x, ct, t := a.k.GP64(), a.k.GP64(), a.k.GP64()
	a.k.MOVQ(a.x, x)
	a.k.MOVQ(a.ct, ct)
	a.k.MOVQ(a.dsub, t)
	a.coordinate(x, ct, true)
	a.k.DECQ(t)
	a.k.JZ(operand.LabelRef("compete"))
	a.k.Label("coordinates")
	a.k.ADDQ(operand.Imm(4*lanesPQ), x)
	a.k.ADDQ(a.row, ct)
	a.coordinate(x, ct, false)
	a.k.DECQ(t)
	a.k.JNZ(operand.LabelRef("coordinates"))
	a.k.Label("compete")
}

// coordinate adds the squares of one coordinate's differences. The first is added to nothing: the product alone rounds
// as a fused addition to zero does.
func (a *assignKernel) coordinate(x, ct reg.GPVirtual, first bool) {
	points := a.k.vecs(a.vectors)
	for v, p := range points {
		a.k.load(a.k.at(x, v*a.k.lanes()), p)
	}
	for c, acc := range a.acc {
		var centroid reg.VecVirtual
		if !a.k.wide {
			centroid = a.k.vec()
			a.k.bcast(a.k.at(ct, c), centroid)
		}
		for v, p := range points {
			e := a.k.vec()
			if a.k.wide {
				a.k.VSUBPS_BCST(a.k.at(ct, c), p, e)
			} else {
				a.k.VSUBPS(centroid, p, e)
			}
			if first {
				a.k.mul(e, e, acc[v])
			} else {
				a.k.fma(e, e, acc[v])
			}
		}
	}
}

// compete lets each of the new centroids replace the best so far where it is nearer.
func (a *assignKernel) compete() {
	for c, acc := range a.acc {
		number := a.k.at(a.numbers, c)
		if a.k.wide {
			nearer := a.k.K()
			a.k.VPCMPUD(operand.Imm(1), a.best[0], acc[0], nearer)
			a.k.VPMINUD(acc[0], a.best[0], a.best[0])
			a.k.VPBROADCASTD(number, nearer, a.index[0])
			continue
		}
		n := a.k.vec()
		a.k.VPBROADCASTD(number, n)
		for v := range a.vectors {
			least := acc[v]
			a.k.VPMINUD(acc[v], a.best[v], least)
			a.k.VPCMPEQD(least, a.best[v], a.best[v]) // the best so far stays
			a.k.VPBLENDVB(a.best[v], a.index[v], n, a.index[v])
			a.k.VMOVDQA(least, a.best[v])
		}
	}
}

// writeCodes stores the 16 indices as bytes, stride apart, and leaves codes behind them.
func (a *assignKernel) writeCodes(codes, stride reg.GPVirtual) {
	b := a.k.packBytes(a.index)
	a.k.CMPQ(stride, operand.Imm(1))
	a.k.JNE(operand.LabelRef("apart"))
	a.k.VMOVDQU(b, operand.Mem{Base: codes})
	a.k.ADDQ(operand.Imm(lanesPQ), codes)
	a.k.JMP(operand.LabelRef("written"))
	a.k.Label("apart")
	for l := range lanesPQ {
		a.k.VPEXTRB(operand.Imm(uint64(l)), b, operand.Mem{Base: codes})
		a.k.ADDQ(stride, codes)
	}
	a.k.Label("written")
}

// retMax returns the largest of the lanes as unsigned integers.
func (k *kernel) retMax(v reg.VecVirtual) {
	if k.wide {
		t := k.ZMM()
		k.VEXTRACTI64X4(operand.Imm(1), v, t.AsY())
		k.VPMAXUD(t.AsY(), v.AsY(), v.AsY())
		k.VEXTRACTI32X4(operand.Imm(1), v.AsY(), t.AsX())
		k.VPMAXUD(t.AsX(), v.AsX(), v.AsX())
	} else {
		t := k.XMM()
		k.VEXTRACTI128(operand.Imm(1), v, t)
		k.VPMAXUD(t, v.AsX(), v.AsX())
	}
	t := k.XMM()
	for _, swap := range []uint64{0x4e, 0xb1} {
		k.VPSHUFD(operand.Imm(swap), v.AsX(), t)
		k.VPMAXUD(t, v.AsX(), v.AsX())
	}
	r := k.GP32()
	k.VMOVD(v.AsX(), r)
	k.Store(r, k.ReturnIndex(0))
	k.done()
}

// countUp holds 0, 1, 2, ... 255.
func (k *kernel) countUp() operand.Mem {
	return k.global("count_up", func() {
		for i := range 256 {
			k.AppendDatum(operand.U32(i))
		}
	})
}
