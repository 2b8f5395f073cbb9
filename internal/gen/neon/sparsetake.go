package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

var sparseTake = source{"sparse", "take", "Take", "(dst, x *T, idx *int, n int)", emitTake}

var sparseMixedTake = source{"sparse", "mixedtake", "MixedTake", "(dst *float64, x *float32, idx *int, n int)",
	ofSingle(emitTake)}

// emitTake fetches the elements one by one, four in flight.
func emitTake(k *kernel) {
	dst, x, idx, n := k.arg("dst"), k.arg("x"), k.arg("idx"), k.arg("n")
	size, move := k.x(), k.move
	if k.single {
		move = "FMOVS"
	}
	k.Op("MOVD", imm(1<<k.dataShift()), size)
	v, at := k.vs(4), []X{k.x(), k.x(), k.x(), k.x()}
	for _, count := range []int{4, 1} {
		loop, end := k.NewLabel("loop"), k.NewLabel("end")
		k.Op("SUBS", imm(count), n, n)
		k.Op("BLT", end)
		k.section(loop, counted(count, "element")+" at a time.")
		for i := range count {
			k.Op("MOVD.P", a64.Mem(idx, 8), at[i])
			k.Op("MADD", size, x, at[i], at[i])
		}
		for i := range count {
			k.Op(move, a64.Mem(at[i], 0), v[i])
			if k.single {
				k.Op("FCVTSD", v[i], v[i])
			}
		}
		for i := range count {
			k.Op(k.move+".P", v[i], a64.Mem(dst, k.size))
		}
		k.Op("SUBS", imm(count), n, n)
		k.Op("BGE", loop)
		k.Bind(end)
		k.Op("ADD", imm(count), n, n)
	}
	k.Op("RET")
}
