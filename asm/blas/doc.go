// Package blas holds the raw kernels of linear algebra: one exported function per kernel and element type, each with an
// implementation per tier (package asm/cpu) and a pure-Go twin, which is the reference.
//
// Kernels take pointers and lengths, check nothing and allocate nothing; lengths are never negative, and a length of
// zero reads and writes nothing, so that then a pointer may be nil. There is no compatibility promise here: use package
// vec, which checks.
//
// The exported function of each kernel is its entry: it tests cpu.Level and jumps to the tier, in assembly, so that
// callers' buffers stay on their stacks and a call costs no more than a call.
package blas

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// float is the element of every kernel here.
type float interface{ float32 | float64 }
