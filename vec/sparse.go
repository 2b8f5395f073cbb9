package vec

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/sparse"
)

// The functions check all indices before anything else.

// SparseDot returns Σ_k val[k] y[idx[k]], the inner product of the sparse vector (idx, val) and y. It panics unless idx
// and val have one length and all of idx are in 0..len(y)-1. O(len(idx)).
func SparseDot[T Float](idx []int32, val, y []T) T {
	if !lead(idx, len(val), len(y)) {
		mustLead("SparseDot", idx, len(val), len(y))
	}
	if isF32[T]() {
		return T(sparse.DotF32(unsafe.SliceData(idx), ptr32(val), len(idx), ptr32(y)))
	}
	return T(sparse.DotF64(unsafe.SliceData(idx), ptr64(val), len(idx), ptr64(y)))
}

// SparseAxpy adds alpha times the sparse vector (idx, val) to y: y[idx[k]] += alpha val[k]. val must not overlap y. It
// panics as [SparseDot] does, before it writes. O(len(idx)).
func SparseAxpy[T Float](alpha T, idx []int32, val, y []T) {
	if !lead(idx, len(val), len(y)) {
		mustLead("SparseAxpy", idx, len(val), len(y))
	}
	if isF32[T]() {
		sparse.AxpyF32(float32(alpha), unsafe.SliceData(idx), ptr32(val), len(idx), ptr32(y))
	} else {
		sparse.AxpyF64(float64(alpha), unsafe.SliceData(idx), ptr64(val), len(idx), ptr64(y))
	}
}

// SparseGemvT sets y = alpha Aᵀ x + beta y for the sparse vector x = (idx, val): a sum of one row of A for each element
// of x,
//
//	y = alpha Σ_k val[k] A[idx[k], :] + beta y.
//
// y has a.Cols elements. With beta = 0 the old y is not read. y may overlap neither a nor val. It panics unless the
// sizes agree and all of idx are rows of A. O(len(idx) a.Cols).
func SparseGemvT[T Float](alpha T, a Matrix[T], idx []int32, val []T, beta T, y []T) {
	a.fitSparse("SparseGemvT", idx, len(val), len(y))
	if isF32[T]() {
		sparse.GemvTF32(a.Cols, float32(alpha), ptr32(a.Data), a.Stride, unsafe.SliceData(idx), ptr32(val), len(idx),
			float32(beta), ptr32(y))
	} else {
		sparse.GemvTF64(a.Cols, float64(alpha), ptr64(a.Data), a.Stride, unsafe.SliceData(idx), ptr64(val), len(idx),
			float64(beta), ptr64(y))
	}
}

// SparseGer adds alpha x yᵀ to A for the sparse vector x = (idx, val): A[idx[k], :] += alpha val[k] y. y has a.Cols
// elements. Neither val nor y may overlap a. It panics unless the sizes agree and all of idx are rows of A, before it
// writes. O(len(idx) a.Cols).
func SparseGer[T Float](alpha T, idx []int32, val, y []T, a Matrix[T]) {
	a.fitSparse("SparseGer", idx, len(val), len(y))
	if isF32[T]() {
		sparse.GerF32(float32(alpha), unsafe.SliceData(idx), ptr32(val), len(idx), ptr32(y), len(y), ptr32(a.Data),
			a.Stride)
	} else {
		sparse.GerF64(float64(alpha), unsafe.SliceData(idx), ptr64(val), len(idx), ptr64(y), len(y), ptr64(a.Data),
			a.Stride)
	}
}

// fitSparse panics unless a is sound, has a column for each element of y, and a row for each index.
func (a *Matrix[T]) fitSparse(function string, idx []int32, values, cols int) {
	if a.Cols != cols {
		panic(unfit(function, "%dx%d matrix, vector of %d for its columns", a.Rows, a.Cols, cols))
	}
	a.demand(function)
	mustLead(function, idx, values, a.Rows)
}

// lead reports whether there is an index for each value and all of them are below n. It is inlined, and may be wrong
// about no indices.
func lead(idx []int32, values, n int) bool {
	return len(idx) == values && uint(sparse.MaxIndex(unsafe.SliceData(idx), len(idx))) < uint(n)
}

// mustLead panics unless there is an index for each value and all of them are below n.
func mustLead(function string, idx []int32, values, n int) {
	if len(idx) != values {
		panic(unfit(function, "%d indices for %d values", len(idx), values))
	}
	if uint(sparse.MaxIndex(unsafe.SliceData(idx), len(idx))) < uint(n) {
		return
	}
	for k, j := range idx {
		if uint(j) >= uint(n) {
			panic(unfit(function, "index %d at place %d, want one below %d", j, k, n))
		}
	}
}
