//go:build !(amd64 || arm64) || purego

package gemm

func TilesF32(m, n, k int, alpha float32, a *float32, ars, acs, mr, apanel int, b *float32, ldb, nr, bpanel int,
	beta float32, c *float32, ldc int) {
	tilesGeneric(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}

func TilesF64(m, n, k int, alpha float64, a *float64, ars, acs, mr, apanel int, b *float64, ldb, nr, bpanel int,
	beta float64, c *float64, ldc int) {
	tilesGeneric(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}

func PackColumnsF32(m, n int, src *float32, lds int, dst *float32, ldd int) {
	packcolumnsGeneric(m, n, src, lds, dst, ldd)
}

func PackColumnsF64(m, n int, src *float64, lds int, dst *float64, ldd int) {
	packcolumnsGeneric(m, n, src, lds, dst, ldd)
}

func TransposeF32(m, n int, src *float32, lds int, beta float32, dst *float32, ldd int) {
	transposeGeneric(m, n, src, lds, beta, dst, ldd)
}

func TransposeF64(m, n int, src *float64, lds int, beta float64, dst *float64, ldd int) {
	transposeGeneric(m, n, src, lds, beta, dst, ldd)
}
