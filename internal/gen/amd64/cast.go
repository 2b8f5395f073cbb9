package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// cast converts to the other element type. The last vector ends with the array and may overlap the one before; arrays
// of less than a vector are converted one by one.
var cast = source{
	family: "blas", name: "cast", entry: "Cast", sig: "(x *T, y *U, n int)",
	emit: func(k *kernel) {
		x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
		lanes, other := k.bytes/8, 12-k.size // of the wider vector; bytes of the other type
		one := func(i reg.GPVirtual) {
			from := operand.Mem{Base: x, Index: i, Scale: uint8(k.size)}
			to := operand.Mem{Base: y, Index: i, Scale: uint8(other)}
			k.vectorTo(from, to)
		}
		k.SUBQ(operand.Imm(uint64(lanes)), n)
		k.JL(operand.LabelRef("short"))
		i := k.GP64()
		k.XORL(i.As32(), i.As32())
		k.JMP(operand.LabelRef("test"))
		k.section("loop", "Whole vectors.")
		one(i)
		k.ADDQ(operand.Imm(uint64(lanes)), i)
		k.Label("test")
		k.CMPQ(i, n)
		k.JLT(operand.LabelRef("loop"))
		k.Comment("The last vector, which may overlap the one before.")
		one(n)
		k.done()

		k.section("short", "Fewer elements than a vector has: one by one.")
		k.ADDQ(operand.Imm(uint64(lanes)), n)
		k.JZ(operand.LabelRef("done"))
		v := k.XMM()
		k.zero(v)
		k.Label("single")
		pick(k, k.VCVTSS2SD, k.VCVTSD2SS)(operand.Mem{Base: x}, v, v)
		pick(k, k.VMOVSD, k.VMOVSS)(v, operand.Mem{Base: y})
		k.forward(k.size, x)
		k.forward(other, y)
		k.DECQ(n)
		k.JNZ(operand.LabelRef("single"))
		k.Label("done")
		k.done()
	},
}

// vectorTo converts a vector.
func (k *kernel) vectorTo(from, to operand.Mem) {
	wide := k.vec()
	switch {
	case !k.f64:
		k.VCVTPS2PD(from, wide)
		k.VMOVUPD(wide, to)
	case k.wide:
		narrow := k.YMM()
		k.VCVTPD2PS(from, narrow)
		k.VMOVUPS(narrow, to)
	default:
		k.VCVTPD2PSY(from, wide.AsX())
		k.VMOVUPS(wide.AsX(), to)
	}
}
