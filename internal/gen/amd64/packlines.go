package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lines transposes strips of as many rows as fill a cache line of the result, with AVX-512 a line at a time: stores are
// the limit. With AVX2 half a strip after the other is done, so that lines which compete for one place in the first
// cache are no more than it has ways; and no further than a stretch at a time, so that the halves of a line are written
// before it leaves that cache. What remains is done by groups of rows: the last columns of the strips, then the last
// rows.
type lines struct {
	*transposer
	last part // rows
}

const stretch = 256 // bytes of a row

func (l *lines) emit(m, n reg.GPVirtual) {
	k, side := l.k, 2*l.k.lanes()
	l.last = k.newPart()
	k.MOVQ(operand.I32(0), l.last.m)
	k.CMPQ(m, operand.Imm(uint64(side)))
	k.JL(operand.LabelRef("rows"))
	k.CMPQ(n, operand.Imm(64))
	k.JL(operand.LabelRef("rows"))
	lds, lds3, ldd, ldd3 := k.bytesArg("lds"), k.GP64(), k.bytesArg("ldd"), k.GP64()
	k.LEAQ(operand.Mem{Base: lds, Index: lds, Scale: 2}, lds3)
	k.LEAQ(operand.Mem{Base: ldd, Index: ldd, Scale: 2}, ldd3)

	k.section("strip", "A strip of rows, as many as fill a cache line of the result.")
	base := make([]reg.GPVirtual, side/4)
	for i := range base { // every fourth row
		base[i] = k.GP64()
		if i == 0 {
			k.MOVQ(l.now.src, base[0])
			continue
		}
		k.LEAQ(operand.Mem{Base: base[i-1], Index: lds, Scale: 4}, base[i])
	}
	dst, left := k.GP64(), k.GP64()
	k.MOVQ(l.now.dst, dst)
	k.MOVQ(l.now.n, left)
	k.section("stretch", "A stretch of its columns.")
	length, count, to := k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(operand.U32(stretch), length)
	k.CMPQ(left, length)
	k.CMOVQLT(left, length)
	k.ANDQ(operand.I32(-64), length)
	l.strip(base, [4]reg.GPVirtual{lds, lds3, ldd, ldd3}, dst, to, length, count)
	k.SUBQ(length, left)
	k.CMPQ(left, operand.Imm(64))
	k.JGE(operand.LabelRef("stretch"))
	step := k.GP64()
	k.IMUL3Q(operand.U8(side), lds, step)
	k.ADDQ(step, l.now.src)
	k.ADDQ(operand.Imm(64), l.now.dst)
	k.SUBQ(operand.Imm(uint64(side)), l.now.m)
	k.CMPQ(l.now.m, operand.Imm(uint64(side)))
	k.JGE(operand.LabelRef("strip"))

	k.Comment("The last rows wait.")
	for _, move := range [][2]operand.Mem{{l.now.src, l.last.src}, {l.now.dst, l.last.dst}, {l.now.m, l.last.m},
		{l.now.n, l.last.n}} {
		v := k.GP64()
		k.MOVQ(move[0], v)
		k.MOVQ(v, move[1])
	}
	k.Comment("First the last columns of the strips.")
	m, rest, n, src, to := k.arg("m"), k.GP64(), k.GP64(), k.arg("src"), k.arg("dst")
	k.SUBQ(l.now.m, m)
	k.MOVQ(m, l.now.m)
	k.MOVQ(l.now.n, n)
	k.MOVQ(n, rest)
	k.ANDQ(operand.Imm(63), rest)
	k.MOVQ(rest, l.now.n)
	k.SUBQ(rest, n)
	k.ADDQ(n, src)
	k.MOVQ(src, l.now.src)
	k.SHRQ(operand.U8(k.shift), n)
	k.IMULQ(ldd, n)
	k.ADDQ(n, to)
	k.MOVQ(to, l.now.dst)
	k.TESTQ(rest, rest)
	k.JNZ(operand.LabelRef("rows"))
	k.JMP(operand.LabelRef("remain"))
}

// strip turns length bytes of each row of a strip and moves dst behind them.
func (l *lines) strip(base []reg.GPVirtual, strides [4]reg.GPVirtual, dst, to, length, count reg.GPVirtual) {
	k := l.k
	if k.wide {
		k.Comment("64 bytes of each row of the strip, turned.")
		k.MOVQ(length, count)
		l.turn("lines", base, strides, dst, count, l.turnedWhole)
		return
	}
	for half := range 2 {
		k.LEAQ(operand.Mem{Base: dst, Disp: 32 * half}, to)
		k.MOVQ(length, count)
		k.Comment(fmt.Sprintf("Half %d of the strip: 64 bytes of each row, turned.", half))
		l.turn(fmt.Sprintf("half%d", half), base[half*len(base)/2:][:len(base)/2], strides, to, count,
			func(at func(row int) operand.Mem) []reg.VecVirtual { return l.turned(at, nil) })
	}
	k.LEAQ(operand.Mem{Base: to, Disp: -32}, dst)
}

// turn emits the loop that turns 64 bytes of some rows, every fourth of which has a pointer, and steps forward. The
// strides are lds, three times lds, ldd and three times ldd.
func (l *lines) turn(label string, rows []reg.GPVirtual, strides [4]reg.GPVirtual, to, count reg.GPVirtual,
	turned func(at func(row int) operand.Mem) []reg.VecVirtual) {
	k := l.k
	k.Label(label)
	for step := range 4 {
		columns := turned(func(i int) operand.Mem {
			return operand.Mem{Base: rows[i/4], Disp: 16 * step}.Idx(times(i%4, strides[0], strides[1]))
		})
		for c, v := range columns {
			k.store(v, operand.Mem{Base: to}.Idx(times(c, strides[2], strides[3])))
		}
		k.LEAQ(operand.Mem{Base: to, Index: strides[2], Scale: uint8(len(columns))}, to)
	}
	for _, p := range rows {
		k.ADDQ(operand.Imm(64), p)
	}
	k.SUBQ(operand.Imm(64), count)
	k.JNZ(operand.LabelRef(label))
}

// turnedWhole loads 16 bytes of each row of a strip and returns them by columns, a cache line each.
func (l *lines) turnedWhole(at func(row int) operand.Mem) []reg.VecVirtual {
	four := make([]reg.VecVirtual, 16/l.k.size)
	for i := range four {
		four[i] = l.k.ZMM()
		l.k.load(at(i), four[i].AsX())
		for part := 1; part < 4; part++ {
			l.k.VINSERTF32X4(operand.Imm(uint64(part)), at(i+part*len(four)), four[i], four[i])
		}
	}
	return l.unpacked(four)
}

// resume goes on with the last rows, if they wait.
func (l *lines) resume() {
	k := l.k
	k.section("remain", "The last rows, if they wait.")
	m := k.GP64()
	k.MOVQ(l.last.m, m)
	k.TESTQ(m, m)
	k.JZ(operand.LabelRef("done"))
	for _, move := range [][2]operand.Mem{{l.last.src, l.now.src}, {l.last.dst, l.now.dst}, {l.last.n, l.now.n}} {
		v := k.GP64()
		k.MOVQ(move[0], v)
		k.MOVQ(v, move[1])
	}
	k.MOVQ(m, l.now.m)
	k.MOVQ(operand.I32(0), l.last.m)
	k.JMP(operand.LabelRef("rows"))
}

// times is the index and scale of i strides, i < 4.
func times(i int, stride, stride3 reg.GPVirtual) (reg.Register, uint8) {
	switch i {
	case 0:
		return nil, 0
	case 3:
		return stride3, 1
	}
	return stride, uint8(i)
}
