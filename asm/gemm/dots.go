//go:build amd64 && !purego

package gemm

// DotsF32 sets C = alpha A Bᵀ + beta C for row-major matrices, A m-by-k and B n-by-k: all inner products of their rows.
//
//	for i := range m {
//		for j := range n {
//			sum := 0
//			for p := range k { sum += a[i*lda+p] * b[j*ldb+p] } // lane by lane: the order is the tier's own
//			c[i*ldc+j] = alpha*sum + beta*c[i*ldc+j]            // beta = 0: alpha*sum, c is not read
//		}
//	}
//
// It takes nr rows of B at a time, at least 1 and at most what the tier in use allows (colsOf).
//
//go:noescape
func DotsF32(m, n, k int, alpha float32, a *float32, lda int, b *float32, ldb, nr int, beta float32, c *float32,
	ldc int)

// DotsF64 is DotsF32 for float64.
//
//go:noescape
func DotsF64(m, n, k int, alpha float64, a *float64, lda int, b *float64, ldb, nr int, beta float64, c *float64,
	ldc int)
