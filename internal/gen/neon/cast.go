package main

// cast converts to the other element type, eight elements at a time, then four, two and one.
var cast = source{"blas", "cast", "Cast", "(x *T, y *U, n int)", func(k *kernel) {
	x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
	narrow, wide := k.vs(2), k.vs(4)
	single := *k
	single.elem = elems[0]
	single.stream(n, len(narrow), func(p piece) {
		from, to := narrow, wide
		if k.size == 8 {
			from, to = wide, narrow
		}
		whole := piece{max(2*p.size()/vectorBytes, 1), min(2*p.size(), vectorBytes)} // of float64
		small, large := p.runs(), whole.runs()
		in, out := small, large
		if k.size == 8 {
			in, out = large, small
		}
		for _, r := range in {
			k.load(r, from, x)
		}
		for i := range p.vectors {
			k.convert(narrow[i], wide[2*i:2*i+2], p.bytes)
		}
		for _, r := range out {
			k.store(r, to, y)
		}
	}, nil)
	k.Op("RET")
}}

// convert makes the float64 of a vector, or of a part of it, of the float32, or the other way round.
func (k *kernel) convert(narrow V, wide []V, bytes int) {
	switch {
	case k.size == 4:
		k.FCVTL(wide[0], narrow)
		if bytes == vectorBytes {
			k.FCVTL2(wide[1], narrow)
		}
	default:
		k.FCVTN(narrow, wide[0])
		if bytes == vectorBytes {
			k.FCVTN2(narrow, wide[1])
		}
	}
}
