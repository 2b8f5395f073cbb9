// Package math holds the raw kernels of elementary functions of vectors: exponential and logarithm, Wright's omega
// function with its sum, and rows of Gaussian and polynomial kernels. Package blas says what holds for kernels in
// general.
//
// Exponentials and logarithms have an error below one unit in the last place on every tier, denormal ones included; the
// error of omega is at most four units of rounding. The last bits differ from tier to tier. y may be x itself;
// otherwise the two must not overlap.
//
// There is no compatibility promise here: use package vec, which checks.
package math

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon
//go:generate go -C ../../internal/gen run ./numbers

// float is the element of every kernel here.
type float interface{ float32 | float64 }
