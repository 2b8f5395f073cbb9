package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemm multiplies matrices given in panels, which may be packed copies or windows of the operands themselves. The tile
// of C that grows in registers has h rows, of whose elements of A one at a time meets all lanes of a row of B, nv
// vectors wide. There is a loop for each h and nv, so that any matrix can be cut into tiles of nearly one size.
var gemm = source{
	family: "gemm", name: "tiles", entry: "Tiles", sig: gemmSig,
	emit: func(k *kernel) { (&gemmKernel{k: k}).emit() },
}

// tilesB16 is the same for pairs of bfloat16, which stand where float32 stand in A and B: only where VDPBF16PS is.
var tilesB16 = source{
	family: "half", name: "tilesb16", entry: "TilesB16", elems: plain, forms: []tier{bf16},
	sig:  strings.NewReplacer("a *T", "a *uint32", "b *T", "b *uint32").Replace(gemmSig),
	emit: func(k *kernel) { (&gemmKernel{k: k, pairs: true}).emit() },
}

const gemmSig = "(m, n, k int, alpha T, a *T, ars, acs, mr, apanel int, b *T, ldb, nr, bpanel int, beta T, c *T, " +
	"ldc int)"

// tileRows is the largest h for nv = 1, 2, ...: the sums, a row of B and an element of A fill the registers.
func (t tier) tileRows() []int {
	if t.wide {
		return []int{14, 14, 9, 6}
	}
	return []int{12, 6, 4}
}

type gemmKernel struct {
	k                     *kernel
	pairs                 bool          // elements of A and B are pairs of bfloat16
	a, a7                 reg.GPVirtual // rows 0 and 7 of the panel of A, now
	ars, ars3, ars5, acs  reg.GPVirtual // bytes
	b, ldb, count         reg.GPVirtual
	h, w                  reg.GPVirtual // rows and columns of the tile
	aPanel, cRow, m, rows operand.Mem   // of the panel of A: itself, its rows of C, rows left, rows
	bPanel, cTile, n      operand.Mem   // of the panel of B: itself, the tile of C, columns left
	last                  mask          // AVX-512: lanes of the last vector
	// AVX2: the last vector ends with the row and may overlap the one before: its offset
	lastAt reg.GPVirtual
	vector []reg.VecPhysical
}

func (g *gemmKernel) emit() {
	for _, v := range []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9,
		reg.Z10,
		reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22,
		reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}[:g.k.regs] {
		if !g.k.wide {
			v = v.AsY().(reg.VecPhysical)
		}
		g.vector = append(g.vector, v)
	}
	for _, l := range []*operand.Mem{&g.rows, &g.bPanel, &g.cTile, &g.n} {
		*l = g.k.AllocLocal(8)
	}
	// arguments are the callee's to change
	g.m, g.aPanel, g.cRow = g.k.scalarArg("m"), g.k.scalarArg("a"), g.k.scalarArg("c")
	t := g.k.GP64()
	g.k.CMPQ(g.m, operand.Imm(0))
	g.k.JLE(operand.LabelRef("done"))
	g.k.Load(g.k.Param("n"), t)
	g.k.TESTQ(t, t)
	g.k.JLE(operand.LabelRef("done"))
	g.ars, g.acs, g.ldb = g.k.bytesArg("ars"), g.k.bytesArg("acs"), g.k.bytesArg("ldb")
	g.ars3, g.ars5 = g.k.GP64(), g.k.GP64()
	g.k.LEAQ(operand.Mem{Base: g.ars, Index: g.ars, Scale: 2}, g.ars3)
	g.k.LEAQ(operand.Mem{Base: g.ars, Index: g.ars, Scale: 4}, g.ars5)

	g.k.section("panelOfA", "The next panel of A: at most mr rows.")
	rows := g.k.arg("mr")
	g.k.CMPQ(rows, g.m)
	g.k.CMOVQGT(g.m, rows)
	g.k.MOVQ(rows, g.rows)
	for _, arg := range []struct {
		name string
		to   operand.Mem
	}{{"n", g.n}, {"b", g.bPanel}} {
		g.k.Load(g.k.Param(arg.name), t)
		g.k.MOVQ(t, arg.to)
	}
	g.k.MOVQ(g.cRow, t)
	g.k.MOVQ(t, g.cTile)

	g.k.section("panelOfB", "A tile: the panel of A times the next panel of B, of at most nr columns.")
	g.tile()

	g.k.Label("nextPanelOfB")
	g.k.Comment("To the next panel of B.")
	nr := g.k.arg("nr")
	g.k.MOVQ(nr, t)
	g.k.SHLQ(operand.U8(g.k.shift), t)
	g.k.ADDQ(t, g.cTile)
	step := g.k.bytesArg("bpanel")
	g.k.ADDQ(step, g.bPanel)
	g.k.SUBQ(nr, g.n)
	g.k.JG(operand.LabelRef("panelOfB"))

	g.k.Comment("To the next panel of A.")
	step = g.k.bytesArg("apanel")
	g.k.ADDQ(step, g.aPanel)
	step = g.k.bytesArg("ldc")
	r := g.k.arg("mr")
	g.k.SUBQ(r, g.m)
	g.k.IMULQ(r, step)
	g.k.ADDQ(step, g.cRow)
	g.k.CMPQ(g.m, operand.Imm(0))
	g.k.JG(operand.LabelRef("panelOfA"))
	g.k.Label("done")
	g.k.done()
}

// tile emits the code for one tile: the choice of the loop, the loops, and what writes C.
func (g *gemmKernel) tile() {
	g.a, g.b, g.count, g.h, g.w = g.k.GP64(), g.k.GP64(), g.k.arg("k"), g.k.GP64(), g.k.arg("nr")
	g.k.Comment("The pointers of the tile, its height and width.")
	g.k.MOVQ(g.aPanel, g.a)
	g.a7 = g.k.GP64()
	g.k.LEAQ(operand.Mem{Base: g.a, Index: g.ars5, Scale: 1}, g.a7)
	g.k.LEAQ(operand.Mem{Base: g.a7, Index: g.ars, Scale: 2}, g.a7)
	g.k.MOVQ(g.bPanel, g.b)
	g.k.MOVQ(g.rows, g.h)
	g.k.CMPQ(g.w, g.n)
	g.k.CMOVQGT(g.n, g.w)
	if g.k.wide {
		r := g.k.GP64()
		g.k.LEAQ(operand.Mem{Base: g.w, Disp: -1}, r)
		g.k.ANDQ(operand.U32(g.k.lanes()-1), r)
		g.k.INCQ(r)
		g.last = g.k.maskOf(r)
	} else {
		g.lastAt = g.k.GP64()
		g.k.LEAQ(operand.Mem{Base: g.w, Disp: -g.k.lanes()}, g.lastAt)
		g.k.SHLQ(operand.U8(g.k.shift), g.lastAt)
		g.k.CMPQ(g.w, operand.Imm(uint64(g.k.lanes())))
		g.k.JL(operand.LabelRef("narrow"))
	}
	max := g.k.tileRows()
	for nv := len(max); nv > 1; nv-- {
		g.k.CMPQ(g.w, operand.Imm(uint64((nv-1)*g.k.lanes())))
		g.k.JG(operand.LabelRef(fmt.Sprintf("vectors%d", nv)))
	}
	if g.k.wide && !g.pairs {
		g.k.CMPQ(g.w, operand.Imm(uint64(g.k.lanes()/2)))
		g.k.JLE(operand.LabelRef("half"))
	}
	for i, rows := range max {
		(&tileWidth{gemmKernel: g, nv: i + 1, max: rows, name: fmt.Sprintf("vectors%d", i+1)}).emit()
	}
	if g.k.wide && !g.pairs { // half a vector takes half the time where 512 bits are worked on in two turns
		half := *g
		half.vector = nil
		for _, v := range g.vector {
			half.vector = append(half.vector, v.AsY().(reg.VecPhysical))
		}
		(&tileWidth{gemmKernel: &half, nv: 1, max: max[0], name: "half"}).emit()
	}
	if !g.k.wide {
		(&tileWidth{gemmKernel: g, nv: 1, max: max[0], name: "narrow", narrow: true}).emit()
	}
}

// tileWidth is the code for tiles of nv vectors. narrow are tiles of less than one vector, where there are no masks.
type tileWidth struct {
	*gemmKernel
	nv, max int
	name    string
	narrow  bool
}

func (g *tileWidth) emit() {
	g.k.section(g.name, "Tiles of "+counted(g.nv, "vector")+".")
	acc := g.vector[:g.nv*g.max]
	for _, v := range acc {
		g.k.VXORPS(v.AsX(), v.AsX(), v.AsX())
	}
	if g.narrow {
		p, end := g.k.GP64(), g.k.GP64()
		g.k.LEAQ(g.k.onesThenZeros(), p)
		g.k.MOVQ(g.w, end)
		g.k.NEGQ(end)
		g.k.VMOVUPS(operand.Mem{Base: p, Disp: 32, Index: end, Scale: uint8(g.k.size)}, g.vector[15])
	}
	g.k.TESTQ(g.count, g.count)
	g.k.JLE(operand.LabelRef(g.name + "end"))
	g.prefetch()
	g.choose(1, g.max)
	for h := g.max; h > 0; h-- {
		loop := fmt.Sprintf("%sby%d", g.name, h)
		g.k.Label(loop)
		g.k.Comment(counted(h, "row") + " of A: a column of it times a row of B.")
		g.step(h)
		g.k.ADDQ(g.acs, g.a)
		if h > 7 {
			g.k.ADDQ(g.acs, g.a7)
		}
		g.k.ADDQ(g.ldb, g.b)
		g.k.DECQ(g.count)
		g.k.JNZ(operand.LabelRef(loop))
		if h > 1 {
			g.k.JMP(operand.LabelRef(g.name + "end"))
		}
	}
	g.k.section(g.name+"end", "alpha times the sums, unless alpha = 1.")
	g.finish(acc)
}

// prefetch asks for the tile of C, where sums are so long that it comes while they grow.
func (g *tileWidth) prefetch() {
	g.k.CMPQ(g.count, operand.Imm(64))
	g.k.JL(operand.LabelRef(g.name + "choose"))
	c, ldc, rows := g.k.GP64(), g.k.bytesArg("ldc"), g.k.GP64()
	g.k.MOVQ(g.cTile, c)
	g.k.MOVQ(g.h, rows)
	g.k.Label(g.name + "prefetch")
	for at := 0; at < g.nv*g.k.bytes; at += 64 {
		g.k.PREFETCHT0(operand.Mem{Base: c, Disp: at})
	}
	g.k.ADDQ(ldc, c)
	g.k.DECQ(rows)
	g.k.JNZ(operand.LabelRef(g.name + "prefetch"))
	g.k.Label(g.name + "choose")
}

// choose jumps to the loop for h, known to be in [low, high], by bisection.
func (g *tileWidth) choose(low, high int) {
	if low == high {
		g.k.JMP(operand.LabelRef(fmt.Sprintf("%sby%d", g.name, low)))
		return
	}
	mid := (low + high + 1) / 2
	here := fmt.Sprintf("%sfrom%dto%d", g.name, mid, high)
	g.k.CMPQ(g.h, operand.Imm(uint64(mid)))
	g.k.JGE(operand.LabelRef(here))
	g.choose(low, mid-1)
	g.k.Label(here)
	g.choose(mid, high)
}

// step adds the product of a column of A and a row of B.
func (g *tileWidth) step(h int) {
	free := g.vector[g.nv*g.max:]
	row, elements := free[:g.nv], free[g.nv:]
	if g.narrow {
		elements = elements[:1]
	}
	for v := range row {
		m := operand.Mem{Base: g.b, Disp: v * g.k.bytes}
		switch {
		case g.narrow:
			pick(g.k, g.k.VMASKMOVPS, g.k.VMASKMOVPD)(m, g.vector[15], row[v])
		case v < g.nv-1:
			g.k.load(m, row[v])
		case g.k.wide:
			g.k.loadMasked(m, g.last, row[v])
		default:
			g.k.load(operand.Mem{Base: g.b, Index: g.lastAt, Scale: 1}, row[v])
		}
	}
	for i := range h {
		m := g.rowOfA(i)
		// the last saves Zen 4 three hundredths, nobody knows why
		if g.k.wide && !g.pairs && (g.nv == 1 || g.nv == 2 && i == h-1) {
			for v := range row {
				pick(g.k, g.k.VFMADD231PS_BCST, g.k.VFMADD231PD_BCST)(m, row[v], g.vector[i*g.nv+v])
			}
			continue
		}
		e := elements[i%len(elements)]
		g.k.bcast(m, e)
		for v := range row {
			if g.pairs {
				g.k.dpbf16(row[v], e, g.vector[i*g.nv+v])
			} else {
				g.k.fma(row[v], e, g.vector[i*g.nv+v])
			}
		}
	}
}

func (g *gemmKernel) rowOfA(i int) operand.Mem {
	base := g.a
	if i >= 7 {
		base, i = g.a7, i-7
	}
	switch i {
	case 0:
		return operand.Mem{Base: base}
	case 3, 6:
		return operand.Mem{Base: base, Index: g.ars3, Scale: uint8(i / 3)}
	case 5:
		return operand.Mem{Base: base, Index: g.ars5, Scale: 1}
	}
	return operand.Mem{Base: base, Index: g.ars, Scale: uint8(i)}
}

// finish writes alpha times the sums, plus beta C.
func (g *tileWidth) finish(acc []reg.VecPhysical) {
	factor := g.vector[g.nv*g.max]
	c, ldc := g.k.GP64(), g.k.bytesArg("ldc")
	g.k.MOVQ(g.cTile, c)
	g.k.unlessNumber("alpha", 1, g.name+"scaled", func() {
		g.k.bcast(g.k.scalarArg("alpha"), factor)
		for _, v := range acc {
			g.k.mul(v, factor, v)
		}
	})
	zero := g.k.nonZero(g.k.scalarArg("beta"))
	g.k.TESTQ(zero, zero)
	g.k.JZ(operand.LabelRef(g.name + "overwrite"))
	g.k.Comment("beta C.")
	g.k.bcast(g.k.scalarArg("beta"), factor)
	g.readRows(ldc, factor)
	g.k.section(g.name+"overwrite", "The rows of the tile.")
	g.writeRows(c, ldc)
}

// unlessNumber runs code unless the argument is that number.
func (k *kernel) unlessNumber(name string, number float64, skip string, code func()) {
	bits := k.GP64()
	if k.f64 {
		k.MOVQ(operand.U64(math.Float64bits(number)), bits)
		k.CMPQ(bits, k.scalarArg(name))
	} else {
		k.MOVL(operand.U32(math.Float32bits(float32(number))), bits.As32())
		k.CMPL(bits.As32(), k.scalarArg(name))
	}
	k.JEQ(operand.LabelRef(skip))
	code()
	k.Label(skip)
}

// readRows adds beta times the old rows of the tile. All are read before any is written: vectors of a row may overlap,
// and where rows are next to each other a load from behind a masked store would wait for it.
func (g *tileWidth) readRows(ldc reg.GPVirtual, beta reg.Register) {
	old := g.vector[g.nv*g.max+1]
	c, rows := g.k.GP64(), g.k.GP64()
	g.k.MOVQ(g.cTile, c)
	g.k.MOVQ(g.h, rows)
	for i := range g.max {
		for v, acc := range g.vector[i*g.nv:][:g.nv] {
			switch {
			case g.narrow:
				pick(g.k, g.k.VMASKMOVPS, g.k.VMASKMOVPD)(g.at(c, v), g.vector[15], old)
				g.k.fma(old, beta, acc)
			case g.k.wide && v == g.nv-1:
				g.k.loadMasked(g.at(c, v), g.last, old)
				g.k.fma(old, beta, acc)
			default:
				g.k.fma(g.at(c, v), beta, acc)
			}
		}
		if i+1 < g.max {
			g.k.ADDQ(ldc, c)
			g.k.DECQ(rows)
			g.k.JZ(operand.LabelRef(g.name + "overwrite"))
		}
	}
}

// writeRows writes the rows of the tile.
func (g *tileWidth) writeRows(c, ldc reg.GPVirtual) {
	for i := range g.max {
		for v, acc := range g.vector[i*g.nv:][:g.nv] {
			switch {
			case g.narrow:
				pick(g.k, g.k.VMASKMOVPS, g.k.VMASKMOVPD)(acc, g.vector[15], g.at(c, v))
			case g.k.wide && v == g.nv-1:
				g.k.storeMasked(acc, g.last, g.at(c, v))
			default:
				g.k.store(acc, g.at(c, v))
			}
		}
		if i+1 < g.max {
			g.k.ADDQ(ldc, c)
			g.k.DECQ(g.h)
			g.k.JZ(operand.LabelRef("nextPanelOfB"))
		}
	}
	g.k.JMP(operand.LabelRef("nextPanelOfB"))
}

// at is the memory of vector v of the row at c.
func (g *tileWidth) at(c reg.GPVirtual, v int) operand.Mem {
	if v == g.nv-1 && !g.k.wide && !g.narrow {
		return operand.Mem{Base: c, Index: g.lastAt, Scale: 1}
	}
	return operand.Mem{Base: c, Disp: v * g.k.bytes}
}
