package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// prefetch asks for every cache line of x, to the second cache, and waits for none.
var prefetch = source{"sparse", "prefetch", "Prefetch", "(x *T, n int)", func(k *kernel) {
	const line = 64
	x, end := k.arg("x"), k.arg("n")
	k.Op("ADD", a64.Shifted(end, k.shift()), x, end)
	loop, done := k.NewLabel("line"), k.NewLabel("done")
	k.section(loop, "Cache line by cache line.")
	k.Op("CMP", end, x)
	k.Op("BHS", done)
	k.Op("PRFM", a64.Mem(x, 0), a64.Symbol("PLDL2KEEP"))
	k.Op("ADD", imm(line), x, x)
	k.Op("B", loop)
	k.Bind(done)
	k.Op("RET")
}}
