//go:build (amd64 || arm64) && !purego

package reduce

// ArgMaxF32 returns the index of the first NaN in x[:n], or else of the first of the largest elements; -1 for n = 0.
//
//	for i := range n { if arg < 0 || x[i] != x[i] || x[i] > x[arg] { arg = i; if x[i] != x[i] { break } } }
//
// n is less than 2³².
//
//go:noescape
func ArgMaxF32(x *float32, n int) int

// ArgMaxF64 is ArgMaxF32 for float64.
//
//go:noescape
func ArgMaxF64(x *float64, n int) int
