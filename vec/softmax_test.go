package vec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func ExampleLogSumExp() {
	fmt.Printf("%.4f\n", vec.LogSumExp([]float64{1000, 1000, 998})) // e^1000 alone would overflow
	// Output: 1000.7586
}

func ExampleSoftmax() {
	scores := []float32{2, 1, 0, -1}
	vec.Softmax(scores, scores) // in place
	fmt.Printf("%.3f\n", scores)
	// Output: [0.644 0.237 0.087 0.032]
}

func ExampleSoftmaxLogSumExp() {
	scores := []float64{1000, 1000 + math.Log(3)}
	gradient := make([]float64, 2)
	value := vec.SoftmaxLogSumExp(gradient, scores)
	fmt.Printf("%.4f, gradient %.2f\n", value, gradient)
	// Output: 1001.3863, gradient [0.25 0.75]
}

func ExampleSoftmaxRows() {
	a := vec.MatrixOf(2, 2, []float64{
		0, 0,
		0, math.Log(3),
	})
	vec.SoftmaxRows(a)
	fmt.Printf("%.2f\n", a.Data)
	// Output: [0.50 0.50 0.25 0.75]
}

// TestSoftmax compares with float64, under the bounds of the doc comments, at scores of several sizes.
func TestSoftmax(t *testing.T) { prove.Both(t, softmax[float32], softmax[float64]) }

func softmax[T vec.Float](t *testing.T) {
	u := prove.Unit[T]()
	if !prove.IsF32[T]() {
		u *= 2 // what it is compared with has errors of the same kind
	}
	prove.Tiers(func(tier cpu.Tier) {
		r := prove.Rand(5)
		for n := 1; n < 100; n++ {
			for _, size := range []float64{1, 30, 1e3, 1e30} {
				x, y := make([]T, n), make([]T, n)
				for i := range x {
					x[i] = T(size * (r.Float64() - 0.7))
				}
				most := float64(vec.Max(x))
				sum := 0.0
				for _, v := range x {
					sum += math.Exp(float64(v) - most)
				}
				want := most + math.Log(sum)
				allowed := 2*u*(math.Abs(most)+math.Abs(want)) + u*float64(n+3)
				for _, v := range x {
					d := float64(v) - most
					allowed += 2 * u * math.Abs(d) * math.Exp(d) / sum
				}
				if got := float64(vec.LogSumExp(x)); !(math.Abs(got-want) <= allowed) {
					t.Fatalf("%v: LogSumExp of %d numbers up to %v: %v, want %v, error allowed %g", tier, n, most, got,
						want, allowed)
				}
				vec.Softmax(y, x)
				for i, v := range x {
					d := float64(v) - most
					want := math.Exp(d) / sum
					allowed := u*(math.Abs(d)+float64(2*n+7))*want + 2*float64(prove.Tiny[T]())
					if math.Abs(d) > 1000 {
						allowed = 0
					}
					if got := float64(y[i]); !(math.Abs(got-want) <= allowed) {
						t.Fatalf("%v: Softmax of %d numbers: element %d is %v, want %v, error allowed %g", tier, n, i,
							got, want, allowed)
					}
				}
				both(t, tier, x)
				vec.Softmax(x, x)
				equal(t, "Softmax in place", x, y)
			}
		}
	})
	demand(t, "SoftmaxLogSumExp", func() { vec.SoftmaxLogSumExp(make([]T, 3), make([]T, 4)) }, "lengths 3 and 4 differ")
	demand(t, "Softmax", func() { vec.Softmax(make([]T, 3), make([]T, 4)) }, "lengths 3 and 4 differ")
}

// both: SoftmaxLogSumExp gives the bits of LogSumExp and of Softmax, in place too.
func both[T vec.Float](t *testing.T, tier cpu.Tier, x []T) {
	t.Helper()
	want, place, apart := make([]T, len(x)), append([]T(nil), x...), make([]T, len(x))
	vec.Softmax(want, x)
	log := vec.LogSumExp(x)
	for _, dst := range [][]T{apart, place} {
		from := x
		if len(x) > 0 && &dst[0] == &place[0] {
			from = place
		}
		if got := vec.SoftmaxLogSumExp(dst, from); !prove.Same(got, log) {
			t.Fatalf("%v: SoftmaxLogSumExp(%v) = %v, LogSumExp says %v", tier, x, got, log)
		}
		for i, v := range dst {
			if !prove.Same(v, want[i]) {
				t.Fatalf("%v: SoftmaxLogSumExp(%v) sets %v, Softmax %v", tier, x, dst, want)
			}
		}
	}
}

// TestSoftmaxExtremes: infinities, NaN, and nothing at all.
func TestSoftmaxExtremes(t *testing.T) {
	prove.Both(t, softmaxExtremes[float32], softmaxExtremes[float64])
}

func softmaxExtremes[T vec.Float](t *testing.T) {
	inf, nan, big := T(math.Inf(1)), T(math.NaN()), prove.Max[T]()
	prove.Tiers(func(tier cpu.Tier) {
		for _, c := range []struct {
			x, softmax []T
			log        T
		}{
			{nil, nil, -inf},
			{[]T{-inf}, []T{1}, -inf},
			{[]T{-inf, -inf, -inf, -inf}, []T{0.25, 0.25, 0.25, 0.25}, -inf},
			{[]T{3, inf, -inf, inf}, []T{0, 0.5, 0, 0.5}, inf},
			{[]T{inf}, []T{1}, inf},
			{[]T{-inf, 5, -inf, 5}, []T{0, 0.5, 0, 0.5}, T(5 + math.Ln2)},
			{[]T{nan, 1}, []T{nan, nan}, nan},
			{[]T{inf, nan, -inf}, []T{nan, nan, nan}, nan},
			{[]T{-big, big}, []T{0, 1}, big},
			{[]T{-big, -big}, []T{0.5, 0.5}, -big},
			{[]T{big, -inf, big / 2, -big, big}, []T{0.5, 0, 0, 0, 0.5}, big},
			{[]T{-inf, -big}, []T{0, 1}, -big},
			{[]T{-inf, nan}, []T{nan, nan}, nan},
			{[]T{0, T(math.Copysign(0, -1))}, []T{0.5, 0.5}, T(math.Ln2)},
		} {
			both(t, tier, c.x)
			if got := vec.LogSumExp(c.x); !prove.Same(got, c.log) {
				t.Errorf("%v: LogSumExp(%v) = %v, want %v", tier, c.x, got, c.log)
			}
			a := vec.MatrixOf(1, len(c.x), append([]T(nil), c.x...))
			vec.SoftmaxRows(a)
			for i, v := range a.Data {
				if !prove.Same(v, c.softmax[i]) {
					t.Errorf("%v: Softmax(%v) = %v, want %v", tier, c.x, a.Data, c.softmax)
					break
				}
			}
		}
	})
}

// TestSoftmaxRows: each row by itself, and nothing between rows.
func TestSoftmaxRows(t *testing.T) {
	whole := vec.NewMatrix[float64](5, 9)
	for i := range whole.Data {
		whole.Data[i] = float64(i * i % 7)
	}
	before := append([]float64(nil), whole.Data...)
	vec.SoftmaxRows(whole.Slice(1, 4, 2, 7))
	for i := range 5 {
		want := before[i*9:][:9]
		if 1 <= i && i < 4 {
			vec.Softmax(want[2:7], want[2:7])
		}
		equal(t, "SoftmaxRows", whole.Row(i), want)
	}
	demand(t, "SoftmaxRows", func() { vec.SoftmaxRows(vec.Matrix[float64]{Rows: 2, Cols: 3, Stride: 3}) },
		"0 numbers are too few")
	vec.SoftmaxRows(vec.NewMatrix[float32](3, 0))
}

func BenchmarkSoftmax(b *testing.B) {
	vectorBench(b, 2,
		func(x, y []float32) float32 { vec.Softmax(y, x); return 0 },
		func(x, y []float64) float64 { vec.Softmax(y, x); return 0 })
}

// BenchmarkSoftmaxLogSumExp compares one call with the two that it stands for.
func BenchmarkSoftmaxLogSumExp(b *testing.B) {
	b.Run("type=f32", softmaxLogSumExpBench[float32])
	b.Run("type=f64", softmaxLogSumExpBench[float64])
}

func softmaxLogSumExpBench[T vec.Float](b *testing.B) {
	for _, n := range []int{4, 10, 26, 101, 1000} {
		x, y := ints[T](prove.Rand(1), n), make([]T, n)
		b.Run(fmt.Sprintf("n=%d/impl=together", n), func(b *testing.B) {
			for b.Loop() {
				vec.SoftmaxLogSumExp(y, x)
			}
		})
		b.Run(fmt.Sprintf("n=%d/impl=apart", n), func(b *testing.B) {
			for b.Loop() {
				vec.Softmax(y, x)
				vec.LogSumExp(x)
			}
		})
	}
}

func BenchmarkLogSumExp(b *testing.B) {
	vectorBench(b, 1, first(vec.LogSumExp[float32]), first(vec.LogSumExp[float64]))
}
