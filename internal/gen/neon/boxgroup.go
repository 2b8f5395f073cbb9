package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// A whole visit of a sparse example with 16 labels: the rows of W come by, the scores stay in registers for the step,
// and the moves for the rows of W as they come by again. The step is one pass over the labels for the gap and another
// for the move, a vector at a time. The signs of labels that are not true are turned: a vector sigma has a sign bit in
// their lanes.

const groupSig = "(w *T, idx *int32, val *T, nnz int, a *T, y int, p *T, inv T, least float64) (gap, after float64, " +
	"outcome int)"

var groupHinge = source{"box", "grouphinge", "GroupHinge", groupSig, func(k *kernel) { newBoxGroup(k, false).emit() }}

var groupSquared = source{"box", "groupsquared", "GroupSquared", groupSig,
	func(k *kernel) { newBoxGroup(k, true).emit() }}

const groupSize = 16

// boxGroup is a kernel under construction. Of the numbers in the box one vector each is in use.
type boxGroup struct {
	*box
	y                X // a bit for each label that is not true
	w, idx, val, nnz X
	row              []X
	scores           []V // and then the moves
	value            []V
	v                []V // of a row
	bits, sigma      V
}

func newBoxGroup(k *kernel, squared bool) *boxGroup {
	b := &boxGroup{box: &box{k: k, squared: squared}}
	for _, x := range []*X{&b.y, &b.a, &b.p, &b.w, &b.idx, &b.val, &b.nnz, &b.temp, &b.other} {
		*x = k.x()
	}
	several := b.several()
	for range several {
		b.row = append(b.row, k.x())
	}
	b.scores, b.value = k.vs(8), k.vs(several) // all sums of gather
	b.v = k.vs(4)
	for _, v := range []*[]V{&b.va, &b.vc, &b.vhi, &b.vlo, &b.q, &b.x, &b.mask, &b.sum, &b.squares} {
		*v = k.vs(1)
	}
	for _, v := range []*V{&b.zero, &b.inv, &b.bend, &b.half, &b.same, &b.bits, &b.sigma} {
		*v = k.vs(1)[0]
	}
	return b
}

func (b *boxGroup) vectors() int { return groupSize / b.k.lanes() }

// several is the number of rows that are added up side by side.
func (b *boxGroup) several() int { return 8 / b.vectors() }

// rows goes through the rows of W that x has numbers for, several at a time and then one by one.
func (b *boxGroup) rows(do func(i int, row X, value V)) {
	k := b.k
	for _, arg := range []struct {
		name string
		to   X
	}{{"w", b.w}, {"idx", b.idx}, {"val", b.val}, {"nnz", b.nnz}} {
		k.Op("MOVD", k.param(arg.name), arg.to)
	}
	sizes := []int{b.several(), 1}
	if sizes[0] == 1 {
		sizes = sizes[1:]
	}
	for _, n := range sizes {
		loop, end := k.NewLabel("rows"), k.NewLabel("rowsEnd")
		k.Op("SUBS", imm(n), b.nnz, b.nnz)
		k.Op("BLT", end)
		k.section(loop, counted(n, "row")+" of W at a time.")
		for i := range n {
			k.Op("MOVWU.P", a64.Mem(b.idx, 4), b.row[i])
			k.Op(k.move+".P", a64.Mem(b.val, k.size), b.value[i])
			k.Op("LSL", imm(4+k.shift()), b.row[i], b.row[i])
			k.Op("ADD", b.w, b.row[i], b.row[i])
		}
		for i := range n {
			do(i, b.row[i], b.value[i])
		}
		k.Op("SUBS", imm(n), b.nnz, b.nnz)
		k.Op("BGE", loop)
		k.Bind(end)
		k.Op("ADD", imm(n), b.nnz, b.nnz)
	}
}

// parts calls f for up to four vectors of a row at a time: their first, and a place for them.
func (b *boxGroup) parts(f func(first int, v []V)) {
	for first := 0; first < b.vectors(); first += 4 {
		f(first, b.v)
	}
}

// gather sets the scores.
func (b *boxGroup) gather() {
	k := b.k
	k.Comment("s = sum of the rows of W, times the numbers of x.")
	k.zero(b.scores...)
	b.rows(func(i int, row X, value V) {
		b.parts(func(first int, v []V) {
			k.loads(v, row, vectorBytes*first)
			for j := range v {
				k.FMLALane(k.arr, b.scores[i*b.vectors()+first+j], v[j], value, 0)
			}
		})
	})
	if b.several() > 1 {
		for j := range b.vectors() {
			k.add(b.scores[j], b.scores[j], b.scores[b.vectors()+j])
		}
	}
}

// scatter adds the moves times x to W.
func (b *boxGroup) scatter() {
	k := b.k
	b.rows(func(_ int, row X, value V) {
		b.parts(func(first int, v []V) {
			k.loads(v, row, vectorBytes*first)
			for j := range v {
				k.FMLALane(k.arr, v[j], b.scores[first+j], value, 0)
			}
			k.stores(v, row, vectorBytes*first)
		})
	})
}

// load sets sigma, U, Hi and 0 for lo, q = U - t s and t a of vector j.
func (b *boxGroup) load(j int) {
	k := b.k
	k.Op("LSR", imm(j*k.lanes()), b.y, b.temp)
	k.Op("VDUP", b.temp, b.sigma.As(k.arr))
	k.Op("VCMTST", b.bits.As(k.arr), b.sigma.As(k.arr), b.sigma.As(k.arr))
	k.shiftLeft(b.sigma, b.sigma, 8*k.size-1)
	k.Op("FMOVQ", a64.Mem(b.a, vectorBytes*j), b.va[0])
	k.Op("FMOVQ", a64.Mem(b.p, vectorBytes*j), b.vc[0])
	k.Op("FMOVQ", a64.Mem(b.p, groupSize*k.size+vectorBytes*j), b.vhi[0])
	k.zero(b.vlo[0])
	b.turn(b.va[0], b.va[0])
	b.turn(b.q[0], b.scores[j])
	k.FSUB(k.arr, b.q[0], b.vc[0], b.q[0])
}

// turn sets d = t v.
func (b *boxGroup) turn(d, v V) { b.k.Op("VEOR", v.Bits(), b.sigma.Bits(), d.Bits()) }

// spread fills v with number i of those behind the arrays of the group.
func (b *boxGroup) spread(i int, v V) {
	b.k.Op(b.k.move, a64.Mem(b.p, (2*groupSize+i)*b.k.size), v)
	b.k.Op("VDUP", v.Lane(b.k.arr, 0), v.As(b.k.arr))
}

func (b *boxGroup) emit() {
	k, rests, end := b.k, b.k.NewLabel("rests"), b.k.NewLabel("end")
	b.gather()
	b.begin()
	b.comment("gap = sum of ((Hi if q > 0, else 0) - x) q, where x = t a, q = U - t s.",
		"gap = sum of x (v - q) + R (v - bend x)², where x = t a, q = U - t s, v = clip(q).")
	for j := range b.vectors() {
		b.load(j)
		if b.squared {
			b.squaredGap(0)
		} else {
			b.hingeGap(0)
		}
	}
	gap := b.sumOf(b.sum[0])
	if b.squared {
		b.spread(1, b.x[0])
		k.fma(gap, b.x[0], b.sumOf(b.squares[0]))
	}
	b.result(gap, "gap")
	k.Comment("No step unless the gap is above least.")
	k.Op("FMOVD", k.param("least"), b.x[0])
	k.Op("FCMPD", b.x[0], gap) // gap - least
	k.Op("BLE", rests)         // or NaN

	b.comment("z = clip(x + q inv), a = t z; after = sum of U z.",
		"z = clip(x + (q - bend x) inv), a = t z; after = sum of (U - bend/2 z) z.")
	k.Op(k.move, k.param("inv"), b.inv)
	k.Op("VDUP", b.inv.Lane(k.arr, 0), b.inv.As(k.arr))
	k.zero(b.sum[0])
	k.FCMEQ(k.arr, b.same, b.zero, b.zero)
	for j := range b.vectors() {
		b.load(j)
		b.moveOf(0)
		b.turn(b.x[0], b.x[0])
		k.Op("FMOVQ", b.x[0], a64.Mem(b.a, vectorBytes*j))
		b.turn(b.scores[j], b.va[0])
	}
	b.result(b.sumOf(b.sum[0]), "after")
	k.Op("VMOV", b.same.Double(0), b.temp)
	k.Op("VMOV", b.same.Double(1), b.other)
	k.Op("AND", b.other, b.temp, b.temp)
	k.Op("CMP", imm(-1), b.temp)
	k.Op("CSET", a64.Cond("NE"), b.temp)
	k.Op("MOVD", b.temp, k.param("outcome"))
	k.Op("CBZ", b.temp, end)
	k.Comment("W += the numbers of x, times the moves.")
	b.scatter()
	k.Bind(end)
	k.Op("RET")

	k.section(rests, "No step: after = 0, outcome = 0.")
	k.Op("FMOVD", b.zero, k.param("after"))
	k.Op("MOVD", imm(0), b.temp)
	k.Op("MOVD", b.temp, k.param("outcome"))
	k.Op("RET")
}

// begin loads what the step needs beside the scores.
func (b *boxGroup) begin() {
	k := b.k
	k.Op("MOVD", k.param("a"), b.a)
	k.Op("MOVD", k.param("p"), b.p)
	k.Op("MOVD", k.param("y"), b.y)
	k.Op("MVN", b.y, b.y)
	low, high := uint64(1)|2<<32, uint64(4)|8<<32 // bits of labels
	if k.size == 8 {
		low, high = 1, 2
	}
	for half, v := range []uint64{low, high} {
		k.Op("MOVD", a64.Constant(v), b.temp)
		k.Op("VMOV", b.temp, b.bits.Double(half))
	}
	k.zero(b.zero, b.sum[0], b.squares[0])
	if !b.squared {
		return
	}
	b.spread(0, b.bend)
	k.Op("MOVD", a64.Constant(k.bitsOf(0.5)), b.temp)
	k.Op(k.move, b.temp, b.half)
	k.Op("VDUP", b.half.Lane(k.arr, 0), b.half.As(k.arr))
	k.mul(b.half, b.half, b.bend)
}

// sumOf adds up the lanes of v.
func (b *boxGroup) sumOf(v V) V {
	b.k.across(v, v)
	return v
}
