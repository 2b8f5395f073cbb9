package tracenorm

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
		rank   int
		states bool
	}{
		"weights":          {familytest.Sized{N: 300, D: 400, M: 60}, 5, false},
		"few examples":     {familytest.Sized{N: 4000, D: 20, M: 30}, 0, false},
		"examples":         {familytest.Sized{N: 10000, D: 20, M: 30}, 0, false},
		"sparse":           {familytest.Sized{N: 800, D: 500, M: 40, Share: .02}, 3, false},
		"weights, states":  {familytest.Sized{N: 300, D: 400, M: 60}, 5, true},
		"examples, states": {familytest.Sized{N: 10000, D: 20, M: 30}, 0, true},
	} {
		config := Config{Epochs: 80, Tol: 1e-6, Workers: 2, Rank: c.rank, Lambda1: 1e-4, Lambda2: 1e-5}
		if c.states {
			config.Checkpoint = familytest.Discarded()
		}
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, config) })
		if name != "few examples" { // of steps that L-BFGS has no need to remember up to 1.3 times as much is told
			t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, config) })
		}
	}
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config) {
	x, _, y := familytest.Draw[T](t, s)
	familytest.Memory(t, Problem[T]{X: x, Y: y}, c)
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 500)}
	y := make([]int, 1000)
	y[0] = 9
	m, err := Problem[float32]{X: x, Y: y}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}
