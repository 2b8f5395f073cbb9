//go:build (amd64 || arm64) && !purego

package pair

// MoveF32 brings the scores to where a pair step d leads, rk and rl being rows k and l of K. f overlaps neither.
//
//	for l := range n { f[l] += d * (rk[l] - rl[l]) }
//
//go:noescape
func MoveF32(f, rk, rl *float32, n int, d float32)

// MoveF64 is MoveF32 for float64.
//
//go:noescape
func MoveF64(f, rk, rl *float64, n int, d float64)

// MoveMixed is MoveF64 with rows of float32.
//
//go:noescape
func MoveMixed(f *float64, rk, rl *float32, n int, d float64)
