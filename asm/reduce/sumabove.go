//go:build (amd64 || arm64) && !purego

package reduce

// SumAboveF32 returns the sum of what x[:n] has above t, and how many elements are above it. NaN is above nothing.
//
//	for i := range n { if x[i] > t { sum += x[i] - t; count++ } }
//
//go:noescape
func SumAboveF32(x *float32, n int, t float32) (sum float32, count int)

// SumAboveF64 is SumAboveF32 for float64.
//
//go:noescape
func SumAboveF64(x *float64, n int, t float64) (sum float64, count int)
