package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panelInts is the number of columns of a packed panel: three vectors of 512 bits.
const panelInts = 48

// intsTiles multiplies rows of A with a packed panel of B, whose bytes have the other sign: four neighbours of a
// column's bytes meet four of a row's. The tile that grows in registers has eight rows and 48 columns with VNNI.
// Without it bytes are widened, a sum has two lanes a column, and the tile has eight rows and 16 columns, with AVX2
// four and 8. The last group of rows takes some once more.
var intsTiles = source{
	family: "ints", name: "tiles", entry: "Tiles",
	sig:   "(m, n, k int, a *T, lda int, b *uint8, start, c *int32, ldc int)",
	elems: byteElems, forms: byteForms,
	emit: func(k *kernel) {
		signed := k.goType == "int8"
		t := &tilesKernel{bytesKernel: &bytesKernel{k: k, x: signed, y: !signed}, signed: signed, rows: 8, cols: 16}
		if !k.wide {
			t.rows, t.cols = 4, 8
		}
		if t.vnni() {
			t.cols = panelInts
		}
		t.emit()
	},
}

type tilesKernel struct {
	*bytesKernel
	signed                  bool // whether A is
	rows, cols              int
	a, ld, ld3, m, start, c reg.GPVirtual
	last                    mask        // lanes of the last vector of a row of C
	n, b, cPanel            operand.Mem // of the panel: columns left, itself, its part of C
}

func (t *tilesKernel) emit() {
	t.n, t.b, t.cPanel = t.k.scalarArg("n"), t.k.scalarArg("b"), t.k.scalarArg("c")
	m, n := t.k.arg("m"), t.k.arg("n")
	t.k.unlessEmpty(m, n)
	t.k.section("columns", "The next panel: its columns, and the mask of the last vector.")
	t.m, t.a, t.ld, t.ld3 = t.k.arg("m"), t.k.arg("a"), t.k.arg("lda"), t.k.GP64()
	t.k.LEAQ(operand.Mem{Base: t.ld, Index: t.ld, Scale: 2}, t.ld3)
	t.start, t.c = t.k.arg("start"), t.k.GP64()
	t.k.MOVQ(t.cPanel, t.c)
	per := min(16, t.cols)
	w, left := t.k.GP64(), t.k.GP64()
	t.k.MOVQ(t.n, w)
	t.k.MOVQ(operand.U32(t.cols), left)
	t.k.CMPQ(w, left)
	t.k.CMOVQGT(left, w)
	lanes := t.k.GP64()
	t.k.LEAQ(operand.Mem{Base: w, Disp: -1}, lanes)
	t.k.ANDQ(operand.Imm(uint64(per-1)), lanes)
	t.k.INCQ(lanes)
	ints := *t.k
	ints.elem = plain[0]
	t.last = ints.maskOf(lanes)
	if !t.vnni() {
		t.tile(2)
	} else {
		for vecs := 3; vecs > 1; vecs-- {
			t.k.CMPQ(w, operand.Imm(uint64((vecs-1)*16)))
			t.k.JG(operand.LabelRef(fmt.Sprintf("by%d", vecs)))
		}
		for vecs := 1; vecs <= 3; vecs++ {
			t.k.Label(fmt.Sprintf("by%d", vecs))
			t.tile(vecs)
		}
	}
	t.k.section("next", "To the next panel.")
	t.k.ADDQ(operand.U32(4*t.cols), t.b)
	t.k.ADDQ(operand.U32(4*t.cols), t.cPanel)
	t.k.SUBQ(operand.U32(t.cols), t.n)
	t.k.JG(operand.LabelRef("columns"))
	t.k.Label("done")
	t.k.done()
}

// tile goes through all rows with that many vectors of sums a row.
func (t *tilesKernel) tile(vecs int) {
	here := fmt.Sprintf("tile%d", vecs)
	t.k.section(here, fmt.Sprintf("A tile of %d rows, each of %s of sums.", t.rows, counted(vecs, "vector")))
	sums := t.k.vecs(t.rows * vecs) // sums[i*vecs+v]
	for _, s := range sums {
		t.k.VXORPS(s, s, s) // all of the register: what is left of it would be alive from the start
	}
	p, b, count := []reg.GPVirtual{t.k.GP64()}, t.k.GP64(), t.k.arg("k")
	t.k.MOVQ(t.a, p[0])
	if t.rows > 4 {
		p = append(p, t.k.GP64())
		t.k.LEAQ(operand.Mem{Base: t.a, Index: t.ld, Scale: 4}, p[1])
	}
	t.k.MOVQ(t.b, b)
	t.k.ADDQ(operand.Imm(3), count)
	t.k.SHRQ(operand.Imm(2), count)
	t.k.section(here+"loop", "Four bytes of each row and of each column.")
	t.product(p, b, sums, vecs)
	t.k.forward(4*panelInts, b)
	t.k.forward(4, p...)
	t.k.DECQ(count)
	t.k.JZ(operand.LabelRef(here + "finish"))
	t.k.CMPQ(count, operand.Imm(1))
	t.k.JNE(operand.LabelRef(here + "loop"))
	last := t.k.arg("k") // the last group ends with the row: (k - 1) & 3 - 3 bytes further
	t.k.DECQ(last)
	t.k.ANDQ(operand.Imm(3), last)
	for _, p := range p {
		t.k.LEAQ(operand.Mem{Base: p, Index: last, Scale: 1, Disp: -3}, p)
	}
	t.k.JMP(operand.LabelRef(here + "loop"))
	t.k.section(here+"finish", "What the rows start with plus the sums, to C.")
	t.finish(sums, vecs)

	t.k.Comment("The next rows; the last group takes some once more.")
	t.k.forward(4*t.rows, t.start)
	t.k.LEAQ(operand.Mem{Base: t.a, Index: t.ld, Scale: uint8(t.rows)}, t.a)
	t.k.SUBQ(operand.Imm(uint64(t.rows)), t.m)
	t.k.JZ(operand.LabelRef("next"))
	t.k.CMPQ(t.m, operand.Imm(uint64(t.rows)))
	t.k.JGE(operand.LabelRef(here))
	back, ldc := t.k.GP64(), t.k.arg("ldc")
	t.k.SUBQ(operand.Imm(uint64(t.rows)), t.m)
	t.k.LEAQ(operand.Mem{Base: t.start, Index: t.m, Scale: 4}, t.start)
	t.k.MOVQ(t.m, back)
	t.k.IMULQ(t.ld, back)
	t.k.ADDQ(back, t.a)
	t.k.IMULQ(t.m, ldc)
	t.k.LEAQ(operand.Mem{Base: t.c, Index: ldc, Scale: 4}, t.c)
	t.k.MOVQ(operand.U32(t.rows), t.m)
	t.k.JMP(operand.LabelRef(here))
}

// product adds the products of four bytes of each row and of each column.
func (t *tilesKernel) product(p []reg.GPVirtual, b reg.GPVirtual, sums []reg.VecVirtual, vecs int) {
	columns := t.k.vecs(vecs)
	for v := range columns {
		m := operand.Mem{Base: b, Disp: v * 4 * 16}
		switch {
		case t.vnni():
			t.k.VMOVDQU64(m, columns[v])
		default:
			m.Disp = v * t.k.bytes / 2
			t.read(true, m, columns[v])
		}
	}
	r := &intRows{k: t.k, ld: t.ld, ld3: t.ld3}
	for i := range t.rows {
		row := t.k.vec()
		if t.vnni() {
			t.k.VPBROADCASTD(r.rowOf(p, i), row)
		} else {
			half := t.k.halved().vec()
			t.k.VPBROADCASTD(r.rowOf(p, i), half)
			t.read(false, half, row)
		}
		for v, column := range columns {
			sum := sums[i*vecs+v]
			switch {
			case !t.vnni():
				e := t.k.vec()
				t.k.VPMADDWD(row, column, e)
				t.k.VPADDD(e, sum, sum)
			case t.signed:
				t.k.VPDPBUSD(row, column, sum)
			default:
				t.k.VPDPBUSD(column, row, sum)
			}
		}
	}
}

// finish adds what the rows start with and writes the rows of C.
func (t *tilesKernel) finish(sums []reg.VecVirtual, vecs int) {
	ints := *t.k
	ints.elem = plain[0]
	ldc := t.k.arg("ldc")
	t.k.SHLQ(operand.Imm(2), ldc) // bytes
	for i := range t.rows {
		row := sums[i*vecs:][:vecs]
		if !t.vnni() {
			row = []reg.VecVirtual{t.folded(row[0], row[1])}
		}
		at := operand.Mem{Base: t.start, Disp: 4 * i}
		for v, s := range row {
			if t.k.wide {
				t.k.VPADDD_BCST(at, s, s)
			} else {
				e := t.k.vec()
				t.k.VPBROADCASTD(at, e)
				t.k.VPADDD(e, s, s)
			}
			to := operand.Mem{Base: t.c, Disp: v * t.k.bytes}
			if v+1 == len(row) {
				ints.storeMasked(s, t.last, to)
			} else {
				t.k.VMOVDQU64(s, to)
			}
		}
		t.k.ADDQ(ldc, t.c)
	}
}

// folded adds neighbours of two vectors, and brings the sums of the columns into order.
func (t *tilesKernel) folded(low, high reg.VecVirtual) reg.VecVirtual {
	if !t.k.wide {
		t.k.VPHADDD(high, low, low)
		t.k.VPERMQ(operand.Imm(0xd8), low, low)
		return low
	}
	order := t.k.global("evens_odds", func() {
		for half := range 2 {
			for i := range 16 {
				t.k.AppendDatum(operand.U32(2*i + half))
			}
		}
	})
	evens, odds := t.k.vec(), t.k.vec()
	t.k.VMOVDQU64(order, evens)
	t.k.VMOVDQU64(order.Offset(64), odds)
	t.k.VPERMI2D(high, low, evens)
	t.k.VPERMI2D(high, low, odds)
	t.k.VPADDD(odds, evens, evens)
	return evens
}
