package topk

import (
	"context"
	"fmt"
	"strconv"
	"strings"
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
		t.Skip("takes up to 200 MB")
	}
	for name, c := range map[string]struct {
		n, d, m, workers int
		share            float64
		kernel           bool
		loss             Loss
	}{
		"weights":              {n: 1200, d: 2000, m: 1000, workers: 1, share: 1},
		"workers":              {n: 4000, d: 600, m: 600, workers: 2, share: 1},
		"dual variables":       {n: 20000, d: 20, m: 100, workers: 2, share: 1},
		"sparse":               {n: 4000, d: 3000, m: 200, workers: 2, share: .02},
		"groups":               {n: 20000, d: 20, m: 100, workers: 2, share: 1, loss: SquaredHinge},
		"sparse groups":        {n: 4000, d: 3000, m: 200, workers: 2, share: .02, loss: SquaredHinge},
		"kernel":               {n: 2000, d: 50, m: 200, workers: 2, share: 1, kernel: true},
		"kernel in levels":     {n: 6000, d: 50, m: 100, workers: 2, share: 1, kernel: true},
		"kernel, softmax":      {n: 6000, d: 10, m: 100, workers: 2, share: 1, kernel: true, loss: TopKEntropy},
		"kernel, many numbers": {n: 2000, d: 2000, m: 10, workers: 2, share: 1, kernel: true},
	} {
		t.Run(name, func(t *testing.T) {
			x, y := memtest.Data[float32](c.n, c.d, c.m, c.share)
			p := Problem[float32]{X: x, Y: y}
			config := Config{Lambda: 1 / float64(c.n), Epochs: 3, Workers: c.workers, Loss: c.loss}
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

// TestMemoryOfMany: what would take more than any machine has is told at once, with the numbers.
func TestMemoryOfMany(t *testing.T) {
	x := &dataset.CSR[float32]{Rows: 2, Cols: 20000, Ptr: []int{0, 1, 2}, Idx: []int32{0, 19999}, Val: []float32{1, 1}}
	told, err := Problem[float32]{X: x, Y: []int{0, 19999}}.Memory(Config{Lambda: 1, Workers: 1})
	if strconv.IntSize == 32 { // that many numbers have no place in an address space of 32 bits: there it is an error
		if err == nil || !strings.Contains(err.Error(),
			"2 examples of 20000 features with 20000 outputs are beyond this machine's memory") {
			t.Errorf("%v, %v", told, err)
		}
	} else if err != nil || told.Bytes() < 10e9 || told.Bytes() > 20e9 ||
		!strings.Contains(told.String(), "20000 features x 20000 classes x 4 bytes") {
		t.Errorf("%v, %v", told, err)
	}
	if _, err := (Problem[float32]{X: x}).Memory(Config{Lambda: 1}); err == nil {
		t.Error("a problem without labels")
	}
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 500)}
	x.Data[0] = 1
	y := make([]int, 1000)
	y[0] = 99
	m, err := Problem[float32]{X: x, Y: y}.Memory(Config{Lambda: 1e-3, Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}
