package main

// sparseMaxIndex is the largest of integers without a sign. A part of a vector is filled up with zeros.
var sparseMaxIndex = source{"sparse", "maxindex", "MaxIndex", "(idx *int32, nnz int) uint32", func(k *kernel) {
	const vectors = 4
	idx, n := k.arg("idx"), k.arg("nnz")
	v, most := k.vs(vectors), k.vs(vectors)
	larger := func(d, a V) { k.Op("VUMAX", a.Ints(), d.Ints(), d.Ints()) }
	k.zero(most...)
	k.stream(n, vectors, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, v, idx)
			r.each(func(i int) { larger(most[i], v[i]) })
		}
	}, nil)
	k.Comment("The largest of all lanes.")
	for w := vectors / 2; w > 0; w /= 2 {
		for i := range w {
			larger(most[i], most[i+w])
		}
	}
	for by := vectorBytes / 2; by >= k.size; by /= 2 {
		k.Op("VEXT", imm(by), most[0].Bits(), most[0].Bits(), v[0].Bits())
		larger(most[0], v[0])
	}
	k.ret(most[0])
}}
