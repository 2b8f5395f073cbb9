package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Where the distance of rows is not a multiple of 64 bytes, most vectors of A would be read from two cache lines. Where
// it is 32 or 16 bytes more than one, and A begins with a line, each row is read by whole lines instead: x is shifted
// to match. A sum has the bits that it has without: its terms only go round from lane to lane by 16 or 32 bytes, and
// the first additions across lanes are between lanes 32 and 16 bytes apart.

// linesFrom is the number of vectors in a row from which that pays.
const linesFrom = 6

// chooseLines leaves for lines where they pay.
func (g *gemvKernel) chooseLines() {
	k := g.k
	if k.single {
		return
	}
	k.TESTQ(operand.U32(63), g.a)
	k.JNZ(operand.LabelRef("rows8"))
	k.CMPQ(g.n, operand.U32(linesFrom*k.lanes()))
	k.JB(operand.LabelRef("rows8"))
	past := k.GP64()
	k.MOVQ(g.lda, past)
	k.ANDQ(operand.U32(63), past)
	for _, step := range []int{32, 16} {
		k.CMPQ(past, operand.U32(step))
		k.JE(operand.LabelRef(fmt.Sprintf("lines%d", step)))
	}
}

// lines treats groups of 8 rows, each of which begins step bytes further in its line than the one before it.
func (g *gemvKernel) lines(step int) {
	k, here := g.k, fmt.Sprintf("lines%d", step)
	l := &gemvLines{gemvKernel: g, step: step, p: []reg.GPVirtual{k.GP64(), k.GP64()}, last: k.vec(), none: k.vec()}
	k.section(here, fmt.Sprintf("Rows that begin %d bytes further in their lines each, 8 at a time.", step))
	heads := make([]mask, 64/step)
	for c := 1; c < len(heads); c++ {
		heads[c] = k.lanesOf(operand.U32(1<<k.lanes() - 1<<(c*step/k.size)))
	}
	k.Label(here + "group")
	k.SUBQ(operand.Imm(8), g.m)
	k.JB(operand.LabelRef(here + "end"))
	l.acc = k.vecs(8)
	k.zero(l.acc...)
	k.zero(l.none)
	x, n := k.GP64(), k.GP64()
	k.MOVQ(g.a, l.p[0])
	k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 4}, l.p[1])
	k.MOVQ(g.x, x)
	k.MOVQ(g.n, n)

	k.Comment("The first line of each row, without what is before the row.")
	v := k.vec()
	k.load(k.at(x, 0), v)
	l.add(v, l.none, heads)
	k.SUBQ(operand.U32(2*k.lanes()), n)
	k.Comment("Whole lines.")
	k.Label(here + "line")
	k.forward(k.bytes, x)
	k.load(k.at(x, 0), v)
	l.add(v, l.last, nil)
	k.SUBQ(operand.U32(k.lanes()), n)
	k.JAE(operand.LabelRef(here + "line"))

	k.Comment("The line that has the last elements, and one more where rows have elements in it.")
	k.ADDQ(operand.U32(k.lanes()), n)
	k.forward(k.bytes, x)
	k.loadMasked(k.at(x, 0), g.rest, v)
	l.add(v, l.last, l.tails(n, 0))
	k.CMPQ(n, operand.U32(step/k.size))
	k.JBE(operand.LabelRef(here + "sum"))
	l.add(l.none, l.last, l.tails(n, k.lanes()))
	k.Label(here + "sum")
	g.finish(here, g.sumRows(l.acc), 8*k.size)
	k.LEAQ(operand.Mem{Base: g.a, Index: g.lda, Scale: 8}, g.a)
	k.ADDQ(operand.Imm(uint64(8*k.size)), g.y)
	k.JMP(operand.LabelRef(here + "group"))
	k.Label(here + "end")
	k.ADDQ(operand.Imm(8), g.m)
	k.JMP(operand.LabelRef("rows4"))
}

// gemvLines is a group of 8 rows. Those whose places in a line are the same are a class.
type gemvLines struct {
	*gemvKernel
	step       int
	p          []reg.GPVirtual // where the line of row 0 is that comes next, and of row 4
	acc        []reg.VecVirtual
	last, none reg.VecVirtual // the x of the line before; 0
}

// add adds a line of each row, of which class c has only the lanes some[c], if there are any. x belongs to the line of
// the rows that begin with one, last to the line before that.
func (l *gemvLines) add(x, last reg.VecVirtual, some []mask) {
	k, classes, first := l.k, 64/l.step, 0
	if x == l.none { // class 0 has ended
		first = 1
	}
	for c := first; c < classes; c++ {
		v := x
		if c > 0 {
			v = k.vec()
			k.VALIGNQ(operand.U8(8-c*l.step/8), last, x, v)
		}
		for i := c; i < 8; i += classes {
			m := l.rowOf(l.p, i)
			m.Disp -= c * l.step
			if len(some) > 0 && some[c].k != nil {
				w := k.vec()
				k.loadMasked(m, some[c], w)
				k.fma(w, v, l.acc[i])
			} else {
				k.fma(m, v, l.acc[i])
			}
		}
	}
	k.forward(k.bytes, l.p...)
	if x != l.none {
		pick(k, k.VMOVAPS, k.VMOVAPD)(x, l.last)
	}
}

// tails returns the lanes of each class where n elements are left, from a number of lanes on.
func (l *gemvLines) tails(n reg.GPVirtual, from int) []mask {
	k, one := l.k, l.k.GP32()
	some := []mask{l.rest}
	k.MOVL(operand.U32(1), one)
	k.SHLXL(n.As32(), one, one)
	for c := 1; c < 64/l.step; c++ {
		bits := k.GP32()
		k.MOVL(one, bits)
		k.SHLL(operand.U8(c*l.step/k.size), bits)
		k.DECL(bits)
		if from > 0 {
			k.SHRL(operand.U8(from), bits)
		}
		m := k.K()
		k.KMOVW(bits, m)
		some = append(some, mask{k: m})
	}
	return some
}

// lanesOf is the mask of the lanes whose bits are set.
func (k *kernel) lanesOf(bits operand.U32) mask {
	r, m := k.GP32(), k.K()
	k.MOVL(bits, r)
	k.KMOVW(r, m)
	return mask{k: m}
}
