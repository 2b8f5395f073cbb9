package main

// y becomes beta y at first. Then wide matrices add eight rows at a time to y in memory; narrow ones, where one group
// of rows would wait for the y of the group before, keep all of y in registers while the rows pass by.
var gemvt = source{"blas", "gemvt", "GemvT", gemvSig, emitGemvT}

func emitGemvT(k *kernel) {
	const group, narrow = 8, 8 // rows, vectors
	alpha, n := k.scalar("alpha"), k.arg("n")
	done, narrowly := k.NewLabel("done"), k.NewLabel("narrow")
	k.unlessPositive(n, done)
	x, y, yNow, j := k.arg("x"), k.arg("y"), k.x(), k.x()
	k.betaY(y, n, yNow, j)
	a := k.matrix(n, group)
	k.Op("CMP", imm(k.elements(block(narrow))), n)
	k.Op("BLT", narrowly)
	k.gemvtWide(k.rowsOf(a), group, alpha, x, y, n, yNow, j)
	k.Op("RET")
	k.section(narrowly, "All of y in registers.")
	k.gemvtNarrow(k.rowsOf(a), k.ends(narrow), alpha, x, y, n)
	k.Bind(done)
	k.Op("RET")
}

// betaY sets y[:n] = beta y, not reading y when beta is zero.
func (k *kernel) betaY(y, n, yNow, j X) {
	const unroll = 4
	saved := k.nextV
	beta, v := k.scalar("beta"), k.vs(unroll)
	clear, done := k.NewLabel("clear"), k.NewLabel("cleared")
	k.Comment("y = beta y.")
	k.Op("MOVD", y, yNow)
	k.Op("MOVD", n, j)
	k.ifZero(beta, clear)
	k.scale(beta, v, yNow, j)
	k.Op("B", done)
	k.section(clear, "beta = 0: y is not read.")
	k.zero(v...)
	k.stream(j, unroll, func(p piece) {
		for _, r := range p.runs() {
			k.store(r, v, yNow)
		}
	}, nil)
	k.Bind(done)
	k.nextV = saved
}

// gemvtWide sums half of a group's rows in y and half apart, so that fewer additions wait for one another.
func (k *kernel) gemvtWide(each eachRows, group int, alpha V, x, y, n, yNow, j X) {
	const unroll = 2
	saved := k.nextV
	t, yv, zv, av := k.vs(group/k.lanes()), k.vs(unroll), k.vs(unroll), k.vs(unroll)
	each([]int{group, 1}, func(rows []X) {
		k.coefficients(len(rows), t, x, alpha)
		k.Op("MOVD", y, yNow)
		k.Op("MOVD", n, j)
		k.stream(j, unroll, func(p piece) {
			r := p.runs()[0]
			k.load(r, yv, yNow)
			for i, row := range rows {
				k.loadData(r, av, row)
				r.each(func(c int) {
					switch {
					case i%2 == 0:
						k.fmaLane(yv[c], av[c], t, i)
					case i == 1:
						k.mulLane(zv[c], av[c], t, i)
					default:
						k.fmaLane(zv[c], av[c], t, i)
					}
				})
			}
			if len(rows) > 1 {
				r.each(func(c int) { k.add(yv[c], yv[c], zv[c]) })
			}
			k.storeBack(r, yv, yNow)
		}, nil)
	})
	k.nextV = saved
}

// gemvtNarrow has, of all the pieces, those that n's bits ask for. Rows alternate between two sets of sums.
func (k *kernel) gemvtNarrow(each eachRows, pieces []piece, alpha V, x, y, n X) {
	const group, sets = 4, 2
	t, av := k.vs(group/k.lanes()), k.vs(4)
	var acc [sets][][]V
	for s := range acc {
		for _, p := range pieces {
			v := k.vs(p.vectors)
			acc[s] = append(acc[s], v)
			k.zero(v...)
		}
	}
	each([]int{group, 1}, func(rows []X) {
		k.coefficients(len(rows), t, x, alpha)
		for c, p := range pieces {
			k.ifBit(n, p, func() {
				for i, row := range rows {
					for _, r := range p.runs() {
						k.loadData(r, av, row)
						r.each(func(v int) { k.fmaLane(acc[i%sets][c][v], av[v], t, i) })
					}
				}
			})
		}
	})
	k.Comment("y += the sums.")
	for c, p := range pieces {
		k.ifBit(n, p, func() {
			for _, r := range p.runs() {
				k.load(r, av, y)
				r.each(func(v int) {
					k.add(acc[0][c][v], acc[0][c][v], acc[1][c][v])
					k.add(av[v], av[v], acc[0][c][v])
				})
				k.storeBack(r, av, y)
			}
		})
	}
}
