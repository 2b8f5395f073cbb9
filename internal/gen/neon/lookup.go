package main

import (
	"math/bits"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The kernels of asm/lookup: sums of table lines that codes choose.
var (
	sum16     = sums("sum16", "Sum16", 16)
	sum8      = sums("sum8", "Sum8", 8)
	sum1      = sums("sum1", "Sum1", 1)
	scatter8  = scatter("scatter8", "Scatter8", 8)
	scatter1  = scatter("scatter1", "Scatter1", 1)
	collect16 = collect("collect16", "Collect16", 16)
)

var plainF32 = []elem{{"", "float32", 4, a64.S4, "FMOVS"}}

const centroids = 256 // rows of a table, and of a block of codes

// loads fills registers from consecutive memory at p, stores writes them: all of a row, or one number.
func (k *kernel) loads(v []V, p X, disp int)  { k.moves("FLDPQ", "FMOVQ", v, p, disp) }
func (k *kernel) stores(v []V, p X, disp int) { k.moves("FSTPQ", "FMOVQ", v, p, disp) }

func (k *kernel) moves(pair, single string, v []V, p X, disp int) {
	for i := 0; i < len(v); i += 2 {
		m := a64.Mem(p, disp+16*i)
		args := []a64.Operand{m, a64.Pair(v[i], v[min(i+1, len(v)-1)])}
		name := pair
		if i+1 == len(v) {
			name, args[1] = single, v[i]
		}
		if pair == "FSTPQ" {
			args[0], args[1] = args[1], args[0]
		}
		k.Op(name, args...)
	}
}

// repeat runs body n times, n > 0 in a register, which it destroys.
func (k *kernel) repeat(name string, n X, body func()) {
	loop := k.NewLabel(name)
	k.Bind(loop)
	body()
	k.Op("SUBS", imm(1), n, n)
	k.Op("BNE", loop)
}

// eachCode goes through the rows of a block, some at a time: begin; for each of the codes of a row look, with the
// address of the table's line in a register; end.
func (k *kernel) eachCode(rows, lineBytes, dstBytes int, begin func(dst X), look func(row int, line X),
	end func(dst X)) {
	k.lookUp(k.arg("dst"), k.arg("table"), rows, lineBytes, dstBytes, begin, look, end)
}

// lookUp is eachCode with its arguments: dst has a line for each row of the block, table one for each code.
func (k *kernel) lookUp(dst, table X, rows, lineBytes, dstBytes int, begin func(dst X), look func(row int, line X),
	end func(dst X)) {
	codes, nq := k.arg("codes"), k.arg("nq")
	blocks, t, p, q, code := k.x(), k.x(), k.x(), k.x(), k.x()
	none := k.NewLabel("none")
	k.Op("CBZ", nq, none)
	k.Op("MOVD", imm(centroids/rows), blocks)
	k.Comment(counted(rows, "row") + " of the block at a time.")
	k.repeat("rows", blocks, func() {
		begin(dst)
		k.Op("MOVD", table, t)
		k.Op("MOVD", codes, p)
		k.Op("MOVD", nq, q)
		k.Comment("A code of each row, which names a line of its subspace.")
		k.repeat("codes", q, func() {
			for i := range rows {
				k.Op("MOVBU", a64.Mem(p, i), code)
				k.Op("ADD", a64.Shifted(code, bits.TrailingZeros(uint(lineBytes))), t, code)
				look(i, code)
			}
			k.Op("ADD", imm(centroids*lineBytes), t, t)
			k.Op("ADD", imm(centroids), p, p)
		})
		k.Comment("The end of these rows.")
		end(dst)
		k.Op("ADD", imm(rows), codes, codes)
		k.Op("ADD", imm(rows*dstBytes), dst, dst)
	})
	k.Bind(none)
	k.Op("RET")
}

// sums adds lines of width float32: dst[i] += Σ_q table[q][codes[q][i]].
func sums(name, entry string, width int) source {
	return source{"lookup", name, entry, "(dst *float32, codes *byte, nq int, table *float32, laterCodes, later " +
		"*byte, ahead int)", func(k *kernel) {
		const rows = 4
		registers := max(width/4, 1)
		var acc [rows][]V
		for i := range acc {
			acc[i] = k.vs(registers)
		}
		line := k.vs(registers)
		k.eachCode(rows, 4*width, 4*width,
			func(dst X) {
				for i, a := range acc {
					k.row(width, a, dst, 4*width*i, k.loads, "FMOVS")
				}
			},
			func(row int, at X) {
				k.row(width, line, at, 0, k.loads, "FMOVS")
				for i, a := range acc[row] {
					k.add(a, a, line[i])
				}
			},
			func(dst X) {
				for i, a := range acc {
					if width == 1 {
						k.Op("FMOVS", a[0], a64.Mem(dst, 4*i))
						continue
					}
					k.stores(a, dst, 4*width*i)
				}
			})
	}}
}

// scatter adds lines of width float32: d[q][codes[q][i]] += a[i].
func scatter(name, entry string, width int) source {
	return source{"lookup", name, entry, "(d *float32, codes *byte, nq int, a *float32, laterCodes *byte)",
		func(k *kernel) {
			const rows = 8
			registers := max(width/4, 1)
			var a [rows][]V
			for i := range a {
				a[i] = k.vs(registers)
			}
			line := k.vs(registers)
			k.lookUp(k.arg("a"), k.arg("d"), rows, 4*width, 4*width,
				func(p X) {
					for i, v := range a {
						k.row(width, v, p, 4*width*i, k.loads, "FMOVS")
					}
				},
				func(row int, at X) {
					k.row(width, line, at, 0, k.loads, "FMOVS")
					for i, v := range line {
						k.add(v, v, a[row][i])
					}
					if width == 1 {
						k.Op("FMOVS", line[0], a64.Mem(at, 0))
						return
					}
					k.stores(line, at, 0)
				},
				func(X) {})
		}}
}

// row loads a line, or its only number.
func (k *kernel) row(width int, v []V, p X, disp int, load func([]V, X, int), single string) {
	if width == 1 {
		k.Op(single, a64.Mem(p, disp), v[0])
		return
	}
	load(v, p, disp)
}

// sum32i16 adds lines of 32 int16 as they are, then dst += scale * sum.
var sum32i16 = source{"lookup", "sum32i16", "Sum32I16",
	"(dst *float32, codes *byte, nq int, table *int16, scale *float32, laterCodes, later *byte, ahead int)",
	func(k *kernel) {
		const rows = 4
		var acc [rows][]V
		for i := range acc {
			acc[i] = k.vs(4)
		}
		line, wide, s := k.vs(4), k.vs(2), k.arg("scale")
		k.eachCode(rows, 64, 128,
			func(X) {
				for _, a := range acc {
					k.zero(a...)
				}
			},
			func(row int, at X) {
				k.loads(line, at, 0)
				for i, v := range line {
					k.Op("VADD", v.Words(), acc[row][i].Words(), acc[row][i].Words())
				}
			},
			func(dst X) {
				k.Comment("dst += scale times the sums.")
				for row, a := range acc {
					for i, v := range a {
						k.zero(wide...)
						k.addWords(wide, v)
						k.scaleInto(wide, s, 32*i, dst, 128*row+32*i)
					}
				}
			})
	}}

// addWords adds the 8 int16 of v to two registers of int32.
func (k *kernel) addWords(acc []V, v V) {
	k.SADDW(acc[0], acc[0], v)
	k.SADDW2(acc[1], acc[1], v)
}

// scaleInto adds integers times the scales to dst, a pair of registers at a time.
func (k *kernel) scaleInto(v []V, scale X, scaleAt int, dst X, at int) {
	old, s := []V{28, 29}, []V{30, 31}
	for i := 0; i < len(v); i += 2 {
		k.loads(old, dst, at+16*i)
		k.loads(s, scale, scaleAt+16*i)
		for j := range 2 {
			k.SCVTF(k.arr, v[i+j], v[i+j])
			k.fma(old[j], v[i+j], s[j])
		}
		k.stores(old, dst, at+16*i)
	}
}

// sum64u8 adds lines of 64 uint8, 257 of which fit 16 bits, then dst += scale * sum. One register adds the bytes as
// they lie, in pairs of 16 bits, another the upper byte of each pair: the lower is the first less 256 times the second,
// modulo 2¹⁶.
var sum64u8 = source{"lookup", "sum64u8", "Sum64U8",
	"(dst *float32, codes *byte, nq int, table *uint8, scale *float32, laterCodes, later *byte, ahead int)",
	func(k *kernel) {
		const rows = 2
		pairs, upper := [rows][]V{k.vs(4), k.vs(4)}, [rows][]V{k.vs(4), k.vs(4)}
		line, wide, s := k.vs(4), k.vs(2), k.arg("scale")
		k.eachCode(rows, 64, 256,
			func(X) {
				for i := range rows {
					k.zero(pairs[i]...)
					k.zero(upper[i]...)
				}
			},
			func(row int, at X) {
				k.loads(line, at, 0)
				for i, v := range line {
					k.Op("VADD", v.Words(), pairs[row][i].Words(), pairs[row][i].Words())
					k.Op("VUSHR", imm(8), v.Words(), v.Words())
					k.Op("VADD", v.Words(), upper[row][i].Words(), upper[row][i].Words())
				}
			},
			func(dst X) {
				k.Comment("The sums of the even bytes, then of the odd ones: dst += scale times these.")
				for row := range rows {
					for i, p := range pairs[row] {
						k.Op("VSHL", imm(8), upper[row][i].Words(), line[0].Words())
						k.Op("VSUB", line[0].Words(), p.Words(), p.Words())
						for half, v := range []V{p, upper[row][i]} {
							k.Op("VUXTL", v.LowWords(), wide[0].Ints())
							k.Op("VUXTL2", v.Words(), wide[1].Ints())
							to := 128*half + 32*i
							k.scaleInto(wide, s, to, dst, 256*row+to)
						}
					}
				}
			})
	}}

// eachList goes through the 256 lists in their order: begin, add for each line of b, in fours, end.
func (k *kernel) eachList(lineBytes, dBytes int, begin func(d X), add func(line X, i int), end func(d X)) {
	d, rows, order, b := k.arg("d"), k.arg("rows"), k.arg("order"), k.arg("b")
	lists, n, row, sum, size := k.x(), k.x(), k.x(), k.x(), k.x()
	k.Op("MOVD", imm(centroids), lists)
	k.Op("MOVD", imm(dBytes), size)
	k.Comment("The lists.")
	k.repeat("lists", lists, func() {
		k.Op("MOVHU", a64.Mem(order, 0), sum)
		k.Op("MADD", size, d, sum, sum)
		k.Op("MOVHU", a64.Mem(order, 2), n)
		k.Op("ADD", imm(4), order, order)
		begin(sum)
		none := k.NewLabel("none")
		k.Op("CBZ", n, none)
		k.Comment("Four lines of b.")
		k.repeat("fours", n, func() {
			for i := range 4 {
				k.Op("MOVHU", a64.Mem(rows, 2*i), row)
				k.Op("ADD", a64.Shifted(row, bits.TrailingZeros(uint(lineBytes))), b, row)
				add(row, i)
			}
			k.Op("ADD", imm(8), rows, rows)
		})
		k.section(none, "The sum to d.")
		end(sum)
	})
	k.Op("RET")
}

// collect adds lines of width float32, d[c] += Σ b[row]. Two sums run side by side.
func collect(name, entry string, width int) source {
	return source{"lookup", name, entry, "(d *float32, rows, order *uint16, b *float32)", func(k *kernel) {
		acc := [2][]V{k.vs(width / 4), k.vs(width / 4)}
		line := k.vs(width / 4)
		k.eachList(4*width, 4*width,
			func(d X) {
				k.loads(acc[0], d, 0)
				k.zero(acc[1]...)
			},
			func(at X, i int) {
				k.loads(line, at, 0)
				for j, a := range acc[i%2] {
					k.add(a, a, line[j])
				}
			},
			func(d X) {
				for j, a := range acc[0] {
					k.add(a, a, acc[1][j])
				}
				k.stores(acc[0], d, 0)
			})
	}}
}

// collect32i16 adds lines of 32 int16, four of which fit 16 bits, and their sums in int32; then d += scale * sum.
var collect32i16 = source{"lookup", "collect32i16", "Collect32I16",
	"(d *float32, rows, order *uint16, b *int16, scale *float32)", func(k *kernel) {
		acc, four, line, s := k.vs(8), k.vs(4), k.vs(4), k.arg("scale")
		k.eachList(64, 128,
			func(X) { k.zero(acc...) },
			func(at X, i int) {
				if i == 0 {
					k.loads(four, at, 0)
					return
				}
				k.loads(line, at, 0)
				for j, v := range line {
					k.Op("VADD", v.Words(), four[j].Words(), four[j].Words())
				}
				if i == 3 {
					for j, v := range four {
						k.addWords(acc[2*j:], v)
					}
				}
			},
			func(d X) { k.scaleInto(acc, s, 0, d, 0) })
	}}
