package vec_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

func ExampleNormalize() {
	x := []float64{3, 4}
	length := vec.Normalize(x)
	fmt.Printf("%v %.1f\n", length, x)
	// Output: 5 [0.6 0.8]
}

func ExampleCosine() {
	fmt.Println(vec.Cosine([]float32{1, 0}, []float32{2, 0}), vec.Cosine([]float32{1, 0}, []float32{0, 3}))
	// Output: 1 0
}

func ExampleNorm() {
	fmt.Println(vec.Norm([]float32{3e30, 4e30})) // whose squares would overflow
	// Output: 5e+30
}

func ExampleMean() {
	fmt.Println(vec.Mean([]float64{1, 2, 6}))
	// Output: 3
}

func ExampleAdd() {
	x := []float32{1, 2, 3}
	vec.Add(x, x, []float32{10, 20, 30})
	fmt.Println(x)
	// Output: [11 22 33]
}

func ExampleMul() {
	x := []float32{1, 2, 3}
	vec.Mul(x, x, x)
	fmt.Println(x)
	// Output: [1 4 9]
}

func ExampleSqrt() {
	x := []float64{1, 4, 9}
	vec.Sqrt(x, x)
	fmt.Println(x)
	// Output: [1 2 3]
}
