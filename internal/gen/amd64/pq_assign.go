package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanesPQ points share a block; they lie in the lanes of one vector or two, and a centroid's coordinates are broadcast.
const lanesPQ = 16

// pqAssign keeps, for 16 points, the sums of several centroids at once, then lets them compete: distances are not negative, so
// their bits compare as integers, which more units can do than compare floating-point numbers. No distance is ever
// written to memory but the least.
var pqAssign = source{
	family: "pq", name: "assign", entry: "Assign", elems: plain,
	sig: "(blocks, dsub, ksub int, xt, ct *float32, codes *uint8, stride int, dist *float32) uint32",
	emit: func(k *kernel) {
		a := &assignKernel{kernel: k, centroids: 4, vectors: 2}
		if k.wide {
			a.centroids, a.vectors = 8, 1
		}
		a.emit()
	},
}

type assignKernel struct {
	*kernel
	centroids, vectors int // at once; vectors of points
	dsub, row, x       reg.GPVirtual
	best, index        []reg.VecVirtual
	numbers, ct, left  reg.GPVirtual
	acc                [][]reg.VecVirtual // by centroid and vector
}

func (a *assignKernel) emit() {
	blocks := a.arg("blocks")
	a.dsub, a.row = a.arg("dsub"), a.bytesArg("ksub")
	a.x = a.arg("xt")
	ct, codes, stride, dist := a.arg("ct"), a.arg("codes"), a.arg("stride"), a.arg("dist")
	worst := a.AllocLocal(a.bytes) // AVX2 has no register to spare for it
	w := a.vec()
	a.zero(w)
	a.store(w, worst)
	a.TESTQ(blocks, blocks)
	a.JZ(operand.LabelRef("end"))

	a.Label("block")
	a.best, a.index = a.vecs(a.vectors), a.vecs(a.vectors)
	for v := range a.vectors {
		a.zero(a.index[v])
		a.ones(a.best[v])
	}
	a.numbers, a.ct, a.left = a.GP64(), a.GP64(), a.GP64()
	a.LEAQ(a.countUp(), a.numbers)
	a.MOVQ(ct, a.ct)
	a.MOVQ(a.row, a.left)
	a.Label("centroids")
	a.distances()
	a.compete()
	a.ADDQ(operand.Imm(uint64(4*a.centroids)), a.numbers)
	a.ADDQ(operand.Imm(uint64(4*a.centroids)), a.ct)
	a.SUBQ(operand.Imm(uint64(4*a.centroids)), a.left)
	a.JNZ(operand.LabelRef("centroids"))

	w = a.vec()
	a.load(worst, w)
	for v := range a.vectors {
		a.VPMAXUD(a.best[v], w, w)
		a.store(a.best[v], a.at(dist, v*a.lanes()))
	}
	a.store(w, worst)
	a.ADDQ(operand.Imm(4*lanesPQ), dist)
	a.writeCodes(codes, stride)
	points := a.GP64()
	a.MOVQ(a.dsub, points)
	a.SHLQ(operand.U8(6), points)
	a.ADDQ(points, a.x)
	a.DECQ(blocks)
	a.JNZ(operand.LabelRef("block"))

	a.Label("end")
	w = a.vec()
	a.load(worst, w)
	a.retMax(w)
}

// ones sets all bits.
func (k *kernel) ones(v reg.VecVirtual) {
	if k.wide {
		k.VPTERNLOGD(operand.Imm(0xff), v, v, v)
	} else {
		k.VPCMPEQD(v, v, v)
	}
}

// distances computes those of the next centroids to all points of the block.
func (a *assignKernel) distances() {
	a.acc = make([][]reg.VecVirtual, a.centroids)
	for c := range a.acc {
		a.acc[c] = a.vecs(a.vectors)
	}
	x, ct, t := a.GP64(), a.GP64(), a.GP64()
	a.MOVQ(a.x, x)
	a.MOVQ(a.ct, ct)
	a.MOVQ(a.dsub, t)
	a.coordinate(x, ct, true)
	a.DECQ(t)
	a.JZ(operand.LabelRef("compete"))
	a.Label("coordinates")
	a.ADDQ(operand.Imm(4*lanesPQ), x)
	a.ADDQ(a.row, ct)
	a.coordinate(x, ct, false)
	a.DECQ(t)
	a.JNZ(operand.LabelRef("coordinates"))
	a.Label("compete")
}

// coordinate adds the squares of one coordinate's differences. The first is added to nothing: the product alone rounds as
// a fused addition to zero does.
func (a *assignKernel) coordinate(x, ct reg.GPVirtual, first bool) {
	points := a.vecs(a.vectors)
	for v, p := range points {
		a.load(a.at(x, v*a.lanes()), p)
	}
	for c, acc := range a.acc {
		var centroid reg.VecVirtual
		if !a.wide {
			centroid = a.vec()
			a.bcast(a.at(ct, c), centroid)
		}
		for v, p := range points {
			e := a.vec()
			if a.wide {
				a.VSUBPS_BCST(a.at(ct, c), p, e)
			} else {
				a.VSUBPS(centroid, p, e)
			}
			if first {
				a.mul(e, e, acc[v])
			} else {
				a.fma(e, e, acc[v])
			}
		}
	}
}

// compete lets each of the new centroids replace the best so far where it is nearer.
func (a *assignKernel) compete() {
	for c, acc := range a.acc {
		number := a.at(a.numbers, c)
		if a.wide {
			nearer := a.K()
			a.VPCMPUD(operand.Imm(1), a.best[0], acc[0], nearer)
			a.VPMINUD(acc[0], a.best[0], a.best[0])
			a.VPBROADCASTD(number, nearer, a.index[0])
			continue
		}
		n := a.vec()
		a.VPBROADCASTD(number, n)
		for v := range a.vectors {
			least := acc[v]
			a.VPMINUD(acc[v], a.best[v], least)
			a.VPCMPEQD(least, a.best[v], a.best[v]) // the best so far stays
			a.VPBLENDVB(a.best[v], a.index[v], n, a.index[v])
			a.VMOVDQA(least, a.best[v])
		}
	}
}

// writeCodes stores the 16 indices as bytes, stride apart, and leaves codes behind them.
func (a *assignKernel) writeCodes(codes, stride reg.GPVirtual) {
	b := a.XMM()
	if a.wide {
		a.VPMOVDB(a.index[0], b)
	} else {
		words, high := a.YMM(), a.XMM()
		a.VPACKUSDW(a.index[1], a.index[0], words)
		a.VPERMQ(operand.Imm(0xd8), words, words)
		a.VEXTRACTI128(operand.Imm(1), words, high)
		a.VPACKUSWB(high, words.AsX(), b)
	}
	a.CMPQ(stride, operand.Imm(1))
	a.JNE(operand.LabelRef("apart"))
	a.VMOVDQU(b, operand.Mem{Base: codes})
	a.ADDQ(operand.Imm(lanesPQ), codes)
	a.JMP(operand.LabelRef("written"))
	a.Label("apart")
	for l := range lanesPQ {
		a.VPEXTRB(operand.Imm(uint64(l)), b, operand.Mem{Base: codes})
		a.ADDQ(stride, codes)
	}
	a.Label("written")
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
