package main

var powerRow = source{"math", "power", "Power", "(scale, offset, weight T, degree int, v, y *T, n, add int)",
	(*kernel).powers}

// powers emits (scale v + offset)^degree by squaring: p gathers the powers that the bits of the degree ask for.
func (k *kernel) powers() {
	const unroll = 4
	constants := k.newPool("power")
	constants.number("one", 1)
	constants.hold("one")
	scale, offset := k.scalar("scale"), k.scalar("offset")
	degree, from, y, n, left := k.arg("degree"), k.arg("v"), k.arg("y"), k.arg("n"), k.x()
	base, p, old, weight := k.vs(unroll), k.vs(unroll), k.vs(unroll), k.vs(1)[0]
	done := k.NewLabel("done")
	k.unlessPositive(n, done)
	k.stream(n, unroll, func(some piece) {
		each := func(f func(i int)) {
			for i := range some.vectors {
				f(i)
			}
		}
		for _, r := range some.runs() {
			k.load(r, base, from)
		}
		k.Comment("base = scale v + offset, p = 1.")
		each(func(i int) {
			k.mul(base[i], base[i], scale)
			k.add(base[i], base[i], offset)
			k.Op("VMOV", constants.the("one").Bits(), p[i].Bits())
		})
		next, square, last := k.NewLabel("next"), k.NewLabel("square"), k.NewLabel("last")
		k.Op("MOVD", degree, left)
		k.section(next, "p *= base where the lowest bit of the degree is set; base *= base.")
		k.Op("CMP", imm(1), left)
		k.Op("BLE", last)
		k.Op("TBZ", imm(0), left, square)
		each(func(i int) { k.mul(p[i], p[i], base[i]) })
		k.Bind(square)
		each(func(i int) { k.mul(base[i], base[i], base[i]) })
		k.Op("LSR", imm(1), left, left)
		k.Op("B", next)
		k.section(last, "The highest bit.")
		each(func(i int) { k.mul(p[i], p[i], base[i]) })
		for _, r := range some.runs() {
			k.addTo(r, p, old, weight, y, left)
			k.store(r, p, y)
		}
	}, nil)
	k.Bind(done)
	k.Op("RET")
	constants.write()
}
