package project

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func BenchmarkTopKSimplex(b *testing.B) { benchmark(b, TopKSimplex[float32], TopKSimplex[float64]) }
func BenchmarkTopKSimplexBeta(b *testing.B) {
	benchmark(b, TopKSimplexBeta[float32], TopKSimplexBeta[float64])
}

type projection[T vec.Float] func(dst, a []T, k int, r, rho T, w *Workspace[T]) Thresholds

func benchmark(b *testing.B, f32 projection[float32], f64 projection[float64]) {
	for _, d := range []int{9, 10, 16, 17, 32, 64, 100, 1000, 10000} {
		for _, k := range []int{1, 3, 5, 50} {
			if k <= d {
				b.Run(fmt.Sprintf("type=f32/d=%d/k=%d", d, k), func(b *testing.B) { benchmarkOne(b, f32, d, k, 1) })
				b.Run(fmt.Sprintf("type=f64/d=%d/k=%d", d, k), func(b *testing.B) { benchmarkOne(b, f64, d, k, 1) })
			}
		}
		b.Run(fmt.Sprintf("type=f32/d=%d/k=5/r=1e6", d), func(b *testing.B) { benchmarkOne(b, f32, d, 5, 1e6) })
	}
}

// benchmarkOne projects 64 vectors in turn, so that the branch predictor cannot learn one by heart: a ~ N(0,1), rho =
// 1.
func benchmarkOne[T vec.Float](b *testing.B, f projection[T], d, k int, r T) {
	rng := rand.New(rand.NewPCG(9, uint64(d)))
	const vectors = 64
	a, x := make([]T, vectors*d), make([]T, d)
	for i := range a {
		a[i] = T(rng.NormFloat64())
	}
	var w Workspace[T]
	f(x, a[:d], k, r, 1, &w)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f(x, a[i*d:(i+1)*d], k, r, 1, &w)
		i = (i + 1) % vectors
	}
}

func BenchmarkTopKEntropy(b *testing.B) {
	for _, d := range []int{10, 100} {
		for _, k := range []int{1, 5} {
			b.Run(fmt.Sprintf("type=f64/d=%d/k=%d", d, k), func(b *testing.B) {
				benchmarkOne(b, func(dst, a []float64, k int, r, rho float64, w *Workspace[float64]) Thresholds {
					return TopKEntropy(dst, a, k, r, rho, 0.1, w)
				}, d, k, 1)
			})
		}
	}
}

func BenchmarkSimplex(b *testing.B) {
	for _, d := range []int{10, 64, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("type=f32/d=%d", d), func(b *testing.B) {
			benchmarkOne(b, func(dst, a []float32, k int, r, rho float32, w *Workspace[float32]) Thresholds {
				return Simplex(dst, a, Equal, r, w)
			}, d, 1, 1)
		})
	}
}

func BenchmarkKnapsack(b *testing.B) {
	for _, d := range []int{10, 64, 100, 1000, 10000} {
		b.Run(fmt.Sprintf("type=f32/d=%d", d), func(b *testing.B) {
			benchmarkOne(b, func(dst, a []float32, k int, r, rho float32, w *Workspace[float32]) Thresholds {
				th, _ := Knapsack(dst, a, 0, 0.2, Equal, r, w)
				return th
			}, d, 1, 1)
		})
	}
}

func BenchmarkPermutahedron(b *testing.B) {
	for _, d := range []int{10, 100, 1000, 10000} {
		for _, k := range []int{1, 5, 50} {
			if k > d {
				continue
			}
			beta := make([]float64, k)
			for j := range beta {
				beta[j] = 1 / float64(1+j)
			}
			b.Run(fmt.Sprintf("type=f32/d=%d/k=%d", d, k), func(b *testing.B) {
				benchmarkOne(b, func(dst, a []float32, _ int, r, rho float32, w *Workspace[float32]) Thresholds {
					return Permutahedron(dst, a, beta, r, rho, w)
				}, d, k, 1)
			})
		}
	}
}
