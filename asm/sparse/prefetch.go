//go:build (amd64 || arm64) && !purego

package sparse

// PrefetchF32 asks for the cache lines of x, of x[16], of x[32] and so on up to x[n-1], and returns before they come to
// the second cache. Rows visited in random order are far apart: asked for one visit ahead, they need not be waited for.
//
//go:noescape
func PrefetchF32(x *float32, n int)

// PrefetchF64 is PrefetchF32 for float64.
//
//go:noescape
func PrefetchF64(x *float64, n int)
