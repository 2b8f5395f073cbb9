package main

import "math"

// hingeLower, hingeMove and hingeSum sum in float64, into which float32 is widened by halves of a vector.
var hingeLower = source{"hinge", "lower", "Lower", "(x *T, n int, most T) (sum float64)", func(k *kernel) {
	x, n, most := k.arg("x"), k.arg("n"), k.scalar("most")
	b, v := newBlockSum(k), k.vs(1)
	k.Comment("x = min(x, most), and its sum.")
	k.stream(n, 1, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			k.FMIN(k.arr, v[0], v[0], most)
			k.storeBack(r, v, x)
			b.add(v[0])
		}
	}, nil)
	b.total()
	k.Op("RET")
}}

var hingeMove = source{"hinge", "move", "Move", "(a, x, delta *T, n int) (sum float64, moved int)", func(k *kernel) {
	a, x, delta, n := k.arg("a"), k.arg("x"), k.arg("delta"), k.arg("n")
	b, v, old, more := newBlockSum(k), k.vs(1), k.vs(1), k.vs(3)
	sizes, sign, zero := more[0], more[1], more[2]
	k.constant(sign, math.Copysign(0, -1))
	k.zero(sizes, zero)
	k.Comment("a = -x, delta = its change; the sums of x and of |delta|.")
	k.stream(n, 1, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			k.load(r, old, a)
			b.add(v[0])
			k.Op("VEOR", sign.Bits(), v[0].Bits(), v[0].Bits())
			k.FSUB(k.arr, old[0], v[0], old[0])
			k.storeBack(r, v, a)
			k.store(r, old, delta)
			k.FABS(k.arr, old[0], old[0])
			k.add(sizes, sizes, old[0]) // above 0, or NaN, where one is not 0; lanes behind a part are
		}
	}, nil)
	b.total()
	k.Comment("Has a variable moved?")
	k.across(sizes, sizes)
	moved, end := k.x(), k.NewLabel("end")
	k.Op("MOVD", imm(0), moved)
	k.Op(pickOp(k, "FCMPS", "FCMPD"), zero, sizes)
	k.Op("BEQ", end)
	k.Op("MOVD", imm(1), moved)
	k.Bind(end)
	k.Op("MOVD", moved, k.param("moved"))
	k.Op("RET")
}}

var hingeSum = source{"hinge", "sum", "Sum", "(x *T, n int) (sum float64)", func(k *kernel) {
	x, n := k.arg("x"), k.arg("n")
	b, v := newBlockSum(k), k.vs(1)
	k.Comment("The sum of x.")
	k.stream(n, 1, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			b.add(v[0])
		}
	}, nil)
	b.total()
	k.Op("RET")
}}

// hingeTarget rounds each product and sum by itself, as amd64 does.
var hingeTarget = source{"hinge", "target", "Target", "(b, a, s *T, n int, margin, inv, rho, sum T)",
	func(k *kernel) {
		b, a, s, n := k.arg("b"), k.arg("a"), k.arg("s"), k.arg("n")
		margin, inv, rho, sum := k.scalar("margin"), k.scalar("inv"), k.scalar("rho"), k.scalar("sum")
		v, x := k.vs(1), k.vs(1)
		k.Comment("b = (s + margin) inv - rho a + sum.")
		k.stream(n, 1, func(p piece) {
			for _, r := range p.runs() {
				k.load(r, v, s)
				k.load(r, x, a)
				k.add(v[0], v[0], margin)
				k.mul(v[0], v[0], inv)
				k.mul(x[0], x[0], rho)
				k.FSUB(k.arr, v[0], v[0], x[0])
				k.add(v[0], v[0], sum)
				k.store(r, v, b)
			}
		}, nil)
		k.Op("RET")
	}}

// blockSum is a sum in float64 under construction.
type blockSum struct {
	k, double *kernel
	sum       []V
	wide      V
}

func newBlockSum(k *kernel) *blockSum {
	double := *k
	double.elem = elems[1]
	b := &blockSum{k: k, double: &double, sum: k.vs(2), wide: k.vs(1)[0]}
	k.zero(b.sum...)
	return b
}

// add adds v to the sum.
func (b *blockSum) add(v V) {
	if b.k.size == 8 {
		b.double.add(b.sum[0], b.sum[0], v)
		return
	}
	b.k.FCVTL(b.wide, v)
	b.double.add(b.sum[0], b.sum[0], b.wide)
	b.k.FCVTL2(b.wide, v)
	b.double.add(b.sum[1], b.sum[1], b.wide)
}

// total writes the sum.
func (b *blockSum) total() {
	b.k.Comment("The sum across the lanes.")
	b.double.add(b.sum[0], b.sum[0], b.sum[1])
	b.double.across(b.sum[0], b.sum[0])
	b.k.Op("FMOVD", b.sum[0], b.k.param("sum"))
}
