package low

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestQuantize: each integer is nearest to x_i over the scale and stands for x_i up to half of it.
func TestQuantize(t *testing.T) {
	r := prove.Rand(1)
	for _, size := range []float64{1, 1e-30, 1e30, 3e38, 1e-37} {
		for n := range 131 {
			x, dst, back := make([]float32, n), make([]int8, n), make([]float32, n)
			for i := range x {
				x[i] = float32((2*r.Float64() - 1) * size)
			}
			scale := Quantize(dst, x)
			Dequantize(back, dst, scale)
			for i, v := range x {
				s := float64(scale)
				if off := math.Abs(float64(v) - s*float64(dst[i])); off > s*(0.5+1e-5) || dst[i] == -128 {
					t.Fatalf("%v by %v became %d", v, scale, dst[i])
				}
				if back[i] != float32(s*float64(dst[i])) {
					t.Fatalf("%d by %v became %v", dst[i], scale, back[i])
				}
			}
			if n > 0 && slices.Max(dst) != 127 && slices.Min(dst) != -127 {
				t.Fatalf("the largest of %v became none of -127 and 127: %v", x, dst)
			}
		}
	}
}

// TestQuantizeBy: halves go to the even neighbour; what is too large, infinite or NaN is defined.
func TestQuantizeBy(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	x := []float32{0, .5, 1, 1.5, 2.5, -.5, -1.5, -2.5, 126.5, 127.5, 300, -300, inf, -inf, nan, 5}
	want := []int8{0, 0, 1, 2, 2, 0, -2, -2, 126, 127, 127, -127, 127, -127, 0, 5}
	dst := make([]int8, len(x))
	for _, scale := range []float32{1, .25, 4} {
		y := slices.Clone(x)
		for i := range y {
			y[i] *= scale
		}
		if QuantizeBy(dst, y, scale); !slices.Equal(dst, want) {
			t.Errorf("by %v: %v, want %v", scale, dst, want)
		}
	}
	if scale := Quantize(dst, []float32{nan, inf, -inf, 254, -127, 0, 1, 3, 5, 0, 0, 0, 0, 0, 0, 0}); scale != 2 ||
		!slices.Equal(dst, []int8{0, 127, -127, 127, -64, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("scale %v, integers %v", scale, dst)
	}
	if scale := Quantize(dst[:2], []float32{0, nan}); scale != 0 || dst[0] != 0 || dst[1] != 0 {
		t.Errorf("zeros: scale %v, integers %v", scale, dst[:2])
	}
	if QuantizeBy(dst[:2], []float32{1, inf}, 0); dst[0] != 0 || dst[1] != 0 {
		t.Errorf("scale 0: integers %v", dst[:2])
	}
}

func TestQuantizeRows(t *testing.T) {
	x := vec.Matrix[float32]{Rows: 2, Cols: 2, Data: []float32{1, -2, 9, 0, 254}, Stride: 3}
	dst, scales := vec.Matrix[int8]{Rows: 2, Cols: 2, Data: make([]int8, 6), Stride: 4}, make([]float32, 2)
	QuantizeRows(dst, scales, x)
	if !slices.Equal(dst.Data, []int8{64, -127, 0, 0, 0, 127}) || scales[0] != float32(2)/127 || scales[1] != 2 {
		t.Errorf("integers %v, scales %v", dst.Data, scales)
	}
	for want, f := range map[string]func(){
		"low: Quantize: lengths 0 and 1 differ":   func() { Quantize(nil, make([]float32, 1)) },
		"low: QuantizeBy: lengths 0 and 1 differ": func() { QuantizeBy(nil, make([]float32, 1), 1) },
		"low: Dequantize: lengths 0 and 1 differ": func() { Dequantize(nil, make([]int8, 1), 1) },
		"low: QuantizeBy: scale -1, want a finite number that is not negative": func() {
			QuantizeBy(nil, nil, -1)
		},
		"low: QuantizeRows: 2x2 matrix and 1 scales for a 2x2 matrix": func() { QuantizeRows(dst, scales[:1], x) },
		"low: QuantizeRows: 4 numbers are too few for 2 rows of 2 columns at stride 3": func() {
			y := x
			y.Data = y.Data[:4]
			QuantizeRows(dst, scales, y)
		},
	} {
		if got := refused(t, f); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}
