package main

// Four rows at a time share the loads of y.
var ger = source{"blas", "ger", "Ger", "(m, n int, alpha T, x, y, a *T, lda int)", func(k *kernel) {
	const group, unroll = 4, 4
	alpha, n := k.scalar("alpha"), k.arg("n")
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	x, y, yNow, j := k.arg("x"), k.arg("y"), k.x(), k.x()
	t, yv := k.vs(group/k.lanes()), k.vs(unroll)
	av := [group][]V{k.vs(unroll), k.vs(unroll), k.vs(unroll), k.vs(unroll)}
	k.eachRows(k.matrix(n, group), []int{group, 1}, func(rows []X) {
		k.coefficients(len(rows), t, x, alpha)
		k.Op("MOVD", y, yNow)
		k.Op("MOVD", n, j)
		k.stream(j, unroll, func(p piece) {
			for _, r := range p.runs() {
				k.load(r, yv, yNow)
				for i, row := range rows {
					k.load(r, av[i], row)
					r.each(func(c int) { k.fmaLane(av[i][c], yv[c], t, i) })
					k.storeBack(r, av[i], row)
				}
			}
		}, nil)
	})
	k.Bind(done)
	k.Op("RET")
}}
