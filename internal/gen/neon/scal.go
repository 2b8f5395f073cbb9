package main

var scal = source{"blas", "scal", "Scal", "(alpha T, x *T, n int)", func(k *kernel) {
	const unroll = 8
	alpha, x, n, v := k.scalar("alpha"), k.arg("x"), k.arg("n"), k.vs(unroll)
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.scale(alpha, v, x, n)
	k.Bind(done)
	k.Op("RET")
}}

// scale multiplies the n > 0 elements at x by alpha, v at a time. It destroys x and n.
func (k *kernel) scale(alpha V, v []V, x, n X) {
	k.stream(n, len(v), func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, x)
			r.each(func(i int) { k.mul(v[i], v[i], alpha) })
			k.storeBack(r, v, x)
		}
	}, nil)
}
