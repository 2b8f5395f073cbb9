package ints

import (
	"math/bits"
	"unsafe"
)

// element is what the bytes are.
type element interface{ int8 | uint8 }

func dotGeneric[T, U element](x *T, y *U, n int) (sum int) {
	b := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		sum += int(v) * int(b[i])
	}
	return sum
}

func sqdistGeneric[T element](x, y *T, n int) (sum int) {
	b := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		d := int(v) - int(b[i])
		sum += d * d
	}
	return sum
}

func dotInt8Generic(x, y *int8, n int) int      { return dotGeneric(x, y, n) }
func dotUint8Generic(x, y *uint8, n int) int    { return dotGeneric(x, y, n) }
func sqdistInt8Generic(x, y *int8, n int) int   { return sqdistGeneric(x, y, n) }
func sqdistUint8Generic(x, y *uint8, n int) int { return sqdistGeneric(x, y, n) }

func hammingGeneric(x, y *uint64, n int) (sum int) {
	b := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		sum += bits.OnesCount64(v ^ b[i])
	}
	return sum
}

func jaccardGeneric(x, y *uint64, n int) (both, any int) {
	b := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		both += bits.OnesCount64(v & b[i])
		any += bits.OnesCount64(v | b[i])
	}
	return both, any
}
