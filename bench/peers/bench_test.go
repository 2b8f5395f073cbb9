package main

import (
	"strings"
	"testing"
)

// Each benchmark has the name of the case and impl= last, so that benchstat -col /impl lays the libraries side by side.

func BenchmarkDot(b *testing.B)             { benchmark(b, "Dot") }
func BenchmarkAxpy(b *testing.B)            { benchmark(b, "Axpy") }
func BenchmarkSquaredDistance(b *testing.B) { benchmark(b, "SquaredDistance") }
func BenchmarkSquaredNorm(b *testing.B)     { benchmark(b, "SquaredNorm") }
func BenchmarkSum(b *testing.B)             { benchmark(b, "Sum") }
func BenchmarkAbsSum(b *testing.B)          { benchmark(b, "AbsSum") }
func BenchmarkScale(b *testing.B)           { benchmark(b, "Scale") }
func BenchmarkAdd(b *testing.B)             { benchmark(b, "Add") }
func BenchmarkMul(b *testing.B)             { benchmark(b, "Mul") }
func BenchmarkSqrt(b *testing.B)            { benchmark(b, "Sqrt") }
func BenchmarkExp(b *testing.B)             { benchmark(b, "Exp") }
func BenchmarkLog(b *testing.B)             { benchmark(b, "Log") }
func BenchmarkSort(b *testing.B)            { benchmark(b, "Sort") }
func BenchmarkArgSort(b *testing.B)         { benchmark(b, "ArgSort") }
func BenchmarkTopK(b *testing.B)            { benchmark(b, "TopK") }
func BenchmarkMax(b *testing.B)             { benchmark(b, "Max") }
func BenchmarkArgMax(b *testing.B)          { benchmark(b, "ArgMax") }
func BenchmarkSumAbove(b *testing.B)        { benchmark(b, "SumAbove") }
func BenchmarkFilterAbove(b *testing.B)     { benchmark(b, "FilterAbove") }
func BenchmarkClip(b *testing.B)            { benchmark(b, "Clip") }
func BenchmarkSparseDot(b *testing.B)       { benchmark(b, "SparseDot") }
func BenchmarkSparseAxpy(b *testing.B)      { benchmark(b, "SparseAxpy") }
func BenchmarkSparseGemvT(b *testing.B)     { benchmark(b, "SparseGemvT") }
func BenchmarkSparseGer(b *testing.B)       { benchmark(b, "SparseGer") }
func BenchmarkGer(b *testing.B)             { benchmark(b, "Ger") }
func BenchmarkGemv(b *testing.B)            { benchmark(b, "Gemv") }
func BenchmarkGemvT(b *testing.B)           { benchmark(b, "GemvT") }
func BenchmarkGemmNN(b *testing.B)          { benchmark(b, "GemmNN") }
func BenchmarkGemmTN(b *testing.B)          { benchmark(b, "GemmTN") }
func BenchmarkGemmNT(b *testing.B)          { benchmark(b, "GemmNT") }
func BenchmarkGemmTT(b *testing.B)          { benchmark(b, "GemmTT") }
func BenchmarkGemmTwoWorkers(b *testing.B)  { benchmark(b, "GemmTwoWorkers") }
func BenchmarkSyrk(b *testing.B)            { benchmark(b, "Syrk") }
func BenchmarkMatMul(b *testing.B)          { benchmark(b, "MatMul") }
func BenchmarkMatSVD(b *testing.B)          { benchmark(b, "MatSVD") }
func BenchmarkMatEigenSym(b *testing.B)     { benchmark(b, "MatEigenSym") }
func BenchmarkMatCholesky(b *testing.B)     { benchmark(b, "MatCholesky") }
func BenchmarkMatSolve(b *testing.B)        { benchmark(b, "MatSolve") }

func benchmark(b *testing.B, kernel string) {
	openblasInfo() // holds the rival to one thread
	for _, c := range Cases() {
		if c.Name != kernel {
			continue
		}
		// newTrial checks and fills: it must wait until a filter of names has let the case through.
		for _, impl := range []string{"dualgap", "openblas", "gonum", "math", "sleef", "go", "c", "c-fast", "vqsort",
			"vqsort-avx2"} {
			if !has(c, impl) {
				continue
			}
			b.Run(strings.TrimPrefix(c.String(), kernel+"/")+"/impl="+impl, func(b *testing.B) {
				runners, err := newTrial(c, 0)
				if err != nil {
					b.Fatal(err)
				}
				for _, r := range runners {
					if r.impl == impl {
						b.SetBytes(int64(c.Work()))
						b.ResetTimer()
						r.run(b.N)
					}
				}
			})
		}
	}
}

// has says whether the library of that name has the case's kernel.
func has(c Case, impl string) bool {
	for _, lib := range libraries32 {
		if c.Type == "f32" && lib.name == impl {
			return lib.loops[c.Name] != nil
		}
	}
	for _, lib := range libraries64 {
		if lib.name == impl {
			return lib.loops[c.Name] != nil
		}
	}
	return false
}
