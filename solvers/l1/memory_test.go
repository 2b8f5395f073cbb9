package l1

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where weights or what is of the examples takes most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		workers int
		cost    float64 // large where the working set is to have many features
	}{
		"examples": {familytest.Sized{N: 3000, D: 200, M: 3}, 2, .1},
		"outputs":  {familytest.Sized{N: 500, D: 150, M: 30}, 1, .1},
		"features": {familytest.Sized{N: 1000, D: 1500, M: 2, Share: .03}, 2, 1000},
		"sparse":   {familytest.Sized{N: 2000, D: 800, M: 3, Share: .03}, 2, .1},
	} {
		t.Run(name, func(t *testing.T) {
			x, _, y := c.Draw(t)
			familytest.Memory(t, Problem[float32]{X: x, Y: y}, Config{Epochs: 30, Tol: 1e-6,
				Workers: c.workers, C: c.cost})
		})
	}
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 500)}
	y := make([]int, 1000)
	y[0] = 1
	m, err := Problem[float32]{X: x, Y: y}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 20e6)
	// Output: true
}
