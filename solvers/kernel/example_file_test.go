package kernel_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// The file holds the support vectors: nobody needs the training examples to predict.
func ExampleReadExpansion() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{-1, 0, 1})}
	k, err := kernel.New(design.Matrix[float64](x), kernel.Gaussian{Gamma: 1}, 0)
	if err != nil {
		log.Fatal(err)
	}
	coefficients := vec.MatrixOf(3, 2, []float64{
		1, -1,
		0, 0,
		-1, 1,
	})
	m, err := kernel.NewExpansion(k, coefficients, []string{"left", "right"})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := kernel.ReadExpansion[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	classes, err := solvers.Predict(same, &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 1, []float64{.3, -5})}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%#v, support vectors %v of %d examples\n", same.Kernel(), same.Support(), same.Len())
	fmt.Println(same.Names()[classes[0]], same.Names()[classes[1]])
	// Output:
	// kernel.Gaussian{Gamma:1}, support vectors [0 2] of 3 examples
	// right left
}
