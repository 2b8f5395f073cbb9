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
