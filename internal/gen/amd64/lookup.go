package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of asm/lookup: sums of table lines that codes choose. They exist in float32 alone and bear no suffix.
var (
	sum16     = sums("sum16", "Sum16", 16)
	sum8      = sums("sum8", "Sum8", 8)
	sum1      = sums("sum1", "Sum1", 1)
	collect16 = collect("collect16", "Collect16", 16)
	collect8  = collect("collect8", "Collect8", 8)
)

var plainF32 = []elem{{"", "float32", 4, 2, false}}

const (
	centroids = 256 // rows of a table, and of a block of codes
	codeRows  = 8   // rows of a block whose sums are in registers together
)

// vecOf returns a register for that many bytes, but at most a vector of the tier.
func (k *kernel) vecOf(bytes int) reg.VecVirtual {
	switch min(bytes, k.bytes) {
	case 64:
		return k.ZMM()
	case 32:
		return k.YMM()
	}
	return k.XMM()
}

// line is the registers for a row of some bytes.
func (k *kernel) line(bytes int) (v []reg.VecVirtual) {
	for b := 0; b < bytes; b += k.bytes {
		v = append(v, k.vecOf(bytes))
	}
	return v
}

// eachPart calls f for each register of a row with the bytes before it.
func (k *kernel) eachPart(row []reg.VecVirtual, f func(v reg.VecVirtual, disp int)) {
	for i, v := range row {
		f(v, i*int(v.Size()))
	}
}

// count runs body n times, n > 0 in a register, which it destroys.
func (k *kernel) count(label string, n reg.GPVirtual, body func()) {
	k.Label(label)
	body()
	k.SUBQ(operand.Imm(1), n)
	k.JNZ(operand.LabelRef(label))
}

// codeLoop is what the sums share: for groups of rows at a time, begin; for each of the g codes of a row look(q) with the
// registers that hold the offsets of the rows' table lines; end.
type codeLoop struct {
	dst, codes, table reg.GPVirtual
	g                 reg.GPVirtual
}

// eachCode emits the loops: rows rows of the block at a time. lineBytes is a line of the table, dstBytes one of dst.
func (k *kernel) eachCode(rows, lineBytes, dstBytes int, begin func(dst reg.GPVirtual), look func(row int, line operand.Mem), end func(dst reg.GPVirtual)) {
	c := codeLoop{dst: k.arg("dst"), codes: k.arg("codes"), table: k.arg("table"), g: k.arg("nq")}
	blocks, t, p, q, offset := k.GP64(), k.GP64(), k.GP64(), k.GP64(), k.GP64()
	k.TESTQ(c.g, c.g)
	k.JZ(operand.LabelRef("none"))
	k.MOVQ(operand.U32(uint32(centroids/rows)), blocks)
	k.count("rows", blocks, func() {
		begin(c.dst)
		k.MOVQ(c.table, t)
		k.MOVQ(c.codes, p)
		k.MOVQ(c.g, q)
		k.count("codes", q, func() {
			for i := range rows {
				k.MOVBLZX(operand.Mem{Base: p, Disp: i}, offset.As32())
				scale := lineBytes
				if lineBytes > 8 {
					k.SHLL(operand.Imm(uint64(bits.TrailingZeros(uint(lineBytes)))), offset.As32())
					scale = 1
				}
				look(i, operand.Mem{Base: t, Index: offset, Scale: uint8(scale)})
			}
			k.ADDQ(operand.U32(uint32(centroids*lineBytes)), t)
			k.ADDQ(operand.U32(centroids), p)
		})
		end(c.dst)
		k.ADDQ(operand.Imm(uint64(rows)), c.codes)
		k.ADDQ(operand.U32(uint32(rows*dstBytes)), c.dst)
	})
	k.Label("none")
	k.done()
}

// sums adds lines of width float32: dst[i] += Σ_q table[q][codes[q][i]].
func sums(name, entry string, width int) source {
	return source{
		family: "lookup", name: name, entry: entry, sig: "(dst *float32, codes *byte, nq int, table *float32)", elems: plainF32,
		emit: func(k *kernel) {
			rows, bytes := codeRows, 4*width
			if bytes/k.bytes > 1 {
				rows /= 2 // the registers of AVX2
			}
			acc := make([][]reg.VecVirtual, rows)
			for i := range acc {
				acc[i] = k.line(bytes)
			}
			each := func(dst reg.GPVirtual, f func(m operand.Mem, v reg.VecVirtual)) {
				for i := range acc {
					k.eachPart(acc[i], func(v reg.VecVirtual, disp int) { f(operand.Mem{Base: dst, Disp: i*bytes + disp}, v) })
				}
			}
			load, add, store := k.load, k.add, k.store
			if width == 1 {
				load = func(m operand.Mem, v reg.Register) { k.VMOVSS(m, v) }
				add = func(m, v, d operand.Op) { k.VADDSS(m, v, d) }
				store = func(v reg.Register, m operand.Mem) { k.VMOVSS(v, m) }
			}
			k.eachCode(rows, bytes, bytes,
				func(dst reg.GPVirtual) { each(dst, func(m operand.Mem, v reg.VecVirtual) { load(m, v) }) },
				func(row int, line operand.Mem) {
					k.eachPart(acc[row], func(v reg.VecVirtual, disp int) {
						m := line
						m.Disp = disp
						add(m, v, v)
					})
				},
				func(dst reg.GPVirtual) { each(dst, func(m operand.Mem, v reg.VecVirtual) { store(v, m) }) },
			)
		},
	}
}

// sum32i16 adds lines of 32 int16 in int32, which any 65536 of them fit, then dst += scale * sum.
var sum32i16 = source{
	family: "lookup", name: "sum32i16", entry: "Sum32I16", elems: plainF32,
	sig: "(dst *float32, codes *byte, nq int, table *int16, scale *float32)",
	emit: func(k *kernel) {
		rows := map[bool]int{true: 8, false: 2}[k.wide]
		acc := make([][]reg.VecVirtual, rows)
		for i := range acc {
			acc[i] = k.line(128)
		}
		scale := k.arg("scale")
		k.eachCode(rows, 64, 128,
			func(reg.GPVirtual) {
				for _, a := range acc {
					k.zero(a...)
				}
			},
			func(row int, line operand.Mem) {
				for i, v := range acc[row] {
					m, w := line, k.vec()
					m.Disp = i * k.bytes / 2
					k.VPMOVSXWD(m, w)
					k.VPADDD(w, v, v)
				}
			},
			func(dst reg.GPVirtual) {
				for i, a := range acc {
					k.eachPart(a, func(v reg.VecVirtual, disp int) {
						k.scaleInto(v, operand.Mem{Base: scale, Disp: disp}, operand.Mem{Base: dst, Disp: i*128 + disp})
					})
				}
			},
		)
	},
}

// scaleInto adds v, int32, times the scales to dst.
func (k *kernel) scaleInto(v reg.VecVirtual, scale, dst operand.Mem) {
	old := k.vec()
	k.VCVTDQ2PS(v, v)
	k.load(dst, old)
	k.fma(scale, v, old)
	k.store(old, dst)
}

// sum64u8 adds lines of 64 uint8, 257 of which fit 16 bits, then dst += scale * sum. One register of a line's sums adds the
// bytes as they lie, in pairs of 16 bits, another the upper byte of each pair alone: the lower is the first less 256 times
// the second, modulo 2¹⁶.
var sum64u8 = source{
	family: "lookup", name: "sum64u8", entry: "Sum64U8", elems: plainF32,
	sig: "(dst *float32, codes *byte, nq int, table *uint8, scale *float32)",
	emit: func(k *kernel) {
		rows := map[bool]int{true: 8, false: 2}[k.wide]
		pairs, upper := make([][]reg.VecVirtual, rows), make([][]reg.VecVirtual, rows)
		for i := range rows {
			pairs[i], upper[i] = k.line(64), k.line(64)
		}
		scale := k.arg("scale")
		k.eachCode(rows, 64, 256,
			func(reg.GPVirtual) {
				for i := range rows {
					k.zero(pairs[i]...)
					k.zero(upper[i]...)
				}
			},
			func(row int, line operand.Mem) {
				for i := range pairs[row] {
					m, w := line, k.vec()
					m.Disp = i * k.bytes
					k.VMOVUPS(m, w)
					k.VPADDW(w, pairs[row][i], pairs[row][i])
					k.VPSRLW(operand.Imm(8), w, w)
					k.VPADDW(w, upper[row][i], upper[row][i])
				}
			},
			func(dst reg.GPVirtual) {
				for row := range rows {
					for i, p := range pairs[row] {
						k.spread(p, upper[row][i], scale, dst, row*256, i*k.bytes*2)
					}
				}
			},
		)
	},
}

// spread adds the sums in one register to the 64 outputs at dst+at: those of its even bytes go to the outputs from disp on, those of
// its odd bytes to the outputs 32 further, disp and 32 in bytes of float32.
func (k *kernel) spread(pairs, upper reg.VecVirtual, scale, dst reg.GPVirtual, at, disp int) {
	t := k.vec()
	k.VPSLLW(operand.Imm(8), upper, t)
	k.VPSUBW(t, pairs, pairs)
	for i, sums := range []reg.VecVirtual{pairs, upper} {
		for half := range 2 {
			v, to := k.vec(), i*128+half*k.bytes+disp
			k.VPMOVZXWD(k.halfOf(sums, half), v)
			k.scaleInto(v, operand.Mem{Base: scale, Disp: to}, operand.Mem{Base: dst, Disp: at + to})
		}
	}
}

// halfOf returns the lower or the upper half of v's register.
func (k *kernel) halfOf(v reg.VecVirtual, half int) reg.Register {
	if k.wide {
		if half == 0 {
			return v.AsY()
		}
		h := k.YMM()
		k.VEXTRACTI64X4(operand.Imm(1), v, h)
		return h
	}
	if half == 0 {
		return v.AsX()
	}
	h := k.XMM()
	k.VEXTRACTI128(operand.Imm(1), v, h)
	return h
}

// eachList goes through the 256 lists in the order given, so that their lengths hardly change from one to the next and loops end where the
// CPU expects it: begin, add for each line of b, in fours, end.
func (k *kernel) eachList(lineBytes, dBytes int, begin func(d reg.GPVirtual), add func(line operand.Mem, i int), end func(d reg.GPVirtual)) {
	d, rows, order, b := k.arg("d"), k.arg("rows"), k.arg("order"), k.arg("b")
	lists, n, offset, sum := k.GP64(), k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(operand.U32(centroids), lists)
	k.count("lists", lists, func() {
		k.MOVWLZX(operand.Mem{Base: order}, sum.As32())
		k.IMUL3Q(operand.U32(uint32(dBytes)), sum, sum)
		k.ADDQ(d, sum)
		k.MOVWLZX(operand.Mem{Base: order, Disp: 2}, n.As32())
		k.ADDQ(operand.Imm(4), order)
		begin(sum)
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("sum"))
		k.count("fours", n, func() {
			for i := range 4 {
				k.MOVWLZX(operand.Mem{Base: rows, Disp: 2 * i}, offset.As32())
				k.SHLL(operand.Imm(uint64(bits.TrailingZeros(uint(lineBytes)))), offset.As32())
				add(operand.Mem{Base: b, Index: offset, Scale: 1}, i)
			}
			k.ADDQ(operand.Imm(8), rows)
		})
		k.Label("sum")
		end(sum)
	})
	k.done()
}

// collect adds lines of width float32, d[c] += Σ b[row]. Two sums run side by side.
func collect(name, entry string, width int) source {
	return source{
		family: "lookup", name: name, entry: entry, sig: "(d *float32, rows, order *uint16, b *float32)", elems: plainF32,
		emit: func(k *kernel) {
			bytes := 4 * width
			acc := [2][]reg.VecVirtual{k.line(bytes), k.line(bytes)}
			k.eachList(bytes, bytes,
				func(d reg.GPVirtual) {
					k.eachPart(acc[0], func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: d, Disp: disp}, v) })
					k.zero(acc[1]...)
				},
				func(line operand.Mem, i int) {
					k.eachPart(acc[i%2], func(v reg.VecVirtual, disp int) {
						m := line
						m.Disp = disp
						k.add(m, v, v)
					})
				},
				func(d reg.GPVirtual) {
					for i := range acc[0] {
						k.add(acc[1][i], acc[0][i], acc[0][i])
					}
					k.eachPart(acc[0], func(v reg.VecVirtual, disp int) { k.store(v, operand.Mem{Base: d, Disp: disp}) })
				},
			)
		},
	}
}

// collect32i16 adds lines of 32 int16 in int32, then d += scale * sum.
var collect32i16 = source{
	family: "lookup", name: "collect32i16", entry: "Collect32I16", elems: plainF32,
	sig: "(d *float32, rows, order *uint16, b *int16, scale *float32)",
	emit: func(k *kernel) {
		acc := k.line(128)
		scale := k.arg("scale")
		k.eachList(64, 128,
			func(reg.GPVirtual) { k.zero(acc...) },
			func(line operand.Mem, _ int) {
				for i, v := range acc {
					m, w := line, k.vec()
					m.Disp = i * k.bytes / 2
					k.VPMOVSXWD(m, w)
					k.VPADDD(w, v, v)
				}
			},
			func(d reg.GPVirtual) {
				k.eachPart(acc, func(v reg.VecVirtual, disp int) {
					k.scaleInto(v, operand.Mem{Base: scale, Disp: disp}, operand.Mem{Base: d, Disp: disp})
				})
			},
		)
	},
}

// range16 widens the ranges [low, high] of 16 columns by n rows of 16.
var range16 = source{
	family: "lookup", name: "range16", entry: "Range16", elems: plainF32,
	sig: "(low, high, x *float32, n int)",
	emit: func(k *kernel) {
		low, high, x, n := k.arg("low"), k.arg("high"), k.arg("x"), k.arg("n")
		lo, hi := k.line(64), k.line(64)
		k.eachPart(lo, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: low, Disp: disp}, v) })
		k.eachPart(hi, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: high, Disp: disp}, v) })
		k.TESTQ(n, n)
		k.JZ(operand.LabelRef("end"))
		k.count("rows", n, func() {
			for i := range lo {
				v := k.vec()
				k.load(operand.Mem{Base: x, Disp: i * k.bytes}, v)
				k.VMINPS(lo[i], v, lo[i])
				k.VMAXPS(hi[i], v, hi[i])
			}
			k.ADDQ(operand.U32(64), x)
		})
		k.Label("end")
		k.eachPart(lo, func(v reg.VecVirtual, disp int) { k.store(v, operand.Mem{Base: low, Disp: disp}) })
		k.eachPart(hi, func(v reg.VecVirtual, disp int) { k.store(v, operand.Mem{Base: high, Disp: disp}) })
		k.done()
	},
}

// quantizeI16 writes dst[i] = round((x[i] - low) * inverse) for n rows of 16, stride elements apart in dst.
var quantizeI16 = source{
	family: "lookup", name: "quantizeI16", entry: "QuantizeI16", elems: plainF32,
	sig: "(dst *int16, stride int, x *float32, n int, low, inverse *float32)",
	emit: func(k *kernel) {
		q := k.quantizer(1)
		k.ADDQ(q.stride, q.stride)
		q.run(func(v []reg.VecVirtual) { k.packWords(v, k.VPACKSSDW, k.VPMOVSDW, operand.Mem{Base: q.dst}) }, q.x)
	},
}

// quantizeU8 quantizes rows of x and y to 0..255 and writes them in turn: x0 y0 x1 y1 ...; low and inverse are 16 numbers for x, then 16 for y.
var quantizeU8 = source{
	family: "lookup", name: "quantizeU8", entry: "QuantizeU8", elems: plainF32,
	sig: "(dst *uint8, stride int, x, y *float32, n int, low, inverse *float32)",
	emit: func(k *kernel) {
		q, y := k.quantizer(2), k.arg("y")
		zero, most, m := k.vec(), k.vec(), k.GP32()
		k.zero(zero)
		k.MOVL(operand.U32(255), m)
		k.VMOVD(m, most.AsX())
		k.VPBROADCASTD(most.AsX(), most)
		parts := len(q.low) / 2
		q.run(func(v []reg.VecVirtual) {
			for _, v := range v {
				k.VPMAXSD(zero, v, v)
				k.VPMINSD(most, v, v)
			}
			for i := range parts {
				k.VPSLLD(operand.Imm(8), v[parts+i], v[parts+i])
				k.VPADDD(v[parts+i], v[i], v[i])
			}
			k.packWords(v[:parts], k.VPACKUSDW, k.VPMOVDW, operand.Mem{Base: q.dst})
		}, q.x, y)
	},
}

// packWords stores 16 numbers of 32 bits as 16 bits each.
func (k *kernel) packWords(v []reg.VecVirtual, pack2 func(...operand.Op), pack func(...operand.Op), dst operand.Mem) {
	if k.wide {
		pack(v[0], v[0].AsY())
		k.VMOVUPS(v[0].AsY(), dst)
		return
	}
	pack2(v[1], v[0], v[0])
	k.VPERMQ(operand.Imm(0xd8), v[0], v[0])
	k.VMOVUPS(v[0], dst)
}

// quantizer is the loop over rows of 16 float32.
type quantizer struct {
	k                 *kernel
	dst, stride, x, n reg.GPVirtual
	low, inverse      []reg.VecVirtual
}

// quantizer loads what blocks of 16 columns need.
func (k *kernel) quantizer(blocks int) quantizer {
	q := quantizer{k: k, dst: k.arg("dst"), stride: k.arg("stride"), x: k.arg("x"), n: k.arg("n")}
	low, inverse := k.arg("low"), k.arg("inverse")
	for range blocks {
		q.low, q.inverse = append(q.low, k.line(64)...), append(q.inverse, k.line(64)...)
	}
	k.eachPart(q.low, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: low, Disp: disp}, v) })
	k.eachPart(q.inverse, func(v reg.VecVirtual, disp int) { k.load(operand.Mem{Base: inverse, Disp: disp}, v) })
	return q
}

// run gives pack the integers of each row of x and of the others.
func (q quantizer) run(pack func(v []reg.VecVirtual), x ...reg.GPVirtual) {
	q.k.TESTQ(q.n, q.n)
	q.k.JZ(operand.LabelRef("end"))
	q.k.count("rows", q.n, func() {
		var v []reg.VecVirtual
		for _, x := range x {
			row := q.k.line(64)
			q.k.eachPart(row, func(v reg.VecVirtual, disp int) { q.k.load(operand.Mem{Base: x, Disp: disp}, v) })
			q.k.ADDQ(operand.U32(64), x)
			v = append(v, row...)
		}
		for i, v := range v {
			q.k.sub(q.low[i], v, v)
			q.k.mul(q.inverse[i], v, v)
			q.k.VCVTPS2DQ(v, v)
		}
		pack(v)
		q.k.ADDQ(q.stride, q.dst)
	})
	q.k.Label("end")
	q.k.done()
}
