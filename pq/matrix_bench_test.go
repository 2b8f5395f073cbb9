package pq

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// The products of a matrix with 4096 columns, subspaces of 16: compressed, and (impl=gemm) held as float32.

func benchmarkMatrix(b *testing.B, run func(x *Matrix, w, a vec.Matrix[float32])) {
	const n, d, dsub = 16384, 4096, 16
	for tables, name := range []string{"f32", "i16", "u8"} {
		x := randomMatrix(b, prove.Rand(1), n, d, d/dsub, 8, false, MatrixOptions{Tables: Tables(tables)})
		for _, m := range []int{1, 8, 32, 128} {
			w, a := vec.NewMatrix[float32](d, m), vec.NewMatrix[float32](n, m)
			for i := range w.Data {
				w.Data[i] = float32(i%7) - 3
			}
			for i := range a.Data {
				a.Data[i] = float32(i%5) - 2
			}
			b.Run(fmt.Sprintf("n=%d/d=%d/dsub=%d/tables=%s/m=%d", n, d, dsub, name, m), func(b *testing.B) {
				run(x, w, a)
				for b.Loop() {
					run(x, w, a)
				}
			})
		}
	}
}

func BenchmarkMatrixScores(b *testing.B) {
	benchmarkMatrix(b, func(x *Matrix, w, a vec.Matrix[float32]) { x.Scores(a, w, nil) })
}

func BenchmarkMatrixAccumulate(b *testing.B) {
	benchmarkMatrix(b, func(x *Matrix, w, a vec.Matrix[float32]) { x.Accumulate(w, a, nil) })
}

func BenchmarkMatrixDense(b *testing.B) {
	const n, d = 16384, 4096
	x := vec.NewMatrix[float32](n, d)
	for i := range x.Data {
		x.Data[i] = float32(i%7) - 3
	}
	for _, m := range []int{1, 8, 32, 128} {
		w, a := vec.NewMatrix[float32](d, m), vec.NewMatrix[float32](n, m)
		b.Run(fmt.Sprintf("product=scores/m=%d", m), func(b *testing.B) {
			for b.Loop() {
				vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0, a)
			}
		})
		b.Run(fmt.Sprintf("product=accumulate/m=%d", m), func(b *testing.B) {
			for b.Loop() {
				vec.Gemm(vec.Transposed, vec.NoTrans, 1, x, a, 1, w)
			}
		})
	}
}
