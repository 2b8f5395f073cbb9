//go:build (amd64 || arm64) && !purego

package reduce

// MaxF32 returns the largest element of x[:n], -Inf if there is none.
//
//	for i := range n { max = math.Max(max, x[i]) }
//
// One NaN makes the maximum NaN. 0 and -0 are equal: of them either may be returned.
//
//go:noescape
func MaxF32(x *float32, n int) float32

// MaxF64 is MaxF32 for float64.
//
//go:noescape
func MaxF64(x *float64, n int) float64
