package vec

import "math"

// Norm returns |x|, the Euclidean length, 0 for an empty vector. Where the squares would overflow, or underflow so that
// the sum lost digits, x is scaled by its largest element: the result is +Inf only where |x| itself is too large or an
// element is infinite. NaN gives NaN.
func Norm[T Float](x []T) T {
	if s := SquaredNorm(x); safeSquare(s, len(x)) {
		return T(math.Sqrt(float64(s)))
	}
	return T(math.Ldexp(scaledNorm(x)))
}

// safeSquare reports whether s, a sum of n squares of T, is as exact as sums of ordinary numbers are. A square that
// underflows is wrong by half the least denormal number at most, which is u times the least normal one: n of them are
// below u s where s is at least n times the least normal number. The bounds leave room for products of two such sums.
func safeSquare[T Float](s T, n int) bool {
	if isF32[T]() {
		return float64(s) >= 0x1p-60*float64(max(n, 1)) && float64(s) <= 0x1p60
	}
	return float64(s) >= 0x1p-500*float64(max(n, 1)) && float64(s) <= 0x1p500
}

// scaledNorm returns |x| as length 2^exponent, with a length from 1/2 to the square root of len(x); a length that is
// not finite where an element is not.
func scaledNorm[T Float](x []T) (length float64, exponent int) {
	most := float64(max(Max(x), -Min(x)))
	if len(x) == 0 || most == 0 || most-most != 0 {
		return max(most, 0), 0
	}
	_, exponent = math.Frexp(most)
	sum := 0.0
	for _, v := range x {
		w := math.Ldexp(float64(v), -exponent)
		sum += w * w
	}
	return math.Sqrt(sum), exponent
}

// Normalize divides x by |x| in place and returns |x| as [Norm] does. A vector of zeros stays as it is, and so does one
// with an element that is NaN or infinite.
func Normalize[T Float](x []T) T {
	if s := SquaredNorm(x); safeSquare(s, len(x)) {
		length := T(math.Sqrt(float64(s)))
		Scale(1/length, x)
		return length
	}
	length, exponent := scaledNorm(x)
	if length > 0 && !math.IsInf(length, 1) {
		for i, v := range x {
			x[i] = T(math.Ldexp(float64(v), -exponent) / length)
		}
	}
	return T(math.Ldexp(length, exponent))
}

// Cosine returns <x, y> / (|x| |y|), the cosine of the angle between x and y, in -1..1. It is 0 where one of the
// vectors is 0 or empty, and NaN where an element is NaN or infinite. It panics when the lengths differ.
func Cosine[T Float](x, y []T) T {
	match("Cosine", len(x), len(y))
	xx, yy := SquaredNorm(x), SquaredNorm(y)
	if safeSquare(xx, len(x)) && safeSquare(yy, len(y)) {
		c := float64(Dot(x, y)) / (math.Sqrt(float64(xx)) * math.Sqrt(float64(yy)))
		return T(min(max(c, -1), 1))
	}
	xLength, xExponent := scaledNorm(x)
	yLength, yExponent := scaledNorm(y)
	if xLength == 0 || yLength == 0 {
		return T(0 * (xLength + yLength)) // NaN beside an infinity
	}
	dot := 0.0
	for i, v := range x {
		dot += math.Ldexp(float64(v), -xExponent) * math.Ldexp(float64(y[i]), -yExponent)
	}
	return T(min(max(dot/(xLength*yLength), -1), 1))
}

// Mean returns the arithmetic mean of x, NaN for an empty vector. It is +Inf or -Inf where the sum overflows.
func Mean[T Float](x []T) T { return T(float64(Sum(x)) / float64(len(x))) }
