package toprank

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

// TestMemory: what is told before is enough, and not much more, with few features, with many, and with a kernel. Within
// queries the method is that of package interior from the start, which elsewhere may take over, and counts.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 200 MB")
	}
	for name, c := range map[string]struct {
		n, d, queries int
		share         float64
		kernel        bool
	}{
		"features":      {n: 20000, d: 300, share: 1},
		"examples":      {n: 50000, d: 5, share: 1},
		"many features": {n: 1200, d: 2100, share: 1, queries: 20},
		"kernel":        {n: 1500, d: 50, share: 1, kernel: true, queries: 20},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := memtest.Data[float32](c.n, c.d, 2, c.share)
			p := Problem[float32]{X: x}
			for _, class := range y {
				p.Positive = append(p.Positive, class == 1)
			}
			for i := range c.n * min(1, c.queries) {
				p.Groups = append(p.Groups, i/2%c.queries)
			}
			config := Config{Epochs: 3, Workers: 2}
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
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](10000, 50)}
	positive := make([]bool, 10000)
	positive[0] = true
	m, err := Problem[float32]{X: x, Positive: positive}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}
