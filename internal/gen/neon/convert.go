package main

// convert writes floats as keys, keys as floats, or copies.
var convert = source{"sort", "convert", "Convert", "(dst, src *T, n int, form int)", func(k *kernel) {
	const unroll = 4
	dst, src, n := k.arg("dst"), k.arg("src"), k.arg("n")
	f := k.keyForm(k.arg("form"))
	v := k.vs(unroll)
	loop := func(do func(v ...V)) {
		k.stream(n, unroll, func(p piece) {
			for _, r := range p.runs() {
				k.load(r, v, src)
				do(v[r.first : r.first+r.n]...)
				k.store(r, v, dst)
			}
		}, nil)
		k.Op("RET")
	}
	k.Comment("Floats to keys.")
	f.ifForm(formLoad, func() { loop(f.mapKeys) })
	k.Comment("Keys to floats.")
	f.ifForm(formStore, func() { loop(f.unmapKeys) })
	k.Comment("A copy.")
	loop(func(...V) {})
}}
