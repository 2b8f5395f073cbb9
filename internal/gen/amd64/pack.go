package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const packSig = "(m, n int, src *T, lds int, dst *T, ldd int)"

// packRows copies rows, filled up with zeros to whole groups of 32 bytes.
var packRows = source{
	family: "gemm", name: "packrows", entry: "PackRows", sig: packSig,
	emit: func(k *kernel) {
		k = k.narrowed()
		m, n, src, lds, dst, ldd := k.arg("m"), k.arg("n"), k.arg("src"), k.bytesArg("lds"), k.arg("dst"), k.bytesArg("ldd")
		k.unlessEmpty(m, n)
		rest, full := k.GP64(), k.GP64()
		k.MOVQ(n, rest)
		k.ANDQ(operand.U32(k.lanes()-1), rest)
		k.MOVQ(n, full)
		k.SUBQ(rest, full)
		k.SHLQ(operand.U8(k.shift), full) // bytes of whole groups
		last := k.maskOf(rest)
		const unroll = 4
		for v := unroll; v > 0; v-- { // rows of few groups have loops of their own
			here, next := fmt.Sprintf("groups%d", v), fmt.Sprintf("not%d", v)
			k.CMPQ(full, operand.U32(v*k.bytes))
			k.JNE(operand.LabelRef(next))
			k.TESTQ(rest, rest)
			k.JNZ(operand.LabelRef(next))
			k.Label(here)
			k.copyGroups(v, operand.Mem{Base: src}, operand.Mem{Base: dst})
			k.ADDQ(lds, src)
			k.ADDQ(ldd, dst)
			k.DECQ(m)
			k.JNZ(operand.LabelRef(here))
			k.JMP(operand.LabelRef("done"))
			k.Label(next)
		}
		k.Label("row")
		j := k.GP64()
		k.XORQ(j, j)
		k.CMPQ(j, full)
		k.JE(operand.LabelRef("rest"))
		k.Label("group")
		k.copyGroups(1, operand.Mem{Base: src, Index: j, Scale: 1}, operand.Mem{Base: dst, Index: j, Scale: 1})
		k.ADDQ(operand.Imm(uint64(k.bytes)), j)
		k.CMPQ(j, full)
		k.JB(operand.LabelRef("group"))
		k.Label("rest")
		k.TESTQ(rest, rest)
		k.JZ(operand.LabelRef("next"))
		v := k.vec()
		k.loadMasked(operand.Mem{Base: src, Index: j, Scale: 1}, last, v)
		k.store(v, operand.Mem{Base: dst, Index: j, Scale: 1})
		k.Label("next")
		k.ADDQ(lds, src)
		k.ADDQ(ldd, dst)
		k.DECQ(m)
		k.JNZ(operand.LabelRef("row"))
		k.Label("done")
		k.done()
	},
}

// narrowed is the kernel on vectors of 32 bytes, the groups in which matrices are packed.
func (k *kernel) narrowed() *kernel {
	if k.wide {
		return k.halved()
	}
	return k
}

func (k *kernel) unlessEmpty(n ...reg.GPVirtual) {
	for _, n := range n {
		k.TESTQ(n, n)
		k.JLE(operand.LabelRef("done"))
	}
}

func (k *kernel) copyGroups(groups int, src, dst operand.Mem) {
	for range groups {
		v := k.vec()
		k.load(src, v)
		k.store(v, dst)
		src.Disp += k.bytes
		dst.Disp += k.bytes
	}
}

// packColumns copies a matrix transposed, a group of rows at a time, four (or two) columns of them at once: each register
// takes 16 bytes of one row and of the row half a group below.
var packColumns = source{
	family: "gemm", name: "packcolumns", entry: "PackColumns", sig: packSig,
	emit: func(k *kernel) { (&transposer{k: k.narrowed()}).emit() },
}

// transpose adds a transposed matrix to a multiple of another. Of the last group of rows it writes only what exists.
var transpose = source{
	family: "gemm", name: "transpose", entry: "Transpose", sig: "(m, n int, src *T, lds int, beta T, dst *T, ldd int)",
	emit: func(k *kernel) { (&transposer{k: k.narrowed(), exact: true}).emit() },
}

type transposer struct {
	k     *kernel
	exact bool
	by    mask // of the group's rows, if exact
	beta  reg.VecVirtual
	row   []reg.GPVirtual // the rows of the group
	j     reg.GPVirtual   // bytes into them
}

func (t *transposer) emit() {
	m, n := t.k.arg("m"), t.k.arg("n")
	t.k.unlessEmpty(m, n)
	group := t.k.lanes()
	base, to, left := t.k.AllocLocal(8), t.k.AllocLocal(8), t.k.AllocLocal(8)
	p := t.k.arg("src")
	t.k.MOVQ(p, base)
	p = t.k.arg("dst")
	t.k.MOVQ(p, to)
	t.k.MOVQ(m, left)
	t.k.SHLQ(operand.U8(t.k.shift), n) // bytes of a row

	t.k.Label("rows")
	count := t.k.GP64()
	t.k.MOVQ(left, count)
	if t.exact {
		rows := t.k.GP64()
		t.k.MOVQ(operand.U32(group), rows)
		t.k.CMPQ(rows, count)
		t.k.CMOVQGT(count, rows)
		t.by, t.beta = t.k.maskOf(rows), t.k.YMM()
		t.k.bcast(t.k.scalarArg("beta"), t.beta)
	}
	t.row = t.k.clamped(base, "lds", group, count)
	t.j = t.k.GP64()
	t.k.XORQ(t.j, t.j)
	dst, ldd := t.k.GP64(), t.k.bytesArg("ldd")
	t.k.MOVQ(to, dst)
	t.k.SUBQ(operand.Imm(16), n)
	t.k.JB(operand.LabelRef("rest"))
	t.k.Label("columns")
	for i, v := range t.columns(func(m operand.Mem, low reg.VecVirtual) { t.k.load(m, low) }) {
		t.put("full", i, v, dst)
		t.k.ADDQ(ldd, dst)
	}
	t.k.ADDQ(operand.Imm(16), t.j)
	t.k.CMPQ(t.j, n)
	t.k.JLE(operand.LabelRef("columns"))
	t.k.Label("rest")
	t.k.ADDQ(operand.Imm(16), n)
	t.k.CMPQ(t.j, n)
	t.k.JE(operand.LabelRef("next"))
	rest := t.k.GP64()
	t.k.MOVQ(n, rest)
	t.k.SUBQ(t.j, rest)
	t.k.SHRQ(operand.U8(t.k.shift), rest)
	by := t.k.maskOf(rest)
	for i, v := range t.columns(func(m operand.Mem, low reg.VecVirtual) { t.k.loadMasked(m, by, low) }) {
		t.put("rest", i, v, dst)
		t.k.ADDQ(ldd, dst)
		t.k.DECQ(rest)
		t.k.JZ(operand.LabelRef("next"))
	}
	t.k.Label("next")
	t.k.ADDQ(operand.Imm(uint64(t.k.bytes)), to)
	step := t.k.bytesArg("lds")
	t.k.SHLQ(operand.U8(5-t.k.shift), step)
	t.k.ADDQ(step, base)
	t.k.SUBQ(operand.Imm(uint64(group)), left)
	t.k.JG(operand.LabelRef("rows"))
	t.k.Label("done")
	t.k.done()
}

// put writes part of a row of the result.
func (t *transposer) put(here string, i int, v reg.VecVirtual, dst reg.GPVirtual) {
	to := operand.Mem{Base: dst}
	if !t.exact {
		t.k.store(v, to)
		return
	}
	skip, zero := fmt.Sprintf("%s%d", here, i), t.k.nonZero(t.k.scalarArg("beta"))
	t.k.TESTQ(zero, zero)
	t.k.JZ(operand.LabelRef(skip))
	old := t.k.YMM()
	t.k.loadMasked(to, t.by, old)
	t.k.fma(old, t.beta, v)
	t.k.Label(skip)
	t.k.storeMasked(v, t.by, to)
}

// columns loads 16 bytes of each row and returns them by columns.
func (t *transposer) columns(load func(m operand.Mem, v reg.VecVirtual)) (out []reg.VecVirtual) {
	half := t.k.lanes() / 2
	pair := make([]reg.VecVirtual, half) // 16 bytes of row i and of row i + half
	for i := range pair {
		low, high := t.k.XMM(), t.k.XMM()
		at := func(i int) operand.Mem { return operand.Mem{Base: t.row[i], Index: t.j, Scale: 1} }
		load(at(i), low)
		load(at(i+half), high)
		pair[i] = t.k.YMM()
		if t.k.wide {
			t.k.VINSERTF32X4(operand.Imm(1), high, low.AsY(), pair[i])
		} else {
			t.k.VINSERTF128(operand.Imm(1), high, low.AsY(), pair[i])
		}
	}
	unpack := func(low, high func(...operand.Op), a, b reg.VecVirtual) (l, h reg.VecVirtual) {
		l, h = t.k.YMM(), t.k.YMM()
		low(b, a, l)
		high(b, a, h)
		return l, h
	}
	lowPD, highPD := func(o ...operand.Op) { t.k.VUNPCKLPD(o...) }, func(o ...operand.Op) { t.k.VUNPCKHPD(o...) }
	if t.k.f64 {
		a, b := unpack(lowPD, highPD, pair[0], pair[1])
		return []reg.VecVirtual{a, b}
	}
	lowPS, highPS := func(o ...operand.Op) { t.k.VUNPCKLPS(o...) }, func(o ...operand.Op) { t.k.VUNPCKHPS(o...) }
	ab, ab2 := unpack(lowPS, highPS, pair[0], pair[1])
	cd, cd2 := unpack(lowPS, highPS, pair[2], pair[3])
	c0, c1 := unpack(lowPD, highPD, ab, cd)
	c2, c3 := unpack(lowPD, highPD, ab2, cd2)
	return []reg.VecVirtual{c0, c1, c2, c3}
}
