//go:build (amd64 || arm64) && !purego

package hinge

// LowerF32 sets x to its numbers lowered to most, which is 0 or more, and returns their sum. NaN stays.
//
//	for j := range n { if x[j] > most { x[j] = most }; sum += float64(x[j]) }
//
//go:noescape
func LowerF32(x *float32, n int, most float32) (sum float64)

// LowerF64 is LowerF32 for float64.
//
//go:noescape
func LowerF64(x *float64, n int, most float64) (sum float64)

// MoveF32 moves dual variables a to -x, and returns the sum of x and 1 where one of them has moved, else 0. The arrays
// do not overlap.
//
//	for j := range n { delta[j], a[j] = -x[j] - a[j], -x[j]; sum += float64(x[j]); if delta[j] != 0 { moved = 1 } }
//
//go:noescape
func MoveF32(a, x, delta *float32, n int) (sum float64, moved int)

// MoveF64 is MoveF32 for float64.
//
//go:noescape
func MoveF64(a, x, delta *float64, n int) (sum float64, moved int)

// SumF32 returns the sum of x in float64.
//
//	for j := range n { sum += float64(x[j]) }
//
//go:noescape
func SumF32(x *float32, n int) (sum float64)

// SumF64 is SumF32 for float64.
//
//go:noescape
func SumF64(x *float64, n int) (sum float64)

// TargetF32 sets b to the point that an update of dual variables a projects, for scores s. Each product and sum is
// rounded to float32: every tier gives the same bits. b overlaps neither a nor s.
//
//	for j := range n { b[j] = (s[j]+margin)*inv - rho*a[j] + sum }
//
//go:noescape
func TargetF32(b, a, s *float32, n int, margin, inv, rho, sum float32)

// TargetF64 is TargetF32 for float64.
//
//go:noescape
func TargetF64(b, a, s *float64, n int, margin, inv, rho, sum float64)
