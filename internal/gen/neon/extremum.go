package main

import (
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// FMAX and FMIN return NaN when either operand is one, as the kernels do.

var maximum = source{"reduce", "max", "Max", "(x *T, n int) T", func(k *kernel) { newExtremum(k, false).value() }}
var minimum = source{"reduce", "min", "Min", "(x *T, n int) T", func(k *kernel) { newExtremum(k, true).value() }}
var argmax = source{"reduce", "argmax", "ArgMax", "(x *T, n int) int",
	func(k *kernel) { newExtremum(k, false).index("argmax") }}
var argmin = source{"reduce", "argmin", "ArgMin", "(x *T, n int) int",
	func(k *kernel) { newExtremum(k, true).index("argmin") }}

type extremum struct {
	k        *kernel
	best     func(t a64.Arr, d, n, m V) // FMAX or FMIN
	across   func(d, v V)               // puts the best of v's lanes into the lowest lane of d
	worst    float64
	x, n     X
	acc, v   []V
	filler   V // the worst in all lanes
	extremal V // the result, in the lowest lane
}

func newExtremum(k *kernel, least bool) *extremum {
	e := &extremum{k: k, best: k.FMAX, across: k.FMAXPScalar, worst: math.Inf(-1)}
	if k.size == 4 {
		e.across = k.FMAXV
	}
	if least {
		e.best, e.across, e.worst = k.FMIN, k.FMINPScalar, math.Inf(1)
		if k.size == 4 {
			e.across = k.FMINV
		}
	}
	e.x, e.n = k.arg("x"), k.arg("n")
	e.acc, e.v, e.filler, e.extremal = k.vs(8), k.vs(8), k.vs(1)[0], k.vs(1)[0]
	return e
}

// pass leaves the extremum of x[:n] in extremal. It moves x behind its end.
func (e *extremum) pass(x, n X) {
	k := e.k
	k.Comment("The extremum of each lane.")
	k.constant(e.filler, e.worst)
	for _, v := range e.acc {
		k.Op("VMOV", e.filler.Bits(), v.Bits())
	}
	k.stream(n, len(e.acc), func(p piece) {
		for _, r := range p.runs() {
			k.load(r, e.v, x)
			k.fillUp(p, e.v[r.first], e.filler)
			r.each(func(i int) { e.best(k.arr, e.acc[i], e.acc[i], e.v[i]) })
		}
	}, nil)
	k.Comment("The extremum of all lanes.")
	for w := len(e.acc) / 2; w > 0; w /= 2 {
		for i := range w {
			e.best(k.arr, e.acc[i], e.acc[i], e.acc[i+w])
		}
	}
	e.across(e.extremal, e.acc[0])
}

func (e *extremum) value() {
	e.pass(e.x, e.n)
	e.k.ret(e.extremal)
}

// index looks for the extremum once more, 16 elements at a time. A NaN, and an empty x, are left to the twin, which
// stops at the first one.
func (e *extremum) index(name string) {
	k := e.k
	x, n, place, twin := k.x(), k.x(), k.x(), k.NewLabel("twin")
	compare := pickOp(k, "FCMPS", "FCMPD")
	k.Op("CBZ", e.n, twin)
	k.Op("MOVD", e.x, x)
	k.Op("MOVD", e.n, n)
	e.pass(x, n)
	k.Comment("NaN is left to the twin.")
	k.Op(compare, e.extremal, e.extremal)
	k.Op("BVS", twin)
	loop, look, one, found := k.NewLabel("loop"), k.NewLabel("look"), k.NewLabel("one"), k.NewLabel("found")
	top := e.v[7]
	k.Op("MOVD", e.x, x)
	k.Op("MOVD", e.n, n)
	k.section(loop, "16 elements: is the extremum among them?")
	k.Op("SUBS", imm(16), n, n)
	k.Op("BLT", look)
	vecs := 16 / k.lanes()
	block := e.acc[:vecs]
	for i := 0; i < vecs; i += 2 {
		k.Op("FLDPQ", a64.Mem(x, i*vectorBytes), a64.Pair(block[i], block[i+1]))
	}
	for w := vecs / 2; w > 0; w /= 2 {
		for i := range w {
			e.best(k.arr, block[i], block[i], block[i+w])
		}
	}
	e.across(top, block[0])
	k.Op(compare, e.extremal, top)
	k.Op("BEQ", look)
	k.Op("ADD", imm(16*k.size), x, x)
	k.Op("B", loop)
	k.section(look, "Element by element.")
	k.Op("SUB", e.x, x, place)
	k.Op("LSR", imm(k.shift()), place, place)
	k.Bind(one)
	k.Op(k.move+".P", a64.Mem(x, k.size), top)
	k.Op(compare, e.extremal, top)
	k.Op("BEQ", found)
	k.Op("ADD", imm(1), place, place)
	k.Op("B", one)
	k.Bind(found)
	k.Op("MOVD", place, k.param("ret"))
	k.Op("RET")
	k.section(twin, "The twin, which stops at the first NaN.")
	k.Op("B", a64.Symbol("·"+name+k.suffix+"Generic(SB)"))
}

// constant fills all lanes of v.
func (k *kernel) constant(v V, value float64) {
	bits := k.x()
	k.nextX--
	if k.size == 4 {
		k.Op("MOVD", a64.Constant(uint64(math.Float32bits(float32(value)))*0x1_0000_0001), bits)
	} else {
		k.Op("MOVD", a64.Constant(math.Float64bits(value)), bits)
	}
	k.Op("VDUP", bits, v.As(a64.D2))
}

// fillUp gives the lanes of v that lie behind a part of a vector the value that filler has there.
func (k *kernel) fillUp(p piece, v, filler V) {
	lane := map[int]a64.Arr{4: a64.S4, 8: a64.D2}
	arr, part := lane[p.bytes]
	if !part {
		return
	}
	t := k.vs(1)[0]
	k.nextV--
	k.Op("VMOV", filler.Bits(), t.Bits())
	k.Op("VMOV", v.Lane(arr, 0), t.Lane(arr, 0))
	k.Op("VMOV", t.Bits(), v.Bits())
}
