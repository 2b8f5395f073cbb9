//go:build (amd64 || arm64) && !purego

package reduce

// ArgMinF32 returns the index of the first NaN in x[:n], or else of the first of the smallest elements; -1 for n = 0.
//
//	for i := range n { if arg < 0 || x[i] != x[i] || x[i] < x[arg] { arg = i; if x[i] != x[i] { break } } }
//
// n is less than 2³².
//
//go:noescape
func ArgMinF32(x *float32, n int) int

// ArgMinF64 is ArgMinF32 for float64.
//
//go:noescape
func ArgMinF64(x *float64, n int) int
