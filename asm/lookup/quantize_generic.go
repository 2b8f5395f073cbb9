package lookup

import (
	"math"
	"unsafe"
)

func range16Generic(low, high, x *float32, n int) {
	lo, hi := (*[16]float32)(unsafe.Pointer(low)), (*[16]float32)(unsafe.Pointer(high))
	for i, v := range unsafe.Slice(x, 16*n) {
		j := i % 16
		if v < lo[j] {
			lo[j] = v
		}
		if v > hi[j] {
			hi[j] = v
		}
	}
}

// rounded is the integer nearest to (x-low)*inverse, ties to even, within [least, most].
func rounded(x, low, inverse float32, least, most float64) float64 {
	v := math.RoundToEven(float64(float32(x-low) * inverse))
	if v != v {
		return least
	}
	return min(max(v, least), most)
}

func quantizeI16Generic(dst *int16, stride int, x *float32, n int, low, inverse *float32) {
	lo, inv := (*[16]float32)(unsafe.Pointer(low)), (*[16]float32)(unsafe.Pointer(inverse))
	for i := range n {
		row := unsafe.Slice((*int16)(unsafe.Add(unsafe.Pointer(dst), 2*i*stride)), 16)
		for j, v := range unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(x), 64*i)), 16) {
			row[j] = int16(rounded(v, lo[j], inv[j], math.MinInt16, math.MaxInt16))
		}
	}
}

func quantizeU8Generic(dst *uint8, stride int, x, y *float32, n int, low, inverse *float32) {
	lo, inv := (*[32]float32)(unsafe.Pointer(low)), (*[32]float32)(unsafe.Pointer(inverse))
	for i := range n {
		row := unsafe.Slice((*uint8)(unsafe.Add(unsafe.Pointer(dst), i*stride)), 32)
		for b, from := range [...]*float32{x, y} {
			for j, v := range unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(from), 64*i)), 16) {
				row[2*j+b] = uint8(rounded(v, lo[16*b+j], inv[16*b+j], 0, math.MaxUint8))
			}
		}
	}
}
