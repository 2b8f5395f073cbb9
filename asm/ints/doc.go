// Package ints holds the raw kernels of vectors that are stored as bytes and as bits: inner products and squared
// distances of int8 and uint8, and counts of bits. Each has an implementation per tier (package asm/cpu), with forms
// for the extensions that have instructions for it, and a pure-Go twin, which is the reference. All results are exact.
//
// Kernels take pointers and lengths, check nothing and allocate nothing; lengths are never negative, and a length of
// zero reads nothing. There is no compatibility promise here: use package vec/low of this module, which checks.
package ints

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon

// Chunk is the most bytes that DotInt8, DotUint8, SqDistInt8 and SqDistUint8 take: 255² Chunk is below 2³¹.
const Chunk = 1 << 15
