package low

import (
	"math"

	"github.com/dualgap/dualgap/asm/half"
)

// DotBFloat16 returns the inner product Σ x[i] y[i] in float32, 0 for empty vectors. It panics unless the lengths
// agree. Vectors of n numbers take O(n).
//
// The error is at most (n+4)u Σ|x[i] y[i]| to first order, u = 2⁻²⁴, while nothing overflows. On CPUs that multiply
// bfloat16 themselves (AVX512_BF16) denormal numbers, below 2⁻¹²⁶ in magnitude, count as zeros, and the sum may lose
// 2⁻¹²⁵ more for each of its terms.
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
// Vectors of n numbers take O(n). The relative error is at most (n+4)u to first order, u = 2⁻²⁴, while no square
// overflows or is denormal.
func SquaredDistanceBFloat16(x, y []BFloat16) float32 {
	match("SquaredDistanceBFloat16", len(x), len(y))
	return half.SqDistB16(words(x), words(y), len(x))
}

// SquaredDistanceFloat16 is [SquaredDistanceBFloat16] for float16.
func SquaredDistanceFloat16(x, y []Float16) float32 {
	match("SquaredDistanceFloat16", len(x), len(y))
	return half.SqDistH16(words(x), words(y), len(x))
}

// CosineBFloat16 returns the cosine of the angle between x and y, Σ x[i] y[i] / (|x| |y|), in -1..1. It is 0 where one
// of the vectors is 0 or empty, and NaN where an element is NaN or infinite. It panics unless the lengths agree.
// Vectors of n numbers take O(n). The error is at most (2n+10)u to first order, u = 2⁻²⁴.
func CosineBFloat16(x, y []BFloat16) float32 {
	match("CosineBFloat16", len(x), len(y))
	if xy, xx, yy := half.CosB16(words(x), words(y), len(x)); safe(xx) && safe(yy) {
		return cosine(float64(xy), float64(xx), float64(yy))
	}
	return cosineSums(x, y, BFloat16.Float32)
}

// CosineFloat16 is [CosineBFloat16] for float16.
func CosineFloat16(x, y []Float16) float32 {
	match("CosineFloat16", len(x), len(y))
	if xy, xx, yy := half.CosH16(words(x), words(y), len(x)); safe(xx) && safe(yy) {
		return cosine(float64(xy), float64(xx), float64(yy))
	}
	return cosineSums(x, y, Float16.Float32)
}

// safe reports that a squared norm neither overflowed nor is so small that denormal numbers, which may have counted as
// zeros, matter: n of them change it by at most n 2⁻¹²⁵, and a product with a unit vector by n 2⁻¹²⁶.
func safe(xx float32) bool { return xx >= 0x1p-80 && xx <= math.MaxFloat32 }

// cosineSums sums in float64, where squares of float32 neither overflow nor underflow.
func cosineSums[T BFloat16 | Float16](x, y []T, float func(T) float32) float32 {
	var xy, xx, yy float64
	for i, v := range x {
		a, b := float64(float(v)), float64(float(y[i]))
		xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
	}
	if xx == 0 || yy == 0 {
		return float32(0 * (xx + yy)) // NaN beside an infinity
	}
	return cosine(xy, xx, yy)
}

// cosine is xy / √(xx yy), whose rounding must not lead beyond 1.
func cosine(xy, xx, yy float64) float32 {
	return float32(max(-1, min(1, xy/(math.Sqrt(xx)*math.Sqrt(yy)))))
}
