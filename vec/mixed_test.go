package vec_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func ExampleMixedDot() {
	x := []float32{1 << 24, 1}
	fmt.Printf("%.0f %.0f\n", vec.MixedDot(x, []float64{1, 1}), vec.Dot(x, []float32{1, 1}))
	// Output: 16777217 16777216
}

func ExampleMixedAxpy() {
	y := []float64{1, 2, 3}
	vec.MixedAxpy(0.5, []float32{1, -1, 1}, y)
	fmt.Println(y)
	// Output: [1.5 1.5 3.5]
}

func ExampleMixedGemv() {
	// Scores of two examples, kept in float32, under coefficients of float64.
	x := vec.MatrixOf(2, 3, []float32{
		1, 0, 2,
		0, 1, 1,
	})
	scores := make([]float64, 2)
	vec.MixedGemv(1, x, []float64{0.5, 0.25, 1e-10}, 0, scores)
	fmt.Println(scores)
	// Output: [0.5000000002 0.2500000001]
}

func ExampleMixedGemvT() {
	x := vec.MatrixOf(2, 3, []float32{
		1, 0, 2,
		0, 1, 1,
	})
	w := make([]float64, 3)
	vec.MixedGemvT(1, x, []float64{0.5, 0.25}, 0, w)
	fmt.Println(w)
	// Output: [0.5 0.25 1.25]
}

// TestMixed compares every function with its namesake on data that were converted before: small integers, and the data
// are windows of wider matrices.
func TestMixed(t *testing.T) {
	prove.Tiers(func(cpu.Tier) {
		r := prove.Rand(3)
		for m := range 12 {
			for n := range 40 {
				a := vec.MatrixOf(m+3, n+4, ints[float32](r, (m+3)*(n+4))).Slice(1, 1+m, 2, 2+n)
				wide := vec.NewMatrix[float64](m, n)
				for i := range m {
					vec.Convert(wide.Row(i), a.Row(i))
				}
				byRow, byCol := ints[float64](r, m), ints[float64](r, n)
				result := func(y []float64, f func(y []float64)) []float64 {
					y = append([]float64(nil), y...)
					f(y)
					return y
				}
				equal(t, "MixedGemv",
					result(byRow, func(y []float64) { vec.MixedGemv(3, a, byCol, -2, y) }),
					result(byRow, func(y []float64) { vec.Gemv(3, wide, byCol, -2, y) }))
				equal(t, "MixedGemvT",
					result(byCol, func(y []float64) { vec.MixedGemvT(3, a, byRow, -2, y) }),
					result(byCol, func(y []float64) { vec.GemvT(3, wide, byRow, -2, y) }))
				if m > 0 {
					equal(t, "MixedDot", []float64{vec.MixedDot(a.Row(0), byCol)},
						[]float64{vec.Dot(wide.Row(0), byCol)})
					equal(t, "MixedAxpy",
						result(byCol, func(y []float64) { vec.MixedAxpy(2, a.Row(0), y) }),
						result(byCol, func(y []float64) { vec.Axpy(2, wide.Row(0), y) }))
				}
			}
		}
	})
}

func TestMixedLengths(t *testing.T) {
	demand(t, "MixedDot", func() { vec.MixedDot(make([]float32, 17), make([]float64, 23)) }, "lengths 17 and 23 differ")
	demand(t, "MixedAxpy", func() { vec.MixedAxpy(1, nil, make([]float64, 5)) }, "lengths 0 and 5 differ")
	a := vec.NewMatrix[float32](3, 5)
	for _, c := range [][2]int{{4, 5}, {3, 6}, {5, 3}, {0, 5}, {3, 0}} {
		rows, cols := make([]float64, c[0]), make([]float64, c[1])
		clash := fmt.Sprintf("3x5 matrix, vectors of %d for its rows and %d for its columns", c[0], c[1])
		demand(t, "MixedGemv", func() { vec.MixedGemv(1, a, cols, 0, rows) }, clash)
		demand(t, "MixedGemvT", func() { vec.MixedGemvT(1, a, rows, 0, cols) }, clash)
	}
	short := vec.Matrix[float32]{Rows: 3, Cols: 5, Stride: 7, Data: make([]float32, 18)}
	rows, cols := make([]float64, 3), make([]float64, 5)
	few := "18 numbers are too few for 3 rows of 5 columns at stride 7"
	demand(t, "MixedGemv", func() { vec.MixedGemv(1, short, cols, 0, rows) }, few)
	demand(t, "MixedGemvT", func() { vec.MixedGemvT(1, short, rows, 0, cols) }, few)
}

// TestMixedEmpty: nothing is a valid argument, and a sum over nothing is zero.
func TestMixedEmpty(t *testing.T) {
	prove.Tiers(func(tier cpu.Tier) {
		if sum := vec.MixedDot(nil, []float64{}); prove.Bits(sum) != 0 {
			t.Errorf("%v: the sum over nothing is %v", tier, sum)
		}
		vec.MixedAxpy(2, []float32{}, nil)
		vec.MixedGemv(2, vec.Matrix[float32]{}, nil, 3, nil)
		vec.MixedGemvT(2, vec.Matrix[float32]{}, nil, 3, nil)
		some := []float64{1, 2, 3}
		vec.MixedGemv(2, vec.NewMatrix[float32](3, 0), nil, 3, some)
		equal(t, "MixedGemv without columns", some, []float64{3, 6, 9})
		vec.MixedGemvT(2, vec.NewMatrix[float32](0, 3), nil, 0, some)
		equal(t, "MixedGemvT without rows", some, []float64{0, 0, 0})
	})
}
