package low

import (
	"math"

	"github.com/dualgap/dualgap/asm/half"
)

// DotBFloat16 returns the inner product Σ x[i] y[i] in float32, 0 for empty vectors. It panics unless the lengths agree.
// Vectors of n numbers take O(n).
//
// The error is at most (n+4)u Σ|x[i] y[i]| to first order, u = 2⁻²⁴, while nothing overflows. On CPUs that multiply
// bfloat16 themselves (AVX512_BF16) denormal numbers, those below 2⁻¹²⁶, count as zeros, and the sum may lose 2⁻¹²⁵ more
// for each of its terms.
func DotBFloat16(x, y []BFloat16) float32 {
	match("DotBFloat16", len(x), len(y))
	return half.DotB16(words(x), words(y), len(x))
}

// DotFloat16 returns the inner product Σ x[i] y[i] in float32, 0 for empty vectors. It panics unless the lengths agree.
// Vectors of n numbers take O(n). The error is at most (n+4)u Σ|x[i] y[i]| to first order, u = 2⁻²⁴; denormal numbers
// count.
func DotFloat16(x, y []Float16) float32 {
	match("DotFloat16", len(x), len(y))
	return half.DotH16(words(x), words(y), len(x))
}

// SquaredDistanceBFloat16 returns Σ (x[i] - y[i])² in float32, 0 for empty vectors. It panics unless the lengths agree.
// Vectors of n numbers take O(n). The relative error is at most (n+4)u to first order, u = 2⁻²⁴, while nothing overflows
// or is denormal.
func SquaredDistanceBFloat16(x, y []BFloat16) float32 {
	match("SquaredDistanceBFloat16", len(x), len(y))
	return half.SqDistB16(words(x), words(y), len(x))
}

// SquaredDistanceFloat16 is [SquaredDistanceBFloat16] for float16.
func SquaredDistanceFloat16(x, y []Float16) float32 {
	match("SquaredDistanceFloat16", len(x), len(y))
	return half.SqDistH16(words(x), words(y), len(x))
}

// CosineBFloat16 returns the cosine of the angle between x and y, Σ x[i] y[i] / (|x| |y|), in one pass; 0 where one of
// them has no length. It panics unless the lengths agree. Vectors of n numbers take O(n).
//
// The error is at most (2n+10)u to first order, u = 2⁻²⁴, while no sum overflows or falls below 2⁻¹⁰⁰, and the result
// lies between -1 and 1. The three sums are [DotBFloat16]'s.
func CosineBFloat16(x, y []BFloat16) float32 {
	match("CosineBFloat16", len(x), len(y))
	return cosine(half.CosB16(words(x), words(y), len(x)))
}

// CosineFloat16 is [CosineBFloat16] for float16.
func CosineFloat16(x, y []Float16) float32 {
	match("CosineFloat16", len(x), len(y))
	return cosine(half.CosH16(words(x), words(y), len(x)))
}

// cosine is xy / √(xx yy), whose rounding must not lead beyond 1.
func cosine(xy, xx, yy float32) float32 {
	if xx == 0 || yy == 0 {
		return 0
	}
	return float32(max(-1, min(1, float64(xy)/math.Sqrt(float64(xx)*float64(yy)))))
}
