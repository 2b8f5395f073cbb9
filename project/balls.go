package project

import (
	"math"

	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

func checkBall[T vec.Float](function string, dst, a []T, r T) {
	checkLengths(function, dst, a)
	checkRadius(function, r)
}

// L1Ball sets dst to the projection of a onto { |x|_1 <= r } and returns its thresholds: U = r, and
//
//	x_i = sign(a_i) max(0, |a_i| - T),  Lambda = T,
//
// the multiplier of |x|_1 <= r, which is zero where a is inside. Mid counts the elements of x that are not zero (Duchi
// and others, "Efficient projections onto the l1-ball for learning in high dimensions", 2008).
//
// dst may be a. NaN or an infinity in a makes dst and the thresholds NaN. L1Ball panics unless the lengths agree and r
// >= 0. O(d).
func L1Ball[T vec.Float](dst, a []T, r T, w *Workspace[T]) Thresholds {
	checkBall("L1Ball", dst, a, r)
	if len(a) == 0 {
		return Thresholds{U: float64(r)}
	}
	sum, most := 0.0, 0.0
	for _, v := range a {
		x := math.Abs(float64(v))
		sum += x
		most = max(most, x)
	}
	if sum != sum || math.IsInf(most, 1) {
		return undefined(dst)
	}
	if sum <= float64(r) {
		th := Thresholds{U: float64(r)}
		for i, v := range a {
			dst[i] = v
			if v != 0 {
				th.Mid++
			}
		}
		return th
	}
	if w == nil {
		w = new(Workspace[T])
	}
	if cap(w.abs) < len(a) {
		w.abs = make([]T, len(a))
	}
	abs := w.abs[:len(a)]
	for i, v := range a {
		abs[i] = max(v, -v)
	}
	th := simplex(abs, abs, float64(r), w)
	for i, v := range a {
		x := abs[i]
		if v < 0 {
			x = -x
		}
		dst[i] = x
	}
	return th
}

// L2Ball sets dst to the projection of a onto { |x|_2 <= r } and returns the multiplier lambda >= 0 of that constraint:
//
//	x = a min(1, r/|a|_2),  lambda = max(0, |a|_2 - r),  a = x + lambda x/|x|_2.
//
// dst may be a. The norm is computed without overflow where it is finite in float64. Where it is not, and for NaN or an
// infinity in a, dst and lambda become NaN. L2Ball panics unless the lengths agree and r >= 0. O(d).
func L2Ball[T vec.Float](dst, a []T, r T) (lambda float64) {
	checkBall("L2Ball", dst, a, r)
	norm := norm2(a)
	if norm-norm != 0 {
		return undefined(dst).Lambda
	}
	if norm <= float64(r) {
		copy(dst, a)
		return 0
	}
	shrink := float64(r) / norm
	for i, v := range a {
		dst[i] = T(float64(v) * shrink)
	}
	return norm - float64(r)
}

// norm2 is |a|_2, the elements divided by the largest where their squares would leave float64.
func norm2[T vec.Float](a []T) float64 {
	sum := 0.0
	for _, v := range a {
		sum += float64(v) * float64(v)
	}
	if unchecked.Is32[T]() || 0x1p-900 < sum && sum < 0x1p1000 || sum != sum {
		return math.Sqrt(sum)
	}
	most := 0.0
	for _, v := range a {
		most = max(most, math.Abs(float64(v)))
	}
	if most == 0 || math.IsInf(most, 1) {
		return most
	}
	sum = 0
	for _, v := range a {
		x := float64(v) / most
		sum += x * x
	}
	return most * math.Sqrt(sum)
}
