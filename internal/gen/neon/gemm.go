package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// gemm multiplies matrices given in panels, as the kernel for amd64 does: the tile of C has h rows of nv vectors, and
// there is a loop for each. There are no masks: the last vector of a row ends with the row and may overlap the one
// before, and rows of less than a vector have loops that load them piece by piece.
var gemm = source{"gemm", "tiles", "Tiles",
	"(m, n, k int, alpha T, a *T, ars, acs, mr, apanel int, b *T, ldb, nr, bpanel int, beta T, c *T, ldc int)",
	func(k *kernel) { (&gemmKernel{kernel: k}).emit() }}

const (
	gemmRows    = 8 // the largest h
	gemmVectors = 3 // the largest nv: 24 sums, 3 vectors of B, and 5 elements of A on their way
)

type gemmKernel struct {
	*kernel
	a, acs, b, bLast, ldb, count X
	row                          [gemmRows]X // bytes from row 0 of A to row i; row[0] is unused
	h, w, lastAt, c, cTile, t    X
	next                         a64.Label // panel of B
	v                            []V
}

func (g *gemmKernel) emit() {
	m, n, aPanel, cRow, bPanel, cTile := g.arg("m"), g.x(), g.arg("a"), g.arg("c"), g.x(), g.x()
	g.a, g.b, g.bLast, g.count, g.h, g.w, g.lastAt, g.t = g.x(), g.x(), g.x(), g.x(), g.x(), g.x(), g.x(), g.x()
	g.c, g.cTile = g.count, cTile // the count ends where C begins
	g.v = g.vs(32)
	done := g.NewLabel("done")
	g.unlessPositive(m, done)
	g.Op("MOVD", g.param("n"), g.t)
	g.unlessPositive(g.t, done)
	g.acs, g.ldb = g.bytes("acs"), g.bytes("ldb")
	g.row[1] = g.bytes("ars")
	for i := 2; i < gemmRows; i++ {
		g.row[i] = g.x()
		g.Op("ADD", g.row[1], g.row[i-1], g.row[i])
	}

	panelOfA, panelOfB := g.NewLabel("panelOfA"), g.NewLabel("panelOfB")
	g.next = g.NewLabel("nextPanelOfB")
	g.section(panelOfA, "The next panel of A: at most mr rows.")
	g.Op("MOVD", g.param("n"), n)
	g.Op("MOVD", g.param("b"), bPanel)
	g.Op("MOVD", cRow, cTile)
	g.section(panelOfB, "A tile: the panel of A times the next panel of B, of at most nr columns.")
	g.least("mr", m, g.h)
	g.least("nr", n, g.w)
	g.Op("MOVD", g.param("k"), g.count)
	g.Op("MOVD", aPanel, g.a)
	g.Op("MOVD", bPanel, g.b)
	g.tile()

	g.section(g.next, "To the next panel of B.")
	g.addBytes("nr", cTile)
	g.addBytes("bpanel", bPanel)
	g.Op("MOVD", g.param("nr"), g.t)
	g.Op("SUBS", g.t, n, n)
	g.Op("BGT", panelOfB)
	g.Comment("To the next panel of A.")
	g.addBytes("apanel", aPanel)
	g.Op("MOVD", g.param("mr"), g.t)
	g.Op("MOVD", g.param("ldc"), g.c)
	g.Op("MUL", g.t, g.c, g.c)
	g.Op("LSL", imm(g.shift()), g.c, g.c)
	g.Op("ADD", g.c, cRow, cRow)
	g.Op("SUBS", g.t, m, m)
	g.Op("BGT", panelOfA)
	g.Bind(done)
	g.Op("RET")
}

// bytes loads a count of elements as a count of bytes.
func (k *kernel) bytes(name string) X {
	x := k.arg(name)
	k.Op("LSL", imm(k.shift()), x, x)
	return x
}

// addBytes adds a parameter, a count of elements, to a pointer.
func (g *gemmKernel) addBytes(name string, p X) {
	g.Op("MOVD", g.param(name), g.t)
	g.Op("LSL", imm(g.shift()), g.t, g.t)
	g.Op("ADD", g.t, p, p)
}

// least sets d to the lesser of a parameter and x.
func (g *gemmKernel) least(name string, x, d X) {
	keep := g.NewLabel("least")
	g.Op("MOVD", g.param(name), d)
	g.Op("CMP", x, d)
	g.Op("BLE", keep)
	g.Op("MOVD", x, d)
	g.Bind(keep)
}

// tile chooses the loop by the width, then by the height of the tile.
func (g *gemmKernel) tile() {
	var width [gemmVectors + 1]a64.Label
	for nv := gemmVectors; nv >= 0; nv-- {
		width[nv] = g.NewLabel(fmt.Sprintf("vectors%d", nv))
	}
	g.Op("SUB", imm(g.lanes()), g.w, g.lastAt)
	g.Op("LSL", imm(g.shift()), g.lastAt, g.lastAt)
	g.Op("ADD", g.lastAt, g.b, g.bLast)
	for nv := gemmVectors; nv > 0; nv-- {
		least := (nv-1)*g.lanes() + 1
		if nv == 1 {
			least = g.lanes()
		}
		g.Op("CMP", imm(least), g.w)
		g.Op("BGE", width[nv])
	}
	for nv := range width {
		g.section(width[nv], "Tiles of at most "+counted(max(nv, 1), "vector")+".")
		g.width(max(nv, 1), nv == 0)
	}
}

// width emits the loops for tiles of nv vectors; narrow are tiles of less than one.
func (g *gemmKernel) width(nv int, narrow bool) {
	acc := g.v[:nv*gemmRows]
	g.zero(acc...)
	finish := g.NewLabel("finish")
	g.Op("CBZ", g.count, finish)
	loop := make([]a64.Label, gemmRows+1)
	for h := gemmRows; h > 0; h-- {
		loop[h] = g.NewLabel("loop")
		if h > 1 {
			g.Op("CMP", imm(h), g.h)
			g.Op("BEQ", loop[h])
		}
	}
	for h := 1; h <= gemmRows; h++ {
		g.section(loop[h], counted(h, "row")+" of A: a column of it times a row of B.")
		g.step(h, nv, narrow)
		g.Op("ADD", g.acs, g.a, g.a)
		g.Op("ADD", g.ldb, g.b, g.b)
		if !narrow {
			g.Op("ADD", g.ldb, g.bLast, g.bLast)
		}
		g.Op("SUBS", imm(1), g.count, g.count)
		g.Op("BNE", loop[h])
		if h < gemmRows {
			g.Op("B", finish)
		}
	}
	g.section(finish, "The rows of the tile: alpha times the sums, plus beta C.")
	g.finish(nv, narrow)
}

// step adds the product of a column of A and a row of B.
func (g *gemmKernel) step(h, nv int, narrow bool) {
	row, elements := g.v[24:24+nv], g.v[27:]
	for i := range row {
		switch {
		case narrow:
			g.piece("FLD", row[i], g.b)
		case i == nv-1:
			g.Op("FMOVQ", a64.Mem(g.bLast, 0), row[i])
		default:
			g.Op("FMOVQ", a64.Mem(g.b, i*vectorBytes), row[i])
		}
	}
	for i := range h {
		e := elements[i%len(elements)]
		from := a64.Mem(g.a, 0)
		if i > 0 {
			from = a64.Indexed(g.a, g.row[i])
		}
		g.Op(g.move, from, e)
		for v := range row {
			g.FMLALane(g.arr, g.v[i*nv+v], row[v], e, 0)
		}
	}
}

// piece loads or stores the w elements at p, fewer than a vector.
func (g *gemmKernel) piece(what string, v V, p X) {
	move := func(name string, at a64.Operand) {
		if what == "FLD" {
			g.Op(name, at, v)
		} else {
			g.Op(name, v, at)
		}
	}
	if g.lanes() == 2 {
		move("FMOVD", a64.Mem(p, 0))
		return
	}
	two, end := g.NewLabel("two"), g.NewLabel("pieceEnd")
	g.Op("TBNZ", imm(1), g.w, two)
	move("FMOVS", a64.Mem(p, 0))
	g.Op("B", end)
	g.Bind(two)
	move("FMOVD", a64.Mem(p, 0))
	g.Op("TBZ", imm(0), g.w, end)
	g.Op("ADD", imm(8), p, g.t)
	if what == "FLD" {
		g.Op("VLD1", a64.Mem(g.t, 0), v.Lane(g.arr, 2))
	} else {
		g.Op("VST1", v.Lane(g.arr, 2), a64.Mem(g.t, 0))
	}
	g.Bind(end)
}

// finish writes alpha times the sums, plus beta C. All vectors of a row are read before one is written: two may
// overlap.
func (g *gemmKernel) finish(nv int, narrow bool) {
	alpha, beta, old := g.v[27], g.v[28], g.v[24:27]
	for _, s := range []struct {
		name string
		v    V
	}{{"alpha", alpha}, {"beta", beta}} {
		g.Op(g.move, g.param(s.name), s.v)
		g.Op("VDUP", s.v.Lane(g.arr, 0), s.v.As(g.arr))
	}
	g.Op("MOVD", g.cTile, g.c)
	for r := range gemmRows {
		acc := g.v[r*nv:][:nv]
		g.Op("ADD", g.lastAt, g.c, g.bLast)
		at := func(v int) a64.Operand {
			if v == nv-1 {
				return a64.Mem(g.bLast, 0)
			}
			return a64.Mem(g.c, v*vectorBytes)
		}
		for _, v := range acc {
			g.mul(v, v, alpha)
		}
		g.unlessZero(beta, func() {
			for v := range acc {
				if narrow {
					g.piece("FLD", old[v], g.c)
				} else {
					g.Op("FMOVQ", at(v), old[v])
				}
			}
			for v := range acc {
				g.fma(acc[v], old[v], beta)
			}
		})
		for v := range acc {
			if narrow {
				g.piece("FST", acc[v], g.c)
			} else {
				g.Op("FMOVQ", acc[v], at(v))
			}
		}
		if r < gemmRows-1 {
			g.Op("SUBS", imm(1), g.h, g.h)
			g.Op("BEQ", g.next)
			g.Op("MOVD", g.param("ldc"), g.t)
			g.Op("ADD", a64.Shifted(g.t, g.shift()), g.c, g.c)
		}
	}
	g.Op("B", g.next)
}
