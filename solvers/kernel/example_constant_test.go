package kernel_test

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// A constant beside the kernel is an intercept: without it a straight line through the origin cannot tell 1 from 3.
func ExampleConstant() {
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{1, 1.5, 3, 3.5})})
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Sum{{Weight: 1, Kernel: kernel.Linear{}},
		{Weight: 1, Kernel: kernel.Constant{Value: 9}}}} {
		matrix, err := kernel.New(x, k, 0)
		if err != nil {
			panic(err)
		}
		r, err := m3l.Problem[float64]{Kernel: matrix, Y: []int{0, 0, 1, 1}}.Fit(context.Background(),
			m3l.Config{C: 100})
		if err != nil {
			panic(err)
		}
		guesses, err := solvers.Predict(r.Model, x, 0)
		fmt.Println(guesses, err)
	}
	// Output:
	// [1 1 1 1] <nil>
	// [0 0 1 1] <nil>
}
