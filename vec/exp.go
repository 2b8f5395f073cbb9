package vec

import "github.com/dualgap/dualgap/asm/math"

// Exp sets dst_i = e^(x_i). The error is below one unit in the last place, also where the result is denormal. Results
// that are too large become +Inf. e^(+Inf) is +Inf, e^(-Inf) is 0, and NaN stays NaN. dst may be x. It panics when the
// lengths differ.
func Exp[T Float](dst, x []T) {
	match("Exp", len(dst), len(x))
	if isF32[T]() {
		math.ExpF32(ptr32(x), ptr32(dst), len(x))
	} else {
		math.ExpF64(ptr64(x), ptr64(dst), len(x))
	}
}

// ExpScaled sets dst_i = e^(alpha x_i). With alpha = -gamma and squared distances x this is a row of a Gaussian kernel.
// The product is not rounded before the power is taken, so the error is below one unit in the last place however large
// alpha x_i is. NaN and infinities are treated as in [Exp] of the product, so 0 times infinity gives NaN. dst may be x.
// It panics when the lengths differ.
func ExpScaled[T Float](dst []T, alpha T, x []T) {
	match("ExpScaled", len(dst), len(x))
	if isF32[T]() {
		math.ExpScaledF32(float32(alpha), ptr32(x), ptr32(dst), len(x))
	} else {
		math.ExpScaledF64(float64(alpha), ptr64(x), ptr64(dst), len(x))
	}
}

// Log sets dst_i to the natural logarithm of x_i. The error is below one unit in the last place. The logarithm of a
// negative number is NaN, of 0 it is -Inf, of +Inf it is +Inf, and NaN stays NaN. dst may be x. It panics when the
// lengths differ.
func Log[T Float](dst, x []T) {
	match("Log", len(dst), len(x))
	if isF32[T]() {
		math.LogF32(ptr32(x), ptr32(dst), len(x))
	} else {
		math.LogF64(ptr64(x), ptr64(dst), len(x))
	}
}
