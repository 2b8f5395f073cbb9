package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packColumns copies a matrix transposed, a group of rows at a time (with AVX-512 two), four (or two) columns of them
// at once: each register takes 16 bytes of several rows, so far apart that shuffles within 16 bytes are enough to turn
// them.
var packColumns = source{
	family: "gemm", name: "packcolumns", entry: "PackColumns", sig: packSig, storeBound: true,
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
	now   part
	row   []reg.GPVirtual
	n, j  reg.GPVirtual // bytes of a row, and of those that are done
}

// part is a part of the matrix.
type part struct{ src, dst, m, n operand.Mem } // n in bytes

func (k *kernel) newPart() part {
	return part{k.AllocLocal(8), k.AllocLocal(8), k.AllocLocal(8), k.AllocLocal(8)}
}

func (t *transposer) emit() {
	m, n := t.k.arg("m"), t.k.arg("n")
	t.k.unlessEmpty(m, n)
	t.now = t.k.newPart()
	src, dst := t.k.arg("src"), t.k.arg("dst")
	t.k.SHLQ(operand.U8(t.k.shift), n)
	for _, v := range []struct {
		from reg.GPVirtual
		to   operand.Mem
	}{{src, t.now.src}, {dst, t.now.dst}, {m, t.now.m}, {n, t.now.n}} {
		t.k.MOVQ(v.from, v.to)
	}
	var whole *lines
	if !t.exact {
		whole = &lines{transposer: t}
		whole.emit(m, n)
	}
	t.k.section("rows", "The next group of rows.")
	if t.exact {
		t.masked()
	}
	t.row = t.k.clamped(t.now.src, "lds", t.k.lanes(), t.count())
	t.group("", func(v reg.VecVirtual, to operand.Mem) { t.k.store(v, to) })
	t.k.section("next", "To the next rows.")
	t.k.ADDQ(operand.Imm(uint64(t.k.bytes)), t.now.dst)
	step := t.k.bytesArg("lds")
	t.k.SHLQ(operand.U8(5-t.k.shift), step)
	t.k.ADDQ(step, t.now.src)
	t.k.SUBQ(operand.Imm(uint64(t.k.lanes())), t.now.m)
	t.k.JG(operand.LabelRef("rows"))
	if whole != nil {
		whole.resume()
	}
	t.k.Label("done")
	t.k.done()
}

func (t *transposer) count() reg.GPVirtual {
	count := t.k.GP64()
	t.k.MOVQ(t.now.m, count)
	return count
}

// masked does the group if beta is not zero or there are too few rows. Otherwise it leaves it to those who just store;
// a last group of too few rows takes some of those before once more.
func (t *transposer) masked() {
	rows, zero, missing := t.k.GP64(), t.k.nonZero(t.k.scalarArg("beta")), t.k.GP64()
	t.k.MOVQ(operand.U32(t.k.lanes()), rows)
	count := t.count()
	t.k.Comment("With beta = 0 a last group of too few rows takes some of those before once more.")
	t.k.TESTQ(zero, zero)
	t.k.JNZ(operand.LabelRef("masked"))
	t.k.MOVQ(rows, missing)
	t.k.SUBQ(count, missing)
	t.k.JLE(operand.LabelRef("plain"))
	m := t.k.arg("m")
	t.k.CMPQ(m, rows)
	t.k.JL(operand.LabelRef("masked"))
	t.k.MOVQ(rows, t.now.m)
	lds := t.k.bytesArg("lds")
	t.k.IMULQ(missing, lds)
	t.k.SUBQ(lds, t.now.src)
	t.k.SHLQ(operand.U8(t.k.shift), missing)
	t.k.SUBQ(missing, t.now.dst)
	t.k.JMP(operand.LabelRef("plain"))

	t.k.section("masked", "beta is not 0, or there are too few rows: under a mask.")
	t.k.CMPQ(rows, count)
	t.k.CMOVQGT(count, rows)
	by, beta := t.k.maskOf(rows), t.k.YMM()
	t.k.bcast(t.k.scalarArg("beta"), beta)
	t.row = t.k.clamped(t.now.src, "lds", t.k.lanes(), count)
	labels := 0
	t.group("masked", func(v reg.VecVirtual, to operand.Mem) {
		labels++
		skip, zero := fmt.Sprintf("masked%d", labels), t.k.nonZero(t.k.scalarArg("beta"))
		t.k.TESTQ(zero, zero)
		t.k.JZ(operand.LabelRef(skip))
		old := t.k.YMM()
		t.k.loadMasked(to, by, old)
		t.k.fma(old, beta, v)
		t.k.Label(skip)
		t.k.storeMasked(v, by, to)
	})
	t.k.JMP(operand.LabelRef("next"))
	t.k.Label("plain")
}

// group does a group of rows; put writes part of a row of the result.
func (t *transposer) group(name string, put func(v reg.VecVirtual, to operand.Mem)) {
	t.j, t.n = t.k.GP64(), t.k.GP64()
	t.k.XORQ(t.j, t.j)
	t.k.MOVQ(t.now.n, t.n)
	dst, ldd := t.k.GP64(), t.k.bytesArg("ldd")
	t.k.MOVQ(t.now.dst, dst)
	t.k.SUBQ(operand.Imm(16), t.n)
	t.k.JB(operand.LabelRef(name + "rest"))
	t.k.section(name+"columns", "16 bytes of each row, turned.")
	at := func(i int) operand.Mem { return operand.Mem{Base: t.row[i], Index: t.j, Scale: 1} }
	for _, v := range t.turned(at, nil) {
		put(v, operand.Mem{Base: dst})
		t.k.ADDQ(ldd, dst)
	}
	t.k.ADDQ(operand.Imm(16), t.j)
	t.k.CMPQ(t.j, t.n)
	t.k.JLE(operand.LabelRef(name + "columns"))
	t.k.Label(name + "rest")
	t.k.ADDQ(operand.Imm(16), t.n)
	t.k.CMPQ(t.j, t.n)
	t.k.JE(operand.LabelRef(name + "end"))
	t.k.Comment("The rest of the rows, turned.")
	rest := t.k.GP64()
	t.k.MOVQ(t.n, rest)
	t.k.SUBQ(t.j, rest)
	t.k.SHRQ(operand.U8(t.k.shift), rest)
	by := t.k.maskOf(rest)
	columns := t.turned(at, &by)
	for i, v := range columns[:len(columns)-1] { // all of them are not a rest
		if i > 0 {
			t.k.ADDQ(ldd, dst)
			t.k.DECQ(rest)
			t.k.JZ(operand.LabelRef(name + "end"))
		}
		put(v, operand.Mem{Base: dst})
	}
	t.k.Label(name + "end")
}

// turned loads 16 bytes of each row, or what the mask leaves of them, and returns them by columns. Each register takes
// numbers of one row and of the row half a group below.
func (t *transposer) turned(at func(row int) operand.Mem, by *mask) (out []reg.VecVirtual) {
	half := t.k.lanes() / 2
	pair := make([]reg.VecVirtual, half)
	for i := range pair {
		pair[i] = t.pair(at(i), at(i+half), by)
	}
	return t.unpacked(pair)
}

// unpacked turns registers that each hold 16 bytes of several rows, so far apart that each 16 bytes of a column come
// from one place in all registers.
func (t *transposer) unpacked(rows []reg.VecVirtual) []reg.VecVirtual {
	unpack := func(low, high func(...operand.Op), a, b reg.VecVirtual) (l, h reg.VecVirtual) {
		l, h = t.k.part(int(a.Size())), t.k.part(int(a.Size()))
		low(b, a, l)
		high(b, a, h)
		return l, h
	}
	lowPD, highPD := func(o ...operand.Op) { t.k.VUNPCKLPD(o...) }, func(o ...operand.Op) { t.k.VUNPCKHPD(o...) }
	if t.k.f64 {
		a, b := unpack(lowPD, highPD, rows[0], rows[1])
		return []reg.VecVirtual{a, b}
	}
	lowPS, highPS := func(o ...operand.Op) { t.k.VUNPCKLPS(o...) }, func(o ...operand.Op) { t.k.VUNPCKHPS(o...) }
	ab, ab2 := unpack(lowPS, highPS, rows[0], rows[1])
	cd, cd2 := unpack(lowPS, highPS, rows[2], rows[3])
	c0, c1 := unpack(lowPD, highPD, ab, cd)
	c2, c3 := unpack(lowPD, highPD, ab2, cd2)
	return []reg.VecVirtual{c0, c1, c2, c3}
}

// pair loads twice 16 bytes.
func (t *transposer) pair(low, high operand.Mem, by *mask) reg.VecVirtual {
	// inserted from memory, 16 bytes take no turn of the units that shuffle
	v, x, second := t.k.YMM(), t.k.XMM(), operand.Op(high)
	if by == nil {
		t.k.load(low, x)
	} else {
		y := t.k.XMM()
		t.k.loadMasked(low, *by, x)
		t.k.loadMasked(high, *by, y)
		second = y
	}
	if t.k.wide {
		t.k.VINSERTF32X4(operand.Imm(1), second, x.AsY(), v)
	} else {
		t.k.VINSERTF128(operand.Imm(1), second, x.AsY(), v)
	}
	return v
}
