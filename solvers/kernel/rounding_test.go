package kernel

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Numbers of a matrix of two features are right to 40 units in the last place at worst, whatever their size.
func ExampleMatrix_Rounding() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 2, []float64{1, 1e8, 2, 1e8})}
	m, _ := New[float64](x, Linear{}, 0)
	worst, typical := m.Rounding()
	fmt.Printf("%.1g %.1g\n", worst, typical)
	// Output: 4e-15 2e-16
}

// TestRounding: numbers of every kernel and storage are off by less than Rounding says of sqrt(K_ii K_jj), the same of
// a Subset and a given matrix, whose float64 is no better than what was given.
func TestRounding(t *testing.T) {
	x := vec.NewMatrix[float64](20, 6)
	for i := range x.Data {
		x.Data[i] = math.Sin(float64(i*i)) * math.Pow(10, float64(i%5))
	}
	examples := design.Matrix[float64](&dataset.Dense[float64]{Matrix: x})
	for _, k := range []Kernel{Linear{}, Polynomial{Degree: 3, Offset: 2}, Gaussian{Gamma: 1e-5},
		Sum{{1, Linear{}}, {2, Gaussian{Gamma: 1}}}} {
		m, err := New(examples, k, 0)
		if err != nil {
			t.Fatal(err)
		}
		worst, typical := m.Rounding()
		all, diagonal := vec.NewMatrix[float64](20, 20), make([]float64, 20)
		m.Rows(all, every(20), 1)
		m.Diagonal(diagonal)
		for i := range 20 {
			for j, v := range all.Row(i) {
				want, _ := value(k, x.Row(i), x.Row(j))
				if off := math.Abs(v-want) / math.Sqrt(diagonal[i]*diagonal[j]); !(off <= worst) {
					t.Errorf("%#v: row %d, column %d is off by %g, want at most %g", k, i, j, off, worst)
				}
			}
		}
		part, err := m.Subset([]int{1, 3})
		if err != nil {
			t.Fatal(err)
		}
		if w, u := part.Rounding(); w != worst || u != typical || !(u > 0 && u < w) {
			t.Errorf("%#v: %g %g of a subset, want %g %g", k, w, u, worst, typical)
		}
	}
	given, err := Precomputed(vec.MatrixOf(2, 2, []float32{1, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	part, _ := given.Subset([]int{1, 0})
	wide, _ := part.Float64()
	for name, rounding := range map[string]func() (float64, float64){
		"matrix": given.Rounding, "subset": part.Rounding, "float64": wide.Rounding,
	} {
		if worst, typical := rounding(); worst != 1e-5 || typical != 0 {
			t.Errorf("%s: %g %g", name, worst, typical)
		}
	}
}
