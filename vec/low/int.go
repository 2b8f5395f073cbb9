package low

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/ints"
)

// DotInt8 returns Σ x_i y_i, exactly, 0 for empty vectors. It panics when the lengths differ.
func DotInt8(x, y []int8) int64 {
	match("DotInt8", len(x), len(y))
	if len(x) > ints.Chunk {
		return inChunks(x, y, ints.DotInt8)
	}
	return int64(ints.DotInt8(unsafe.SliceData(x), unsafe.SliceData(y), len(x)))
}

// DotUint8 is [DotInt8] for uint8.
func DotUint8(x, y []uint8) int64 {
	match("DotUint8", len(x), len(y))
	if len(x) > ints.Chunk {
		return inChunks(x, y, ints.DotUint8)
	}
	return int64(ints.DotUint8(unsafe.SliceData(x), unsafe.SliceData(y), len(x)))
}

// SquaredDistanceInt8 returns |x - y|² = Σ (x_i - y_i)², exactly, 0 for empty vectors. It panics when the lengths
// differ.
func SquaredDistanceInt8(x, y []int8) int64 {
	match("SquaredDistanceInt8", len(x), len(y))
	if len(x) > ints.Chunk {
		return inChunks(x, y, ints.SqDistInt8)
	}
	return int64(ints.SqDistInt8(unsafe.SliceData(x), unsafe.SliceData(y), len(x)))
}

// SquaredDistanceUint8 is [SquaredDistanceInt8] for uint8.
func SquaredDistanceUint8(x, y []uint8) int64 {
	match("SquaredDistanceUint8", len(x), len(y))
	if len(x) > ints.Chunk {
		return inChunks(x, y, ints.SqDistUint8)
	}
	return int64(ints.SqDistUint8(unsafe.SliceData(x), unsafe.SliceData(y), len(x)))
}

// CosineInt8 returns <x, y> / (|x| |y|), the cosine of the angle between x and y, in -1..1, from exact sums. It is 0
// where one of the vectors is 0 or empty. It panics when the lengths differ.
func CosineInt8(x, y []int8) float32 {
	match("CosineInt8", len(x), len(y))
	return cosineOf(DotInt8(x, y), DotInt8(x, x), DotInt8(y, y))
}

// CosineUint8 is [CosineInt8] for uint8.
func CosineUint8(x, y []uint8) float32 {
	match("CosineUint8", len(x), len(y))
	return cosineOf(DotUint8(x, y), DotUint8(x, x), DotUint8(y, y))
}

// cosineOf is xy / sqrt(xx yy).
func cosineOf(xy, xx, yy int64) float32 {
	if xx == 0 || yy == 0 {
		return 0
	}
	return cosine(float64(xy), float64(xx), float64(yy))
}

// inChunks adds up a kernel's sums over parts that it takes.
func inChunks[T any](x, y []T, kernel func(x, y *T, n int) int) (sum int64) {
	for len(x) > ints.Chunk {
		sum += int64(kernel(&x[0], &y[0], ints.Chunk))
		x, y = x[ints.Chunk:], y[ints.Chunk:]
	}
	return sum + int64(kernel(unsafe.SliceData(x), unsafe.SliceData(y), len(x)))
}
