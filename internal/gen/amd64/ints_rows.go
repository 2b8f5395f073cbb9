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
	k      *kernel
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
	if r.k.wide {
		return 8
	}
	return 4
}

func (r *intRows) emit() {
	r.m, r.n, r.x = r.k.arg("m"), r.k.arg("n"), r.k.arg("x")
	r.ld, r.q, r.dst = r.k.bytesArg("ldx"), r.k.arg("q"), r.k.arg("dst")
	r.k.CMPQ(r.m, operand.Imm(0))
	r.k.JLE(operand.LabelRef("done"))
	r.ld3 = r.k.GP64()
	r.k.LEAQ(operand.Mem{Base: r.ld, Index: r.ld, Scale: 2}, r.ld3)
	if r.takeBias != nil {
		r.bias = r.takeBias()
	}
	rest := r.k.GP64()
	r.k.MOVQ(r.n, rest)
	r.k.ANDQ(operand.I32(r.step-1), rest)
	var readQ func(reg.VecVirtual)
	var masked func(m operand.Mem, q, sum reg.VecVirtual)
	if r.narrow == nil {
		readQ, masked = r.mask(rest)
	}
	g := r.group()
	r.k.CMPQ(r.m, operand.Imm(uint64(g)))
	r.k.JL(operand.LabelRef("single"))
	if r.narrow != nil {
		r.k.CMPQ(r.n, operand.Imm(16))
		r.k.JL(operand.LabelRef("single"))
	}
	r.k.section("group", fmt.Sprintf("Groups of %d rows.", g))
	r.rows(g, rest, readQ, masked)
	r.k.forward(4*g, r.dst)
	r.k.LEAQ(operand.Mem{Base: r.x, Index: r.ld, Scale: uint8(g)}, r.x)
	r.k.SUBQ(operand.Imm(uint64(g)), r.m)
	r.k.JZ(operand.LabelRef("done"))
	r.k.CMPQ(r.m, operand.Imm(uint64(g)))
	r.k.JGE(operand.LabelRef("group"))
	r.k.Comment("The last group takes some rows once more.")
	back := r.k.GP64()
	r.k.SUBQ(operand.Imm(uint64(g)), r.m)
	r.k.LEAQ(operand.Mem{Base: r.dst, Index: r.m, Scale: 4}, r.dst)
	r.k.MOVQ(r.m, back)
	r.k.IMULQ(r.ld, back)
	r.k.ADDQ(back, r.x)
	r.k.MOVQ(operand.U32(g), r.m)
	r.k.JMP(operand.LabelRef("group"))

	r.k.section("single", "Row by row.")
	r.rows(1, rest, readQ, masked)
	r.k.forward(4, r.dst)
	r.k.ADDQ(r.ld, r.x)
	r.k.DECQ(r.m)
	r.k.JNZ(operand.LabelRef("single"))
	r.k.Label("done")
	r.k.done()
}

// rows takes the next group of rows.
func (r *intRows) rows(rows int, rest reg.GPVirtual, readQ func(reg.VecVirtual),
	masked func(m operand.Mem, q, sum reg.VecVirtual)) {
	here := fmt.Sprintf("rows%d", rows)
	sums := r.k.vecs(rows * r.cols) // sums[c*rows+i] belongs to row i
	r.k.zero(sums...)
	p, q, n := []reg.GPVirtual{r.k.GP64()}, r.k.GP64(), r.k.GP64()
	r.k.MOVQ(r.x, p[0])
	if rows > 4 {
		p = append(p, r.k.GP64())
		r.k.LEAQ(operand.Mem{Base: r.x, Index: r.ld, Scale: 4}, p[1])
	}
	r.k.MOVQ(r.q, q)
	r.k.MOVQ(r.n, n)
	for _, steps := range unique(2, 1) {
		loop := fmt.Sprintf("%sby%d", here, steps)
		r.k.SUBQ(operand.U32(steps*r.step), n)
		r.k.JB(operand.LabelRef(loop + "end"))
		r.k.section(loop, counted(steps, "vector")+" of q at a time.")
		for c := range steps {
			v := r.k.vec()
			r.read(operand.Mem{Base: q, Disp: c * r.step * r.k.size}, v)
			for i := range rows {
				m := r.rowOf(p, i)
				m.Disp = c * r.step * r.k.size
				r.term(m, v, sums[c%r.cols*rows+i])
			}
		}
		r.k.forward(steps*r.step*r.k.size, q)
		r.k.forward(steps*r.step*r.k.size, p...)
		r.k.SUBQ(operand.U32(steps*r.step), n)
		r.k.JAE(operand.LabelRef(loop))
		r.k.Label(loop + "end")
		r.k.ADDQ(operand.U32(steps*r.step), n)
	}
	r.k.TESTQ(n, n)
	r.k.JZ(operand.LabelRef(here + "sum"))
	r.k.Comment("The rest of q.")
	if r.narrow != nil {
		r.restNarrow(here, rows, rest, p, q, sums)
	} else {
		v := r.k.vec()
		readQ(v)
		for i := range rows {
			masked(r.rowOf(p, i), v, sums[i])
		}
	}
	r.k.section(here+"sum", "The sums of the rows, across the lanes.")
	for c := 1; c < r.cols; c++ {
		for i := range rows {
			r.k.VPADDD(sums[c*rows+i], sums[i], sums[i])
		}
	}
	r.finish(rows, sums[:rows])
}

// restNarrow takes the last bytes of the rows with AVX2: the last 16 once more, where q has zeros before what is new.
func (r *intRows) restNarrow(here string, rows int, rest reg.GPVirtual, p []reg.GPVirtual, q reg.GPVirtual,
	sums []reg.VecVirtual) {
	v := r.k.vec()
	if rows == 1 {
		r.k.CMPQ(r.n, operand.Imm(16))
		r.k.JGE(operand.LabelRef(here + "last"))
		r.narrow.read(true, r.k.fewBytes(q, rest), v)
		r.term(r.k.fewBytes(p[0], rest), v, sums[0])
		r.k.JMP(operand.LabelRef(here + "sum"))
		r.k.Label(here + "last")
	}
	r.narrow.read(true, r.k.lastBytes(q, rest), v)
	r.k.LEAQ(operand.Mem{Base: p[0], Index: rest, Scale: 1, Disp: -16}, p[0])
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
		s := r.k.intSum(sums[0])
		if r.bias != nil {
			bias := r.k.GP32()
			r.k.VMOVD(r.bias.AsX(), bias)
			r.k.SUBL(bias, s.As32())
		}
		r.k.MOVL(s.As32(), to)
	case !r.k.wide:
		a, b, c, d, t := sums[0], sums[1], sums[2], sums[3], r.k.XMM()
		r.k.VPHADDD(b, a, a)
		r.k.VPHADDD(d, c, c)
		r.k.VPHADDD(c, a, a)
		r.k.VEXTRACTI128(operand.Imm(1), a, t)
		r.k.VPADDD(t, a.AsX(), t)
		r.k.VMOVDQU(t, to)
	default:
		s := r.turn8(sums)
		if r.bias != nil {
			r.k.VPSUBD(r.bias.AsY(), s, s)
		}
		r.k.VMOVDQU(s, to)
	}
}

// turn8 adds the lanes of eight 512-bit vectors as a transposition would: see sum8 of gemv.
func (r *intRows) turn8(v []reg.VecVirtual) reg.Register {
	fold := func(a, b reg.VecVirtual, low, high uint64) {
		t := r.k.ZMM()
		r.k.VSHUFI64X2(operand.Imm(high), b, a, t)
		r.k.VSHUFI64X2(operand.Imm(low), b, a, a)
		r.k.VPADDD(t, a, a)
	}
	for i := 0; i < 8; i += 2 {
		fold(v[i], v[i+1], 0x44, 0xee) // row i | row i+1
	}
	fold(v[0], v[2], 0x88, 0xdd) // rows 0 1 2 3, a lane of 128 bits each
	fold(v[4], v[6], 0x88, 0xdd) // rows 4 5 6 7
	low, high, t := v[0], v[4], r.k.ZMM()
	r.k.VPUNPCKHDQ(high, low, t)
	r.k.VPUNPCKLDQ(high, low, low)
	r.k.VPADDD(t, low, low)
	r.k.VPSHUFD(operand.Imm(0x4e), low, t)
	r.k.VPADDD(t, low, low) // lane i holds rows i, i+4, i, i+4
	order := r.k.ZMM()
	r.k.VMOVDQU64(r.k.global("rows_in_order", func() {
		for i := range 16 {
			r.k.AppendDatum(operand.U32(i%4*4 + i/4%2))
		}
	}), order)
	r.k.VPERMD(low, order, low)
	return low.AsY()
}

// rows is the loop for inner products of bytes.
func (b *bytesKernel) rows() *intRows {
	r := &intRows{k: b.k, step: b.step(), cols: 1,
		read: func(m operand.Op, v reg.VecVirtual) { b.read(true, m, v) },
		term: func(row operand.Op, q, sum reg.VecVirtual) {
			v := b.k.vec()
			b.read(false, row, v)
			b.multiply(v, q, sum)
		},
	}
	if !b.k.wide {
		r.narrow = b
	}
	r.mask = func(n reg.GPVirtual) (func(reg.VecVirtual), func(m operand.Mem, q, sum reg.VecVirtual)) {
		by := b.byteMask(n)
		readQ := func(v reg.VecVirtual) {
			p := b.k.GP64()
			b.k.LEAQ(operand.Mem{Base: r.q, Index: r.n, Scale: 1}, p)
			b.k.SUBQ(n, p)
			b.readMasked(true, operand.Mem{Base: p}, by, v)
		}
		return readQ, func(m operand.Mem, q, sum reg.VecVirtual) {
			v := b.k.vec()
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
	q, n, sum, v := b.k.GP64(), b.k.GP64(), b.k.vec(), b.k.vec()
	b.k.Comment("128 times the sum of q, for the bytes that are changed by 128.")
	b.k.zero(sum)
	b.k.MOVQ(r.q, q)
	b.k.MOVQ(r.n, n)
	add := func() {
		if b.y {
			b.k.VPDPBUSD(v, b.ones, sum)
		} else {
			b.k.VPDPBUSD(b.ones, v, sum)
		}
	}
	b.k.SUBQ(operand.Imm(uint64(b.k.bytes)), n)
	b.k.JB(operand.LabelRef("biasrest"))
	b.k.Label("bias")
	b.read(true, operand.Mem{Base: q}, v)
	add()
	b.k.forward(b.k.bytes, q)
	b.k.SUBQ(operand.Imm(uint64(b.k.bytes)), n)
	b.k.JAE(operand.LabelRef("bias"))
	b.k.Label("biasrest")
	b.k.ADDQ(operand.Imm(uint64(b.k.bytes)), n)
	b.k.JZ(operand.LabelRef("biased"))
	b.readMasked(true, operand.Mem{Base: q}, b.byteMask(n), v)
	add()
	b.k.Label("biased")
	s := b.k.intSum(sum)
	b.k.SHLQ(operand.Imm(7), s)
	if !b.y {
		b.k.NEGQ(s)
	}
	b.k.VPBROADCASTD(s.As32(), sum)
	return sum
}

// rows is the loop for bits that differ.
func (b *bitsKernel) rows() *intRows {
	r := &intRows{k: b.k, step: b.k.lanes(), cols: 1,
		read: func(m operand.Op, v reg.VecVirtual) { b.k.load(m.(operand.Mem), v) },
		term: func(row operand.Op, q, sum reg.VecVirtual) {
			v := b.k.vec()
			b.xor(row, q, v)
			b.count(v, sum)
		},
	}
	r.mask = func(n reg.GPVirtual) (func(reg.VecVirtual), func(m operand.Mem, q, sum reg.VecVirtual)) {
		by := b.k.maskOf(n)
		readQ := func(v reg.VecVirtual) {
			p, back := b.k.GP64(), b.k.GP64()
			b.k.MOVQ(r.n, back)
			b.k.SUBQ(n, back)
			b.k.LEAQ(operand.Mem{Base: r.q, Index: back, Scale: 8}, p)
			b.k.loadMasked(operand.Mem{Base: p}, by, v)
		}
		return readQ, func(m operand.Mem, q, sum reg.VecVirtual) {
			v := b.k.vec()
			if b.k.wide {
				b.k.VPXORQ_Z(m, q, by.k, v)
			} else {
				b.k.loadMasked(m, by, v)
				b.xor(v, q, v)
			}
			b.count(v, sum)
		}
	}
	return r
}
