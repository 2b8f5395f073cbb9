package topk

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where weights, dual variables or the kernel take most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 200 MB")
	}
	for name, c := range map[string]struct {
		familytest.Sized
		workers int
		loss    Loss
	}{
		"weights":              {familytest.Sized{N: 1200, D: 2000, M: 1000}, 1, 0},
		"workers":              {familytest.Sized{N: 4000, D: 600, M: 600}, 2, 0},
		"dual variables":       {familytest.Sized{N: 20000, D: 20, M: 100}, 2, 0},
		"sparse":               {familytest.Sized{N: 4000, D: 3000, M: 200, Share: .02}, 2, 0},
		"groups":               {familytest.Sized{N: 20000, D: 20, M: 100}, 2, SquaredHinge},
		"sparse groups":        {familytest.Sized{N: 4000, D: 3000, M: 200, Share: .02}, 2, SquaredHinge},
		"kernel":               {familytest.Sized{N: 2000, D: 50, M: 200, Kernel: true}, 2, 0},
		"kernel in levels":     {familytest.Sized{N: 6000, D: 50, M: 100, Kernel: true}, 2, 0},
		"kernel, softmax":      {familytest.Sized{N: 6000, D: 10, M: 100, Kernel: true}, 2, TopKEntropy},
		"kernel, many numbers": {familytest.Sized{N: 2000, D: 2000, M: 10, Kernel: true}, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var p Problem[float32]
			p.X, p.Kernel, p.Y = c.Draw(t)
			familytest.Memory(t, p, Config{Lambda: 1 / float64(c.N), Epochs: 3, Workers: c.workers, Loss: c.loss})
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
