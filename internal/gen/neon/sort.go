package main

import (
	"encoding/binary"
	"math"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// Sorting works on integers, whose order is total: package sort tells how floats become keys.
var keyElems = []elem{
	{"I32", "int32", 4, a64.S4, "FMOVS"},
	{"I64", "int64", 8, a64.D2, "FMOVD"},
}

// The bits of a form, by their numbers: what a kernel reads or writes are floats, in descending order.
const (
	formLoad  = 0
	formStore = 1
	formDesc  = 2
)

// keyForm turns floats into keys and back.
type keyForm struct {
	k              *kernel
	form           X
	sign, low, rot V // the sign if the order descends, all bits but the sign, the bits of the fraction
	t              V
}

func (k *kernel) keyForm(form X) *keyForm {
	v := k.vs(4)
	f := &keyForm{k, form, v[0], v[1], v[2], v[3]}
	sign, c := k.x(), k.x()
	k.nextX -= 2
	k.Op("AND", imm(1<<formDesc), form, sign)
	k.Op("LSL", imm(8*k.size-1-formDesc), sign, sign)
	k.Op("VDUP", sign, f.sign.As(k.arr))
	_, top, fraction := k.keyParts()
	k.Op("MOVD", a64.Constant(top), c)
	k.Op("VDUP", c, f.low.As(k.arr))
	k.Op("MOVD", a64.Constant(fraction), c)
	k.Op("VDUP", c, f.rot.As(k.arr))
	return f
}

// keyParts returns the sign, all bits but the sign, and the bits of the fraction.
func (e elem) keyParts() (sign, top, fraction uint64) {
	if e.size == 4 {
		return 1 << 31, math.MaxInt32, 1<<23 - 1
	}
	return 1 << 63, math.MaxInt64, 1<<52 - 1
}

// pad returns a vector of the word that sorts last: the largest key, or the NaN that has it.
func (f *keyForm) pad() V {
	k, v := f.k, f.k.vs(1)[0]
	word, nan, sign := k.x(), k.x(), k.x()
	k.nextX -= 3
	_, top, fraction := k.keyParts()
	k.Op("MOVD", a64.Constant(top), word)
	k.Op("MOVD", a64.Constant((top+fraction)^top), nan)
	k.Op("VMOV", f.sign.Double(0), sign)
	k.Op("EOR", sign, nan, nan)
	k.Op("TST", imm(1<<formLoad), f.form)
	k.Op("CSEL", a64.Cond("NE"), nan, word, word)
	k.Op("VDUP", word, v.As(k.arr))
	return v
}

// ifForm adds code that runs only when the form has the bit.
func (f *keyForm) ifForm(bit int, code func()) {
	skip := f.k.NewLabel("skip")
	f.k.Op("TBZ", imm(bit), f.form, skip)
	code()
	f.k.Bind(skip)
}

// mapKeys turns floats into keys: with u the bits, negated where the order descends, u ^ (u >> 31 & 0x7fffffff) orders
// all but NaNs, and the difference to 2²³-1, modulo 2³², moves the NaNs from below -Inf to the end.
func (f *keyForm) mapKeys(v ...V) {
	for _, v := range v {
		f.k.xor(v, v, f.sign)
		f.flip(v)
		f.k.subInt(v, v, f.rot)
	}
}

// unmapKeys is the inverse of mapKeys.
func (f *keyForm) unmapKeys(v ...V) {
	for _, v := range v {
		f.k.addInt(v, v, f.rot)
		f.flip(v)
		f.k.xor(v, v, f.sign)
	}
}

// flip inverts all bits but the sign of negative elements; it is its own inverse.
func (f *keyForm) flip(v V) {
	f.k.CMLTZero(f.k.arr, f.t, v)
	f.k.andBits(f.t, f.t, f.low)
	f.k.xor(v, v, f.t)
}

func (k *kernel) xor(d, a, b V) { k.Op("VEOR", b.Bits(), a.Bits(), d.Bits()) }

// shuffle is an instruction that takes the lanes of d from n and m, in Arm's order: VZIP1, VTRN2, ...
func (k *kernel) shuffle(name string, t a64.Arr, d, n, m V) { k.Op(name, m.As(t), n.As(t), d.As(t)) }

// byteTable adds a table of bytes, a multiple of 8 of them: its address is in base, write puts it behind the function.
func (k *kernel) byteTable(name string, data []byte) (base X, write func()) {
	symbol, base := name+k.suffix+"NEON<>", k.x()
	k.Op("MOVD", a64.Symbol("$"+symbol+"(SB)"), base)
	return base, func() {
		k.Printf("\n")
		for i := 0; i < len(data); i += 8 {
			k.Printf("DATA %s+%d(SB)/8, $0x%016x\n", symbol, i, binary.LittleEndian.Uint64(data[i:]))
		}
		k.Printf("GLOBL %s(SB), RODATA|NOPTR, $%d\n", symbol, len(data))
	}
}
