package low_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/vec/low"
)

func ExampleSearcher_Nearest() {
	s := low.NewSearcher(vec.MatrixOf(4, 2, []int8{0, 0, 3, 4, 6, 8, 1, 1}), vec.L2)
	queries := vec.MatrixOf(2, 2, []int8{1, 0, 5, 5})
	idx, dist := make([]int32, 2*2), vec.NewMatrix[float64](2, 2) // the two nearest of two queries
	s.Nearest(idx, dist, queries, 0)
	for i := range 2 {
		fmt.Println(idx[2*i:2*i+2], dist.Row(i))
	}
	// Output:
	// [0 3] [1 1]
	// [1 2] [5 10]
}

// Embeddings that are quantized each by a scale of their own have the same cosines as before, but for rounding.
func ExampleNewSearcher() {
	x := vec.MatrixOf(3, 2, []float32{.1, .1, 5, 0, 0, 2})
	codes, scales := vec.NewMatrix[int8](3, 2), make([]float32, 3)
	low.QuantizeRows(codes, scales, x)
	s := low.NewSearcher(codes, vec.CosineSimilarity)
	idx, cosine := make([]int32, 1), vec.NewMatrix[float64](1, 1)
	s.Nearest(idx, cosine, vec.MatrixOf(1, 2, []int8{0, 7}), 1)
	fmt.Println(idx[0], cosine.At(0, 0))
	// Output: 2 1
}

// Of the sets {0, 1}, {0, 1, 2, 3} and {4} the first two are as far from {1, 2}: the lower row comes first.
func ExampleNewBitSearcher() {
	s := low.NewBitSearcher(vec.MatrixOf(3, 1, []uint64{0b11, 0b1111, 0b10000}), low.HammingDistance)
	idx, dist := make([]int32, 3), vec.NewMatrix[float64](1, 3)
	s.Nearest(idx, dist, vec.MatrixOf(1, 1, []uint64{0b110}), 1)
	fmt.Println(idx, dist.Row(0))
	// Output: [0 1 2] [2 2 3]
}
