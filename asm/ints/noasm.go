//go:build !(amd64 || arm64) || purego

package ints

// Without assembly each kernel is its twin.

func DotInt8(x, y *int8, n int) int      { return dotInt8Generic(x, y, n) }
func DotUint8(x, y *uint8, n int) int    { return dotUint8Generic(x, y, n) }
func SqDistInt8(x, y *int8, n int) int   { return sqdistInt8Generic(x, y, n) }
func SqDistUint8(x, y *uint8, n int) int { return sqdistUint8Generic(x, y, n) }
func Hamming(x, y *uint64, n int) int    { return hammingGeneric(x, y, n) }

func Jaccard(x, y *uint64, n int) (both, any int) { return jaccardGeneric(x, y, n) }

func MulVecInt8(m, n int, x *int8, ldx int, q *int8, dst *int32) {
	mulvecInt8Generic(m, n, x, ldx, q, dst)
}

func MulVecUint8(m, n int, x *uint8, ldx int, q *uint8, dst *int32) {
	mulvecUint8Generic(m, n, x, ldx, q, dst)
}

func MixedMulVec(m, n int, x *uint8, ldx int, q *int8, dst *int32) {
	mixedmulvecGeneric(m, n, x, ldx, q, dst)
}

func HammingRows(m, n int, x *uint64, ldx int, q *uint64, dst *int32) {
	hammingrowsGeneric(m, n, x, ldx, q, dst)
}

func Exceed(n int, p, half *int32, least int32, idx *int32) int {
	return exceedGeneric(n, p, half, least, idx)
}

func ExceedLine(n int, p *int32, z *float32, slope, floor float32, idx *int32) int {
	return exceedLineGeneric(n, p, z, slope, floor, idx)
}
