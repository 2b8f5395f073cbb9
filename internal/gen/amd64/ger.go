package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ger adds alpha x yᵀ to A, row by row. Rows are of one of two shapes by the length n:
//
//	short  up to gerShort vectors: y stays in registers while the rows of A stream by; a loop for each number
//	long   y comes from the first cache
//
// Both end with a vector that ends with the row, and overlaps the one before unless n fills it: it is read before
// that one is written, and what both write is the same. So no row needs a part of a vector or a mask, whose store
// would reach into the next row and hold up its first load. Rows of less than a vector are two vectors of half the
// width, and so on. Rows follow each other even for a sparse x, in which a place may come twice.
var ger = source{
	family: "blas", name: "ger", entry: "Ger", sig: "(m, n int, alpha T, x, y, a *T, lda int)",
	emit: func(k *kernel) {
		g := &gerKernel{k: k, m: k.arg("m"), n: k.arg("n"), x: k.arg("x"), y: k.arg("y"), a: k.arg("a"),
			lda: k.bytesArg("lda")}
		g.emit()
	},
}

type gerKernel struct {
	k                  *kernel
	m, n, x, y, a, lda reg.GPVirtual
	alpha              reg.VecVirtual
	last               reg.GPVirtual // where in a row, in bytes, its last vector begins
	idx, base          reg.GPVirtual // of a sparse x, the rows that its elements belong to, and row 0 of A
}

func (g *gerKernel) emit() {
	k := g.k
	if k.wide && g.idx == nil {
		k.Comment("More than 16 columns, on a CPU that splits 512-bit stores: AVX2.")
		k.CMPQ(g.n, operand.Imm(16))
		k.JBE(operand.LabelRef("narrow"))
		k.CMPB(splitStores, operand.Imm(0))
		k.JE(operand.LabelRef("packedunpacked"))
		k.VZEROUPPER()
		jump(k.Context, "ger"+k.elem.suffix+"AVX2")
		k.section("narrow", "Up to 16 columns without a gap between rows, as one long vector.")
		g.packed()
	}
	k.unlessEmpty(g.m, g.n)
	g.alpha = k.vec()
	k.bcast(k.scalarArg("alpha"), g.alpha)
	g.last = k.GP64()
	k.MOVQ(g.n, g.last)
	k.SHLQ(operand.U8(k.shift), g.last)
	k.SUBQ(operand.Imm(uint64(k.bytes)), g.last)
	full := k.GP64() // vectors before the last
	k.LEAQ(operand.Mem{Base: g.n, Disp: -1}, full)
	k.CMPQ(g.n, operand.Imm(uint64(k.lanes())))
	k.JB(operand.LabelRef("below"))
	k.SHRQ(operand.U8(bits.TrailingZeros(uint(k.lanes()))), full)
	for p := range k.gerShort() {
		k.CMPQ(full, operand.Imm(uint64(p)))
		k.JE(operand.LabelRef(fmt.Sprintf("short%d", p+1)))
	}
	g.long(full)
	for p := range k.gerShort() {
		g.short(fmt.Sprintf("short%d", p+1), p)
	}
	g.below()
	k.Label("done")
	k.done()
}

// gerShort is the most vectors of y that are held in registers.
func (t tier) gerShort() int {
	if t.wide {
		return 7
	}
	return 12
}

// below treats rows of less than a vector: as a part of one, or two that overlap.
func (g *gerKernel) below() {
	k := *g.k
	narrow := *g
	narrow.k = &k
	k.section("below", "Rows of less than a vector.")
	for k.bytes /= 2; k.bytes >= k.size; k.bytes /= 2 {
		one, two, next := fmt.Sprintf("one%d", k.bytes), fmt.Sprintf("two%d", k.bytes), fmt.Sprintf("below%d", k.bytes)
		k.forward(k.bytes, g.last)
		if k.bytes > k.size {
			k.CMPQ(g.n, operand.Imm(uint64(k.lanes())))
			k.JB(operand.LabelRef(next))
			k.JE(operand.LabelRef(one))
			narrow.short(two, 1)
		}
		narrow.short(one, 0)
		if k.bytes > k.size {
			k.Label(next)
		}
	}
}

// packed treats what it can of a packed matrix, in vectors of 512 bits: they follow each other, so that no store waits
// for another.
func (g *gerKernel) packed() {
	k := g.k
	k.ifPacked("packed", g.m, g.n, g.lda, true, func(p *packed, here string) {
		alpha, y := k.vec(), p.columns(g.y, g.n)
		k.bcast(k.scalarArg("alpha"), alpha)
		p.each(here, g.m, g.a, g.x, func(x reg.VecVirtual) {
			k.mul(alpha, x, x)
			for v, y := range y {
				t, a := k.vec(), k.vec()
				k.permute(x, p.row[v], t)
				k.load(k.at(g.a, v*k.lanes()), a)
				k.fma(y, t, a)
				k.store(a, k.at(g.a, v*k.lanes()))
			}
		})
	})
}

// enterRow has a point to the row that x[i] belongs to.
func (g *gerKernel) enterRow() {
	if g.idx != nil {
		g.k.rowAt(operand.Mem{Base: g.idx}, g.lda, g.a)
		g.k.ADDQ(g.base, g.a)
	}
}

// factor leaves alpha * x[i] of the row at hand in all lanes of a fresh register.
func (g *gerKernel) factor() reg.VecVirtual {
	t := g.k.vec()
	g.k.bcastTo(g.k.at(g.x, 0), t)
	g.k.mul(g.k.like(g.alpha, t), t, t)
	return t
}

// nextRow steps to the row below, or leaves after the last.
func (g *gerKernel) nextRow(loop string) {
	if g.idx != nil {
		g.k.ADDQ(operand.Imm(4), g.idx)
	} else {
		g.k.ADDQ(g.lda, g.a)
	}
	g.k.ADDQ(operand.Imm(uint64(g.k.size)), g.x)
	g.k.DECQ(g.m)
	g.k.JNZ(operand.LabelRef(loop))
	g.k.JMP(operand.LabelRef("done"))
}

// short treats rows of p vectors and the last one.
func (g *gerKernel) short(here string, p int) {
	k := g.k
	k.section(here, fmt.Sprintf("Rows of %d and a last vector of %d bytes.", p, k.bytes))
	y, last := k.vecs(p), k.vec()
	for j, v := range y {
		k.loadPart(k.at(g.y, j*k.lanes()), v, k.bytes)
	}
	k.loadPart(operand.Mem{Base: g.y, Index: g.last, Scale: 1}, last, k.bytes)
	k.Label(here + "row")
	g.enterRow()
	t, end := g.factor(), k.vec()
	k.loadPart(g.end(), end, k.bytes)
	for j, v := range y {
		a := k.vec()
		k.loadPart(k.at(g.a, j*k.lanes()), a, k.bytes)
		k.fma(v, t, a)
		k.storePart(a, k.at(g.a, j*k.lanes()), k.bytes)
	}
	k.fma(last, t, end)
	k.storePart(end, g.end(), k.bytes)
	g.nextRow(here + "row")
}

// end is the last vector of the row.
func (g *gerKernel) end() operand.Mem { return operand.Mem{Base: g.a, Index: g.last, Scale: 1} }

// long treats rows of any number of vectors before the last, at least four.
func (g *gerKernel) long(full reg.GPVirtual) {
	k := g.k
	a, y, n, last := k.GP64(), k.GP64(), k.GP64(), k.vec()
	k.section("long", "Rows of any length.")
	k.load(operand.Mem{Base: g.y, Index: g.last, Scale: 1}, last)
	k.Label("longrow")
	g.enterRow()
	t, end := g.factor(), k.vec()
	k.load(g.end(), end)
	k.MOVQ(g.a, a)
	k.MOVQ(g.y, y)
	k.LEAQ(operand.Mem{Base: full, Disp: -4}, n)
	vectors := func(count int) {
		for j := range count {
			v := k.vec()
			k.load(k.at(a, j*k.lanes()), v)
			k.fma(k.at(y, j*k.lanes()), t, v)
			k.store(v, k.at(a, j*k.lanes()))
		}
		k.forward(count*k.bytes, a, y)
	}
	k.Label("longby4")
	vectors(4)
	k.SUBQ(operand.Imm(4), n)
	k.JAE(operand.LabelRef("longby4"))
	for count := 2; count >= 1; count-- { // n - 4 has the low bits of n
		k.TESTQ(operand.U32(uint32(count)), n)
		k.JZ(operand.LabelRef(fmt.Sprintf("longnot%d", count)))
		vectors(count)
		k.Label(fmt.Sprintf("longnot%d", count))
	}
	k.fma(last, t, end)
	k.store(end, g.end())
	g.nextRow("longrow")
}
