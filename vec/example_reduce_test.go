package vec_test

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

func ExampleMax() {
	fmt.Println(vec.Max([]float64{5, 1, 7, 2}), vec.Max[float64](nil))
	// Output: 7 -Inf
}

func ExampleMin() {
	fmt.Println(vec.Min([]float64{5, 1, 7, 2}))
	// Output: 1
}

func ExampleArgMax() {
	fmt.Println(vec.ArgMax([]float32{5, 7, 7, 2}), vec.ArgMax([]float32{5, 7, float32(math.NaN())}))
	// Output: 1 2
}

func ExampleArgMin() {
	fmt.Println(vec.ArgMin([]float32{5, 1, 7, 1}))
	// Output: 1
}

func ExampleClip() {
	x := []float64{-2, 0.5, 7}
	vec.Clip(x, x, 0, 1)
	fmt.Println(x)
	// Output: [0 0.5 1]
}

func ExampleSumAbove() {
	sum, count := vec.SumAbove([]float64{5, 1, 3, 2}, 2)
	fmt.Println(sum, count)
	// Output: 4 2
}

func ExampleFilterAbove() {
	x := []float32{5, 1, 3, 2}
	val, idx := make([]float32, len(x)), make([]int32, len(x))
	k := vec.FilterAbove(val, idx, x, 2)
	fmt.Println(val[:k], idx[:k])
	// Output: [5 3] [0 2]
}

// The sparse vector of four elements (0, 5, 0, 7).
var (
	places = []int32{1, 3}
	values = []float64{5, 7}
)

func ExampleSparseDot() {
	fmt.Println(vec.SparseDot(places, values, []float64{1, 2, 3, 4}))
	// Output: 38
}

func ExampleSparseAxpy() {
	y := []float64{1, 1, 1, 1}
	vec.SparseAxpy(2, places, values, y)
	fmt.Println(y)
	// Output: [1 11 1 15]
}

func ExampleSparseGemvT() {
	a := vec.MatrixOf(4, 2, []float64{
		1, 2,
		3, 4,
		5, 6,
		7, 8,
	})
	y := make([]float64, 2)
	vec.SparseGemvT(1, a, places, values, 0, y)
	fmt.Println(y)
	// Output: [64 76]
}

func ExampleSparseGer() {
	a := vec.NewMatrix[float64](4, 2)
	vec.SparseGer(1, places, values, []float64{1, 10}, a)
	fmt.Println(a.Row(1), a.Row(2), a.Row(3))
	// Output: [5 50] [0 0] [7 70]
}
