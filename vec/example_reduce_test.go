package vec_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

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
