//go:build (amd64 || arm64) && !purego

package blas

// SqDistF32 returns the squared distance of x[:n] and y[:n].
//
//	for i := range n { d := x[i] - y[i]; sum += d * d }
//
//go:noescape
func SqDistF32(x, y *float32, n int) float32

// SqDistF64 is SqDistF32 for float64.
//
//go:noescape
func SqDistF64(x, y *float64, n int) float64
