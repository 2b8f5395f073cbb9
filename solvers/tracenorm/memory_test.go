package tracenorm

import (
	"context"
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/memtest"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where weights or what is of the examples takes most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 100 MB")
	}
	for name, c := range map[string]struct {
		n, d, m, rank int
		share         float64
	}{
		"weights":  {n: 600, d: 1500, m: 150, rank: 5, share: 1},
		"examples": {n: 20000, d: 20, m: 50, share: 1},
		"sparse":   {n: 2000, d: 1000, m: 100, rank: 3, share: .02},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := memtest.Data[float32](c.n, c.d, c.m, c.share)
			p := Problem[float32]{X: x, Y: y}
			config := Config{Epochs: 3, Workers: 2, Rank: c.rank, Lambda1: 1e-4, Lambda2: 1e-5}
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
	y[0] = 9
	m, err := Problem[float32]{X: x, Y: y}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}
