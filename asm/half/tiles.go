//go:build amd64 && !purego

package half

// TilesB16 is gemm.TilesF32 for matrices A and B of pairs of bfloat16, the earlier number in the lower half of 32 bits:
//
//	for p := range k { sum += A(i, p).low * B(p, j).low + A(i, p).high * B(p, j).high }
//
// Only CPUs with the extension BF16 have it as assembly, of tiles as TilesF32 has with AVX-512; elsewhere it is the
// twin, and float32 is the better way.
//
//go:noescape
func TilesB16(m, n, k int, alpha float32, a *uint32, ars, acs, mr, apanel int, b *uint32, ldb, nr, bpanel int,
	beta float32, c *float32, ldc int)
