// Package gemm multiplies matrices: raw kernels with an implementation per tier (package asm/cpu) and a pure-Go twin,
// and the plan by which Product cuts a product into calls of them.
//
// Kernels take pointers and lengths, check nothing and allocate nothing; a length of zero reads and writes nothing, so
// that then a pointer may be nil. There is no compatibility promise here: use package vec, which checks.
package gemm

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// float is the element of every kernel here.
type float interface{ float32 | float64 }
