package vec

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/gemm"
)

// Trans says whether a matrix enters a product as it is or transposed.
type Trans bool

const (
	NoTrans    Trans = false // X
	Transposed Trans = true  // Xᵀ
)

// Gemm sets C = alpha op(A) op(B) + beta C, where op(X) is X or Xᵀ as ta and tb say. With beta = 0 the old C is not
// read and may hold anything; with alpha = 0 neither A nor B is read. C must overlap neither A nor B. It panics unless
// the sizes fit together. An m-by-k and a k-by-n matrix take O(m n k).
//
// The error of an element is at most (k+4)u Σ|terms| to first order, where beta c is one of the terms. The bits depend
// on the tier, the sizes, the transpositions and the sizes of the CPU's caches, but not on strides. Memory for copies
// of A and B is kept for later calls, so that Gemm allocates nothing once it is there.
func Gemm[T Float](ta, tb Trans, alpha T, a, b Matrix[T], beta T, c Matrix[T]) {
	if small(ta, tb, alpha, &a, &b, beta, &c) {
		return
	}
	var p gemm.Product[T]
	lay(&p, "Gemm", ta, tb, alpha, &a, &b, beta, &c)
	p.Run()
}

// GemmWorkers is [Gemm] by up to workers goroutines, all cores for 0: see the overview.
func GemmWorkers[T Float](ta, tb Trans, alpha T, a, b Matrix[T], beta T, c Matrix[T], workers int) {
	var p gemm.Product[T]
	lay(&p, "GemmWorkers", ta, tb, alpha, &a, &b, beta, &c)
	p.RunWorkers(team("GemmWorkers", workers))
}

// small computes a small product whose operands fit together, the short way; of others it returns false. Below 64
// neither a product of numbers of rows nor one with a stride overflows 64 bits.
func small[T Float](ta, tb Trans, alpha T, a, b *Matrix[T], beta T, c *Matrix[T]) bool {
	if tb || uint(a.Rows-1) >= 64 || uint(b.Rows-1) >= 64 || uint(c.Rows-1) >= 64 {
		return false
	}
	m, k, row, col := a.Rows, a.Cols, a.Stride, 1
	if ta {
		m, k, row, col = k, m, 1, row
	}
	n := c.Cols
	if m != c.Rows || k != b.Rows || n != b.Cols || alpha == 0 || !a.reaches() || !b.reaches() || !c.reaches() {
		return false
	}
	if isF32[T]() {
		mr, nr := gemm.SmallTileF32(m, n, k, col)
		if mr == 0 {
			return false
		}
		gemm.TilesF32(m, n, k, float32(alpha), ptr32(a.Data), row, col, mr, mr*row, ptr32(b.Data), b.Stride, nr, nr,
			float32(beta), ptr32(c.Data), c.Stride)
	} else {
		mr, nr := gemm.SmallTileF64(m, n, k, col)
		if mr == 0 {
			return false
		}
		gemm.TilesF64(m, n, k, float64(alpha), ptr64(a.Data), row, col, mr, mr*row, ptr64(b.Data), b.Stride, nr, nr,
			float64(beta), ptr64(c.Data), c.Stride)
	}
	return true
}

// lay checks the operands and lays them out for package gemm.
func lay[T Float](p *gemm.Product[T], function string, ta, tb Trans, alpha T, a, b *Matrix[T], beta T, c *Matrix[T]) {
	m, k := opSize(ta, a)
	k2, n := opSize(tb, b)
	if k != k2 || m != c.Rows || n != c.Cols {
		panic(unfit(function, "C is %dx%d, but op(A) is %dx%d and op(B) is %dx%d", c.Rows, c.Cols, m, k, k2, n))
	}
	a.demand(function)
	b.demand(function)
	c.demand(function)
	p.M, p.N, p.K, p.Alpha, p.Beta = m, n, k, alpha, beta
	p.A, p.B, p.C, p.LDC = unsafe.SliceData(a.Data), unsafe.SliceData(b.Data), unsafe.SliceData(c.Data), c.Stride
	p.ARow, p.ACol = opStrides(ta, a)
	p.BRow, p.BCol = opStrides(tb, b)
}

// opSize is the number of rows and columns of op(a).
func opSize[T Float](t Trans, a *Matrix[T]) (rows, cols int) {
	if t {
		return a.Cols, a.Rows
	}
	return a.Rows, a.Cols
}

// opStrides are the distances from an element of op(a) to the one below and to the one beside it.
func opStrides[T Float](t Trans, a *Matrix[T]) (row, col int) {
	if t {
		return 1, a.Stride
	}
	return a.Stride, 1
}
