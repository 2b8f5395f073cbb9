// Package sparse holds the raw kernels of a sparse vector against dense ones. The vector is nnz values val, with their
// places idx, int32 that are neither negative nor beyond what they are used on; where the doc comment does not say
// otherwise a place may come twice, and in any order. Take alone has places of type int: numbers of examples.
//
// The rules are package blas's: pointers and lengths, no checks, no allocation, and an entry per kernel that tests
// cpu.Level and jumps. There is no compatibility promise here: use package vec, which checks the indices too.
package sparse

import "unsafe"

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// float is the element of every kernel here.
type float interface{ float32 | float64 }

// at is the element i places behind p, whose array has a length that kernels are not told.
func at[T float](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}
