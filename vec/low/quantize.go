package low

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Quantize sets dst to integers that stand for x with one scale, which it returns: x_i ≈ scale dst_i. The scale is
// max |x_i| / 127, and dst_i the integer nearest to x_i / scale, the even one of two, in -127..127. So the difference
// x_i - scale dst_i is at most half the scale, and 1e-5 of it for rounding, unless the scale is denormal. Elements that
// are NaN become 0, and infinite ones -127 or 127; neither counts for the scale. The scale of a vector of zeros is 0.
// It panics when the lengths differ.
func Quantize(dst []int8, x []float32) (scale float32) {
	match("Quantize", len(dst), len(x))
	for _, v := range x {
		if v = abs(v); v > scale && v <= math.MaxFloat32 {
			scale = v
		}
	}
	scale /= 127
	quantize(dst, x, scale)
	return scale
}

// QuantizeRows is [Quantize] for each row of X with a scale of its own: x[i, j] ≈ scales[i] dst[i, j]. Inner products
// of rows are then <x_i, y_j> ≈ scale_i scale_j <codes_i, codes_j>. It panics unless the sizes agree.
func QuantizeRows(dst vec.Matrix[int8], scales []float32, x vec.Matrix[float32]) {
	const name = "QuantizeRows"
	if dst.Rows != x.Rows || dst.Cols != x.Cols || len(scales) != x.Rows {
		panic(unfit(name, "%dx%d matrix and %d scales for a %dx%d matrix", dst.Rows, dst.Cols, len(scales), x.Rows,
			x.Cols))
	}
	demand(name, &dst)
	demand(name, &x)
	for i := range scales {
		scales[i] = Quantize(dst.Row(i), x.Row(i))
	}
}

// QuantizeBy is [Quantize] with a scale that is given, one for all vectors that are to be compared: what exceeds 127
// times the scale becomes 127, and with a scale of 0 all become 0. It panics where the scale is negative, infinite or
// NaN.
func QuantizeBy(dst []int8, x []float32, scale float32) {
	match("QuantizeBy", len(dst), len(x))
	if !(scale >= 0 && scale <= math.MaxFloat32) {
		panic(unfit("QuantizeBy", "scale %v, want a finite number that is not negative", scale))
	}
	quantize(dst, x, scale)
}

// Dequantize sets dst_i = scale x_i, rounded once. It panics when the lengths differ.
func Dequantize(dst []float32, x []int8, scale float32) {
	match("Dequantize", len(dst), len(x))
	for i, v := range x {
		dst[i] = scale * float32(v)
	}
}

func quantize(dst []int8, x []float32, scale float32) {
	if scale == 0 {
		clear(dst)
		return
	}
	s := float64(scale)
	for i, v := range x {
		if v != v {
			v = 0
		}
		dst[i] = int8(math.RoundToEven(min(max(float64(v)/s, -127), 127)))
	}
}

func abs(v float32) float32 { return math.Float32frombits(math.Float32bits(v) &^ (1 << 31)) }
