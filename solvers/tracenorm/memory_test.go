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
		rank int
	}{
		"weights":  {familytest.Sized{N: 300, D: 400, M: 60}, 5},
		"examples": {familytest.Sized{N: 4000, D: 20, M: 30}, 0},
		"sparse":   {familytest.Sized{N: 800, D: 500, M: 40, Share: .02}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			x, _, y := c.Draw(t)
			familytest.Memory(t, Problem[float32]{X: x, Y: y},
				Config{Epochs: 80, Tol: 1e-6, Workers: 2, Rank: c.rank, Lambda1: 1e-4, Lambda2: 1e-5})
		})
	}
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
