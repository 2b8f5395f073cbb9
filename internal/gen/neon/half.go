package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// Kernels of bfloat16 (B16) and float16 (H16) read 16 bits an element and compute in float32: a pair of vectors of
// float32 is one vector in memory, and is converted as it is loaded.

const (
	halvesSig    = "(x, y *uint16, n int) float32"
	cosineSig    = "(x, y *uint16, n int) (xy, xx, yy float32)"
	rowsSig      = "(m, n int, a *uint16, lda int, x *uint16, y *float32)"
	mixedRowsSig = "(m, n int, a *uint16, lda int, x, y *float32)"
	widenSig     = "(x *uint16, y *float32, n int)"
	narrowSig    = "(x *float32, y *uint16, n int)"
)

var (
	dotB16       = source{"half", "dotb16", "DotB16", halvesSig, ofHalves(false, emitHalfDot)}
	dotH16       = source{"half", "doth16", "DotH16", halvesSig, ofHalves(true, emitHalfDot)}
	sqdistB16    = source{"half", "sqdistb16", "SqDistB16", halvesSig, ofHalves(false, emitHalfDistance)}
	sqdistH16    = source{"half", "sqdisth16", "SqDistH16", halvesSig, ofHalves(true, emitHalfDistance)}
	cosB16       = source{"half", "cosb16", "CosB16", cosineSig, ofHalves(false, emitHalfCosine)}
	cosH16       = source{"half", "cosh16", "CosH16", cosineSig, ofHalves(true, emitHalfCosine)}
	rowsB16      = source{"half", "rowsb16", "RowsB16", rowsSig, ofHalves(false, emitHalfRows)}
	rowsH16      = source{"half", "rowsh16", "RowsH16", rowsSig, ofHalves(true, emitHalfRows)}
	mixedRowsB16 = source{"half", "mixedrowsb16", "MixedRowsB16", mixedRowsSig, ofHalves(false, emitMixedRows)}
	mixedRowsH16 = source{"half", "mixedrowsh16", "MixedRowsH16", mixedRowsSig, ofHalves(true, emitMixedRows)}
	widenB16     = source{"half", "widenb16", "WidenB16", widenSig, ofHalves(false, emitWiden)}
	widenH16     = source{"half", "widenh16", "WidenH16", widenSig, ofHalves(true, emitWiden)}
	narrowB16    = source{"half", "narrowb16", "NarrowB16", narrowSig, ofHalves(false, emitNarrowB16)}
	narrowH16    = source{"half", "narrowh16", "NarrowH16", narrowSig, ofHalves(true, emitNarrowH16)}
)

// ofHalves has a kernel read elements of 16 bits: float16, or else bfloat16.
func ofHalves(f16 bool, emit func(h *half)) func(*kernel) {
	return func(k *kernel) { emit(&half{k, f16, k.x()}) }
}

// half is a kernel that reads elements of 16 bits.
type half struct {
	*kernel
	f16  bool
	word X // for one element
}

// loadHalves fills the vectors of v that belong to r from the halves at p.
func (h *half) loadHalves(r run, v []V, p X) {
	last := v[r.first+r.n-1]
	if bytes := r.n * r.bytes / 2; bytes == 2 {
		h.Op("MOVHU.P", a64.Mem(p, r.advance/2), h.word)
		h.Op("FMOVS", h.word, last)
	} else {
		name := map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[bytes]
		if r.advance > 0 {
			h.Op(name+".P", a64.Mem(p, r.advance/2), last)
		} else {
			h.Op(name, a64.Mem(p, r.first*vectorBytes/2), last)
		}
	}
	if h.f16 {
		h.FCVTLHalf(v[r.first], last)
	} else {
		h.SHLL16(v[r.first], last)
	}
	if r.n == 2 && h.f16 {
		h.FCVTL2Half(last, last)
	} else if r.n == 2 {
		h.SHLL216(last, last)
	}
}

func emitHalfDot(h *half) {
	h.reduceHalves(8, []string{"ret"}, func(acc [][]V, i int, x, y V) { h.fma(acc[0][i], x, y) })
}

func emitHalfDistance(h *half) {
	h.reduceHalves(8, []string{"ret"}, func(acc [][]V, i int, x, y V) {
		h.FSUB(h.arr, x, x, y)
		h.fma(acc[0][i], x, x)
	})
}

func emitHalfCosine(h *half) {
	h.reduceHalves(4, []string{"xy", "xx", "yy"}, func(acc [][]V, i int, x, y V) {
		h.fma(acc[0][i], x, y)
		h.fma(acc[1][i], x, x)
		h.fma(acc[2][i], y, y)
	})
}

// reduceHalves returns sums over x and y, each in a number of chains: op adds to acc[sum][i] what vector i of x and y
// brings, nothing where both are zero. It may destroy x and y.
func (h *half) reduceHalves(chains int, results []string, op func(acc [][]V, i int, x, y V)) {
	px, py, n := h.arg("x"), h.arg("y"), h.arg("n")
	x, y := h.vs(chains), h.vs(chains)
	var acc [][]V
	for range results {
		acc = append(acc, h.vs(chains))
		h.zero(acc[len(acc)-1]...)
	}
	finish := h.NewLabel("finish")
	h.unlessPositive(n, finish)
	h.stream(n, chains, func(p piece) {
		for _, r := range p.runs() {
			h.loadHalves(r, x, px)
			h.loadHalves(r, y, py)
			r.each(func(i int) { op(acc, i, x[i], y[i]) })
		}
	}, nil)
	h.section(finish, "The sums across chains and lanes.")
	for s, name := range results {
		for c := chains / 2; c > 0; c /= 2 {
			for i := range c {
				h.add(acc[s][i], acc[s][i], acc[s][i+c])
			}
		}
		h.across(acc[s][0], acc[s][0])
		h.Op(h.move, acc[s][0], h.param(name))
	}
	h.Op("RET")
}

func emitHalfRows(h *half)  { h.rows(h.loadHalves) }
func emitMixedRows(h *half) { h.rows(h.load) }

// rows sets y = A x, four rows at a time, which share the loads of x.
func (h *half) rows(loadX func(r run, v []V, p X)) {
	const group, unroll = 4, 4
	n := h.arg("n")
	columns := h.NewLabel("columns")
	h.Op("CMP", imm(0), n)
	h.Op("BGT", columns)
	h.Op("MOVD", imm(0), n)
	h.Bind(columns)
	x, y, xNow, j := h.arg("x"), h.arg("y"), h.x(), h.x()
	xv, av := h.vs(unroll), h.vs(unroll)
	var acc [group][]V
	for i := range acc {
		acc[i] = h.vs(unroll)
	}
	h.eachRows(h.matrixOf(n, group, 1), []int{group, 1}, func(rows []X) {
		sums := acc[:len(rows)]
		for _, s := range sums {
			h.zero(s...)
		}
		h.Op("MOVD", x, xNow)
		h.Op("MOVD", n, j)
		h.stream(j, unroll, func(p piece) {
			for _, r := range p.runs() {
				loadX(r, xv, xNow)
				for i, row := range rows {
					h.loadHalves(r, av, row)
					r.each(func(c int) { h.fma(sums[i][c], av[c], xv[c]) })
				}
			}
		}, func() {
			for _, s := range sums {
				h.add(s[0], s[0], s[2])
				h.add(s[1], s[1], s[3])
			}
		})
		h.Comment("The sums of the rows, across chains and lanes.")
		out := h.rowSums(sums)
		for _, r := range h.group(len(rows)).runs() {
			h.store(r, out, y)
		}
	})
	h.Op("RET")
}

func emitWiden(h *half) {
	h.cast(func(r run, v []V, x, y X) {
		h.loadHalves(r, v, x)
		h.store(r, v, y)
	})
}

func emitNarrowH16(h *half) {
	h.cast(func(r run, v []V, x, y X) {
		h.load(r, v, x)
		h.FCVTNHalf(v[r.first], v[r.first])
		if r.n == 2 {
			h.FCVTN2Half(v[r.first], v[r.first+1])
		}
		h.storeHalves(r, v[r.first], y)
	})
}

// emitNarrowB16 rounds to the nearest even: half an ulp less one is added, and one more to odd numbers. A NaN is cut
// instead and made quiet: so it neither loses its last bit nor becomes a number.
func emitNarrowB16(h *half) {
	c := h.vs(3)
	one, below, quiet := c[0], c[1], c[2]
	for i, bits := range []int{1, 0x7fff, 0x400000} {
		h.Op("MOVD", imm(bits), h.word)
		h.Op("VDUP", h.word, c[i].Ints())
	}
	t := h.vs(3)
	odd, cut, number := t[0], t[1], t[2]
	h.Comment("Upper 16 bits to nearest even: + 0x7fff, + 1 where they are odd; NaN is cut and made quiet.")
	h.cast(func(r run, v []V, x, y X) {
		h.load(r, v, x)
		r.each(func(i int) {
			h.Op("VUSHR", imm(16), v[i].Ints(), odd.Ints())
			h.Op("VAND", odd.Bits(), one.Bits(), odd.Bits())
			h.FCMEQ(h.arr, number, v[i], v[i])
			h.Op("VORR", v[i].Bits(), quiet.Bits(), cut.Bits())
			h.Op("VADD", odd.Ints(), v[i].Ints(), v[i].Ints())
			h.Op("VADD", below.Ints(), v[i].Ints(), v[i].Ints())
			h.Op("VBIF", number.Bits(), cut.Bits(), v[i].Bits())
		})
		last := v[r.first+r.n-1]
		h.Op("VUZP2", last.Words(), v[r.first].Words(), v[r.first].Words())
		h.storeHalves(r, v[r.first], y)
	})
}

// cast goes through n elements of x and y, eight vectors of float32 at a time.
func (h *half) cast(move func(r run, v []V, x, y X)) {
	const unroll = 8
	x, y, n := h.arg("x"), h.arg("y"), h.arg("n")
	v := h.vs(unroll)
	done := h.NewLabel("done")
	h.unlessPositive(n, done)
	h.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			move(r, v, x, y)
		}
	}, nil)
	h.Bind(done)
	h.Op("RET")
}

// storeHalves writes the halves that stand for r to the halves at p.
func (h *half) storeHalves(r run, v V, p X) {
	bytes := r.n * r.bytes / 2
	if bytes == 2 {
		h.Op("FMOVS", v, h.word)
		h.Op("MOVH.P", h.word, a64.Mem(p, r.advance/2))
		return
	}
	name := map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[bytes]
	if r.advance > 0 {
		h.Op(name+".P", v, a64.Mem(p, r.advance/2))
	} else {
		h.Op(name, v, a64.Mem(p, r.first*vectorBytes/2))
	}
}
