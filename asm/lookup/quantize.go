//go:build amd64 && !purego

package lookup

// Range16 widens the ranges of 16 columns by n rows. NaNs may count or not.
//
//	low, high = min(low, x[i]), max(high, x[i])   // [16]float32
//
//go:noescape
func Range16(low, high, x *float32, n int)

// QuantizeI16 rounds to 16 bits; numbers that do not fit saturate, NaN becomes any number.
//
//	dst[i*stride+j] = round((x[i][j] - low[j]) * inverse[j])   // i < n, j < 16
//
//go:noescape
func QuantizeI16(dst *int16, stride int, x *float32, n int, low, inverse *float32)

// QuantizeU8 rounds to 0..255 in the same way; x takes the even bytes of a row of dst, y the odd ones.
//
//	dst[i*stride+2j]   = round((x[i][j] - low[j]) * inverse[j])
//	dst[i*stride+2j+1] = round((y[i][j] - low[16+j]) * inverse[16+j])
//
//go:noescape
func QuantizeU8(dst *uint8, stride int, x, y *float32, n int, low, inverse *float32)
