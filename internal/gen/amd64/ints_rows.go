package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var (
	intsMulVec = source{
		family: "ints", name: "mulvec", entry: "MulVec", sig: "(m, n int, x *T, ldx int, q *T, dst *int32)",
		elems: byteElems, forms: byteForms,
		emit: func(k *kernel) {
			signed := k.goType == "int8"
			newBytes(k, signed, signed).rows().emit()
		},
	}
	intsMixedMulVec = source{
		family: "ints", name: "mixedmulvec", entry: "MixedMulVec",
		sig: "(m, n int, x *uint8, ldx int, q *int8, dst *int32)", elems: plainByte, forms: byteForms,
		emit: func(k *kernel) { newBytes(k, false, true).rows().emit() },
	}
	intsHammingRows = source{
		family: "ints", name: "hammingrows", entry: "HammingRows",
		sig: "(m, n int, x *T, ldx int, q *T, dst *int32)", elems: plainBits, forms: bitForms,
		emit: func(k *kernel) { newBits(k).rows().emit() },
	}
)

// intRows takes a vector q against the rows of a matrix: eight rows at a time, four with AVX2, whose sums a tree turns
// into as many neighbours. The last group takes some rows once more where their number is no multiple; rows fewer than
// a group come one by one.
type intRows struct {
	*kernel
	step   int // elements
	cols   int // sums of a row that take turns
	read   func(m operand.Op, v reg.VecVirtual)
	term   func(row operand.Op, q, sum reg.VecVirtual) // row is memory, or a vector that was read
	mask   func(n reg.GPVirtual) (readQ func(reg.VecVirtual), term func(m operand.Mem, q, sum reg.VecVirtual))
	narrow *bytesKernel // AVX2 and bytes: there are no masks

	m, n, x, ld, ld3, q, dst reg.GPVirtual
	bias                     reg.VecVirtual // VNNI: what 128 added to every sum; nil: nothing
	takeBias                 func() reg.VecVirtual
}

// group is the number of rows at a time.
func (r *intRows) group() int {
	if r.wide {
		return 8
	}
	return 4
}

func (r *intRows) emit() {
	r.m, r.n, r.x, r.ld, r.q, r.dst = r.arg("m"), r.arg("n"), r.arg("x"), r.bytesArg("ldx"), r.arg("q"), r.arg("dst")
	r.CMPQ(r.m, operand.Imm(0))
	r.JLE(operand.LabelRef("done"))
	r.ld3 = r.GP64()
	r.LEAQ(operand.Mem{Base: r.ld, Index: r.ld, Scale: 2}, r.ld3)
	if r.takeBias != nil {
		r.bias = r.takeBias()
	}
	rest := r.GP64()
	r.MOVQ(r.n, rest)
	r.ANDQ(operand.I32(r.step-1), rest)
	var readQ func(reg.VecVirtual)
	var masked func(m operand.Mem, q, sum reg.VecVirtual)
	if r.narrow == nil {
		readQ, masked = r.mask(rest)
	}
	g := r.group()
	r.CMPQ(r.m, operand.Imm(uint64(g)))
	r.JL(operand.LabelRef("single"))
	if r.narrow != nil {
		r.CMPQ(r.n, operand.Imm(16))
		r.JL(operand.LabelRef("single"))
	}
	r.Label("group")
	r.rows(g, rest, readQ, masked)
	r.forward(4*g, r.dst)
	r.LEAQ(operand.Mem{Base: r.x, Index: r.ld, Scale: uint8(g)}, r.x)
	r.SUBQ(operand.Imm(uint64(g)), r.m)
	r.JZ(operand.LabelRef("done"))
	r.CMPQ(r.m, operand.Imm(uint64(g)))
	r.JGE(operand.LabelRef("group"))
	back := r.GP64()
	r.SUBQ(operand.Imm(uint64(g)), r.m)
	r.LEAQ(operand.Mem{Base: r.dst, Index: r.m, Scale: 4}, r.dst)
	r.MOVQ(r.m, back)
	r.IMULQ(r.ld, back)
	r.ADDQ(back, r.x)
	r.MOVQ(operand.U32(g), r.m)
	r.JMP(operand.LabelRef("group"))

	r.Label("single")
	r.rows(1, rest, readQ, masked)
	r.forward(4, r.dst)
	r.ADDQ(r.ld, r.x)
	r.DECQ(r.m)
	r.JNZ(operand.LabelRef("single"))
	r.Label("done")
	r.done()
}

// rows takes the next group of rows.
func (r *intRows) rows(rows int, rest reg.GPVirtual, readQ func(reg.VecVirtual),
	masked func(m operand.Mem, q, sum reg.VecVirtual)) {
	here := fmt.Sprintf("rows%d", rows)
	sums := r.vecs(rows * r.cols) // sums[c*rows+i] belongs to row i
	r.zero(sums...)
	p, q, n := []reg.GPVirtual{r.GP64()}, r.GP64(), r.GP64()
	r.MOVQ(r.x, p[0])
	if rows > 4 {
		p = append(p, r.GP64())
		r.LEAQ(operand.Mem{Base: r.x, Index: r.ld, Scale: 4}, p[1])
	}
	r.MOVQ(r.q, q)
	r.MOVQ(r.n, n)
	for _, steps := range unique(2, 1) {
		loop := fmt.Sprintf("%sby%d", here, steps)
		r.SUBQ(operand.U32(steps*r.step), n)
		r.JB(operand.LabelRef(loop + "end"))
		r.Label(loop)
		for c := range steps {
			v := r.vec()
			r.read(operand.Mem{Base: q, Disp: c * r.step * r.size}, v)
			for i := range rows {
				m := r.rowOf(p, i)
				m.Disp = c * r.step * r.size
				r.term(m, v, sums[c%r.cols*rows+i])
			}
		}
		r.forward(steps*r.step*r.size, q)
		r.forward(steps*r.step*r.size, p...)
		r.SUBQ(operand.U32(steps*r.step), n)
		r.JAE(operand.LabelRef(loop))
		r.Label(loop + "end")
		r.ADDQ(operand.U32(steps*r.step), n)
	}
	r.TESTQ(n, n)
	r.JZ(operand.LabelRef(here + "sum"))
	if r.narrow != nil {
		r.restNarrow(here, rows, rest, p, q, sums)
	} else {
		v := r.vec()
		readQ(v)
		for i := range rows {
			masked(r.rowOf(p, i), v, sums[i])
		}
	}
	r.Label(here + "sum")
	for c := 1; c < r.cols; c++ {
		for i := range rows {
			r.VPADDD(sums[c*rows+i], sums[i], sums[i])
		}
	}
	r.finish(rows, sums[:rows])
}

// restNarrow takes the last bytes of the rows with AVX2: the last 16 once more, where q has zeros before what is new.
func (r *intRows) restNarrow(here string, rows int, rest reg.GPVirtual, p []reg.GPVirtual, q reg.GPVirtual,
	sums []reg.VecVirtual) {
	v := r.vec()
	if rows == 1 {
		r.CMPQ(r.n, operand.Imm(16))
		r.JGE(operand.LabelRef(here + "last"))
		r.narrow.read(true, r.fewBytes(q, rest), v)
		r.term(r.fewBytes(p[0], rest), v, sums[0])
		r.JMP(operand.LabelRef(here + "sum"))
		r.Label(here + "last")
	}
	r.narrow.read(true, r.lastBytes(q, rest), v)
	r.LEAQ(operand.Mem{Base: p[0], Index: rest, Scale: 1, Disp: -16}, p[0])
	for i := range rows {
		r.term(r.rowOf(p, i), v, sums[i])
	}
}

// rowOf is the memory i rows below p[0]; p[1], where there is one, lies 4 rows below.
func (r *intRows) rowOf(p []reg.GPVirtual, i int) operand.Mem {
	base := p[i/4]
	switch i % 4 {
	case 0:
		return operand.Mem{Base: base}
	case 3:
		return operand.Mem{Base: base, Index: r.ld3, Scale: 1}
	}
	return operand.Mem{Base: base, Index: r.ld, Scale: uint8(i % 4)}
}

// finish writes the sums of the lanes of each vector, less the bias.
func (r *intRows) finish(rows int, sums []reg.VecVirtual) {
	to := operand.Mem{Base: r.dst}
	switch {
	case rows == 1:
		s := r.intSum(sums[0])
		if r.bias != nil {
			bias := r.GP32()
			r.VMOVD(r.bias.AsX(), bias)
			r.SUBL(bias, s.As32())
		}
		r.MOVL(s.As32(), to)
	case !r.wide:
		a, b, c, d, t := sums[0], sums[1], sums[2], sums[3], r.XMM()
		r.VPHADDD(b, a, a)
		r.VPHADDD(d, c, c)
		r.VPHADDD(c, a, a)
		r.VEXTRACTI128(operand.Imm(1), a, t)
		r.VPADDD(t, a.AsX(), t)
		r.VMOVDQU(t, to)
	default:
		s := r.turn8(sums)
		if r.bias != nil {
			r.VPSUBD(r.bias.AsY(), s, s)
		}
		r.VMOVDQU(s, to)
	}
}

// turn8 adds the lanes of eight 512-bit vectors as a transposition would: see sum8 of gemv.
func (r *intRows) turn8(v []reg.VecVirtual) reg.Register {
	fold := func(a, b reg.VecVirtual, low, high uint64) {
		t := r.ZMM()
		r.VSHUFI64X2(operand.Imm(high), b, a, t)
		r.VSHUFI64X2(operand.Imm(low), b, a, a)
		r.VPADDD(t, a, a)
	}
	for i := 0; i < 8; i += 2 {
		fold(v[i], v[i+1], 0x44, 0xee) // row i | row i+1
	}
	fold(v[0], v[2], 0x88, 0xdd) // rows 0 1 2 3, a lane of 128 bits each
	fold(v[4], v[6], 0x88, 0xdd) // rows 4 5 6 7
	low, high, t := v[0], v[4], r.ZMM()
	r.VPUNPCKHDQ(high, low, t)
	r.VPUNPCKLDQ(high, low, low)
	r.VPADDD(t, low, low)
	r.VPSHUFD(operand.Imm(0x4e), low, t)
	r.VPADDD(t, low, low) // lane i holds rows i, i+4, i, i+4
	order := r.ZMM()
	r.VMOVDQU64(r.global("rows_in_order", func() {
		for i := range 16 {
			r.AppendDatum(operand.U32(i%4*4 + i/4%2))
		}
	}), order)
	r.VPERMD(low, order, low)
	return low.AsY()
}

// rows is the loop for inner products of bytes.
func (b *bytesKernel) rows() *intRows {
	r := &intRows{kernel: b.kernel, step: b.step(), cols: 1,
		read: func(m operand.Op, v reg.VecVirtual) { b.read(true, m, v) },
		term: func(row operand.Op, q, sum reg.VecVirtual) {
			v := b.vec()
			b.read(false, row, v)
			b.multiply(v, q, sum)
		},
	}
	if !b.wide {
		r.narrow = b
	}
	if b.vnni() {
		r.cols = 2
	}
	r.mask = func(n reg.GPVirtual) (func(reg.VecVirtual), func(m operand.Mem, q, sum reg.VecVirtual)) {
		by := b.byteMask(n)
		readQ := func(v reg.VecVirtual) {
			p := b.GP64()
			b.LEAQ(operand.Mem{Base: r.q, Index: r.n, Scale: 1}, p)
			b.SUBQ(n, p)
			b.readMasked(true, operand.Mem{Base: p}, by, v)
		}
		return readQ, func(m operand.Mem, q, sum reg.VecVirtual) {
			v := b.vec()
			b.readMasked(false, m, by, v)
			b.multiply(v, q, sum)
		}
	}
	b.swapped = b.vnni() && !b.y
	if b.flips(false) {
		r.takeBias = func() reg.VecVirtual { return b.bias(r) }
	}
	return r
}

// bias is what flipped rows add to every sum: 128 Σ q, or -128 Σ q where q is unsigned.
func (b *bytesKernel) bias(r *intRows) reg.VecVirtual {
	q, n, sum, v := b.GP64(), b.GP64(), b.vec(), b.vec()
	b.zero(sum)
	b.MOVQ(r.q, q)
	b.MOVQ(r.n, n)
	add := func() {
		if b.y {
			b.VPDPBUSD(v, b.ones, sum)
		} else {
			b.VPDPBUSD(b.ones, v, sum)
		}
	}
	b.SUBQ(operand.Imm(uint64(b.bytes)), n)
	b.JB(operand.LabelRef("biasrest"))
	b.Label("bias")
	b.read(true, operand.Mem{Base: q}, v)
	add()
	b.forward(b.bytes, q)
	b.SUBQ(operand.Imm(uint64(b.bytes)), n)
	b.JAE(operand.LabelRef("bias"))
	b.Label("biasrest")
	b.ADDQ(operand.Imm(uint64(b.bytes)), n)
	b.JZ(operand.LabelRef("biased"))
	b.readMasked(true, operand.Mem{Base: q}, b.byteMask(n), v)
	add()
	b.Label("biased")
	s := b.intSum(sum)
	b.SHLQ(operand.Imm(7), s)
	if !b.y {
		b.NEGQ(s)
	}
	b.VPBROADCASTD(s.As32(), sum)
	return sum
}

// rows is the loop for bits that differ.
func (b *bitsKernel) rows() *intRows {
	r := &intRows{kernel: b.kernel, step: b.lanes(), cols: 1,
		read: func(m operand.Op, v reg.VecVirtual) { b.load(m.(operand.Mem), v) },
		term: func(row operand.Op, q, sum reg.VecVirtual) {
			v := b.vec()
			b.xor(row, q, v)
			b.count(v, sum)
		},
	}
	r.mask = func(n reg.GPVirtual) (func(reg.VecVirtual), func(m operand.Mem, q, sum reg.VecVirtual)) {
		by := b.maskOf(n)
		readQ := func(v reg.VecVirtual) {
			p, back := b.GP64(), b.GP64()
			b.MOVQ(r.n, back)
			b.SUBQ(n, back)
			b.LEAQ(operand.Mem{Base: r.q, Index: back, Scale: 8}, p)
			b.loadMasked(operand.Mem{Base: p}, by, v)
		}
		return readQ, func(m operand.Mem, q, sum reg.VecVirtual) {
			v := b.vec()
			if b.wide {
				b.VPXORQ_Z(m, q, by.k, v)
			} else {
				b.loadMasked(m, by, v)
				b.xor(v, q, v)
			}
			b.count(v, sum)
		}
	}
	return r
}
