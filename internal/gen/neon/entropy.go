package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The kernels of package asm/entropy compute with two float64 at a time. Behind an odd number of classes the upper lane
// is cleared where it would count.

var entropyBegin = source{
	"entropy", "begin", "Begin", "(a, s *T, u, sums *float64, m int, shift float64)",
	func(k *kernel) { newEntropy(k).begin() },
}

var entropyStep = source{
	"entropy", "step", "Step", "(a, delta *T, u *float64, m, y int, q *float64) (outcome int)",
	func(k *kernel) { newEntropy(k).step() },
}

// entropy is one of the kernels.
type entropy struct {
	*expKernel
	narrow *kernel // of the element
	m      X
	row    [3]X // z, l, p
	at     [3]X // in a loop
	left   X
	temp   X
	q      X

	z, l, p, w, e V
	g, sq, f, x   V // scratch of the exponential
	y, c          V
	t             V
	sums          []V
}

func newEntropy(k *kernel) *entropy {
	double := *k
	double.elem = elems[1]
	double.suffix = k.suffix + "F64"
	d := &double
	n := &entropy{narrow: k, expKernel: newExp(d, "", "")}
	for _, c := range []struct {
		name string
		v    float64
	}{{"two", 2}, {"third", 1. / 3}, {"sixth", 1. / 6}, {"twelfth", 1. / 12}, {"quarter", 0.25}, {"0.5", 0.5}} {
		n.number(c.name, c.v)
	}
	for i := 1; i <= n.terms(); i++ {
		n.number("log"+coefficient(i), math.Copysign(1/float64(i), float64(i%2)-0.5))
	}
	for _, v := range []*V{&n.z, &n.l, &n.p, &n.w, &n.e, &n.y, &n.c, &n.t} {
		*v = d.vs(1)[0]
	}
	n.work[0] = d.vs(5)
	n.g, n.sq, n.f, n.x = n.work[0][0], n.work[0][1], n.work[0][2], n.work[0][3]
	n.sums = d.vs(5)
	n.m, n.row[0] = d.arg("m"), d.arg("u")
	n.left, n.temp = d.x(), d.x()
	d.Comment("The rows z, l, p of u, which hold m float64 rounded up to a multiple of 8.")
	d.Op("ADD", imm(7), n.m, n.temp)
	d.Op("AND", imm(-8), n.temp, n.temp)
	for i := range n.row {
		n.at[i] = d.x()
		if i > 0 {
			n.row[i] = d.x()
			d.Op("ADD", a64.Shifted(n.temp, 3), n.row[i-1], n.row[i])
		}
	}
	return n
}

// each calls f in a loop over pairs of classes, and once more for the last of an odd number. more are pointers that
// begin with it, and their copies.
func (n *entropy) each(more [][2]X, f func(last bool)) {
	loop, rest, done := n.NewLabel("loop"), n.NewLabel("rest"), n.NewLabel("done")
	for i := range n.row {
		n.Op("MOVD", n.row[i], n.at[i])
	}
	for _, p := range more {
		n.Op("MOVD", p[0], p[1])
	}
	n.Op("SUBS", imm(2), n.m, n.left)
	n.Op("BLT", rest)
	n.section(loop, "Two classes.")
	f(false)
	n.Op("SUBS", imm(2), n.left, n.left)
	n.Op("BGE", loop)
	n.Bind(rest)
	n.Op("ADDS", imm(2), n.left, n.left)
	n.Op("BEQ", done)
	n.Comment("The last class of an odd number.")
	f(true)
	n.Bind(done)
}

// get loads from a row, 0 behind the last class, and forward goes on; put stores and goes on.
func (n *entropy) get(row int, v V, last, forward bool) {
	if forward {
		n.Op("FMOVQ.P", a64.Mem(n.at[row], vectorBytes), v)
	} else {
		n.Op("FMOVQ", a64.Mem(n.at[row], 0), v)
	}
	n.clear(v, last)
}

func (n *entropy) put(row int, v V) { n.Op("FMOVQ.P", v, a64.Mem(n.at[row], vectorBytes)) }

// clear sets the upper lane to 0.
func (n *entropy) clear(v V, last bool) {
	if last {
		n.Op("FMOVD", v, v)
	}
}

// widen reads two elements, or the last and 0.
func (n *entropy) widen(p X, to V, last, forward bool) {
	whole, one := "FMOVQ", "FMOVD"
	if n.narrow.size == 4 {
		whole, one = "FMOVD", "FMOVS"
	}
	switch {
	case last:
		n.Op(one, a64.Mem(p, 0), to)
	case forward:
		n.Op(whole+".P", a64.Mem(p, 2*n.narrow.size), to)
	default:
		n.Op(whole, a64.Mem(p, 0), to)
	}
	if n.narrow.size == 4 {
		n.FCVTL(to, to)
	}
}

// putElements writes two elements, or the last.
func (n *entropy) putElements(v V, p X, last bool) {
	whole, one := "FMOVQ", "FMOVD"
	if n.narrow.size == 4 {
		n.FCVTN(v, v)
		whole, one = "FMOVD", "FMOVS"
	}
	if last {
		n.Op(one, v, a64.Mem(p, 0))
	} else {
		n.Op(whole+".P", v, a64.Mem(p, 2*n.narrow.size))
	}
}

// constant loads one that the next instruction uses.
func (n *entropy) constant(name string) V {
	if v, ok := n.held[name]; ok {
		return v
	}
	n.load(name, n.c)
	return n.c
}

// parameter loads a number of q into both lanes, for the next instruction.
func (n *entropy) parameter(i int) V {
	n.Op("FMOVD", a64.Mem(n.q, 8*i), n.c)
	n.Op("VDUP", n.c.Double(0), n.c.Doubles())
	return n.c
}

// begin is the softmax of the scores, and <a,s>.
func (n *entropy) begin() {
	a, s, to := n.arg("a"), n.arg("s"), n.arg("sums")
	pa, ps := n.kernel.x(), n.kernel.x()
	n.Comment("l = s - shift, p = e^l; the sums of p, and of a s.")
	n.Op("FMOVD", n.param("shift"), n.t)
	n.Op("VDUP", n.t.Double(0), n.t.Doubles())
	n.zero(n.sums[:2]...)
	n.each([][2]X{{a, pa}, {s, ps}}, func(last bool) {
		n.widen(ps, n.l, last, true)
		n.widen(pa, n.e, last, true)
		n.fma(n.sums[1], n.l, n.e)
		n.FSUB(n.arr, n.l, n.l, n.t)
		n.put(1, n.l)
		n.exp([]V{n.l})
		n.clear(n.l, last)
		n.put(2, n.l)
		n.add(n.sums[0], n.sums[0], n.l)
	})
	n.Comment("The sums across the lanes.")
	n.store2(to, 0)
	n.Op("RET")
	n.write()
}

// store2 stores the sums of the lanes of two vectors.
func (n *entropy) store2(to X, at int) {
	n.FADDP(n.arr, n.sums[0], n.sums[0], n.sums[1])
	n.Op("FMOVQ", n.sums[0], a64.Mem(to, 8*at))
}
