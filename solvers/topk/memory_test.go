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
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		workers int
		loss    Loss
		more    string // a prior, states, or float32 alone: see below
	}{
		"weights":              {familytest.Sized{N: 300, D: 500, M: 250}, 1, 0, ""},
		"workers":              {familytest.Sized{N: 1500, D: 150, M: 150}, 2, 0, ""},
		"dual variables":       {familytest.Sized{N: 4000, D: 20, M: 40}, 2, 0, ""},
		"sparse":               {familytest.Sized{N: 1000, D: 800, M: 60, Share: .02}, 2, 0, "float32"},
		"groups":               {familytest.Sized{N: 3000, D: 20, M: 60}, 2, SquaredHinge, ""},
		"sparse groups":        {familytest.Sized{N: 1000, D: 800, M: 60, Share: .02}, 2, SquaredHinge, ""},
		"kernel":               {familytest.Sized{N: 800, D: 50, M: 60, Kernel: true}, 2, 0, ""},
		"kernel in levels":     {familytest.Sized{N: 4200, D: 10, M: 20, Kernel: true, Budget: 1 << 20}, 2, 0, ""},
		"kernel, softmax":      {familytest.Sized{N: 1500, D: 10, M: 30, Kernel: true}, 2, TopKEntropy, ""},
		"kernel, many numbers": {familytest.Sized{N: 600, D: 800, M: 10, Kernel: true}, 2, 0, "float32"},
		"prior":                {familytest.Sized{N: 300, D: 500, M: 250}, 1, 0, "prior"},
		"sparse, prior":        {familytest.Sized{N: 1000, D: 800, M: 50, Share: .05}, 2, 0, "prior"},
		"groups, prior":        {familytest.Sized{N: 3000, D: 90, M: 60}, 2, SquaredHinge, "prior"},
		"states":               {familytest.Sized{N: 4000, D: 20, M: 40}, 2, 0, "states"},
		"weights, states":      {familytest.Sized{N: 300, D: 500, M: 250}, 1, 0, "states"},
		"groups, states":       {familytest.Sized{N: 3000, D: 20, M: 60}, 2, SquaredHinge, "states"},
		"kernel, states":       {familytest.Sized{N: 800, D: 50, M: 60, Kernel: true}, 2, 0, "states"},
	} {
		config := Config{Lambda: 1 / float64(c.N), Epochs: 30, Tol: 1e-6, Workers: c.workers, Loss: c.loss}
		if c.more == "states" {
			config.Checkpoint = familytest.Discarded()
		}
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, config, c.more == "prior") })
		// In float64 up to 1.3 times as much is told of levels and of sparse examples, and twice as much where the rows
		// of K that are kept are all that a certificate needs.
		if c.Budget == 0 && c.more != "float32" {
			t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, config, c.more == "prior") })
		}
	}
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config, prior bool) {
	var p Problem[T]
	p.X, p.Kernel, p.Y = familytest.Draw[T](t, s)
	if prior {
		p.Prior = vec.NewMatrix[float64](s.D, s.M)
		p.Prior.Row(0)[0] = 1
	}
	familytest.Memory(t, p, c)
}

// TestMemoryOfMany: what would take more than any machine has is told at once, with the numbers.
func TestMemoryOfMany(t *testing.T) {
	x := &dataset.CSR[float32]{Rows: 2, Cols: 20000, Ptr: []int{0, 1, 2}, Idx: []int32{0, 19999}, Val: []float32{1, 1}}
	told, err := Problem[float32]{X: x, Y: []int{0, 19999}}.Memory(Config{Lambda: 1, Workers: 1})
	// weights twice, and two models, in float32, and weights of a certificate in float64, each of 4e8 numbers: 9.6 GB
	if strconv.IntSize == 32 { // that many numbers have no place in an address space of 32 bits: there it is an error
		if err == nil || !strings.Contains(err.Error(),
			"2 examples of 20000 features with 20000 outputs are beyond this machine's memory") {
			t.Errorf("%v, %v", told, err)
		}
	} else if err != nil || told.Bytes() < 9.6e9 || told.Bytes() > 9.7e9 ||
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
