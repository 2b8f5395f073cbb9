//go:build !(amd64 || arm64) || purego

package sparse

func PrefetchF32(x *float32, n int) { prefetchGeneric(x, n) }
func PrefetchF64(x *float64, n int) { prefetchGeneric(x, n) }
