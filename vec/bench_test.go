package vec_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

func BenchmarkDot(b *testing.B) {
	vectorBench(b, 2, vec.Dot32, vec.Dot64)
}

func BenchmarkSquaredDistance(b *testing.B) {
	vectorBench(b, 2, vec.SquaredDistance32, vec.SquaredDistance64)
}

func BenchmarkSquaredNorm(b *testing.B) {
	vectorBench(b, 1, first(vec.SquaredNorm[float32]), first(vec.SquaredNorm[float64]))
}

func BenchmarkSum(b *testing.B) {
	vectorBench(b, 1, first(vec.Sum[float32]), first(vec.Sum[float64]))
}

func BenchmarkAbsSum(b *testing.B) {
	vectorBench(b, 1, first(vec.AbsSum[float32]), first(vec.AbsSum[float64]))
}

func BenchmarkScale(b *testing.B) {
	vectorBench(b, 2,
		func(x, _ []float32) float32 { vec.Scale(1, x); return 0 },
		func(x, _ []float64) float64 { vec.Scale(1, x); return 0 })
}

func BenchmarkAxpy(b *testing.B) {
	vectorBench(b, 3,
		func(x, y []float32) float32 { vec.Axpy32(1e-9, x, y); return 0 },
		func(x, y []float64) float64 { vec.Axpy64(1e-9, x, y); return 0 })
}

func BenchmarkGer(b *testing.B) {
	matrixBench(b, 2, vec.Ger[float32], vec.Ger[float64])
}

func BenchmarkGemv(b *testing.B) {
	matrixBench(b, 1,
		func(alpha float32, y, x []float32, a vec.Matrix[float32]) { vec.Gemv(alpha, a, x, 0, y) },
		func(alpha float64, y, x []float64, a vec.Matrix[float64]) { vec.Gemv(alpha, a, x, 0, y) })
}

func BenchmarkGemvT(b *testing.B) {
	matrixBench(b, 1,
		func(alpha float32, x, y []float32, a vec.Matrix[float32]) { vec.GemvT(alpha, a, x, 0, y) },
		func(alpha float64, x, y []float64, a vec.Matrix[float64]) { vec.GemvT(alpha, a, x, 0, y) })
}

func first[T vec.Float](f func(x []T) T) func(x, y []T) T {
	return func(x, _ []T) T { return f(x) }
}

// vectorBench times a function that moves a number of vectors between memory and registers.
func vectorBench(b *testing.B, moves int, f32 func(x, y []float32) float32, f64 func(x, y []float64) float64) {
	for _, n := range []int{4, 8, 15, 16, 64, 100, 128, 256, 784, 1024, 4096, 65536} {
		vectorBenchOf(b, "f32", n, 4*n*moves, f32)
		vectorBenchOf(b, "f64", n, 8*n*moves, f64)
	}
}

func vectorBenchOf[T vec.Float](b *testing.B, name string, n, bytes int, f func(x, y []T) T) {
	r := prove.Rand(1)
	x, y := ints[T](r, n), ints[T](r, n)
	eachTier(b, fmt.Sprintf("type=%s/n=%d", name, n), bytes, func() { f(x, y) })
}

// matrixBench times a function of a matrix, a vector for its rows and one for its columns.
func matrixBench(b *testing.B, moves int, f32 func(alpha float32, x, y []float32, a vec.Matrix[float32]),
	f64 func(alpha float64, x, y []float64, a vec.Matrix[float64])) {
	for _, size := range [][2]int{{784, 100}, {4096, 1000}} {
		m, n := size[0], size[1]
		matrixBenchOf(b, "f32", m, n, 4*m*n*moves, f32)
		matrixBenchOf(b, "f64", m, n, 8*m*n*moves, f64)
	}
}

func matrixBenchOf[T vec.Float](b *testing.B, name string, m, n, bytes int,
	f func(alpha T, x, y []T, a vec.Matrix[T])) {
	r := prove.Rand(1)
	x, y, a := ints[T](r, m), ints[T](r, n), vec.MatrixOf(m, n, ints[T](r, m*n))
	eachTier(b, fmt.Sprintf("type=%s/size=%dx%d", name, m, n), bytes, func() { f(1e-9, x, y, a) })
}

// eachTier does not switch cpu.SplitStores off: it times what programs get, plus two calls through function values.
func eachTier(b *testing.B, name string, bytes int, f func()) {
	defer cpu.Set(cpu.Level)
	for _, tier := range cpu.Tiers() {
		b.Run(name+"/tier="+tier.String(), func(b *testing.B) {
			cpu.Set(tier)
			b.SetBytes(int64(bytes))
			for b.Loop() {
				f()
			}
		})
	}
}
