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
	scatter8  = scatter("scatter8", "Scatter8", 8)
	scatter1  = scatter("scatter1", "Scatter1", 1)
	collect16 = collect("collect16", "Collect16", 16)
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

// codeLoop is what sums and scatters share: dst has a line for each row of the block, table one for each code.
type codeLoop struct {
	dst, codes, table reg.GPVirtual
	nq                reg.GPVirtual
	laterCodes        reg.GPVirtual // what to ask for
	askMore           func()
}

// eachCode emits the loops of a sum: rows rows of the block at a time. lineBytes is a line of the table, dstBytes one
// of dst.
func (k *kernel) eachCode(rows, lineBytes, dstBytes int, begin func(dst reg.GPVirtual),
	look func(row int, line operand.Mem), end func(dst reg.GPVirtual)) {
	c := codeLoop{dst: k.arg("dst"), codes: k.arg("codes"), table: k.arg("table"), nq: k.arg("nq"),
		laterCodes: k.arg("laterCodes")}
	later, ahead := k.arg("later"), k.arg("ahead")
	c.askMore = func() { k.askFor(later, ahead, rows) }
	k.lookUp(c, rows, lineBytes, dstBytes, begin, look, end)
}

// lookUp is, for some rows at a time, begin; for each of the codes of a row look, with the table's line; end.
func (k *kernel) lookUp(c codeLoop, rows, lineBytes, dstBytes int, begin func(dst reg.GPVirtual),
	look func(row int, line operand.Mem), end func(dst reg.GPVirtual)) {
	blocks, t, p, q := k.GP64(), k.GP64(), k.GP64(), k.GP64()
	k.TESTQ(c.nq, c.nq)
	k.JZ(operand.LabelRef("none"))
	k.MOVQ(operand.U32(uint32(centroids/rows)), blocks)
	k.Comment(counted(rows, "row") + " of the block at a time.")
	k.count("rows", blocks, func() {
		begin(c.dst)
		k.askForCodes(c, rows)
		c.askMore()
		k.MOVQ(c.table, t)
		k.MOVQ(c.codes, p)
		k.MOVQ(c.nq, q)
		k.Comment("A code of each row, which names a line of its subspace.")
		k.count("codes", q, func() {
			k.lookWord(p, t, rows, lineBytes, look)
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

// lookWord takes the codes of all rows by one load and brings each to its place by a rotation, since lookups are bound
// by their loads.
func (k *kernel) lookWord(codes, table reg.GPVirtual, rows, lineBytes int, look func(row int, line operand.Mem)) {
	word := k.GP64()
	switch m := (operand.Mem{Base: codes}); rows {
	case 8:
		k.MOVQ(m, word)
	case 4:
		k.MOVL(m, word.As32())
	case 2:
		k.MOVWLZX(m, word.As32())
	}
	shift := bits.TrailingZeros(uint(lineBytes))
	for i := range rows {
		offset := k.GP64()
		k.RORXQ(operand.U8(uint8((64+8*i-shift)%64)), word, offset)
		k.ANDL(operand.U32(uint32((centroids-1)*lineBytes)), offset.As32())
		look(i, operand.Mem{Base: table, Index: offset, Scale: 1})
	}
}

// askForCodes brings the codes that come later to the second cache, 8 of each subspace, up to 16 of these, with each 8
// rows.
func (k *kernel) askForCodes(c codeLoop, rows int) {
	k.Comment("Later codes to the second cache.")
	n := k.GP64()
	k.PREFETCHT1(operand.Mem{Base: c.laterCodes})
	k.PREFETCHT1(operand.Mem{Base: c.laterCodes, Disp: 64})
	k.MOVQ(c.nq, n)
	k.SHLQ(operand.Imm(uint64(bits.TrailingZeros(uint(rows)))), n)
	k.ADDQ(n, c.laterCodes)
}

// askFor does so with tables, ahead cache lines of them with each 8 rows.
func (k *kernel) askFor(later, ahead reg.GPVirtual, rows int) {
	k.Comment("Later tables to the second cache.")
	n := k.GP64()
	k.MOVQ(ahead, n)
	if rows < codeRows {
		k.SHRQ(operand.Imm(uint64(bits.TrailingZeros(uint(codeRows/rows)))), n)
	}
	k.TESTQ(n, n)
	k.JZ(operand.LabelRef("asked"))
	k.count("ask", n, func() {
		k.PREFETCHT1(operand.Mem{Base: later})
		k.ADDQ(operand.Imm(64), later)
	})
	k.Label("asked")
}

// sums adds lines of width float32: dst[i] += Σ_q table[q][codes[q][i]].
func sums(name, entry string, width int) source {
	return source{
		family: "lookup", name: name, entry: entry,
		sig: "(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int)", elems: plainF32,
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
					k.eachPart(acc[i], func(v reg.VecVirtual,
						disp int) {
						f(operand.Mem{Base: dst, Disp: i*bytes + disp}, v)
					})
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

// sum32i16 adds lines of 32 int16 as they are, then dst += scale * sum.
var sum32i16 = source{
	family: "lookup", name: "sum32i16", entry: "Sum32I16", elems: plainF32,
	sig: "(dst *float32, codes *byte, nq int, table *int16, scale *float32, laterCodes, later *byte, ahead int)",
	emit: func(k *kernel) {
		rows := map[bool]int{true: 8, false: 4}[k.wide]
		acc := make([][]reg.VecVirtual, rows)
		for i := range acc {
			acc[i] = k.line(64)
		}
		scale := k.arg("scale")
		k.eachCode(rows, 64, 128,
			func(reg.GPVirtual) {
				for _, a := range acc {
					k.zero(a...)
				}
			},
			func(row int, line operand.Mem) { k.addWords(line, acc[row]) },
			func(dst reg.GPVirtual) {
				k.Comment("dst += scale times the sums.")
				for i, a := range acc {
					k.eachWide(a, func(v reg.VecVirtual, disp int) {
						k.scaleInto(v, operand.Mem{Base: scale, Disp: disp}, operand.Mem{Base: dst, Disp: i*128 + disp})
					})
				}
			},
		)
	},
}

// addWords adds a line of int16.
func (k *kernel) addWords(line operand.Mem, acc []reg.VecVirtual) {
	k.eachPart(acc, func(v reg.VecVirtual, disp int) {
		m := line
		m.Disp = disp
		k.VPADDW(m, v, v)
	})
}

// eachWide calls f for the int16 of a line as int32, with the bytes of float32 before them.
func (k *kernel) eachWide(words []reg.VecVirtual, f func(v reg.VecVirtual, disp int)) {
	for i, w := range words {
		for half := range 2 {
			v := k.vec()
			k.VPMOVSXWD(k.halfOf(w, half), v)
			f(v, (2*i+half)*k.bytes)
		}
	}
}

// scaleInto adds v, int32, times the scales to dst.
func (k *kernel) scaleInto(v reg.VecVirtual, scale, dst operand.Mem) {
	old := k.vec()
	k.VCVTDQ2PS(v, v)
	k.load(dst, old)
	k.fma(scale, v, old)
	k.store(old, dst)
}

// sum64u8 adds lines of 64 uint8, 257 of which fit 16 bits, then dst += scale * sum. One register of a line's sums adds
// the bytes as they lie, in pairs of 16 bits, another the upper byte of each pair alone: the lower is the first less
// 256 times the second, modulo 2¹⁶.
var sum64u8 = source{
	family: "lookup", name: "sum64u8", entry: "Sum64U8", elems: plainF32,
	sig: "(dst *float32, codes *byte, nq int, table *uint8, scale *float32, laterCodes, later *byte, ahead int)",
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
				k.Comment("The sums of the even bytes, then of the odd ones: dst += scale times these.")
				for row := range rows {
					for i, p := range pairs[row] {
						k.spread(p, upper[row][i], scale, dst, row*256, i*k.bytes*2)
					}
				}
			},
		)
	},
}

// spread adds the sums in one register to the 64 outputs at dst+at: sums of its even bytes go to the outputs from disp
// on, sums of its odd bytes to the outputs 32 further, disp and 32 in bytes of float32.
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
