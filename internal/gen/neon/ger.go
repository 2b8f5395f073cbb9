package main

var ger = source{"blas", "ger", "Ger", "(m, n int, alpha T, x, y, a *T, lda int)", func(k *kernel) {
	alpha, n := k.scalar("alpha"), k.arg("n")
	x, y := k.arg("x"), k.arg("y")
	k.gerRows(func() eachRows { return k.rowsOf(k.matrix(n, gerGroup)) }, alpha, n, x, y)
}}

const gerGroup = 4

// gerRows adds to rows the products of x and y. Four rows at a time share the loads of y.
func (k *kernel) gerRows(rows func() eachRows, alpha V, n, x, y X) {
	const unroll = 4
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	yNow, j := k.x(), k.x()
	t, yv := k.vs(gerGroup/k.lanes()), k.vs(unroll)
	av := [gerGroup][]V{k.vs(unroll), k.vs(unroll), k.vs(unroll), k.vs(unroll)}
	rows()([]int{gerGroup, 1}, func(rows []X) {
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
}
