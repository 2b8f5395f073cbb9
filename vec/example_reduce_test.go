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

func ExampleSumAbove() {
	sum, count := vec.SumAbove([]float64{5, 1, 3, 2}, 2)
	fmt.Println(sum, count)
	// Output: 4 2
}

func ExampleFilterAbove() {
	x := []float32{5, 1, 3, 2}
	val, idx := make([]float32, len(x)), make([]int32, len(x))
	k := vec.FilterAbove(x, 2, val, idx)
	fmt.Println(val[:k], idx[:k])
	// Output: [5 3] [0 2]
}
