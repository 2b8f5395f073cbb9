package main

import "github.com/mmcloughlin/avo/operand"

// prefetch asks for every cache line of x, and waits for none.
var prefetch = source{
	family: "sparse", name: "prefetch", entry: "Prefetch", sig: "(x *T, n int)",
	emit: func(k *kernel) {
		x, end := k.arg("x"), k.bytesArg("n")
		k.ADDQ(x, end)
		k.Label("line")
		k.CMPQ(x, end)
		k.JAE(operand.LabelRef("done"))
		k.PREFETCHT0(operand.Mem{Base: x})
		k.ADDQ(operand.Imm(64), x)
		k.JMP(operand.LabelRef("line"))
		k.Label("done")
		k.done()
	},
}
