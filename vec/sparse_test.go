package vec_test

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestSparse compares every function with plain loops, on every tier, on matrices that are windows of wider ones.
func TestSparse(t *testing.T) { prove.Both(t, testSparse[float32], testSparse[float64]) }

func testSparse[T vec.Float](t *testing.T) {
	prove.Tiers(func(cpu.Tier) {
		r := prove.Rand(4)
		for nnz := range 20 {
			for n := range 30 {
				const d = 9
				idx, val := make([]int32, nnz), ints[T](r, nnz)
				for k := range idx {
					idx[k] = int32(r.IntN(d))
				}
				x := ints[T](r, d)
				equal(t, "SparseDot", []T{vec.SparseDot(idx, val, x)},
					[]T{total(nnz, func(k int) T { return val[k] * x[idx[k]] })})
				want := append([]T(nil), x...)
				for k, j := range idx {
					want[j] += 3 * val[k]
				}
				vec.SparseAxpy(3, idx, val, x)
				equal(t, "SparseAxpy", x, want)

				whole := vec.MatrixOf(d+3, n+4, ints[T](r, (d+3)*(n+4)))
				a, y := whole.Slice(1, 1+d, 2, 2+n), ints[T](r, n)
				at := func(i int32, j int) *T { return &whole.Data[(1+int(i))*(n+4)+2+j] }
				want = make([]T, n)
				for j := range want {
					want[j] = 2*total(nnz, func(k int) T { return val[k] * *at(idx[k], j) }) - y[j]
				}
				got := append([]T(nil), y...)
				vec.SparseGemvT(2, a, idx, val, -1, got)
				equal(t, "SparseGemvT", got, want)

				before := append([]T(nil), whole.Data...)
				vec.SparseGer(2, idx, val, y, a)
				after := append([]T(nil), whole.Data...)
				copy(whole.Data, before)
				for k, i := range idx {
					for j := range n {
						*at(i, j) += 2 * val[k] * y[j]
					}
				}
				equal(t, "SparseGer", after, whole.Data)
			}
		}
	})
}

func TestSparseLengths(t *testing.T) {
	x, y := make([]float32, 5), make([]float32, 3)
	a := vec.NewMatrix[float32](5, 3)
	for name, f := range map[string]func(idx []int32, val []float32){
		"SparseDot":   func(idx []int32, val []float32) { vec.SparseDot(idx, val, x) },
		"SparseAxpy":  func(idx []int32, val []float32) { vec.SparseAxpy(1, idx, val, x) },
		"SparseGemvT": func(idx []int32, val []float32) { vec.SparseGemvT(1, a, idx, val, 0, y) },
		"SparseGer":   func(idx []int32, val []float32) { vec.SparseGer(1, idx, val, y, a) },
	} {
		demand(t, name, func() { f([]int32{1, 2}, make([]float32, 3)) }, "2 indices for 3 values")
		demand(t, name, func() { f([]int32{4, 5}, make([]float32, 2)) }, "index 5 at place 1, want one below 5")
		demand(t, name, func() { f([]int32{-1}, make([]float32, 1)) }, "index -1 at place 0, want one below 5")
		f(nil, nil)
		f([]int32{4, 0}, make([]float32, 2))
	}
	demand(t, "SparseGemvT", func() { vec.SparseGemvT(1, a, nil, nil, 0, x) },
		"5x3 matrix, vector of 5 for its columns")
	demand(t, "SparseGer", func() { vec.SparseGer(1, nil, nil, x, a) }, "5x3 matrix, vector of 5 for its columns")
	short := vec.Matrix[float32]{Rows: 5, Cols: 3, Stride: 3, Data: make([]float32, 14)}
	demand(t, "SparseGer", func() { vec.SparseGer(1, nil, nil, y, short) }, "14 numbers are too few")
}
