package mkl

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where kernels or variables take most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		budget int64
		states bool
	}{
		"kernels":           {familytest.Sized{N: 600, D: 20, M: 3}, 20 << 20, false},
		"variables":         {familytest.Sized{N: 500, D: 10, M: 40}, 1 << 20, false},
		"more variables":    {familytest.Sized{N: 800, D: 10, M: 40}, 1 << 20, false},
		"features":          {familytest.Sized{N: 400, D: 600, M: 3}, 1 << 20, false},
		"variables, states": {familytest.Sized{N: 800, D: 10, M: 40}, 1 << 20, true},
	} {
		config := Config{Epochs: 10, Tol: 1e-6, Workers: 2}
		if c.states {
			config.Checkpoint = familytest.Discarded()
		}
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, config, c.budget) })
		t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, config, c.budget) })
	}
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config, budget int64) {
	x, _, y := familytest.Draw[T](t, s)
	b, err := bundle.New(budget, bundle.Group[T]{X: x,
		Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	familytest.Memory(t, Problem[T]{Bundle: b, Y: y}, c)
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 50)}
	y := make([]int, 1000)
	y[0] = 9
	b, err := bundle.New[float32](1<<20,
		bundle.Group[float32]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1}}})
	if err != nil {
		panic(err)
	}
	m, err := Problem[float32]{Bundle: b, Y: y}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 30e6)
	// Output: true
}
