package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemv sets y = alpha A x + beta y. Several rows share each load of x; their sums are added across lanes together.
// AVX-512 takes 8 rows, then 4, then one by one; AVX2, with half the registers, 4 and one. See gemv_lines.go for rows
// that begin at different places of their cache lines.
var gemv = source{
	family: "blas", name: "gemv", entry: "Gemv", sig: "(m, n int, alpha T, a *T, lda int, x *T, beta T, y *T)",
	emit: emitGemv,
}

func emitGemv(k *kernel) {
	newGemv(k).emit()
}

type gemvKernel struct {
	k                  *kernel
	m, n, a, lda, x, y reg.GPVirtual
	lda3               reg.GPVirtual // 3 lda
	hasBeta            reg.GPVirtual
	rest               mask // of the columns behind the last full vector
}

func (g *gemvKernel) emit() {
	g.hasBeta = g.k.nonZero(g.k.scalarArg("beta"))
	g.lda3 = g.k.GP64()
	g.k.LEAQ(operand.Mem{Base: g.lda, Index: g.lda, Scale: 2}, g.lda3)
	r := g.k.GP64()
	g.k.MOVQ(g.n, r)
	g.k.ANDQ(operand.U32(g.k.lanes()-1), r)
	g.rest = g.k.maskOf(r)
	if g.k.wide {
		g.chooseLines()
		g.rows(8, 1)
	}
	g.rows(4, 2)
	g.rows(1, 4)
	g.k.done()
	if g.k.wide && !g.k.single {
		g.lines(32)
		g.lines(16)
	}
}

// newGemv loads the arguments, but for alpha and beta.
func newGemv(k *kernel) *gemvKernel {
	return &gemvKernel{
		k: k, m: k.arg("m"), n: k.arg("n"), a: k.arg("a"), lda: k.dataBytesArg("lda"), x: k.arg("x"), y: k.arg("y"),
	}
}

// nonZero returns a register that is zero if the number is.
func (k *kernel) nonZero(number operand.Mem) reg.GPVirtual {
	r := k.GP64()
	if k.f64 {
		k.MOVQ(number, r)
	} else {
		k.MOVL(number, r.As32())
	}
	k.ADDQ(r, r) // drops the sign of a float64
	if !k.f64 {
		k.MOVL(r.As32(), r.As32()) // and of a float32
	}
	return r
}

// rows treats groups of that many rows while as many are left, cols vectors of each at a time.
func (g *gemvKernel) rows(rows, cols int) {
	here := fmt.Sprintf("rows%d", rows)
	g.k.section(here, counted(rows, "row")+" at a time.")
	g.k.SUBQ(operand.Imm(uint64(rows)), g.m)
	g.k.JB(operand.LabelRef(here + "end"))

	acc := g.k.vecs(rows * cols) // acc[c*rows+i] belongs to row i
	g.k.zero(acc...)
	p, x, n := []reg.GPVirtual{g.k.GP64()}, g.k.GP64(), g.k.GP64()
	g.k.MOVQ(g.a, p[0])
	if rows > 4 {
		p = append(p, g.k.GP64())
		g.k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 4}, p[1])
	}
	g.k.MOVQ(g.x, x)
	g.k.MOVQ(g.n, n)
	for _, vecs := range unique(cols, 1) {
		loop := fmt.Sprintf("%sby%d", here, vecs)
		g.k.SUBQ(operand.Imm(uint64(vecs*g.k.lanes())), n)
		g.k.JB(operand.LabelRef(loop + "end"))
		g.k.section(loop, counted(vecs, "vector")+" of columns at a time.")
		for c := range vecs {
			v := g.k.vec()
			g.k.load(g.k.at(x, c*g.k.lanes()), v)
			for i := range rows {
				m := g.rowOf(p, i)
				m.Disp = g.k.dataBytes(c * g.k.bytes)
				g.k.fmaData(m, v, acc[c*rows+i])
			}
		}
		g.k.forward(g.k.dataBytes(vecs*g.k.bytes), p...)
		g.k.forward(vecs*g.k.bytes, x)
		g.k.SUBQ(operand.Imm(uint64(vecs*g.k.lanes())), n)
		g.k.JAE(operand.LabelRef(loop))
		g.k.Label(loop + "end")
		g.k.ADDQ(operand.Imm(uint64(vecs*g.k.lanes())), n)
	}
	g.k.TESTQ(n, n)
	g.k.JZ(operand.LabelRef(here + "sum"))
	g.k.Comment("The rest of the columns, under a mask.")
	v := g.k.vec()
	g.k.loadMasked(g.k.at(x, 0), g.rest, v)
	for i := range rows {
		w := g.k.vec()
		g.k.loadDataMasked(g.rowOf(p, i), g.rest, w)
		g.k.fma(w, v, acc[i])
	}
	g.k.section(here+"sum", "The sums across chains and lanes.")
	for c := cols / 2; c > 0; c /= 2 {
		for i := range c * rows {
			g.k.add(acc[c*rows+i], acc[i], acc[i])
		}
	}
	g.finish(here, g.sumRows(acc[:rows]), rows*g.k.size)
	g.k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: uint8(rows)}, g.a)
	g.k.ADDQ(operand.Imm(uint64(rows*g.k.size)), g.y)
	g.k.JMP(operand.LabelRef(here))
	g.k.Label(here + "end")
	g.k.ADDQ(operand.Imm(uint64(rows)), g.m)
}

func unique(a, b int) []int {
	if a == b {
		return []int{a}
	}
	return []int{a, b}
}

// rowOf is the memory i rows below p[0]; p[1], where there is one, lies 4 rows below.
func (g *gemvKernel) rowOf(p []reg.GPVirtual, i int) operand.Mem {
	base := p[i/4]
	switch i % 4 {
	case 0:
		return operand.Mem{Base: base}
	case 3:
		return operand.Mem{Base: base, Index: g.lda3, Scale: 1}
	}
	return operand.Mem{Base: base, Index: g.lda, Scale: uint8(i % 4)}
}

// finish writes y = alpha s + beta y for the first bytes of s.
func (g *gemvKernel) finish(here string, s reg.Vec, bytes int) {
	width := map[int]func() reg.VecVirtual{32: g.k.YMM, 64: g.k.ZMM}[bytes]
	if width == nil {
		width = g.k.XMM
	}
	t := width()
	v := g.k.like(s, t)
	g.k.Comment("y = alpha s + beta y.")
	g.k.bcastTo(g.k.scalarArg("alpha"), t)
	g.k.mul(t, v, v)
	g.k.TESTQ(g.hasBeta, g.hasBeta)
	g.k.JZ(operand.LabelRef(here + "write"))
	g.k.bcastTo(g.k.scalarArg("beta"), t)
	y := width()
	g.k.loadPart(operand.Mem{Base: g.y}, y, bytes)
	g.k.fma(y, t, v)
	g.k.Label(here + "write")
	g.k.storePart(v, operand.Mem{Base: g.y}, bytes)
}

// bcastTo broadcasts at any width: VBROADCASTSD has no 128-bit form, VMOVDDUP does the same.
func (k *kernel) bcastTo(m operand.Mem, v reg.Register) {
	if k.f64 && v.Size() == 16 {
		k.VMOVDDUP(m, v)
		return
	}
	k.bcast(m, v)
}

// sumRows adds each vector across its lanes: the sums come back in order in the first lanes of one register.
func (g *gemvKernel) sumRows(acc []reg.VecVirtual) reg.Vec {
	switch {
	case len(acc) == 1:
		g.k.sumLanes(acc[0], g.k.bytes)
		return acc[0]
	case !g.k.wide:
		return g.sum4(acc)
	case len(acc) == 4:
		acc = append(acc[:4:4], g.k.vecs(4)...)
		g.k.zero(acc[4:]...)
	}
	return g.sum8(acc)
}

// sum4 adds the lanes of four 256-bit vectors.
func (g *gemvKernel) sum4(acc []reg.VecVirtual) reg.Vec {
	a, b, c, d := acc[0], acc[1], acc[2], acc[3]
	s, t := g.k.YMM(), g.k.YMM()
	if g.k.f64 {
		g.k.VHADDPD(b, a, a) // a0+a1 b0+b1 | a2+a3 b2+b3
		g.k.VHADDPD(d, c, c)
		g.k.VPERM2F128(operand.Imm(0x20), c, a, s) // low halves of a, c
		g.k.VPERM2F128(operand.Imm(0x31), c, a, t) // high halves
		g.k.VADDPD(t, s, s)
		return s
	}
	g.k.VHADDPS(b, a, a)
	g.k.VHADDPS(d, c, c)
	g.k.VHADDPS(c, a, s)
	g.k.VEXTRACTF128(operand.Imm(1), s, t.AsX())
	g.k.VADDPS(t.AsX(), s.AsX(), s.AsX())
	return s
}

// sum8 adds the lanes of eight 512-bit vectors as a transposition would, halving their number at each level: first
// 256-bit halves, then 128-bit lanes of rows 0..3 and 4..7, then pairs within a lane.
func (g *gemvKernel) sum8(acc []reg.VecVirtual) reg.Vec {
	fold := func(a, b reg.VecVirtual, low, high uint64) {
		t := g.k.ZMM()
		g.k.VSHUFF64X2(operand.Imm(high), b, a, t)
		g.k.VSHUFF64X2(operand.Imm(low), b, a, a)
		g.k.add(t, a, a)
	}
	for i := 0; i < 8; i += 2 {
		fold(acc[i], acc[i+1], 0x44, 0xee) // row i | row i+1
	}
	fold(acc[0], acc[2], 0x88, 0xdd) // rows 0 1 2 3, a lane each
	fold(acc[4], acc[6], 0x88, 0xdd) // rows 4 5 6 7
	lo, hi := acc[0], acc[4]
	t := g.k.ZMM()
	pick(g.k, g.k.VUNPCKHPS, g.k.VUNPCKHPD)(hi, lo, t)
	pick(g.k, g.k.VUNPCKLPS, g.k.VUNPCKLPD)(hi, lo, lo)
	g.k.add(t, lo, lo)
	order := g.k.ZMM()
	g.k.load(g.rowOrder(), order)
	if g.k.f64 { // lane i holds rows i, i+4
		g.k.VPERMPD(lo, order, lo)
		return lo
	}
	g.k.VPERMILPS(operand.Imm(0x4e), lo, t)
	g.k.add(t, lo, lo) // lane i holds rows i, i+4, i, i+4
	g.k.VPERMPS(lo, order, lo)
	return lo
}

// rowOrder is the permutation that brings lane i's pair of rows i, i+4 into order.
func (g *gemvKernel) rowOrder() operand.Mem {
	m := &g.k.order[g.k.shift-2]
	if *m == nil {
		s := g.k.StaticGlobal(fmt.Sprintf("row_order%d", 8*g.k.size))
		g.k.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range 64 / g.k.size {
			lane, per := i%4, 16/g.k.size
			index := lane*per + i/4%2
			if g.k.f64 {
				g.k.AppendDatum(operand.U64(uint64(index)))
			} else {
				g.k.AppendDatum(operand.U32(uint32(index)))
			}
		}
		*m = &s
	}
	return **m
}
