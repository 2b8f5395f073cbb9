//go:build (amd64 || arm64) && !purego

package gemm

// TilesF32 sets C = alpha A B + beta C for matrices given in panels: element (i, p) of the m-by-k matrix A is
// a[i/mr*apanel + i%mr*ars + p*acs], element (p, j) of the k-by-n matrix B is b[j/nr*bpanel + p*ldb + j%nr], and
// element (i, j) of C is c[i*ldc + j].
//
//	for i := range m {
//		for j := range n {
//			sum := 0
//			for p := range k { sum += A(i, p) * B(p, j) } // in this order, fused where the tier fuses
//			c[i*ldc+j] = alpha*sum + beta*c[i*ldc+j]      // beta = 0: alpha*sum, c is not read
//		}
//	}
//
// mr and nr are at least 1, and the tier in use has a tile of that size (rowsOf). The bits of an element of C do not
// depend on m, n, mr, nr or its place.
//
//go:noescape
func TilesF32(m, n, k int, alpha float32, a *float32, ars, acs, mr, apanel int, b *float32, ldb, nr, bpanel int,
	beta float32, c *float32, ldc int)

// TilesF64 is TilesF32 for float64.
//
//go:noescape
func TilesF64(m, n, k int, alpha float64, a *float64, ars, acs, mr, apanel int, b *float64, ldb, nr, bpanel int,
	beta float64, c *float64, ldc int)
