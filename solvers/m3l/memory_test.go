package m3l

import (
	"context"
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/memtest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where weights, dual variables or the kernel take most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 100 MB")
	}
	for name, c := range map[string]struct {
		n, d, m int
		share   float64
		kernel  bool
		loss    Loss
	}{
		"weights":        {n: 1000, d: 2000, m: 500, share: 1},
		"dual variables": {n: 20000, d: 20, m: 100, share: 1, loss: SquaredHinge},
		"sparse":         {n: 4000, d: 3000, m: 200, share: .02},
		"kernel":         {n: 2000, d: 50, m: 200, share: 1, kernel: true},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := memtest.Data[float32](c.n, c.d, c.m, c.share)
			p := Problem[float32]{X: x, Y: y}
			config := Config{Epochs: 3, Workers: 2, Loss: c.loss}
			if c.kernel {
				k, err := kernel.New[float32](x, kernel.Gaussian{Gamma: 1}, 20<<20)
				if err != nil {
					t.Fatal(err)
				}
				p.X, p.Kernel = nil, k
			}
			told, err := p.Memory(config)
			if err != nil {
				t.Fatal(err)
			}
			memtest.Check(t, told, func(progress func(solvers.Progress)) error {
				config.Progress = progress
				_, err := p.Fit(context.Background(), config)
				return err
			})
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
