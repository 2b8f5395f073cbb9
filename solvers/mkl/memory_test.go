package mkl

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

// TestMemory: what is told before is enough, and not much more, where kernels or variables take most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 100 MB")
	}
	for name, c := range map[string]struct{ n, d, m, budget int }{
		"kernels":   {n: 1500, d: 20, m: 3, budget: 20 << 20},
		"variables": {n: 1200, d: 10, m: 200, budget: 1 << 20},
		"features":  {n: 1000, d: 2000, m: 3, budget: 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := memtest.Data[float32](c.n, c.d, c.m, 1)
			group := kernel.Group[float32]{X: x, Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 1}}}
			b, err := kernel.NewBundle[float32](int64(c.budget), group)
			if err != nil {
				t.Fatal(err)
			}
			p, config := Problem[float32]{Bundle: b, Y: y}, Config{Epochs: 3, Workers: 2}
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
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 50)}
	y := make([]int, 1000)
	y[0] = 9
	b, err := kernel.NewBundle[float32](1<<20,
		kernel.Group[float32]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1}}})
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
