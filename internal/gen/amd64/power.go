package main

import "github.com/mmcloughlin/avo/operand"

var powerRow = source{
	family: "math", name: "power", entry: "Power", sig: "(scale, offset, weight T, degree int, v, y *T, n, add int)",
	emit: (*kernel).powers,
}

// powers emits (scale v + offset)^degree by squaring: p gathers the powers that the bits of the degree ask for.
func (k *kernel) powers() {
	constants := k.newPool("power")
	constants.number("one", 1)
	constants.hold("one")
	scale, offset := k.vec(), k.vec()
	k.bcast(k.scalarArg("scale"), scale)
	k.bcast(k.scalarArg("offset"), offset)
	degree, from, y, n := k.arg("degree"), k.arg("v"), k.arg("y"), k.arg("n")
	block := 4
	if k.wide {
		block = 8
	}
	k.blocks(n, block, func(count int, by *mask) {
		base, p := k.vecs(count), k.vecs(count)
		k.loadVectors(from, by, base...)
		k.forward(count*k.bytes, from)
		k.Comment("base = scale v + offset, p = 1.")
		for i, v := range base {
			k.mul(scale, v, v)
			k.add(offset, v, v)
			k.move(constants.held["one"], p[i])
		}
		left := k.GP64()
		next, square, last := k.newLabel("next"), k.newLabel("square"), k.newLabel("last")
		k.MOVQ(degree, left)
		k.section(next, "p *= base where the lowest bit of the degree is set; base *= base.")
		k.CMPQ(left, operand.Imm(1))
		k.JLE(operand.LabelRef(last))
		k.TESTQ(operand.U32(1), left)
		k.JZ(operand.LabelRef(square))
		for i, v := range base {
			k.mul(v, p[i], p[i])
		}
		k.Label(square)
		for _, v := range base {
			k.mul(v, v, v)
		}
		k.SHRQ(operand.Imm(1), left)
		k.JMP(operand.LabelRef(next))
		k.section(last, "The highest bit.")
		for i, v := range base {
			k.mul(v, p[i], p[i])
		}
		k.deliver(p, y, by)
	})
	k.done()
}
