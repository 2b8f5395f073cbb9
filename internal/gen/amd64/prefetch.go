package main

import "github.com/mmcloughlin/avo/operand"

// prefetch asks for every cache line of x, and waits for none. To the second cache: more lines can be on their way to
// it than to the first, where rows of a few kB would not last until they are wanted.
var prefetch = source{
	family: "sparse", name: "prefetch", entry: "Prefetch", sig: "(x *T, n int)",
	emit: func(k *kernel) {
		x, end := k.arg("x"), k.bytesArg("n")
		k.ADDQ(x, end)
		k.section("line", "Cache line by cache line.")
		k.CMPQ(x, end)
		k.JAE(operand.LabelRef("done"))
		k.PREFETCHT1(operand.Mem{Base: x})
		k.ADDQ(operand.Imm(64), x)
		k.JMP(operand.LabelRef("line"))
		k.Label("done")
		k.done()
	},
}
