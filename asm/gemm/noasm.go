//go:build !amd64 || purego

package gemm

// Without assembly each kernel is its twin.

func TilesF32(m, n, k int, alpha float32, a *float32, ars, acs, mr, apanel int, b *float32, ldb, nr, bpanel int, beta float32, c *float32, ldc int) {
	tilesGeneric(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}

func TilesF64(m, n, k int, alpha float64, a *float64, ars, acs, mr, apanel int, b *float64, ldb, nr, bpanel int, beta float64, c *float64, ldc int) {
	tilesGeneric(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}

func PackRowsF32(m, n int, src *float32, lds int, dst *float32, ldd int) {
	packrowsGeneric(m, n, src, lds, dst, ldd)
}

func PackRowsF64(m, n int, src *float64, lds int, dst *float64, ldd int) {
	packrowsGeneric(m, n, src, lds, dst, ldd)
}

func PackColumnsF32(m, n int, src *float32, lds int, dst *float32, ldd int) {
	packcolumnsGeneric(m, n, src, lds, dst, ldd)
}

func PackColumnsF64(m, n int, src *float64, lds int, dst *float64, ldd int) {
	packcolumnsGeneric(m, n, src, lds, dst, ldd)
}
