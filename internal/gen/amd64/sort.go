package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sorting works on integers, whose order is total: package sort tells how floats become keys.
var keyElems = []elem{
	{"I32", "int32", 4, 2, false},
	{"I64", "int64", 8, 3, true},
}

// The bits of a form: what a kernel reads or writes are floats, in descending order.
const (
	formLoad  = 1
	formStore = 2
	formDesc  = 4
)

// keyTable is the layout of the constants: four vectors of 64 bytes, then a word for each form.
const (
	keyPlain = 0   // zeros: floats as they are
	keyRot   = 128 // behind the vector of sign bits
	keyLow   = 192
	keyPad   = 256
)

// keyConstants holds what turns floats into keys and back.
func (k *kernel) keyConstants() operand.Mem {
	return k.global(fmt.Sprintf("keys%d", 8*k.size), func() {
		sign, top, fraction := uint64(1)<<31, uint64(math.MaxInt32), uint64(1)<<23-1
		if k.f64 {
			sign, top, fraction = 1<<63, math.MaxInt64, 1<<52-1
		}
		for _, v := range []uint64{0, sign, fraction, top} {
			for range 64 / k.size {
				k.AppendDatum(k.word(v))
			}
		}
		// What fills up the last vector: the largest key, or the NaN that has it.
		last := (top + fraction) ^ top
		for form := range 8 {
			switch form & (formLoad | formDesc) {
			case formLoad:
				k.AppendDatum(k.word(last))
			case formLoad | formDesc:
				k.AppendDatum(k.word(last ^ sign))
			default:
				k.AppendDatum(k.word(top))
			}
		}
	})
}

// word is an integer constant of the element's size.
func (k *kernel) word(v uint64) operand.Constant {
	if k.f64 {
		return operand.U64(v)
	}
	return operand.U32(uint32(v))
}

// keyForm is where map and unmap find their constants: table + 64 if descending.
type keyForm struct {
	table, signs reg.GPVirtual
	form         reg.GPVirtual
}

func (k *kernel) keyForm(form reg.GPVirtual) keyForm {
	f := keyForm{k.GP64(), k.GP64(), form}
	k.LEAQ(k.keyConstants(), f.table)
	k.MOVQ(form, f.signs)
	k.ANDQ(operand.Imm(formDesc), f.signs)
	k.SHLQ(operand.Imm(4), f.signs)
	k.ADDQ(f.table, f.signs)
	return f
}

// pad returns a vector of the word that sorts last.
func (k *kernel) pad(f keyForm) reg.VecVirtual {
	v := k.vec()
	k.ibcast(operand.Mem{Base: f.table, Index: f.form, Scale: uint8(k.size), Disp: keyPad}, v)
	return v
}

// mapKeys turns floats into keys: with u the bits, negated where the order descends, u ^ (u >> 31 & 0x7fffffff) orders
// all but NaNs, and the difference to 2²³-1, modulo 2³², moves the NaNs from below -Inf to the end.
func (k *kernel) mapKeys(f keyForm, rows ...reg.VecVirtual) {
	k.Comment("Floats to keys.")
	sign, rot, low := k.vec(), k.vec(), k.vec()
	k.iload(operand.Mem{Base: f.signs, Disp: keyPlain}, sign)
	k.iload(operand.Mem{Base: f.table, Disp: keyRot}, rot)
	k.iload(operand.Mem{Base: f.table, Disp: keyLow}, low)
	for _, v := range rows {
		k.ixor(sign, v, v)
		k.flip(v, low)
		pick(k, k.VPSUBD, k.VPSUBQ)(rot, v, v)
	}
}

// unmapKeys is the inverse of mapKeys.
func (k *kernel) unmapKeys(f keyForm, rows ...reg.VecVirtual) {
	k.Comment("Keys to floats.")
	sign, rot, low := k.vec(), k.vec(), k.vec()
	k.iload(operand.Mem{Base: f.signs, Disp: keyPlain}, sign)
	k.iload(operand.Mem{Base: f.table, Disp: keyRot}, rot)
	k.iload(operand.Mem{Base: f.table, Disp: keyLow}, low)
	for _, v := range rows {
		pick(k, k.VPADDD, k.VPADDQ)(rot, v, v)
		k.flip(v, low)
		k.ixor(sign, v, v)
	}
}

// flip inverts all bits but the sign of negative elements; it is its own inverse.
func (k *kernel) flip(v, low reg.VecVirtual) {
	s := k.vec()
	switch {
	case k.wide:
		pick(k, k.VPSRAD, k.VPSRAQ)(operand.U8(8*k.size-1), v, s)
		pick(k, k.VPTERNLOGD, k.VPTERNLOGQ)(operand.U8(0x78), low, s, v) // v ^ (s & low)
		return
	case k.f64:
		k.VPXOR(s, s, s)
		k.VPCMPGTQ(v, s, s)
	default:
		k.VPSRAD(operand.U8(31), v, s)
	}
	k.VPAND(low, s, s)
	k.VPXOR(s, v, v)
}

// The instructions on integers, sources first.

func (k *kernel) iload(m operand.Mem, v reg.Register) {
	if k.wide {
		k.VMOVDQU64(m, v)
	} else {
		k.VMOVDQU(m, v)
	}
}

func (k *kernel) istore(v reg.Register, m operand.Mem) {
	if k.wide {
		k.VMOVDQU64(v, m)
	} else {
		k.VMOVDQU(v, m)
	}
}

func (k *kernel) ixor(a, b, d operand.Op) {
	if k.wide {
		k.VPXORQ(a, b, d)
	} else {
		k.VPXOR(a, b, d)
	}
}

func (k *kernel) icopy(v, d reg.Register) {
	if k.wide {
		k.VMOVDQA64(v, d)
	} else {
		k.VMOVDQA(v, d)
	}
}

func (k *kernel) ibcast(m, v operand.Op) { pick(k, k.VPBROADCASTD, k.VPBROADCASTQ)(m, v) }

// third replaces b by what a and b have beside c, which is one of them in each lane. On Intel's CPUs one unit alone
// finds minima and maxima of 512 bits; the other can do this.
func (k *kernel) third(a, b, c reg.VecVirtual) {
	pick(k, k.VPTERNLOGD, k.VPTERNLOGQ)(operand.U8(0x96), c, a, b) // a ^ b ^ c
}

// minMax returns min(a, b) and max(a, b); b may be the latter's register.
func (k *kernel) minMax(a, b reg.VecVirtual) (lo, hi reg.VecVirtual) {
	lo, hi = k.vec(), k.vec()
	if k.f64 && !k.wide {
		c := k.vec()
		k.VPCMPGTQ(b, a, c) // a > b
		k.VBLENDVPD(c, b, a, lo)
		k.VBLENDVPD(c, a, b, hi)
		return lo, hi
	}
	pick(k, k.VPMINSD, k.VPMINSQ)(b, a, lo)
	if k.wide {
		k.third(a, b, lo)
		return lo, b
	}
	pick(k, k.VPMAXSD, k.VPMAXSQ)(b, a, hi)
	return lo, hi
}

// ibcastArg sets all lanes to an integer argument; vet allows it only the way through a general register.
func (k *kernel) ibcastArg(name string, v reg.VecVirtual) {
	r := k.GP64()
	k.Load(k.Param(name), pick(k, r.As32(), reg.Register(r)))
	if k.wide {
		k.ibcast(pick(k, r.As32(), reg.Register(r)), v)
		return
	}
	pick(k, k.VMOVD, k.VMOVQ)(pick(k, r.As32(), reg.Register(r)), v.AsX())
	k.ibcast(v.AsX(), v)
}

// retInteger returns the lowest lane of v.
func (k *kernel) retInteger(v reg.Vec) {
	r := k.GP64()
	pick(k, k.VMOVD, k.VMOVQ)(v.AsX(), pick(k, r.As32(), reg.Register(r)))
	k.Store(pick(k, r.As32(), reg.Register(r)), k.ReturnIndex(0))
	k.done()
}
