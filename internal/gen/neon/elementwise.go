package main

// The operands of add and mul are loaded in turn, runs of each before the arithmetic; dst may be either of them.
var (
	add = twoOperands("add", "Add", (*kernel).add)
	mul = twoOperands("mul", "Mul", (*kernel).mul)
)

func twoOperands(name, entry string, op func(k *kernel, d, a, b V)) source {
	return source{"blas", name, entry, "(dst, x, y *T, n int)", func(k *kernel) {
		const unroll = 8
		dst, x, y, n := k.arg("dst"), k.arg("x"), k.arg("y"), k.arg("n")
		xv, yv := k.vs(unroll), k.vs(unroll)
		done := k.NewLabel("done")
		k.unlessPositive(n, done)
		k.stream(n, unroll, func(p piece) {
			for _, r := range p.runs() {
				k.load(r, xv, x)
				k.load(r, yv, y)
				r.each(func(i int) { op(k, xv[i], xv[i], yv[i]) })
				k.store(r, xv, dst)
			}
		}, nil)
		k.Bind(done)
		k.Op("RET")
	}}
}

var sqrt = source{"blas", "sqrt", "Sqrt", "(dst, x *T, n int)", func(k *kernel) {
	const unroll = 8
	dst, x, n, v := k.arg("dst"), k.arg("x"), k.arg("n"), k.vs(unroll)
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			r.each(func(i int) { k.FSQRT(k.arr, v[i], v[i]) })
			k.store(r, v, dst)
		}
	}, nil)
	k.Bind(done)
	k.Op("RET")
}}
