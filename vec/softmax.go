package vec

import (
	stdmath "math"

	"github.com/dualgap/dualgap/asm/math"
)

// LogSumExp returns log Σ e^(x_i). It computes max x + log Σ e^(x_i - max x), so that nothing overflows and the largest
// term does not underflow. The error is at most one unit in the last place of max x, of each difference and of the
// result, plus (n+3)u for the sum of n terms. An empty vector, or one that holds only -Inf, gives -Inf, the logarithm
// of 0. An element +Inf gives +Inf, and NaN gives NaN.
func LogSumExp[T Float](x []T) T {
	most := Max(x)
	if most-most != 0 { // infinite or NaN
		return most
	}
	return logSum(most, expSum(most, x, nil))
}

// Softmax sets dst_i = e^(x_i) / Σ e^(x_j). It takes powers of x_i - max x, so that nothing overflows; the relative
// error is at most |x_i - max x| + 2n + 7 units of roundoff u. Where the maximum is infinite the result is a limit: the
// elements that equal it share 1 evenly, and the others get 0. So n elements of -Inf get 1/n each. One NaN makes all
// results NaN. dst may be x. It panics when the lengths differ.
func Softmax[T Float](dst, x []T) {
	match("Softmax", len(dst), len(x))
	softmax(dst, x)
}

// SoftmaxLogSumExp sets dst to the [Softmax] of x and returns its [LogSumExp], with the same bits as these: the
// function log Σ e^(x_i) and its gradient, in the time of Softmax and one logarithm. Where the maximum of x is infinite
// or NaN it returns that maximum, which for an empty vector is -Inf, and dst is as Softmax says. A difference x_i - max
// x that overflows is -Inf, so that dst_i is 0. dst may be x. It panics when the lengths differ.
func SoftmaxLogSumExp[T Float](dst, x []T) T {
	match("SoftmaxLogSumExp", len(dst), len(x))
	return logSum(softmax(dst, x))
}

// SoftmaxRows replaces each row of a by its [Softmax].
func SoftmaxRows[T Float](a Matrix[T]) {
	a.demand("SoftmaxRows")
	for i := range a.Rows {
		row := a.Row(i)
		Softmax(row, row)
	}
}

// softmax sets dst to the softmax of x and returns max x and Σ e^(x_i - max x), 1 where the maximum is infinite or NaN.
func softmax[T Float](dst, x []T) (most, sum T) {
	most = Max(x)
	if most-most != 0 {
		softmaxOfInfinite(dst, x, most)
		return most, 1
	}
	sum = expSum(most, x, dst)
	Scale(1/sum, dst)
	return most, sum
}

// logSum returns most + log sum, computed in float64.
func logSum[T Float](most, sum T) T { return T(float64(most) + stdmath.Log(float64(sum))) }

// softmaxOfInfinite is Softmax for a maximum that is infinite or NaN.
func softmaxOfInfinite[T Float](dst, x []T, most T) {
	count := 0
	for _, v := range x {
		if v == most {
			count++
		}
	}
	for i, v := range x {
		switch {
		case most != most:
			dst[i] = most
		case v == most:
			dst[i] = 1 / T(count)
		default:
			dst[i] = 0
		}
	}
}

// expSum returns Σ e^(x_i - shift) and stores the terms in dst, unless it is nil.
func expSum[T Float](shift T, x, dst []T) T {
	if isF32[T]() {
		return T(math.ExpSumF32(float32(shift), ptr32(x), ptr32(dst), len(x)))
	}
	return T(math.ExpSumF64(float64(shift), ptr64(x), ptr64(dst), len(x)))
}
