package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// The kernels of package asm/box compute in the type of the elements: two vectors at a time, and behind them one and
// parts of one, whose upper lanes are 0. The gap is one pass over the labels, the move another.

const boxSig = "(a, s, delta *T, m int, p **T, inv T, least float64) (gap, after float64, outcome int)"

var boxHinge = source{"box", "hinge", "Hinge", boxSig, func(k *kernel) { newBox(k, false).emit() }}

var boxSquared = source{"box", "squared", "Squared", boxSig, func(k *kernel) { newBox(k, true).emit() }}

// box is a kernel under construction. Of the vectors of labels there are two each.
type box struct {
	k                      *kernel
	squared                bool
	a, s, delta, m, p      X
	pa, ps, pd, c, lo, hi  X // in a loop
	left, temp, other      X
	zero, inv              V
	bend, half             V // of the squared hinge: 1/(2r) and half of that
	va, vc, vlo, vhi, q, x []V
	mask                   []V
	sum, squares           []V
	same                   V // the lanes where nothing has moved
}

func newBox(k *kernel, squared bool) *box {
	b := &box{k: k, squared: squared, a: k.arg("a"), s: k.arg("s"), delta: k.arg("delta"), m: k.arg("m"), p: k.arg("p")}
	for _, x := range []*X{&b.pa, &b.ps, &b.pd, &b.c, &b.lo, &b.hi, &b.left, &b.temp, &b.other} {
		*x = k.x()
	}
	for _, v := range []*[]V{&b.va, &b.vc, &b.vlo, &b.vhi, &b.q, &b.x, &b.mask, &b.sum, &b.squares} {
		*v = k.vs(2)
	}
	for _, v := range []*V{&b.zero, &b.bend, &b.half, &b.same} {
		*v = k.vs(1)[0]
	}
	return b
}

func (b *box) emit() {
	k, rests := b.k, b.k.NewLabel("rests")
	b.inv = k.scalar("inv")
	k.zero(b.zero)
	if b.squared {
		b.parameter(0, b.bend)
	}

	b.comment("gap = sum of ((hi if q > 0, else lo) - a) q, where q = c - s.",
		"gap = sum of a (w - q) + r (w - bend a)², where q = c - s, w = clip(q).")
	k.zero(append(b.sum, b.squares...)...)
	b.each(func(i int) {
		if b.squared {
			b.squaredGap(i)
		} else {
			b.hingeGap(i)
		}
	}, nil)
	gap := b.total(b.sum)
	if b.squared {
		b.parameter(1, b.x[0])
		k.fma(gap, b.x[0], b.total(b.squares))
	}
	b.result(gap, "gap")
	k.Comment("No step unless the gap is above least.")
	least := b.x[0]
	k.Op("FMOVD", k.param("least"), least)
	k.Op("FCMPD", least, gap) // gap - least
	k.Op("BLE", rests)        // or NaN

	b.comment("x = clip(a + q inv), delta = x - a; after = sum of c x.",
		"x = clip(a + (q - bend a) inv), delta = x - a; after = sum of (c - bend/2 x) x.")
	if b.squared {
		k.Op("MOVD", a64.Constant(k.bitsOf(0.5)), b.temp)
		k.Op(k.move, b.temp, b.half)
		k.Op("VDUP", b.half.Lane(k.arr, 0), b.half.As(k.arr))
		k.mul(b.half, b.half, b.bend)
	}
	k.zero(b.sum...)
	k.FCMEQ(k.arr, b.same, b.zero, b.zero)
	b.each(b.moveOf, func(r run) {
		k.storeBack(r, b.x, b.pa)
		k.store(r, b.va, b.pd)
	})
	b.result(b.total(b.sum), "after")
	k.Op("VMOV", b.same.Double(0), b.temp)
	k.Op("VMOV", b.same.Double(1), b.other)
	k.Op("AND", b.other, b.temp, b.temp)
	k.Op("CMP", imm(-1), b.temp)
	k.Op("CSET", a64.Cond("NE"), b.temp)
	k.Op("MOVD", b.temp, k.param("outcome"))
	k.Op("RET")

	k.section(rests, "No step: after = 0, outcome = 0.")
	k.Op("FMOVD", b.zero, k.param("after"))
	k.Op("MOVD", imm(0), b.temp)
	k.Op("MOVD", b.temp, k.param("outcome"))
	k.Op("RET")
}

// comment says what a part does: with the hinge, or with its square.
func (b *box) comment(hinge, squared string) {
	if b.squared {
		hinge = squared
	}
	b.k.Comment(hinge)
}

// parameter spreads number i of those that follow the pointers of the problem.
func (b *box) parameter(i int, to V) {
	b.k.Op(b.k.move, a64.Mem(b.p, 24+i*b.k.size), to)
	b.k.Op("VDUP", to.Lane(b.k.arr, 0), to.As(b.k.arr))
}

// each calls f for every vector of labels, with q = c - s, and behind that write.
func (b *box) each(f func(i int), write func(r run)) {
	k := b.k
	for _, p := range [][2]X{{b.a, b.pa}, {b.s, b.ps}, {b.delta, b.pd}, {b.m, b.left}} {
		k.Op("MOVD", p[0], p[1])
	}
	for i, array := range []X{b.c, b.lo, b.hi} {
		k.Op("MOVD", a64.Mem(b.p, 8*i), array)
	}
	k.stream(b.left, 2, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, b.vc, b.c)
			k.load(r, b.q, b.ps)
			k.load(r, b.va, b.pa)
			k.load(r, b.vlo, b.lo)
			k.load(r, b.vhi, b.hi)
			r.each(func(i int) {
				k.FSUB(k.arr, b.q[i], b.vc[i], b.q[i])
				f(i)
			})
			if write != nil {
				write(r)
			}
		}
	}, nil)
}

// hingeGap adds ((hi if q > 0, else lo) - a) q.
func (b *box) hingeGap(i int) {
	k := b.k
	k.FCMGT(k.arr, b.mask[i], b.q[i], b.zero)
	k.insert(b.vlo[i], b.vhi[i], b.mask[i])
	k.FSUB(k.arr, b.vlo[i], b.vlo[i], b.va[i])
	k.fma(b.sum[i], b.vlo[i], b.q[i])
}

// squaredGap adds (w - q) a and (w - bend a)².
func (b *box) squaredGap(i int) {
	k, w := b.k, b.x[i]
	k.Op("VMOV", b.q[i].Bits(), w.Bits())
	b.clip(i)
	k.FSUB(k.arr, b.q[i], w, b.q[i])
	k.fma(b.sum[i], b.q[i], b.va[i])
	k.fms(w, b.bend, b.va[i])
	k.fma(b.squares[i], w, w)
}

// moveOf leaves in x what a becomes, in va what it changes by, and adds c x or (c - bend/2 x) x.
func (b *box) moveOf(i int) {
	k := b.k
	if b.squared {
		k.fms(b.q[i], b.bend, b.va[i])
	}
	k.Op("VMOV", b.va[i].Bits(), b.x[i].Bits())
	k.fma(b.x[i], b.q[i], b.inv)
	b.clip(i)
	k.FCMEQ(k.arr, b.mask[i], b.x[i], b.va[i])
	k.andBits(b.same, b.same, b.mask[i])
	k.FSUB(k.arr, b.va[i], b.x[i], b.va[i])
	if b.squared {
		k.fms(b.vc[i], b.half, b.x[i])
	}
	k.fma(b.sum[i], b.vc[i], b.x[i])
}

// clip keeps x within the interval; NaN becomes lo.
func (b *box) clip(i int) {
	k := b.k
	k.FCMGT(k.arr, b.mask[i], b.x[i], b.vlo[i])
	k.insertUnless(b.x[i], b.vlo[i], b.mask[i])
	k.FCMGT(k.arr, b.mask[i], b.vhi[i], b.x[i])
	k.insertUnless(b.x[i], b.vhi[i], b.mask[i])
}

// total adds up all lanes.
func (b *box) total(sum []V) V {
	b.k.add(sum[0], sum[0], sum[1])
	b.k.across(sum[0], sum[0])
	return sum[0]
}

// result returns the lowest lane of v, which becomes float64.
func (b *box) result(v V, name string) {
	if b.k.size == 4 {
		b.k.Op("FCVTSD", v, v)
	}
	b.k.Op("FMOVD", v, b.k.param(name))
}
