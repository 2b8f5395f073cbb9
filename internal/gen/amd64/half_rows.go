package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	rowsSig      = "(m, n int, a *uint16, lda int, x *uint16, y *float32)"
	mixedRowsSig = "(m, n int, a *uint16, lda int, x, y *float32)"
)

var rowsB16 = source{
	family: "half", name: "rowsb16", entry: "RowsB16", sig: rowsSig, elems: plain, forms: dpForms,
	emit: func(k *kernel) { newHalfRows(newHalf(k, false, false), false).emit() },
}

var rowsH16 = source{
	family: "half", name: "rowsh16", entry: "RowsH16", sig: rowsSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { newHalfRows(newHalf(k, true, false), false).emit() },
}

var mixedRowsB16 = source{
	family: "half", name: "mixedrowsb16", entry: "MixedRowsB16", sig: mixedRowsSig, elems: plain, forms: bfloatForms,
	emit: func(k *kernel) { newHalfRows(newHalf(k, false, true), true).emit() },
}

var mixedRowsH16 = source{
	family: "half", name: "mixedrowsh16", entry: "MixedRowsH16", sig: mixedRowsSig, elems: plain, forms: floatForms,
	emit: func(k *kernel) { newHalfRows(newHalf(k, true, true), true).emit() },
}

// halfRows sets y = A x for rows of halves. As in gemv several rows share each load of x, and their sums are added
// across lanes together.
type halfRows struct {
	*half
	gemvKernel
	mixed bool         // x is float32
	some  reg.Register // AVX-512: the mask of the columns behind the last unit
	alike reg.Register // the same for x of float32
}

func newHalfRows(h *half, mixed bool) *halfRows {
	k := h.k
	r := &halfRows{half: h, mixed: mixed, gemvKernel: gemvKernel{k: k, m: k.arg("m"), n: k.arg("n"), a: k.arg("a"),
		lda: k.arg("lda"), x: k.arg("x"), y: k.arg("y")}}
	k.ADDQ(r.lda, r.lda) // bytes
	r.lda3 = k.GP64()
	k.LEAQ(operand.Mem{Base: r.lda, Index: r.lda, Scale: 2}, r.lda3)
	return r
}

func (r *halfRows) emit() {
	k := r.half.k
	r.prepare()
	if k.wide {
		left := k.GP64()
		k.MOVQ(r.n, left)
		k.ANDQ(operand.U32(r.unit()-1), left)
		r.some = r.maskOf(left)
		if r.mixed {
			r.alike = k.maskOf(left).k
		}
		r.group(8, 1)
	}
	r.group(4, 2)
	r.group(1, 4)
	k.done()
}

// group treats groups of that many rows while as many are left, each row with a number of chains.
func (r *halfRows) group(rows, chains int) {
	k, here := r.half.k, fmt.Sprintf("rows%d", rows)
	units := max(1, chains/r.parts())
	k.section(here, counted(rows, "row")+" at a time, each in "+counted(chains, "chain")+".")
	k.SUBQ(operand.Imm(uint64(rows)), r.m)
	k.JB(operand.LabelRef(here + "end"))
	acc := k.vecs(rows * chains) // acc[c*rows+i] belongs to row i
	r.half.zero(acc...)
	p, x, n := []reg.GPVirtual{k.GP64()}, k.GP64(), k.GP64()
	k.MOVQ(r.a, p[0])
	if rows > 4 {
		p = append(p, k.GP64())
		k.LEAQ(operand.Mem{Base: r.a, Index: r.lda, Scale: 4}, p[1])
	}
	k.MOVQ(r.x, x)
	k.MOVQ(r.n, n)
	for _, u := range unique(units, 1) {
		loop := fmt.Sprintf("%sby%d", here, u)
		k.SUBQ(operand.Imm(uint64(u*r.unit())), n)
		k.JB(operand.LabelRef(loop + "end"))
		k.section(loop, counted(u, "unit")+" at a time, each of "+counted(r.unit(), "element")+".")
		for c := range u {
			r.terms(r.loadX(x, c), rows, func(i int) []reg.VecVirtual {
				m := r.rowOf(p, i)
				m.Disp = 2 * c * r.unit()
				return r.half.load(m)
			}, func(part int) []reg.VecVirtual { return acc[(c*r.parts()+part)%chains*rows:] })
		}
		k.forward(2*u*r.unit(), p...)
		k.forward(r.sizeX()*u*r.unit(), x)
		k.SUBQ(operand.Imm(uint64(u*r.unit())), n)
		k.JAE(operand.LabelRef(loop))
		k.Label(loop + "end")
		k.ADDQ(operand.Imm(uint64(u*r.unit())), n)
	}
	k.TESTQ(n, n)
	k.JZ(operand.LabelRef(here + "sum"))
	k.Comment("The rest of the columns.")
	r.rest(here, p, x, n, acc[:rows])
	k.section(here+"sum", "The sums across chains and lanes, to y.")
	for c := chains / 2; c > 0; c /= 2 {
		for i := range c * rows {
			k.add(acc[c*rows+i], acc[i], acc[i])
		}
	}
	k.storePart(r.ofBytes(r.sumRows(acc[:rows]), rows*4), operand.Mem{Base: r.y}, rows*4)
	k.LEAQ(operand.Mem{Base: r.a, Index: r.lda, Scale: uint8(rows)}, r.a)
	k.ADDQ(operand.Imm(uint64(rows*4)), r.y)
	k.JMP(operand.LabelRef(here))
	k.Label(here + "end")
	if rows > 1 {
		k.ADDQ(operand.Imm(uint64(rows)), r.m)
	}
}

// ofBytes is the part of v that has that many bytes, 16 at least.
func (r *halfRows) ofBytes(v reg.Vec, bytes int) reg.Register {
	if bytes == 32 {
		return v.AsY()
	}
	return v.AsX()
}

// terms adds the products of the parts of a unit of x with the same of each row.
func (r *halfRows) terms(x []reg.VecVirtual, rows int, row func(i int) []reg.VecVirtual,
	acc func(part int) []reg.VecVirtual) {
	for i := range rows {
		for part, v := range row(i) {
			r.multiply(x[part], v, acc(part)[i])
		}
	}
}

// sizeX is the size of an element of x.
func (r *halfRows) sizeX() int {
	if r.mixed {
		return 4
	}
	return 2
}

// loadX reads unit c of x.
func (r *halfRows) loadX(x reg.GPVirtual, c int) []reg.VecVirtual {
	if !r.mixed {
		return r.half.load(words(x, c*r.unit()))
	}
	v := r.half.k.vec()
	r.half.k.load(r.half.k.at(x, c*r.unit()), v)
	return []reg.VecVirtual{v}
}

// rest adds the products behind the last unit.
func (r *halfRows) rest(here string, p []reg.GPVirtual, x, n reg.GPVirtual, acc []reg.VecVirtual) {
	k := r.half.k
	to := func(int) []reg.VecVirtual { return acc }
	if k.wide {
		xs := []reg.VecVirtual{k.vec()}
		if r.mixed {
			k.VMOVUPS_Z(k.at(x, 0), r.alike, xs[0])
		} else {
			xs = r.half.loadMasked(words(x, 0), r.some)
		}
		r.terms(xs, len(acc), func(i int) []reg.VecVirtual { return r.half.loadMasked(r.rowOf(p, i), r.some) }, to)
		return
	}
	for e := r.unit() / 2; e > 0; e /= 2 {
		skip := fmt.Sprintf("%sno%d", here, e)
		k.TESTQ(operand.U32(e), n)
		k.JZ(operand.LabelRef(skip))
		var xs reg.VecVirtual
		if r.mixed {
			xs = k.YMM()
			k.loadPart(k.at(x, 0), k.like(xs, k.part(max(16, 4*e))), 4*e)
		} else {
			xs = r.ordered().loadPiece(words(x, 0), e)
		}
		r.terms([]reg.VecVirtual{xs}, len(acc), func(i int) []reg.VecVirtual {
			return []reg.VecVirtual{r.ordered().loadPiece(r.rowOf(p, i), e)}
		}, to)
		k.forward(2*e, p...)
		k.forward(r.sizeX()*e, x)
		k.Label(skip)
	}
}
