package vec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func ExampleExp() {
	x := []float64{0, 1, -1, math.Inf(-1)}
	vec.Exp(x, x) // in place
	fmt.Printf("%.4f\n", x)
	// Output: [1.0000 2.7183 0.3679 0.0000]
}

func ExampleExpScaled() {
	// A row of a Gaussian kernel, exp(-|x-y|²/2σ²), from squared distances.
	squared, sigma := []float32{0, 1, 4, 9}, float32(1.5)
	row := make([]float32, 4)
	vec.ExpScaled(row, -1/(2*sigma*sigma), squared)
	fmt.Printf("%.4f\n", row)
	// Output: [1.0000 0.8007 0.4111 0.1353]
}

func ExampleLog() {
	x := []float32{1, 10, 0, -1}
	vec.Log(x, x) // in place
	fmt.Printf("%.4f\n", x)
	// Output: [0.0000 2.3026 -Inf NaN]
}

// near compares with results of float64, with an error of two units in the last place of either.
func near[T vec.Float](t *testing.T, name string, got []T, want func(i int) float64) {
	t.Helper()
	for i, v := range got {
		w := want(i)
		if g := float64(v); !(math.Abs(g-w) <= 4*prove.Unit[T]()*math.Abs(w)) {
			t.Fatalf("%v %s, %d numbers: element %d is %v, want %v", cpu.Level, name, len(got), i, v, w)
		}
	}
}

// TestExp: that each function calls the kernel that it should, with the arguments in order. The kernels have more
// thorough tests of their own.
func TestExp(t *testing.T) { prove.Both(t, exp[float32], exp[float64]) }

func exp[T vec.Float](t *testing.T) {
	prove.Tiers(func(cpu.Tier) {
		r := prove.Rand(4)
		for n := range 80 {
			x, y := make([]T, n), make([]T, n)
			for i := range x {
				x[i] = T(20*r.Float64() - 10)
			}
			vec.Exp(y, x)
			near(t, "Exp", y, func(i int) float64 { return math.Exp(float64(x[i])) })
			vec.ExpScaled(y, -2, x)
			near(t, "ExpScaled", y, func(i int) float64 { return math.Exp(-2 * float64(x[i])) })
			for i := range x {
				y[i] = x[i] * x[i]
			}
			vec.Log(y, y)
			near(t, "Log in place", y, func(i int) float64 { return math.Log(float64(x[i] * x[i])) })
			copy(y, x)
			vec.Exp(y, y)
			near(t, "Exp in place", y, func(i int) float64 { return math.Exp(float64(x[i])) })
		}
	})
	demand(t, "Exp", func() { vec.Exp(make([]T, 3), make([]T, 4)) }, "lengths 3 and 4 differ")
	demand(t, "ExpScaled", func() { vec.ExpScaled(make([]T, 5), 1, make([]T, 4)) }, "lengths 5 and 4 differ")
	demand(t, "Log", func() { vec.Log(make([]T, 5), make([]T, 4)) }, "lengths 5 and 4 differ")
	vec.Exp[T](nil, nil)
	vec.Log(nil, []T{})
	vec.ExpScaled(nil, 2, []T{})
}

func BenchmarkExp(b *testing.B) {
	vectorBench(b, 2,
		func(x, y []float32) float32 { vec.Exp(y, x); return 0 },
		func(x, y []float64) float64 { vec.Exp(y, x); return 0 })
}

func BenchmarkLog(b *testing.B) {
	vectorBench(b, 2,
		func(x, y []float32) float32 { vec.Log(y, x); return 0 },
		func(x, y []float64) float64 { vec.Log(y, x); return 0 })
}

func BenchmarkExpScaled(b *testing.B) {
	vectorBench(b, 2,
		func(x, y []float32) float32 { vec.ExpScaled(y, -0.5, x); return 0 },
		func(x, y []float64) float64 { vec.ExpScaled(y, -0.5, x); return 0 })
}
