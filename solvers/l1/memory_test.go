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
		t.Skip("takes up to 100 MB")
	}
	for name, c := range map[string]struct {
		familytest.Sized
		cost float64 // large where the working set is to have many features
	}{
		"examples": {familytest.Sized{N: 20000, D: 50, M: 3}, .1},
		"outputs":  {familytest.Sized{N: 2000, D: 300, M: 60}, .1},
		"features": {familytest.Sized{N: 300, D: 20000, M: 2, Share: .02}, 10},
		"sparse":   {familytest.Sized{N: 8000, D: 1000, M: 3, Share: .03}, .1},
	} {
		t.Run(name, func(t *testing.T) {
			x, _, y := c.Draw(t)
			familytest.Memory(t, Problem[float32]{X: x, Y: y}, Config{Epochs: 3, Workers: 2, C: c.cost})
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
