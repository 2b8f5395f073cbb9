package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dots computes all inner products of the rows of two matrices, lanes along the rows: four rows of A and up to so many of B
// at a time that the sums fill the registers. Where there are fewer than four rows of A the last one is taken repeatedly.
var dots = source{
	family: "gemm", name: "dots", entry: "Dots", sig: "(m, n, k int, alpha T, a *T, lda int, b *T, ldb, nr int, beta T, c *T, ldc int)",
	emit: func(k *kernel) { (&dotsKernel{kernel: k}).emit() },
}

const dotRows = 4

type dotsKernel struct {
	*kernel
	a                          []reg.GPVirtual
	aBase, cRow, m, bBase, now operand.Mem // rows of A, of C, rows left, rows of B, the tile of C
	n, hasBeta                 operand.Mem
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
		*l = d.AllocLocal(8)
	}
	m, n := d.arg("m"), d.arg("n")
	d.unlessEmpty(m, n)
	d.MOVQ(m, d.m)
	t := d.arg("a")
	d.MOVQ(t, d.aBase)
	t = d.arg("c")
	d.MOVQ(t, d.cRow)
	t = d.nonZero(d.scalarArg("beta"))
	d.MOVQ(t, d.hasBeta)

	d.Label("rows")
	n = d.arg("n")
	d.MOVQ(n, d.n)
	t = d.arg("b")
	d.MOVQ(t, d.bBase)
	t = d.GP64()
	d.MOVQ(d.cRow, t)
	d.MOVQ(t, d.now)
	d.Label("columns")
	rows := d.GP64()
	d.MOVQ(d.m, rows)
	d.a = d.clamped(d.aBase, "lda", dotRows, rows)
	cols := d.arg("nr")
	d.CMPQ(cols, d.n)
	d.CMOVQGT(d.n, cols)
	for s := d.dotCols(); s > 1; s-- {
		d.CMPQ(cols, operand.Imm(uint64(s)))
		d.JEQ(operand.LabelRef(fmt.Sprintf("by%d", s)))
	}
	for s := 1; s <= d.dotCols(); s++ {
		d.tile(s)
	}
	d.Label("next")
	nr, ldb := d.arg("nr"), d.bytesArg("ldb")
	t = d.GP64()
	d.MOVQ(nr, t)
	d.SHLQ(operand.U8(d.shift), t)
	d.ADDQ(t, d.now)
	d.IMULQ(nr, ldb)
	d.ADDQ(ldb, d.bBase)
	d.SUBQ(nr, d.n)
	d.JG(operand.LabelRef("columns"))
	lda, ldc := d.bytesArg("lda"), d.bytesArg("ldc")
	d.SHLQ(operand.Imm(2), lda)
	d.SHLQ(operand.Imm(2), ldc)
	d.ADDQ(lda, d.aBase)
	d.ADDQ(ldc, d.cRow)
	d.SUBQ(operand.Imm(dotRows), d.m)
	d.JG(operand.LabelRef("rows"))
	d.Label("done")
	d.done()
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
	d.Label(here)
	b := []reg.GPVirtual{d.GP64()}
	d.MOVQ(d.bBase, b[0])
	ldb := d.bytesArg("ldb")
	for i := 1; i < s; i++ {
		b = append(b, d.GP64())
		d.LEAQ(operand.Mem{Base: b[i-1], Index: ldb, Scale: 1}, b[i])
	}
	acc := d.vecs(dotRows * s) // acc[c*dotRows+r]
	for _, v := range acc {
		d.VXORPS(v, v, v) // all of the register: what is left of it would be alive from the start
	}
	j, full := d.GP64(), d.arg("k")
	d.XORL(j.As32(), j.As32())
	d.ANDQ(operand.I32(-d.lanes()), full)
	d.SHLQ(operand.U8(d.shift), full)
	d.JZ(operand.LabelRef(here + "rest"))
	d.Label(here + "loop")
	row := d.vecs(s)
	for c := range row {
		d.load(operand.Mem{Base: b[c], Index: j, Scale: 1}, row[c])
	}
	for r := range dotRows {
		v := d.vec()
		d.load(operand.Mem{Base: d.a[r], Index: j, Scale: 1}, v)
		for c := range row {
			d.fma(row[c], v, acc[c*dotRows+r])
		}
	}
	d.ADDQ(operand.Imm(uint64(d.bytes)), j)
	d.CMPQ(j, full)
	d.JB(operand.LabelRef(here + "loop"))
	d.Label(here + "rest")
	k := d.arg("k")
	d.ANDQ(operand.U32(d.lanes()-1), k)
	d.JZ(operand.LabelRef(here + "sums"))
	rest := d.maskOf(k)
	for c := range s {
		v := d.vec()
		d.loadMasked(operand.Mem{Base: b[c], Index: j, Scale: 1}, rest, v)
		for r := range dotRows {
			w := d.vec()
			d.loadMasked(operand.Mem{Base: d.a[r], Index: j, Scale: 1}, rest, w)
			d.fma(v, w, acc[c*dotRows+r])
		}
	}
	d.Label(here + "sums")
	sums := make([][]reg.VecVirtual, s)
	alpha := d.XMM()
	d.bcastTo(d.scalarArg("alpha"), alpha)
	for c := range s {
		sums[c] = d.sumFour(acc[c*dotRows:][:dotRows])
		for _, v := range sums[c] {
			d.mul(alpha, v, v)
		}
	}
	ldc, p, hasBeta := d.bytesArg("ldc"), d.GP64(), d.GP64()
	beta := alpha
	d.bcastTo(d.scalarArg("beta"), beta)
	d.MOVQ(d.now, p)
	d.MOVQ(d.hasBeta, hasBeta)
	rows := d.GP64()
	d.MOVQ(d.m, rows)
	for r := range dotRows {
		skip := fmt.Sprintf("%swrite%d", here, r)
		lane := make([]reg.VecVirtual, s)
		for c := range lane {
			lane[c] = d.XMM()
			perLane := 4
			if d.f64 {
				perLane = 2
			}
			from := sums[c][r/perLane]
			if d.f64 {
				d.VPERMILPD(operand.Imm(uint64(r%2)), from, lane[c])
			} else {
				d.VPERMILPS(operand.Imm(uint64(r)), from, lane[c])
			}
		}
		d.TESTQ(hasBeta, hasBeta)
		d.JZ(operand.LabelRef(skip))
		for c, v := range lane {
			pick(d.kernel, d.VFMADD231SS, d.VFMADD231SD)(d.at(p, c), beta, v)
		}
		d.Label(skip)
		for c, v := range lane {
			pick(d.kernel, d.VMOVSS, d.VMOVSD)(v, d.at(p, c))
		}
		if r < dotRows-1 {
			d.ADDQ(ldc, p)
			d.DECQ(rows)
			d.JZ(operand.LabelRef("next"))
		}
	}
	d.JMP(operand.LabelRef("next"))
}

// sumFour adds each of four vectors across its lanes; the sums come in one register of four float32 or two of two float64.
// The halves of a vector are added, then pairs of vectors are folded into one.
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
