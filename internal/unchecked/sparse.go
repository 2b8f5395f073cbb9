package unchecked

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/sparse"
	"github.com/dualgap/dualgap/vec"
)

// A sparse vector x is its values val with their places idx, as many, counted from 0: x[idx[k]] = val[k].

// SparseDot returns Σ_k val[k] y[idx[k]], where each place is one of y.
func SparseDot[T vec.Float](idx []int32, val, y []T) T {
	if Is32[T]() {
		return T(sparse.DotF32(unsafe.SliceData(idx), p32(val), len(idx), p32(y)))
	}
	return T(sparse.DotF64(unsafe.SliceData(idx), p64(val), len(idx), p64(y)))
}

// SparseDotAhead is SparseDot, and asks meanwhile for what a later call will read, as Prefetch does: of the row that
// begins with next and nextVal as much as this one has, and p, q and r.
func SparseDotAhead[T vec.Float](idx []int32, val, y []T, next []int32, nextVal []T, p, q, r unsafe.Pointer) T {
	if Is32[T]() {
		return T(sparse.DotAheadF32(unsafe.SliceData(idx), p32(val), len(idx), p32(y), unsafe.SliceData(next),
			p32(nextVal), (*byte)(p), (*byte)(q), (*byte)(r)))
	}
	return T(sparse.DotAheadF64(unsafe.SliceData(idx), p64(val), len(idx), p64(y), unsafe.SliceData(next),
		p64(nextVal), (*byte)(p), (*byte)(q), (*byte)(r)))
}

// SparseAxpy adds alpha x to y for the sparse vector x = (idx, val), where each place is one of y.
func SparseAxpy[T vec.Float](alpha T, idx []int32, val, y []T) {
	if Is32[T]() {
		sparse.AxpyF32(float32(alpha), unsafe.SliceData(idx), p32(val), len(idx), p32(y))
	} else {
		sparse.AxpyF64(float64(alpha), unsafe.SliceData(idx), p64(val), len(idx), p64(y))
	}
}

// SparseDot64 is SparseDot in float64.
func SparseDot64[T vec.Float](idx []int32, val []T, y []float64) float64 {
	if Is32[T]() {
		return sparse.MixedDot(unsafe.SliceData(idx), p32(val), len(idx), unsafe.SliceData(y))
	}
	return sparse.DotF64(unsafe.SliceData(idx), p64(val), len(idx), unsafe.SliceData(y))
}

// SparseAxpy64 is SparseAxpy in float64.
func SparseAxpy64[T vec.Float](alpha float64, idx []int32, val []T, y []float64) {
	if Is32[T]() {
		sparse.MixedAxpy(alpha, unsafe.SliceData(idx), p32(val), len(idx), unsafe.SliceData(y))
	} else {
		sparse.AxpyF64(alpha, unsafe.SliceData(idx), p64(val), len(idx), unsafe.SliceData(y))
	}
}

// SparseGemvT sets y = Aᵀ x for the sparse vector x = (idx, val), where each place is a row of a and len(y) at most
// a.Cols.
func SparseGemvT[T vec.Float](a *vec.Matrix[T], idx []int32, val, y []T) {
	if Is32[T]() {
		sparse.GemvTF32(len(y), 1, p32(a.Data), a.Stride, unsafe.SliceData(idx), p32(val), len(idx), 0, p32(y))
	} else {
		sparse.GemvTF64(len(y), 1, p64(a.Data), a.Stride, unsafe.SliceData(idx), p64(val), len(idx), 0, p64(y))
	}
}

// SparseGer adds x yᵀ to a for the sparse vector x = (idx, val), where each place is a row of a and len(y) at most
// a.Cols.
func SparseGer[T vec.Float](idx []int32, val, y []T, a *vec.Matrix[T]) {
	if Is32[T]() {
		sparse.GerF32(1, unsafe.SliceData(idx), p32(val), len(idx), p32(y), len(y), p32(a.Data), a.Stride)
	} else {
		sparse.GerF64(1, unsafe.SliceData(idx), p64(val), len(idx), p64(y), len(y), p64(a.Data), a.Stride)
	}
}

// MaxIndex returns the largest of idx as integers without a sign, 0 if there is none: all are places in n elements if
// it is less than n, for a negative one would be 2³¹ or more.
func MaxIndex(idx []int32) uint32 { return sparse.MaxIndex(unsafe.SliceData(idx), len(idx)) }

// Prefetch asks for the cache lines of x and returns before they come. x may be of any type, a window of one struct
// among them.
func Prefetch[E any](x []E) {
	var e E
	sparse.PrefetchF32((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(e))/4)
}

// Take sets dst[k] = T(x[idx[k]]) for all of idx. dst does not overlap x.
func Take[T, S vec.Float](dst []T, x []S, idx []int) {
	at, n := unsafe.SliceData(idx), len(idx)
	switch {
	case Is32[T]() && Is32[S]():
		sparse.TakeF32(p32(dst), p32(x), at, n)
	case Is32[S]():
		sparse.MixedTake(p64(dst), p32(x), at, n)
	case !Is32[T]():
		sparse.TakeF64(p64(dst), p64(x), at, n)
	default:
		for k, j := range idx {
			dst[k] = T(x[j])
		}
	}
}
