package dataset

import "math"

// halfTo64 returns the number of IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction.
func halfTo64(h uint16) float64 {
	v := uint32(h&0x7fff) << 13 // the bits of a float32 whose exponent is too small by 112, also of a denormal number
	f := math.Float32frombits(v) * 0x1p112
	if h&0x7c00 == 0x7c00 { // an infinity or NaN
		f = math.Float32frombits(v | 0xff<<23)
	}
	return math.Copysign(float64(f), float64(1-int(h>>15<<1)))
}

// halfOf returns the number of binary16 next to f, of two the one with an even fraction; infinity from 65520 on.
func halfOf(f float64) uint16 {
	sign := uint16(math.Float64bits(f) >> 48 & 0x8000)
	f = math.Abs(f)
	switch {
	case f != f:
		return sign | 0x7e00
	case f >= 65520:
		return sign | 0x7c00
	}
	// The unit in the last place of f is 2^(exponent-10), and of denormal numbers 2^-24.
	exponent := max(math.Ilogb(f), -14)
	if f == 0 {
		exponent = -14
	}
	// at most 2048, where a carry makes the exponent larger by itself
	units := math.RoundToEven(math.Ldexp(f, 10-exponent))
	return sign | uint16(int(units)+(exponent+14)<<10)
}
