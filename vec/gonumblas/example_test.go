package gonumblas_test

import (
	"fmt"

	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/mat"
)

// Singular values by gonum's mat, which computes on these kernels from Use on.
func ExampleLapack() {
	gonumblas.Use()

	var svd mat.SVD
	ok := svd.Factorize(mat.NewDense(3, 2, []float64{3, 0, 0, 4, 0, 0}), mat.SVDThin)
	fmt.Printf("%t %.3f\n", ok, svd.Values(nil))
	// Output: true [4.000 3.000]
}
