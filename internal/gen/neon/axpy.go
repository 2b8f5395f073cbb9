package main

var axpy = source{"blas", "axpy", "Axpy", "(alpha T, x, y *T, n int)", emitAxpy}

func emitAxpy(k *kernel) {
	const unroll = 8
	alpha, x, y, n := k.scalar("alpha"), k.arg("x"), k.arg("y"), k.arg("n")
	xv, yv := k.vs(unroll), k.vs(unroll)
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.loadData(r, xv, x)
			k.load(r, yv, y)
			r.each(func(i int) { k.fma(yv[i], xv[i], alpha) })
			k.storeBack(r, yv, y)
		}
	}, nil)
	k.Bind(done)
	k.Op("RET")
}
