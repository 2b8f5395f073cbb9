package m3l

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where weights, dual variables or the kernel take most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 100 MB")
	}
	for name, c := range map[string]struct {
		familytest.Sized
		loss Loss
	}{
		"weights":        {familytest.Sized{N: 1000, D: 2000, M: 500}, Hamming},
		"dual variables": {familytest.Sized{N: 20000, D: 20, M: 100}, SquaredHinge},
		"sparse":         {familytest.Sized{N: 4000, D: 3000, M: 200, Share: .02}, Hamming},
		"kernel":         {familytest.Sized{N: 2000, D: 50, M: 200, Kernel: true}, Hamming},
	} {
		t.Run(name, func(t *testing.T) {
			var p Problem[float32]
			p.X, p.Kernel, p.Y = c.Draw(t)
			familytest.Memory(t, p, Config{Epochs: 3, Workers: 2, Loss: c.loss})
		})
	}
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 500)}
	y := make([]int, 1000)
	y[0] = 99
	m, err := Problem[float32]{X: x, Y: y}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}
