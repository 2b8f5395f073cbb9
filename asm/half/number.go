package half

import "math"

// FromB16 is the number that the bits of a bfloat16 stand for.
func FromB16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// ToB16 rounds f to bfloat16: to the nearest, of two to the even one; beyond the largest to infinity. A NaN keeps the
// upper bits of its payload and becomes quiet.
func ToB16(f float32) uint16 {
	b := math.Float32bits(f)
	if f != f {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// FromH16 is the number that the bits of a float16 stand for. A NaN keeps its payload and becomes quiet.
func FromH16(h uint16) float32 {
	sign, exp, frac := uint32(h&0x8000)<<16, uint32(h>>10&31), uint32(h&0x3ff)
	switch exp {
	case 0: // zero or denormal: frac 2⁻²⁴
		return math.Float32frombits(math.Float32bits(float32(frac)*(1.0/(1<<24))) | sign)
	case 31:
		if frac != 0 {
			frac |= 0x200
		}
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// ToH16 rounds f to float16, as ToB16 does to bfloat16.
func ToH16(f float32) uint16 {
	b := math.Float32bits(f)
	sign, b := uint16(b>>16&0x8000), b&0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00 | uint16(b>>13&0x3ff)
	case b >= 0x477ff000: // half an ulp beyond the largest
		return sign | 0x7c00
	case b >= 0x38800000: // normal
		return sign | uint16((b-(127-15)<<23+0xfff+b>>13&1)>>13)
	case b < 0x33000000: // below half of the smallest
		return sign
	}
	shift := 126 - b>>23 // of the significand to multiples of 2⁻²⁴, 14 to 24
	m := b&0x7fffff | 0x800000
	return sign | uint16((m+1<<(shift-1)-1+m>>shift&1)>>shift)
}
