//go:build !amd64 || purego

package half

// TilesB16 is its twin here.
func TilesB16(m, n, k int, alpha float32, a *uint32, ars, acs, mr, apanel int, b *uint32, ldb, nr, bpanel int,
	beta float32, c *float32, ldc int) {
	tilesb16Generic(m, n, k, alpha, a, ars, acs, mr, apanel, b, ldb, nr, bpanel, beta, c, ldc)
}
