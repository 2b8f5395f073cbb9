package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// Kernels of two element types compute with float64 throughout and read their data, the x of dot and axpy and the
// matrix of gemv, as float32: a pair of vectors is one vector in memory, and is converted as it is loaded. All else is
// as in the kernels of one type, by the same code.

var mixedDot = source{"blas", "mixeddot", "MixedDot", "(x *float32, y *float64, n int) float64", ofSingle(emitDot)}

const mixedAxpySig = "(alpha float64, x *float32, y *float64, n int)"

var mixedAxpy = source{"blas", "mixedaxpy", "MixedAxpy", mixedAxpySig, ofSingle(emitAxpy)}

const mixedGemvSig = "(m, n int, alpha float64, a *float32, lda int, x *float64, beta float64, y *float64)"

var mixedGemv = source{"blas", "mixedgemv", "MixedGemv", mixedGemvSig, ofSingle(emitGemv)}

var mixedGemvT = source{"blas", "mixedgemvt", "MixedGemvT", mixedGemvSig, ofSingle(emitGemvT)}

// mixed is float64, which the names of these kernels need not say.
var mixed = []elem{{"", "float64", 8, a64.D2, "FMOVD"}}

// ofSingle has a kernel of float64 read its data as float32.
func ofSingle(emit func(*kernel)) func(*kernel) {
	return func(k *kernel) {
		k.single = true
		emit(k)
	}
}

// dataShift is log2 of the size of an element of the data.
func (k *kernel) dataShift() int {
	if k.single {
		return 2
	}
	return k.shift()
}

// loadData fills the vectors of v that belong to r from the piece of data at p.
func (k *kernel) loadData(r run, v []V, p X) {
	if !k.single {
		k.load(r, v, p)
		return
	}
	last := v[r.first+r.n-1]
	name := map[int]string{4: "FMOVS", 8: "FMOVD", 16: "FMOVQ"}[r.n*r.bytes/2]
	if r.advance > 0 {
		k.Op(name+".P", a64.Mem(p, r.advance/2), last)
	} else {
		k.Op(name, a64.Mem(p, r.first*vectorBytes/2), last)
	}
	k.FCVTL(v[r.first], last)
	if r.n == 2 {
		k.FCVTL2(last, last)
	}
}
