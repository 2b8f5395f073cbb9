package low

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/half"
)

// BFloat16 is the bits of a bfloat16, the upper half of a float32: its range, with 8 bits of precision. Rounding to it
// has a relative error of 2⁻⁹ at most.
type BFloat16 uint16

// Float16 is the bits of a float16, IEEE 754's half precision: 11 bits of precision, a relative error of 2⁻¹² at most,
// for numbers from 2⁻¹⁴ to 65504 in magnitude, and multiples of 2⁻²⁴ below.
type Float16 uint16

// NewBFloat16 rounds f to the nearest bfloat16, of two to the even one, which beyond the largest is infinity. A NaN
// keeps the upper bits of its payload and becomes quiet.
func NewBFloat16(f float32) BFloat16 { return BFloat16(half.ToB16(f)) }

// NewFloat16 rounds f to the nearest float16, of two to the even one, which from 65520 on is infinity. A NaN keeps the
// upper bits of its payload and becomes quiet.
func NewFloat16(f float32) Float16 { return Float16(half.ToH16(f)) }

// Float32 is the number, exactly.
func (b BFloat16) Float32() float32 { return half.FromB16(uint16(b)) }

// Float32 is the number, exactly. A signaling NaN becomes quiet.
func (h Float16) Float32() float32 { return half.FromH16(uint16(h)) }

// ToBFloat16 sets dst to src, each number rounded as [NewBFloat16] does. dst and src must not overlap. It panics unless
// they have the same length.
func ToBFloat16(dst []BFloat16, src []float32) {
	match("ToBFloat16", len(dst), len(src))
	half.NarrowB16(unsafe.SliceData(src), words(dst), len(dst))
}

// ToFloat16 sets dst to src, each number rounded as [NewFloat16] does. dst and src must not overlap. It panics unless
// they have the same length.
func ToFloat16(dst []Float16, src []float32) {
	match("ToFloat16", len(dst), len(src))
	half.NarrowH16(unsafe.SliceData(src), words(dst), len(dst))
}

// FromBFloat16 sets dst to src, exactly. dst and src must not overlap. It panics unless they have the same length.
func FromBFloat16(dst []float32, src []BFloat16) {
	match("FromBFloat16", len(dst), len(src))
	half.WidenB16(words(src), unsafe.SliceData(dst), len(dst))
}

// FromFloat16 sets dst to src, exactly; signaling NaNs become quiet. dst and src must not overlap. It panics unless
// they have the same length.
func FromFloat16(dst []float32, src []Float16) {
	match("FromFloat16", len(dst), len(src))
	half.WidenH16(words(src), unsafe.SliceData(dst), len(dst))
}

// words is where the numbers lie.
func words[T BFloat16 | Float16](x []T) *uint16 {
	return (*uint16)(unsafe.Pointer(unsafe.SliceData(x)))
}
