package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// extrapolate sums in float64, into which float32 is widened by halves of a vector.
var extrapolate = source{"box", "extrapolate", "Extrapolate", "(w, last *T, n int, beta T) (before, after float64)",
	func(k *kernel) {
		const unroll = 2
		w, last, n, beta := k.arg("w"), k.arg("last"), k.arg("n"), k.scalar("beta")
		to, lastTo := k.x(), k.x()
		v, x, before, after, wide := k.vs(unroll), k.vs(unroll), k.vs(2), k.vs(2), k.vs(1)[0]
		double := *k
		double.elem = elems[1]
		k.zero(append(before, after...)...)
		square := func(v V, sum []V) {
			if k.size == 8 {
				double.fma(sum[0], v, v)
				return
			}
			k.FCVTL(wide, v)
			double.fma(sum[0], wide, wide)
			k.FCVTL2(wide, v)
			double.fma(sum[1], wide, wide)
		}
		k.Op("MOVD", w, to)
		k.Op("MOVD", last, lastTo)
		k.Comment("w + beta (w - last), last = w; the squares of both.")
		k.stream(n, unroll, func(p piece) {
			for _, r := range p.runs() {
				k.load(r, v, w)
				k.load(r, x, last)
				r.each(func(i int) {
					square(v[i], before)
					k.FSUB(k.arr, x[i], v[i], x[i])
					k.mul(x[i], x[i], beta)
					k.add(x[i], x[i], v[i])
					square(x[i], after)
				})
				k.store(r, x, to)
				k.store(r, v, lastTo)
			}
		}, nil)
		k.Comment("The sums across the lanes.")
		for _, sum := range []struct {
			lanes []V
			name  string
		}{{before, "before"}, {after, "after"}} {
			double.add(sum.lanes[0], sum.lanes[0], sum.lanes[1])
			double.across(sum.lanes[0], sum.lanes[0])
			k.Op("FMOVD", sum.lanes[0], k.param(sum.name))
		}
		k.Op("RET")
	}}

// extrapolateRows goes over a row once for a difference and again for the move.
var extrapolateRows = source{"box", "extrapolaterows", "ExtrapolateRows",
	"(a, last, free *T, lda, ldl, m, n int, beta T, most *T, moved *uint8) (rows int)",
	func(k *kernel) { newRowExtrapolation(k).emit() }}

// rowExtrapolation is the kernel under construction. Of the vectors of a row there are two each.
type rowExtrapolation struct {
	k                        *kernel
	a, last, n, moved, rows  X // of the row, and n rows in all
	pa, pl, free, most, left X // in a loop
	temp, other              X
	zero, beta, unit, same   V
	v, l, x, lo, hi, mask, c []V
}

func newRowExtrapolation(k *kernel) *rowExtrapolation {
	r := &rowExtrapolation{k: k, a: k.arg("a"), last: k.arg("last"), n: k.arg("n"), moved: k.arg("moved"),
		beta: k.scalar("beta")}
	for _, x := range []*X{&r.rows, &r.pa, &r.pl, &r.free, &r.most, &r.left, &r.temp, &r.other} {
		*x = k.x()
	}
	for _, v := range []*V{&r.zero, &r.unit, &r.same} {
		*v = k.vs(1)[0]
	}
	for _, v := range []*[]V{&r.v, &r.l, &r.x, &r.lo, &r.hi, &r.mask, &r.c} {
		*v = k.vs(2)
	}
	return r
}

func (r *rowExtrapolation) emit() {
	k := r.k
	loop, still, next := k.NewLabel("row"), k.NewLabel("still"), k.NewLabel("next")
	leaves, end := k.NewLabel("leaves"), k.NewLabel("end")
	unit := math.Ldexp(1, -51)
	if k.size == 4 {
		unit = math.Ldexp(1, -22)
	}
	k.Op("MOVD", a64.Constant(k.bitsOf(unit)), r.temp)
	k.Op(k.move, r.temp, r.unit)
	k.Op("VDUP", r.unit.Lane(k.arr, 0), r.unit.As(k.arr))
	k.zero(r.zero)
	k.Op("MOVD", imm(0), r.rows)
	k.unlessPositive(r.n, end)

	k.section(loop, "The next row: does it differ from last?")
	k.FCMEQ(k.arr, r.same, r.zero, r.zero)
	r.each(func(run run) {
		run.each(func(i int) {
			k.FCMEQ(k.arr, r.mask[i], r.v[i], r.l[i])
			k.andBits(r.same, r.same, r.mask[i])
		})
	})
	r.ifAll(still)

	k.Comment("It does: free = a + beta (a - last), a = clip(free), last = a as it was.")
	k.FCMEQ(k.arr, r.same, r.zero, r.zero)
	k.Op("MOVD", k.param("free"), r.free)
	k.Op("MOVD", k.param("most"), r.most)
	r.each(func(run run) {
		k.load(run, r.hi, r.most)
		run.each(r.extrapolate)
		k.storeBack(run, r.v, r.pl)
		k.storeBack(run, r.c, r.pa)
		k.store(run, r.x, r.free)
	})
	inside := k.NewLabel("inside")
	k.Comment("Was more than rounding clipped?")
	r.ifAll(inside)
	k.Op("B", leaves)
	k.Bind(inside)
	k.Op("MOVD", imm(1), r.temp)
	k.Op("MOVB", r.temp, a64.Indexed(r.moved, r.rows))

	k.section(next, "To the next row.")
	k.Op("ADD", imm(1), r.rows, r.rows)
	for _, p := range []struct {
		stride string
		row    X
	}{{"lda", r.a}, {"ldl", r.last}} {
		k.Op("MOVD", k.param(p.stride), r.temp)
		k.Op("ADD", a64.Shifted(r.temp, k.shift()), p.row, p.row)
	}
	k.Op("CMP", r.n, r.rows)
	k.Op("BLT", loop)
	k.Bind(end)
	k.Op("MOVD", r.rows, k.param("rows"))
	k.Op("RET")

	k.section(still, "It does not.")
	k.Op("MOVD", imm(0), r.temp)
	k.Op("MOVB", r.temp, a64.Indexed(r.moved, r.rows))
	k.Op("B", next)

	k.section(leaves, "It leaves its box: outcome 2, and the rows end here.")
	k.Op("MOVD", imm(2), r.temp)
	k.Op("MOVB", r.temp, a64.Indexed(r.moved, r.rows))
	k.Op("ADD", imm(1), r.rows, r.rows)
	k.Op("B", end)
}

// each calls f for the vectors of a row and of what it was last: behind the end 0, which never moves.
func (r *rowExtrapolation) each(f func(run)) {
	k := r.k
	k.Op("MOVD", r.a, r.pa)
	k.Op("MOVD", r.last, r.pl)
	k.Op("MOVD", k.param("m"), r.left)
	k.stream(r.left, 2, func(p piece) {
		for _, run := range p.runs() {
			k.load(run, r.v, r.pa)
			k.load(run, r.l, r.pl)
			f(run)
		}
	}, nil)
}

// ifAll jumps where all bits of same are set.
func (r *rowExtrapolation) ifAll(to a64.Label) {
	k := r.k
	k.Op("VMOV", r.same.Double(0), r.temp)
	k.Op("VMOV", r.same.Double(1), r.other)
	k.Op("AND", r.other, r.temp, r.temp)
	k.Op("CMP", imm(-1), r.temp)
	k.Op("BEQ", to)
}

// extrapolate leaves a vector in x, clipped in c, and clears the lanes of same where the two differ by more than
// rounding. NaN becomes lo.
func (r *rowExtrapolation) extrapolate(i int) {
	k, v, l, x, lo, hi, mask, c := r.k, r.v[i], r.l[i], r.x[i], r.lo[i], r.hi[i], r.mask[i], r.c[i]
	k.FSUB(k.arr, x, v, l)
	k.mul(x, x, r.beta)
	k.add(x, x, v)

	k.Comment("lo = -most where a or last is negative, hi = most where one is positive, 0 elsewhere.")
	k.FSUB(k.arr, lo, r.zero, hi)
	k.FCMGT(k.arr, mask, r.zero, v)
	k.FCMGT(k.arr, c, r.zero, l)
	r.orBits(mask, mask, c)
	k.andBits(lo, lo, mask)
	k.FCMGT(k.arr, mask, v, r.zero)
	k.FCMGT(k.arr, c, l, r.zero)
	r.orBits(mask, mask, c)
	k.andBits(hi, hi, mask)

	k.Op("VMOV", x.Bits(), c.Bits())
	k.FCMGT(k.arr, mask, c, lo)
	k.insertUnless(c, lo, mask)
	k.FCMGT(k.arr, mask, hi, c)
	k.insertUnless(c, hi, mask)

	k.Comment("Is |x - free| at most rounding |free|?")
	off, size := lo, hi
	k.FSUB(k.arr, off, c, x)
	k.FABS(k.arr, off, off)
	k.FABS(k.arr, size, x)
	k.mul(size, size, r.unit)
	k.FCMGE(k.arr, mask, size, off)
	k.andBits(r.same, r.same, mask)
}

func (r *rowExtrapolation) orBits(d, a, b V) { r.k.Op("VORR", b.Bits(), a.Bits(), d.Bits()) }
