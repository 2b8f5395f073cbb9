//go:build (amd64 || arm64) && !purego

package reduce

// MinF32 returns the smallest element of x[:n], +Inf if there is none.
//
//	for i := range n { min = math.Min(min, x[i]) }
//
// One NaN makes the minimum NaN. 0 and -0 are equal: of them either may be returned.
//
//go:noescape
func MinF32(x *float32, n int) float32

// MinF64 is MinF32 for float64.
//
//go:noescape
func MinF64(x *float64, n int) float64
