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
		loss    Loss
		states  bool
	}{
		"examples":         {familytest.Sized{N: 3000, D: 200, M: 3}, 2, .1, 0, false},
		"outputs":          {familytest.Sized{N: 500, D: 150, M: 30}, 1, .1, 0, false},
		"features":         {familytest.Sized{N: 1000, D: 1500, M: 2, Share: .03}, 2, 1000, 0, false},
		"sparse":           {familytest.Sized{N: 2000, D: 800, M: 3, Share: .03}, 2, .1, 0, false},
		"logistic":         {familytest.Sized{N: 3000, D: 200, M: 3}, 2, .1, Logistic, false},
		"examples, states": {familytest.Sized{N: 3000, D: 200, M: 3}, 2, .1, 0, true},
		"outputs, states":  {familytest.Sized{N: 500, D: 150, M: 30}, 1, .1, 0, true},
	} {
		config := Config{Epochs: 30, Tol: 1e-6, Workers: c.workers, C: c.cost, Loss: c.loss}
		if c.states {
			config.Checkpoint = familytest.Discarded()
		}
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, config) })
		t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, config) })
	}
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config) {
	x, _, y := familytest.Draw[T](t, s)
	familytest.Memory(t, Problem[T]{X: x, Y: y}, c)
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
