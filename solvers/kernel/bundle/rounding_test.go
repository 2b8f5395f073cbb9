package bundle

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Two kernels of the same features: what is off of a Gaussian is up to four times what is off of a product.
func ExampleBundle_Rounding() {
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 2, []float64{1, 0, 2, 3})})
	b, _ := New(0, Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 1}}})
	linear, _ := b.Rounding(0)
	gaussian, _ := b.Rounding(1)
	fmt.Println(gaussian / linear)
	// Output: 4
}

// TestRounding: a given matrix is off by what kernel.Precomputed takes for symmetric, of its own type of numbers.
func TestRounding(t *testing.T) {
	given, err := kernel.Precomputed(vec.MatrixOf(2, 2, []float32{1, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	part, _ := given.Subset([]int{1, 0})
	b, err := New(0, Group[float32]{Matrix: part})
	if err != nil {
		t.Fatal(err)
	}
	wide, _ := b.Float64()
	for name, rounding := range map[string]func(k int) (float64, float64){
		"float32": b.Rounding, "float64": wide.Rounding,
	} {
		if worst, typical := rounding(0); worst != 1e-5 || typical != 0 {
			t.Errorf("%s: %g %g", name, worst, typical)
		}
	}
}
