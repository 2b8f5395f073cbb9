//go:build (amd64 || arm64) && !purego

package ints

// MulVecInt8 multiplies m rows of n bytes, ldx apart, with a vector. The sums are taken modulo 2³², so that they are
// exact where they fit an int32.
//
//	for i := range m {
//		dst[i] = 0
//		for j := range n { dst[i] += int32(x[i*ldx+j]) * int32(q[j]) }
//	}
//
//go:noescape
func MulVecInt8(m, n int, x *int8, ldx int, q *int8, dst *int32)

// MulVecUint8 is MulVecInt8 for uint8.
//
//go:noescape
func MulVecUint8(m, n int, x *uint8, ldx int, q *uint8, dst *int32)

// MixedMulVec is MulVecInt8 for rows of uint8.
//
//go:noescape
func MixedMulVec(m, n int, x *uint8, ldx int, q *int8, dst *int32)

// HammingRows counts the bits in which each of m rows of n words, ldx apart, differs from q. n is below 2²⁵.
//
//	for i := range m {
//		dst[i] = 0
//		for j := range n { dst[i] += int32(bits.OnesCount64(x[i*ldx+j] ^ q[j])) }
//	}
//
//go:noescape
func HammingRows(m, n int, x *uint64, ldx int, q *uint64, dst *int32)
