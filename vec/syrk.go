package vec

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/gemm"
)

// Triangle names half of a square matrix, the diagonal included.
type Triangle bool

const (
	Lower Triangle = false // the elements of row i up to column i
	Upper Triangle = true  // those from column i on
)

// Syrk sets one triangle of C = alpha op(A) op(A)ᵀ + beta C, where op(A) is A or Aᵀ as t says. The other triangle is
// neither read nor written. It takes half the time of [Gemm], whose rules hold.
func Syrk[T Float](half Triangle, t Trans, alpha T, a Matrix[T], beta T, c Matrix[T]) {
	p := symmetric("Syrk", t, alpha, &a, beta, &c)
	p.RunTriangle(half.part())
}

// SyrkWorkers is [Syrk] by up to workers goroutines, all cores for 0: see the overview.
func SyrkWorkers[T Float](half Triangle, t Trans, alpha T, a Matrix[T], beta T, c Matrix[T], workers int) {
	p := symmetric("SyrkWorkers", t, alpha, &a, beta, &c)
	p.RunTriangleWorkers(team("SyrkWorkers", workers), half.part())
}

// Gram sets C = A Aᵀ, the inner products of all pairs of rows of A. For an m-by-n matrix A, C is m-by-m and must not
// overlap A. It panics unless the sizes fit together. It computes each pair once: O(m² n / 2).
func Gram[T Float](c, a Matrix[T]) {
	p := symmetric("Gram", NoTrans, 1, &a, 0, &c)
	p.RunTriangle(gemm.Both)
}

// GramWorkers is [Gram] by up to workers goroutines, all cores for 0: see the overview.
func GramWorkers[T Float](c, a Matrix[T], workers int) {
	p := symmetric("GramWorkers", NoTrans, 1, &a, 0, &c)
	p.RunTriangleWorkers(team("GramWorkers", workers), gemm.Both)
}

// symmetric checks the operands and lays them out for package gemm.
func symmetric[T Float](function string, t Trans, alpha T, a *Matrix[T], beta T, c *Matrix[T]) gemm.Product[T] {
	n, k := opSize(t, a)
	if c.Rows != n || c.Cols != n {
		panic(unfit(function, "C is %dx%d, but op(A) is %dx%d", c.Rows, c.Cols, n, k))
	}
	a.demand(function)
	c.demand(function)
	data := unsafe.SliceData(a.Data)
	p := gemm.Product[T]{M: n, N: n, K: k, Alpha: alpha, A: data, B: data, Beta: beta, C: unsafe.SliceData(c.Data),
		LDC: c.Stride}
	p.ARow, p.ACol = opStrides(t, a)
	p.BCol, p.BRow = p.ARow, p.ACol
	return p
}

func (t Triangle) part() gemm.Triangle {
	if t == Upper {
		return gemm.Upper
	}
	return gemm.Lower
}
