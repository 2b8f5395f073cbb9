package vec_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec"
)

func ExampleGramWorkers() {
	a := vec.MatrixOf(2, 2, []float64{1, 2, 3, 4})
	c := vec.NewMatrix[float64](2, 2)
	vec.GramWorkers(c, a, 0) // by all cores
	fmt.Println(c.Data)
	// Output: [5 11 11 25]
}

func ExampleSyrkWorkers() {
	a := vec.MatrixOf(2, 2, []float64{1, 2, 3, 4})
	c := vec.NewMatrix[float64](2, 2)
	vec.SyrkWorkers(vec.Lower, vec.NoTrans, 1, a, 0, c, 2) // by two cores
	fmt.Println(c.Data)
	// Output: [5 0 11 25]
}

func ExampleSquaredDistancesWorkers() {
	x, z := vec.MatrixOf(2, 2, []float64{0, 0, 3, 4}), vec.MatrixOf(1, 2, []float64{0, 4})
	d := vec.NewMatrix[float64](2, 1)
	vec.SquaredDistancesWorkers(d, x, z, 0)
	fmt.Println(d.Data)
	// Output: [16 9]
}

func ExampleMatrix_At() {
	a := vec.MatrixOf(2, 3, []float32{1, 2, 3, 4, 5, 6})
	fmt.Println(a.At(1, 2))
	// Output: 6
}
