package main

// Sums over one or two vectors. Eight sums in flight keep two FMA units of latency 4 busy.

var dot = source{"blas", "dot", "Dot", "(x, y *T, n int) T", emitDot}

func emitDot(k *kernel) {
	k.reduce(2, func(acc, x, y V) { k.fma(acc, x, y) })
}

var sqdist = source{"blas", "sqdist", "SqDist", "(x, y *T, n int) T", func(k *kernel) {
	k.reduce(2, func(acc, x, y V) {
		k.FSUB(k.arr, x, x, y)
		k.fma(acc, x, x)
	})
}}

var sqnorm = source{"blas", "sqnorm", "SqNorm", "(x *T, n int) T", func(k *kernel) {
	k.reduce(1, func(acc, x, _ V) { k.fma(acc, x, x) })
}}

var sum = source{"blas", "sum", "Sum", "(x *T, n int) T", func(k *kernel) {
	k.reduce(1, func(acc, x, _ V) { k.add(acc, acc, x) })
}}

var abssum = source{"blas", "abssum", "AbsSum", "(x *T, n int) T", func(k *kernel) {
	k.reduce(1, func(acc, x, _ V) {
		k.FABS(k.arr, x, x)
		k.add(acc, acc, x)
	})
}}

// reduce returns the sum of what op adds to acc for each vector of x, and of y when there are two inputs. op must add
// nothing for lanes that are zero; it may destroy x and y.
func (k *kernel) reduce(inputs int, op func(acc, x, y V)) {
	const sums = 8
	var pointers []X
	for _, name := range []string{"x", "y"}[:inputs] {
		pointers = append(pointers, k.arg(name))
	}
	n := k.arg("n")
	acc, x, y := k.vs(sums), k.vs(sums), k.vs(sums)
	finish := k.NewLabel("finish")
	k.zero(acc...)
	k.unlessPositive(n, finish)
	k.stream(n, sums, func(p piece) {
		for _, r := range p.runs() {
			k.loadData(r, x, pointers[0])
			if inputs == 2 {
				k.load(r, y, pointers[1])
			}
			r.each(func(i int) { op(acc[i], x[i], y[i]) })
		}
	}, func() {
		for i := range sums / 2 {
			k.add(acc[i], acc[i], acc[i+sums/2])
		}
	})
	k.section(finish, "The sum across chains and lanes.")
	k.add(acc[0], acc[0], acc[2])
	k.add(acc[1], acc[1], acc[3])
	k.add(acc[0], acc[0], acc[1])
	k.across(acc[0], acc[0])
	k.ret(acc[0])
}

// across puts the sum of v's lanes in the lowest lane of d.
func (k *kernel) across(d, v V) {
	if k.lanes() == 4 {
		k.FADDP(k.arr, v, v, v)
	}
	k.FADDPScalar(k.arr, d, v)
}
