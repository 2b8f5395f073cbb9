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
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		loss Loss
		tol  float64
	}{
		"weights":        {familytest.Sized{N: 300, D: 500, M: 250}, Hamming, 1e-6},
		"dual variables": {familytest.Sized{N: 2000, D: 40, M: 40}, SquaredHinge, 1e-9},
		"sparse":         {familytest.Sized{N: 1000, D: 800, M: 60, Share: .02}, Hamming, 1e-6},
		"kernel":         {familytest.Sized{N: 600, D: 50, M: 60, Kernel: true}, Hamming, 1e-6},
	} {
		t.Run(name, func(t *testing.T) {
			var p Problem[float32]
			p.X, p.Kernel, p.Y = c.Draw(t)
			familytest.Memory(t, p, Config{Epochs: 300, Tol: c.tol, Workers: 2, Loss: c.loss})
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
