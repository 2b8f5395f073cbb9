package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dots computes all inner products of the rows of two matrices, lanes along the rows: four rows of A and as many of B
// at a time as have sums that fill the registers. Where there are fewer than four rows of A the last one is taken
// repeatedly.
var dots = source{
	family: "gemm", name: "dots", entry: "Dots",
	sig:  "(m, n, k int, alpha T, a *T, lda int, b *T, ldb, nr int, beta T, c *T, ldc int)",
	emit: func(k *kernel) { (&dotsKernel{k: k}).emit() },
}

const dotRows = 4

type dotsKernel struct {
	k                          *kernel
	a                          []reg.GPVirtual
	row                        []operand.Mem    // of C, in the tile
	acc                        []reg.VecVirtual // acc[c*dotRows+r]
	aBase, cRow, m, bBase, now operand.Mem      // rows of A, of C, rows left, rows of B, the tile of C
	n, hasBeta                 operand.Mem
	alpha, beta                reg.VecVirtual
	c, ldc, ldc3, left, scales reg.GPVirtual // for write: the tile of C, its stride, rows, whether beta is not zero
}

// dotCols is the most rows of B in a tile.
func (t tier) dotCols() int {
	if t.wide {
		return 5
	}
	return 3
}

func (d *dotsKernel) emit() {
	for _, l := range []*operand.Mem{&d.aBase, &d.cRow, &d.m, &d.bBase, &d.now, &d.n, &d.hasBeta} {
		*l = d.k.AllocLocal(8)
	}
	m, n := d.k.arg("m"), d.k.arg("n")
	d.k.unlessEmpty(m, n)
	d.k.Comment("On the stack: what there is no register for.")
	d.k.MOVQ(m, d.m)
	t := d.k.arg("a")
	d.k.MOVQ(t, d.aBase)
	t = d.k.arg("c")
	d.k.MOVQ(t, d.cRow)
	t = d.k.nonZero(d.k.scalarArg("beta"))
	d.k.MOVQ(t, d.hasBeta)

	d.k.section("rows", "The next four rows of A.")
	n = d.k.arg("n")
	d.k.MOVQ(n, d.n)
	t = d.k.arg("b")
	d.k.MOVQ(t, d.bBase)
	t = d.k.GP64()
	d.k.MOVQ(d.cRow, t)
	d.k.MOVQ(t, d.now)
	d.k.section("columns", "The next rows of B, at most nr of them: a tile of C.")
	rows := d.k.GP64()
	d.k.MOVQ(d.m, rows)
	d.a = d.k.clamped(d.aBase, "lda", dotRows, rows)
	cols := d.k.arg("nr")
	d.k.CMPQ(cols, d.n)
	d.k.CMOVQGT(d.n, cols)
	for s := d.k.dotCols(); s > 1; s-- {
		d.k.CMPQ(cols, operand.Imm(uint64(s)))
		d.k.JEQ(operand.LabelRef(fmt.Sprintf("by%d", s)))
	}
	d.alpha, d.beta = d.k.XMM(), d.k.XMM()
	for _, r := range []*reg.GPVirtual{&d.c, &d.ldc, &d.ldc3, &d.left, &d.scales} {
		*r = d.k.GP64()
	}
	d.acc = d.k.vecs(dotRows * d.k.dotCols())
	for s := 1; s <= d.k.dotCols(); s++ {
		d.tile(s)
	}
	d.write()
	d.k.Label("next")
	d.k.Comment("The next tile.")
	nr, ldb := d.k.arg("nr"), d.k.bytesArg("ldb")
	t = d.k.GP64()
	d.k.MOVQ(nr, t)
	d.k.SHLQ(operand.U8(d.k.shift), t)
	d.k.ADDQ(t, d.now)
	d.k.IMULQ(nr, ldb)
	d.k.ADDQ(ldb, d.bBase)
	d.k.SUBQ(nr, d.n)
	d.k.JG(operand.LabelRef("columns"))
	lda, ldc := d.k.bytesArg("lda"), d.k.bytesArg("ldc")
	d.k.SHLQ(operand.Imm(2), lda)
	d.k.SHLQ(operand.Imm(2), ldc)
	d.k.ADDQ(lda, d.aBase)
	d.k.ADDQ(ldc, d.cRow)
	d.k.SUBQ(operand.Imm(dotRows), d.m)
	d.k.JG(operand.LabelRef("rows"))
	d.k.Label("done")
	d.k.done()
}

// clamped returns pointers to that many rows, of which only count exist: the others are the last of those.
func (k *kernel) clamped(base operand.Op, stride string, rows int, count reg.GPVirtual) (p []reg.GPVirtual) {
	zero, step := k.GP64(), k.bytesArg(stride)
	k.XORL(zero.As32(), zero.As32())
	p = append(p, k.GP64())
	k.MOVQ(base, p[0])
	for i := 1; i < rows; i++ {
		k.CMPQ(count, operand.Imm(uint64(i)))
		k.CMOVQEQ(zero, step)
		p = append(p, k.GP64())
		k.LEAQ(operand.Mem{Base: p[i-1], Index: step, Scale: 1}, p[i])
	}
	return p
}

// tile computes the products with s rows of B.
func (d *dotsKernel) tile(s int) {
	here := fmt.Sprintf("by%d", s)
	d.k.section(here, "Four rows of A and "+counted(s, "row")+" of B.")
	b := []reg.GPVirtual{d.k.GP64()}
	d.k.MOVQ(d.bBase, b[0])
	ldb := d.k.bytesArg("ldb")
	for i := 1; i < s; i++ {
		b = append(b, d.k.GP64())
		d.k.LEAQ(operand.Mem{Base: b[i-1], Index: ldb, Scale: 1}, b[i])
	}
	acc := d.acc[:dotRows*s]
	for _, v := range acc {
		d.k.VXORPS(v, v, v) // all of the register: what is left of it would be alive from the start
	}
	j, full := d.k.GP64(), d.k.arg("k")
	d.k.XORL(j.As32(), j.As32())
	d.k.ANDQ(operand.I32(-d.k.lanes()), full)
	d.k.SHLQ(operand.U8(d.k.shift), full)
	d.k.JZ(operand.LabelRef(here + "rest"))
	d.k.section(here+"loop", "Whole vectors of k.")
	row := d.k.vecs(s)
	for c := range row {
		d.k.load(operand.Mem{Base: b[c], Index: j, Scale: 1}, row[c])
	}
	for r := range dotRows {
		v := d.k.vec()
		d.k.load(operand.Mem{Base: d.a[r], Index: j, Scale: 1}, v)
		for c := range row {
			d.k.fma(row[c], v, acc[c*dotRows+r])
		}
	}
	d.k.ADDQ(operand.Imm(uint64(d.k.bytes)), j)
	d.k.CMPQ(j, full)
	d.k.JB(operand.LabelRef(here + "loop"))
	d.k.section(here+"rest", "The rest of k, under a mask.")
	k := d.k.arg("k")
	d.k.ANDQ(operand.U32(d.k.lanes()-1), k)
	d.k.JZ(operand.LabelRef(here + "sums"))
	rest := d.k.maskOf(k)
	for c := range s {
		v := d.k.vec()
		d.k.loadMasked(operand.Mem{Base: b[c], Index: j, Scale: 1}, rest, v)
		for r := range dotRows {
			w := d.k.vec()
			d.k.loadMasked(operand.Mem{Base: d.a[r], Index: j, Scale: 1}, rest, w)
			d.k.fma(v, w, acc[c*dotRows+r])
		}
	}
	d.k.section(here+"sums", "What the write needs.")
	d.place()
	if s < d.k.dotCols() {
		d.k.JMP(operand.LabelRef(fmt.Sprintf("sums%d", s)))
	}
}

// place loads what write needs; that comes with each tile, since what it reads takes its time to come.
func (d *dotsKernel) place() {
	d.k.bcastTo(d.k.scalarArg("alpha"), d.alpha)
	d.k.bcastTo(d.k.scalarArg("beta"), d.beta)
	d.k.MOVQ(d.now, d.c)
	d.k.Load(d.k.Param("ldc"), d.ldc)
	d.k.SHLQ(operand.U8(d.k.shift), d.ldc)
	d.k.LEAQ(operand.Mem{Base: d.ldc, Index: d.ldc, Scale: 2}, d.ldc3)
	d.k.MOVQ(d.m, d.left)
	d.k.MOVQ(d.hasBeta, d.scales)
}

// write adds up the sums of a tile and writes them, from the last column to the first. A tile enters at its last one.
func (d *dotsKernel) write() {
	d.row = []operand.Mem{{Base: d.c}, {Base: d.c, Index: d.ldc, Scale: 1}, {Base: d.c, Index: d.ldc, Scale: 2},
		{Base: d.c, Index: d.ldc3, Scale: 1}}
	for col := d.k.dotCols() - 1; col >= 0; col-- {
		d.k.section(fmt.Sprintf("sums%d", col+1),
			fmt.Sprintf("Column %d: the sums across the lanes, times alpha.", col))
		sums := d.k.sumFour(d.acc[col*dotRows:][:dotRows])
		for _, v := range sums {
			d.k.mul(d.alpha, v, v)
		}
		d.column(col, sums)
	}
}

// column writes sums to a column of C.
func (d *dotsKernel) column(col int, sums []reg.VecVirtual) {
	loaded, write, end := fmt.Sprintf("loaded%d", col), fmt.Sprintf("write%d", col), fmt.Sprintf("written%d", col)
	d.k.Comment("beta times C, in the rows that there are, unless beta = 0.")
	d.k.TESTQ(d.scales, d.scales)
	d.k.JZ(operand.LabelRef(write))
	old := make([]reg.VecVirtual, len(sums))
	for i := range old {
		old[i] = d.k.XMM()
	}
	d.k.zero(old[1:]...) // rows that there are not are not loaded
	perVector := dotRows / len(sums)
	d.rows(loaded, func(r int) {
		v, m := old[r/perVector], d.row[r].Offset(col*d.k.size)
		switch {
		case r%perVector == 0:
			pick(d.k, d.k.VMOVSS, d.k.VMOVSD)(m, v)
		case d.k.f64:
			d.k.VMOVHPD(m, v, v)
		default:
			d.k.VINSERTPS(operand.Imm(uint64(r)<<4), m, v, v)
		}
	})
	d.k.Label(loaded)
	for i, v := range old {
		d.k.fma(v, d.beta, sums[i])
	}
	d.k.section(write, "To C, in the rows that there are.")
	d.rows(end, func(r int) {
		v, m := sums[r/perVector], d.row[r].Offset(col*d.k.size)
		switch {
		case r%perVector == 0:
			pick(d.k, d.k.VMOVSS, d.k.VMOVSD)(v, m)
		case d.k.f64:
			d.k.VMOVHPD(v, m)
		default:
			d.k.VEXTRACTPS(operand.Imm(uint64(r)), v, m)
		}
	})
	d.k.Label(end)
}

// rows calls f for each row of a tile, and goes on at a label behind the last that there is.
func (d *dotsKernel) rows(behind string, f func(r int)) {
	for r := range dotRows {
		f(r)
		if r < dotRows-1 {
			d.k.CMPQ(d.left, operand.Imm(uint64(r+1)))
			d.k.JEQ(operand.LabelRef(behind))
		}
	}
}

// sumFour adds each of four vectors across its lanes; the sums come in one register of four float32 or two of two
// float64. The halves of a vector are added, then pairs of vectors are folded into one.
func (k *kernel) sumFour(acc []reg.VecVirtual) []reg.VecVirtual {
	high := func(v, to reg.Register, wide bool) {
		switch {
		case wide:
			k.VEXTRACTF64X4(operand.Imm(1), v, to)
		case k.wide:
			k.VEXTRACTF32X4(operand.Imm(1), v, to)
		default:
			k.VEXTRACTF128(operand.Imm(1), v, to)
		}
	}
	fold := func(a, b reg.Register, low, upper func(...operand.Op)) {
		t := k.YMM()
		low(b, a, t)
		upper(b, a, a)
		pick(k, k.VADDPS, k.VADDPD)(t, a, a)
	}
	y := make([]reg.Register, len(acc))
	for i, v := range acc {
		y[i] = v.AsY()
		if k.wide {
			t := k.YMM()
			high(v, t, true)
			k.add(t, y[i], y[i])
		}
	}
	lowPD, highPD := func(o ...operand.Op) { k.VUNPCKLPD(o...) }, func(o ...operand.Op) { k.VUNPCKHPD(o...) }
	var folded []reg.Register
	if k.f64 {
		fold(y[0], y[1], lowPD, highPD)
		fold(y[2], y[3], lowPD, highPD)
		folded = []reg.Register{y[0], y[2]}
	} else {
		lowPS, highPS := func(o ...operand.Op) { k.VUNPCKLPS(o...) }, func(o ...operand.Op) { k.VUNPCKHPS(o...) }
		fold(y[0], y[1], lowPS, highPS)
		fold(y[2], y[3], lowPS, highPS)
		fold(y[0], y[2], lowPD, highPD)
		folded = []reg.Register{y[0]}
	}
	var out []reg.VecVirtual
	for _, v := range folded {
		x := k.XMM()
		high(v, x, false)
		k.add(v.(reg.Vec).AsX(), x, x)
		out = append(out, x)
	}
	return out
}
