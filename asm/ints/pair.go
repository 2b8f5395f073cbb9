//go:build (amd64 || arm64) && !purego

package ints

// DotInt8 returns the inner product of n bytes, at most [Chunk].
//
//	for i := range n { sum += int(x[i]) * int(y[i]) }
//
//go:noescape
func DotInt8(x, y *int8, n int) int

// DotUint8 is DotInt8 for uint8.
//
//go:noescape
func DotUint8(x, y *uint8, n int) int

// SqDistInt8 returns the squared distance of n bytes, at most [Chunk].
//
//	for i := range n { d := int(x[i]) - int(y[i]); sum += d * d }
//
//go:noescape
func SqDistInt8(x, y *int8, n int) int

// SqDistUint8 is SqDistInt8 for uint8.
//
//go:noescape
func SqDistUint8(x, y *uint8, n int) int

// Hamming returns the number of bits that differ in n words, below 2²⁵.
//
//	for i := range n { sum += bits.OnesCount64(x[i] ^ y[i]) }
//
//go:noescape
func Hamming(x, y *uint64, n int) int

// Jaccard returns the number of bits that are set in both of x and y, and in any of them, for n words, below 2²⁵.
//
//	for i := range n { both += bits.OnesCount64(x[i] & y[i]); any += bits.OnesCount64(x[i] | y[i]) }
//
//go:noescape
func Jaccard(x, y *uint64, n int) (both, any int)
