package vec_test

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

func ExampleSort() {
	x := []float64{3, math.NaN(), -1, math.Inf(1), 2}
	vec.Sort(x)
	fmt.Println(x)
	// Output: [-1 2 3 +Inf NaN]
}

func ExampleSortDescending() {
	x := []float32{3, -1, float32(math.NaN()), 2}
	vec.SortDescending(x)
	fmt.Println(x)
	// Output: [3 2 -1 NaN]
}

func ExamplePartialSort() {
	x := []float64{5, 3, 8, 1, 9, 2}
	vec.PartialSort(x, 3)
	fmt.Println(x[:3])
	// Output: [1 2 3]
}

func ExampleNthElement() {
	x := []float64{5, 3, 8, 1, 9}
	vec.NthElement(x, len(x)/2)
	fmt.Println("median", x[len(x)/2])
	// Output: median 5
}

func ExampleArgSort() {
	x := []float32{0.3, 0.1, 0.2, 0.1}
	idx := make([]int32, len(x))
	vec.ArgSort(idx, x)
	fmt.Println(idx)
	// Output: [1 3 2 0]
}

func ExampleArgSortDescending() {
	x := []float32{0.3, 0.1, 0.2, 0.1}
	idx := make([]int32, len(x))
	vec.ArgSortDescending(idx, x)
	fmt.Println(idx)
	// Output: [0 2 1 3]
}

func ExampleSortPairs() {
	distance, id := []float64{0.7, 0.2, 0.5}, []int32{10, 11, 12}
	vec.SortPairs(distance, id)
	fmt.Println(distance, id)
	// Output: [0.2 0.5 0.7] [11 12 10]
}

func ExampleSortPairsDescending() {
	score, id := []float64{0.7, 0.2, 0.7}, []int32{12, 11, 10}
	vec.SortPairsDescending(score, id)
	fmt.Println(score, id)
	// Output: [0.7 0.7 0.2] [10 12 11]
}

func ExampleTopK() {
	scores := []float32{0.1, 0.9, 0.4, 0.9, 0.3}
	values, idx := make([]float32, 3), make([]int32, 3)
	vec.TopK(values, idx, scores)
	fmt.Println(values, idx)
	// Output: [0.9 0.9 0.4] [1 3 2]
}
