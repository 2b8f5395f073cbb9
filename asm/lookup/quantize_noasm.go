//go:build !amd64 || purego

package lookup

// Tables are quantized once for thousands of rows: NEON does without.

func Range16(low, high, x *float32, n int) { range16Generic(low, high, x, n) }

func QuantizeI16(dst *int16, stride int, x *float32, n int, low, inverse *float32) {
	quantizeI16Generic(dst, stride, x, n, low, inverse)
}

func QuantizeU8(dst *uint8, stride int, x, y *float32, n int, low, inverse *float32) {
	quantizeU8Generic(dst, stride, x, y, n, low, inverse)
}
