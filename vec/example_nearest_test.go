package vec_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

func ExampleSearcher_Nearest() {
	towns := vec.MatrixOf(4, 2, []float32{0, 0, 3, 4, 6, 8, 1, 1})
	s := vec.NewSearcher(towns, vec.L2)
	queries := vec.MatrixOf(2, 2, []float32{1, 0, 5, 5})
	idx, dist := make([]int32, 2*2), vec.NewMatrix[float32](2, 2) // the two nearest of two queries
	s.Nearest(idx, dist, queries, 0)
	for i := range 2 {
		fmt.Println(idx[2*i:2*i+2], dist.Row(i))
	}
	// Output:
	// [0 3] [1 1]
	// [1 2] [5 10]
}

func ExampleNewSearcher() {
	texts := vec.MatrixOf(3, 2, []float64{1, 1, 5, 0, 0, 2})
	s := vec.NewSearcher(texts, vec.CosineSimilarity)
	idx, cosine := make([]int32, 1), vec.NewMatrix[float64](1, 1)
	s.Nearest(idx, cosine, vec.MatrixOf(1, 2, []float64{0, 7}), 1)
	fmt.Println(idx[0], cosine.At(0, 0))
	// Output: 2 1
}
