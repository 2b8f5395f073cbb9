package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemm multiplies matrices given in panels, which may be packed copies or windows of the operands themselves. The tile of
// C that grows in registers has h rows, of whose elements of A one at a time meets all lanes of a row of B, nv vectors wide.
// There is a loop for each h and nv, so that any matrix can be cut into tiles of nearly one size.
var gemm = source{
	family: "gemm", name: "tiles", entry: "Tiles", sig: gemmSig,
	emit: func(k *kernel) { (&gemmKernel{kernel: k}).emit() },
}

const gemmSig = "(m, n, k int, alpha T, a *T, ars, acs, mr, apanel int, b *T, ldb, nr, bpanel int, beta T, c *T, ldc int)"

// tileRows is the largest h for nv = 1, 2, ...: the sums, a row of B and an element of A fill the registers.
func (t tier) tileRows() []int {
	if t.wide {
		return []int{14, 14, 9, 6}
	}
	return []int{12, 6, 4}
}

type gemmKernel struct {
	*kernel
	a, a7                 reg.GPVirtual // rows 0 and 7 of the panel of A, now
	ars, ars3, ars5, acs  reg.GPVirtual // bytes
	b, ldb, count         reg.GPVirtual
	h, w                  reg.GPVirtual // rows and columns of the tile
	aPanel, cRow, m, rows operand.Mem   // of the panel of A: itself, its rows of C, rows left, rows
	bPanel, cTile, n      operand.Mem   // of the panel of B: itself, the tile of C, columns left
	last                  mask          // AVX-512: lanes of the last vector
	lastAt                reg.GPVirtual // AVX2: the last vector ends with the row and may overlap the one before: its offset
	vector                []reg.VecPhysical
}

func (g *gemmKernel) emit() {
	for _, v := range []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10,
		reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}[:g.regs] {
		if !g.wide {
			v = v.AsY().(reg.VecPhysical)
		}
		g.vector = append(g.vector, v)
	}
	for _, l := range []*operand.Mem{&g.aPanel, &g.cRow, &g.m, &g.rows, &g.bPanel, &g.cTile, &g.n} {
		*l = g.AllocLocal(8)
	}
	t := g.GP64()
	for _, arg := range []struct {
		name string
		to   operand.Mem
	}{{"m", g.m}, {"a", g.aPanel}, {"c", g.cRow}} {
		g.Load(g.Param(arg.name), t)
		g.MOVQ(t, arg.to)
	}
	g.CMPQ(g.m, operand.Imm(0))
	g.JLE(operand.LabelRef("done"))
	g.Load(g.Param("n"), t)
	g.TESTQ(t, t)
	g.JLE(operand.LabelRef("done"))
	g.ars, g.acs, g.ldb = g.bytesArg("ars"), g.bytesArg("acs"), g.bytesArg("ldb")
	g.ars3, g.ars5 = g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: g.ars, Index: g.ars, Scale: 2}, g.ars3)
	g.LEAQ(operand.Mem{Base: g.ars, Index: g.ars, Scale: 4}, g.ars5)

	g.Label("panelOfA")
	rows := g.arg("mr")
	g.CMPQ(rows, g.m)
	g.CMOVQGT(g.m, rows)
	g.MOVQ(rows, g.rows)
	for _, arg := range []struct {
		name string
		to   operand.Mem
	}{{"n", g.n}, {"b", g.bPanel}} {
		g.Load(g.Param(arg.name), t)
		g.MOVQ(t, arg.to)
	}
	g.MOVQ(g.cRow, t)
	g.MOVQ(t, g.cTile)

	g.Label("panelOfB")
	g.tile()

	g.Label("nextPanelOfB")
	nr := g.arg("nr")
	g.MOVQ(nr, t)
	g.SHLQ(operand.U8(g.shift), t)
	g.ADDQ(t, g.cTile)
	step := g.bytesArg("bpanel")
	g.ADDQ(step, g.bPanel)
	g.SUBQ(nr, g.n)
	g.JG(operand.LabelRef("panelOfB"))

	step = g.bytesArg("apanel")
	g.ADDQ(step, g.aPanel)
	step = g.bytesArg("ldc")
	r := g.arg("mr")
	g.SUBQ(r, g.m)
	g.IMULQ(r, step)
	g.ADDQ(step, g.cRow)
	g.CMPQ(g.m, operand.Imm(0))
	g.JG(operand.LabelRef("panelOfA"))
	g.Label("done")
	g.done()
}

// tile emits the code for one tile: the choice of the loop, the loops, and what writes C.
func (g *gemmKernel) tile() {
	g.a, g.b, g.count, g.h, g.w = g.GP64(), g.GP64(), g.arg("k"), g.GP64(), g.arg("nr")
	g.MOVQ(g.aPanel, g.a)
	g.a7 = g.GP64()
	g.LEAQ(operand.Mem{Base: g.a, Index: g.ars5, Scale: 1}, g.a7)
	g.LEAQ(operand.Mem{Base: g.a7, Index: g.ars, Scale: 2}, g.a7)
	g.MOVQ(g.bPanel, g.b)
	g.MOVQ(g.rows, g.h)
	g.CMPQ(g.w, g.n)
	g.CMOVQGT(g.n, g.w)
	if g.wide {
		r := g.GP64()
		g.LEAQ(operand.Mem{Base: g.w, Disp: -1}, r)
		g.ANDQ(operand.U32(g.lanes()-1), r)
		g.INCQ(r)
		g.last = g.maskOf(r)
	} else {
		g.lastAt = g.GP64()
		g.LEAQ(operand.Mem{Base: g.w, Disp: -g.lanes()}, g.lastAt)
		g.SHLQ(operand.U8(g.shift), g.lastAt)
		g.CMPQ(g.w, operand.Imm(uint64(g.lanes())))
		g.JL(operand.LabelRef("narrow"))
	}
	max := g.tileRows()
	for nv := len(max); nv > 1; nv-- {
		g.CMPQ(g.w, operand.Imm(uint64((nv-1)*g.lanes())))
		g.JG(operand.LabelRef(fmt.Sprintf("vectors%d", nv)))
	}
	for i, rows := range max {
		(&tileWidth{gemmKernel: g, nv: i + 1, max: rows, name: fmt.Sprintf("vectors%d", i+1)}).emit()
	}
	if !g.wide {
		(&tileWidth{gemmKernel: g, nv: 1, max: max[0], name: "narrow", narrow: true}).emit()
	}
}

// tileWidth is the code for tiles of nv vectors. narrow are those of less than one vector, where there are no masks.
type tileWidth struct {
	*gemmKernel
	nv, max int
	name    string
	narrow  bool
}

func (g *tileWidth) emit() {
	g.Label(g.name)
	acc := g.vector[:g.nv*g.max]
	for _, v := range acc {
		g.VXORPS(v.AsX(), v.AsX(), v.AsX())
	}
	if g.narrow {
		p, end := g.GP64(), g.GP64()
		g.LEAQ(g.onesThenZeros(), p)
		g.MOVQ(g.w, end)
		g.NEGQ(end)
		g.VMOVUPS(operand.Mem{Base: p, Disp: 32, Index: end, Scale: uint8(g.size)}, g.vector[15])
	}
	g.TESTQ(g.count, g.count)
	g.JLE(operand.LabelRef(g.name + "end"))
	g.choose(1, g.max)
	for h := g.max; h > 0; h-- {
		loop := fmt.Sprintf("%sby%d", g.name, h)
		g.Label(loop)
		g.step(h)
		g.ADDQ(g.acs, g.a)
		if h > 7 {
			g.ADDQ(g.acs, g.a7)
		}
		g.ADDQ(g.ldb, g.b)
		g.DECQ(g.count)
		g.JNZ(operand.LabelRef(loop))
		if h > 1 {
			g.JMP(operand.LabelRef(g.name + "end"))
		}
	}
	g.Label(g.name + "end")
	g.finish(acc)
}

// choose jumps to the loop for h, known to be in [low, high], by bisection.
func (g *tileWidth) choose(low, high int) {
	if low == high {
		g.JMP(operand.LabelRef(fmt.Sprintf("%sby%d", g.name, low)))
		return
	}
	mid := (low + high + 1) / 2
	here := fmt.Sprintf("%sfrom%dto%d", g.name, mid, high)
	g.CMPQ(g.h, operand.Imm(uint64(mid)))
	g.JGE(operand.LabelRef(here))
	g.choose(low, mid-1)
	g.Label(here)
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
		m := operand.Mem{Base: g.b, Disp: v * g.bytes}
		switch {
		case g.narrow:
			pick(g.kernel, g.VMASKMOVPS, g.VMASKMOVPD)(m, g.vector[15], row[v])
		case v < g.nv-1:
			g.load(m, row[v])
		case g.wide:
			g.loadMasked(m, g.last, row[v])
		default:
			g.load(operand.Mem{Base: g.b, Index: g.lastAt, Scale: 1}, row[v])
		}
	}
	for i := range h {
		m := g.rowOfA(i)
		if g.wide && (g.nv == 1 || g.nv == 2 && i == h-1) { // the last saves Zen 4 three hundredths, nobody knows why
			for v := range row {
				pick(g.kernel, g.VFMADD231PS_BCST, g.VFMADD231PD_BCST)(m, row[v], g.vector[i*g.nv+v])
			}
			continue
		}
		e := elements[i%len(elements)]
		g.bcast(m, e)
		for v := range row {
			g.fma(row[v], e, g.vector[i*g.nv+v])
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
	c, ldc := g.GP64(), g.bytesArg("ldc")
	g.MOVQ(g.cTile, c)
	g.unlessNumber("alpha", 1, g.name+"scaled", func() {
		g.bcast(g.scalarArg("alpha"), factor)
		for _, v := range acc {
			g.mul(v, factor, v)
		}
	})
	zero := g.nonZero(g.scalarArg("beta"))
	g.TESTQ(zero, zero)
	g.JZ(operand.LabelRef(g.name + "overwrite"))
	g.bcast(g.scalarArg("beta"), factor)
	g.writeRows(c, ldc, factor)
	g.Label(g.name + "overwrite")
	g.writeRows(c, ldc, nil)
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

// writeRows writes the rows of the tile, each vector of a row read before any is written, since two may overlap.
func (g *tileWidth) writeRows(c, ldc reg.GPVirtual, beta reg.Register) {
	for i := range g.max {
		at := func(v int) operand.Mem {
			if v == g.nv-1 && !g.wide && !g.narrow {
				return operand.Mem{Base: c, Index: g.lastAt, Scale: 1}
			}
			return operand.Mem{Base: c, Disp: v * g.bytes}
		}
		acc := g.vector[i*g.nv:][:g.nv]
		for v := range acc {
			if beta == nil {
				break
			}
			switch old := g.vector[g.nv*g.max+1]; {
			case g.narrow:
				pick(g.kernel, g.VMASKMOVPS, g.VMASKMOVPD)(at(v), g.vector[15], old)
				g.fma(old, beta, acc[v])
			case g.wide && v == g.nv-1:
				g.loadMasked(at(v), g.last, old)
				g.fma(old, beta, acc[v])
			default:
				g.fma(at(v), beta, acc[v])
			}
		}
		for v := range acc {
			switch {
			case g.narrow:
				pick(g.kernel, g.VMASKMOVPS, g.VMASKMOVPD)(acc[v], g.vector[15], at(v))
			case g.wide && v == g.nv-1:
				g.storeMasked(acc[v], g.last, at(v))
			default:
				g.store(acc[v], at(v))
			}
		}
		if i+1 < g.max {
			g.ADDQ(ldc, c)
			g.DECQ(g.h)
			g.JZ(operand.LabelRef("nextPanelOfB"))
		}
	}
	g.JMP(operand.LabelRef("nextPanelOfB"))
}
