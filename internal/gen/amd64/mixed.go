package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of two element types compute with float64 throughout and read their data, the x of dot and axpy and the
// matrix of gemv, as float32: each vector of data is half as wide in memory, and is converted as it is loaded. All else
// is as in the kernels of one type, by the same code.

var mixedDot = source{
	family: "blas", name: "mixeddot", entry: "MixedDot", sig: "(x *float32, y *float64, n int) float64",
	elems: mixed, emit: ofSingle(emitDot),
}

var mixedAxpy = source{
	family: "blas", name: "mixedaxpy", entry: "MixedAxpy", storeBound: true,
	sig: "(alpha float64, x *float32, y *float64, n int)", elems: mixed, emit: ofSingle(emitAxpy),
}

const mixedGemvSig = "(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64)"

var mixedGemv = source{
	family: "blas", name: "mixedgemv", entry: "MixedGemv", sig: mixedGemvSig, elems: mixed, emit: ofSingle(emitGemv),
}

var mixedGemvT = source{
	family: "blas", name: "mixedgemvt", entry: "MixedGemvT", sig: mixedGemvSig, elems: mixed, emit: ofSingle(emitGemvT),
}

// mixed is float64, which the names of these kernels need not say.
var mixed = []elem{{"", "float64", 8, 3, true}}

// ofSingle has a kernel of float64 read its data as float32.
func ofSingle(emit func(*kernel)) func(*kernel) {
	return func(k *kernel) {
		k.single = true
		emit(k)
	}
}

// dataSize is the size of an element of the data, and dataBytes the room of what takes that many bytes elsewhere.

func (k *kernel) dataSize() int {
	if k.single {
		return 4
	}
	return k.size
}

func (k *kernel) dataBytes(bytes int) int { return bytes / k.size * k.dataSize() }

// dataBytesArg loads a count of elements of the data as a count of bytes.
func (k *kernel) dataBytesArg(name string) reg.GPVirtual {
	if !k.single {
		return k.bytesArg(name)
	}
	r := k.arg(name)
	k.SHLQ(operand.U8(2), r)
	return r
}

// wider is the argument whose vectors are as wide as the registers, and so cross more cache lines where they are
// misaligned.
func (k *kernel) wider(x, y reg.GPVirtual) reg.GPVirtual {
	if k.single {
		return y
	}
	return x
}

// atData is the memory disp elements of the data behind p.
func (k *kernel) atData(p reg.Register, disp int) operand.Mem {
	return operand.Mem{Base: p, Disp: disp * k.dataSize()}
}

// loadData fills v from data.
func (k *kernel) loadData(m operand.Mem, v reg.Register) {
	if k.single {
		k.VCVTPS2PD(m, v)
	} else {
		k.load(m, v)
	}
}

// loadDataMasked reads the selected lanes from data and zeroes the others.
func (k *kernel) loadDataMasked(m operand.Mem, by mask, v reg.Register) {
	if !k.single {
		k.loadMasked(m, by, v)
		return
	}
	if k.wide {
		k.VCVTPS2PD_Z(m, by.k, v)
		return
	}
	half := k.XMM()
	k.VMASKMOVPS(m, by.data, half)
	k.VCVTPS2PD(half, v)
}

// fmaData is acc += a*b, where a is data, in memory or the lowest element of a register.
func (k *kernel) fmaData(a, b, acc operand.Op) {
	if k.single {
		wide := k.sameWidth(acc.(reg.Register))
		k.VCVTPS2PD(a, wide)
		a = wide
	}
	k.fma(a, b, acc)
}
