// Package reduce holds the raw kernels that look for something in a vector: the largest and the smallest element and
// where they are, what lies above a threshold, how much and where.
//
// The rules are package blas's: pointers and lengths, no checks, no allocation, and an entry per kernel that tests
// cpu.Level and jumps. There is no compatibility promise here: use package vec.
package reduce

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// float is the element of every kernel here.
type float interface{ float32 | float64 }
